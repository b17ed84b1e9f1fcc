import type { Fault } from '../fault.js'

const UNREACHABLE = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The fault that a failed dial shows. */
export function dialFault(error: NodeJS.ErrnoException, host: string, port: number): Fault {
  const code = error.code ?? ''
  if (code === 'ECONNREFUSED' || code === 'ECONNRESET') {
    return { code: 'connection_refused', detail: `nothing listens at ${host}:${port}` }
  }
  if (code === 'ETIMEDOUT') return { code: 'connect_timeout', detail: `${host}:${port} did not respond` }
  const why = UNREACHABLE.has(code)
    ? `there is no way to ${host}:${port}`
    : `${host}:${port} cannot be dialled`
  // Where a name has several addresses and none replies, there is no message.
  return { code: 'no_route', detail: `${why} (${error.message || code})` }
}

const LOSSES: Readonly<Record<string, string>> = {
  ECONNRESET: 'the peer broke the connection off',
  EPIPE: 'the peer broke the connection off',
  ETIMEDOUT: 'the peer does not respond any more',
}

/** Why a connection that was up has ended, in words. */
export function lossDetail(error: NodeJS.ErrnoException): string {
  const { code } = error
  if (code === undefined) return error.message
  const why = UNREACHABLE.has(code) ? 'there is no way to the peer any more' : LOSSES[code]
  return why ? `${why} (${code})` : error.message
}
