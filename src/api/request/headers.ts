import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.js'

const REQUEST_ID = /^[\x20-\x7e]{1,128}$/

/** The caller's `X-Request-Id`, or one of our own when it is none that can be logged and sent back. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/** Headers of every response: it is not cached, not shown in a frame, and its media type is not guessed. */
export const responseHeaders = (id: string): Readonly<Record<string, string>> => ({
  'x-request-id': id,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
})

export function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const headers = responseHeaders(request.id)
  for (const name in headers) reply.header(name, headers[name])
}

/** Refuses the character NUL in the path and the query: no id, name or word that is searched for has it. */
export function refuseNul({ url }: FastifyRequest): void {
  if (!url.includes('%00')) return
  throw new Problem('invalid_request', 'The path and the query cannot have the character NUL (%00).')
}

/** Throws `invalid_request` for HTTP/1.1 without the one Host that it has to name (RFC 9112). */
export function requireHost({ raw: { httpVersion, rawHeaders } }: FastifyRequest): void {
  if (httpVersion !== '1.1') return
  if (countOf('host', rawHeaders) !== 1)
    throw new Problem('invalid_request', 'The request has to name one Host.')
}

/** Throws `invalid_request` for two keys: Node makes one text of them, which a client would not repeat. */
export function requireOneKey({ headers, raw: { rawHeaders } }: FastifyRequest): void {
  if (headers['idempotency-key'] === undefined || countOf('idempotency-key', rawHeaders) < 2) return
  const detail = 'may be given once'
  throw new Problem('invalid_request', `Idempotency-Key ${detail}.`, {
    errors: [{ pointer: 'Idempotency-Key', detail }],
  })
}

/** How often a header is given. */
function countOf(header: string, rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === header.length && name.toLowerCase() === header) count++
  }
  return count
}
