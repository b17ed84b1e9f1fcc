import type { AnyEndpoint, Call } from '../contract/endpoint.js'
import { type ClientOptions, urlPathOf } from './client.js'
import { gatewayUrl, pathAt } from './exchange.js'
import { jsonIn, problemInResponse, Unreachable, unreachable } from './failures.js'
import { trustOf } from './trust.js'

export interface StreamRequest<E extends AnyEndpoint> {
  readonly given: Partial<Call<E>>
  readonly accept: E['media'][number]
  /** Beside the token. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds without a byte after which the connection is taken for lost; 0: it may be silent for ever. */
  readonly idleTimeoutMs: number
  readonly signal: AbortSignal
}

/** Milliseconds in which a gateway begins to respond. */
const MAX_WAIT_MS = 45_000

/** The response of a stream. Throws the problem of the gateway's response instead, or `Unreachable`. */
export async function openStream<E extends AnyEndpoint>(
  options: ClientOptions,
  endpoint: E,
  { given, accept, headers, idleTimeoutMs, signal }: StreamRequest<E>,
): Promise<AsyncIterable<Uint8Array>> {
  const url = gatewayUrl(options.url)
  const undici = await import('undici')
  const { Agent, request } = undici.default ?? undici
  const trust = await trustOf(url.origin)
  const dispatcher = Object.keys(trust).length > 0 ? { dispatcher: new Agent({ connect: trust }) } : {}
  const token = options.token?.trim()
  try {
    const {
      statusCode,
      headers: responseHeaders,
      body,
    } = await request(url.origin + pathAt(url, urlPathOf(endpoint, given)), {
      headers: { accept, ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      ...dispatcher,
      signal,
      headersTimeout: MAX_WAIT_MS,
      bodyTimeout: idleTimeoutMs,
    })
    if (statusCode === 200) return body
    throw (
      problemInResponse(statusCode, jsonIn(await body.text()), String(responseHeaders['retry-after'])) ??
      new Unreachable(
        url.origin,
        `The server at ${url.origin} is not a gateway: it responded with ${statusCode}.`,
      )
    )
  } catch (error) {
    throw error instanceof Error && 'kind' in error ? error : unreachable(url.origin, error)
  }
}
