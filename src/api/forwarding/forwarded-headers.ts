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

/** Of a request: headers that this daemon sets itself, has handled itself, or that are about the connection to it. */
const OWN = [
  PASSED_ON_HEADER,
  POSITION_HEADER,
  'host',
  'origin',
  'cookie',
  'forwarded',
  'via',
  'x-real-ip',
  'x-request-id',
]

function without(headers: IncomingHttpHeaders, more: readonly string[]): [string, string | string[]][] {
  const named = String(headers.connection ?? '').split(/[\s,]+/)
  const left = new Set([...OF_CONNECTION, ...more, ...named.map((name) => name.toLowerCase())])
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || left.has(name) || name.startsWith('x-forwarded-') ? [] : [[name, value]],
  )
}

/** The headers of a request that are for the daemon that carries it out. */
export const requestHeaders = (headers: IncomingHttpHeaders): Record<string, string | string[]> =>
  Object.fromEntries(without(headers, OWN))

/** The headers of a response that are for the caller. */
export const responseHeaders = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(without(headers, ['date', POSITION_HEADER]))
