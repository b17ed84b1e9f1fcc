import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { PASSED_ON_HEADER } from '../request/passed-on.js'
import { POSITION_HEADER } from './confirmed-changes.js'

/** Headers that are about one connection (RFC 9110, 7.6.1). */
const OF_CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
]

/** Headers of a request that are for this daemon alone: it sets them itself, has handled them, or they are about the connection. */
const OF_REQUEST = new Set([
  ...OF_CONNECTION,
  PASSED_ON_HEADER,
  POSITION_HEADER,
  'host',
  'origin',
  'cookie',
  'forwarded',
  'via',
  'x-real-ip',
  'x-request-id',
])
const OF_RESPONSE = new Set([...OF_CONNECTION, 'date', POSITION_HEADER])

function without(headers: IncomingHttpHeaders, left: ReadonlySet<string>): Record<string, string | string[]> {
  // Several of one name are a list where they come from another daemon.
  const connection = String(headers.connection ?? '').toLowerCase()
  const named = connection === '' ? [] : connection.split(/[\s,]+/)
  const kept: Record<string, string | string[]> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !left.has(name) && !named.includes(name) && !name.startsWith('x-forwarded-'))
      kept[name] = value
  }
  return kept
}

/** The headers of a request that are for the daemon that carries it out. */
export const requestHeaders = (headers: IncomingHttpHeaders): Record<string, string | string[]> =>
  without(headers, OF_REQUEST)

/** The headers of a response that are for the caller. */
export const responseHeaders = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  without(headers, OF_RESPONSE)
