import type { Fault } from './fault.js'

const UNREACHABLE = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** What a failed dial tells of the peer. */
export function dialFault(error: NodeJS.ErrnoException, host: string, port: number): Fault {
  const code = error.code ?? ''
  if (code === 'ECONNREFUSED' || code === 'ECONNRESET') {
    return {
      code: 'connection_refused',
      detail: `nothing listens at ${host}:${port}: the connection was refused`,
    }
  }
  if (code === 'ETIMEDOUT') return { code: 'connect_timeout', detail: `${host}:${port} did not answer` }
  const why = UNREACHABLE.has(code)
    ? `there is no way to ${host}:${port}`
    : `${host}:${port} cannot be dialled`
  // Where a name has several addresses and none answers, there is no message.
  return { code: 'no_route', detail: `${why} (${error.message || code})` }
}
