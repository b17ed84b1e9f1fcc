import type { AnyEndpoint, Call } from '../contract/endpoint.js'
import { type ClientOptions, urlPathOf } from './client.js'
import { gatewayUrl, pathAt } from './exchange.js'
import { jsonIn, problemInResponse, ResponseProblem, Unreachable, unreachable } from './failures.js'
import { repeated } from './repeats.js'
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
  const open = async (): Promise<AsyncIterable<Uint8Array> | ResponseProblem> => {
    const response = await request(url.origin + pathAt(url, urlPathOf(endpoint, given)), {
      headers: { accept, ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      ...dispatcher,
      signal,
      headersTimeout: MAX_WAIT_MS,
      bodyTimeout: idleTimeoutMs,
    })
    const { statusCode: status, body } = response
    if (status === 200) return body
    const after = String(response.headers['retry-after'])
    const problem = problemInResponse(status, jsonIn(await body.text()), after)
    if (problem) return problem
    throw new Unreachable(
      url.origin,
      `The server at ${url.origin} is not a gateway: it responded with ${status}.`,
    )
  }
  try {
    const refusalIn = (found: unknown) => (found instanceof ResponseProblem ? found : undefined)
    const found = await repeated(options, open, refusalIn, signal)
    if (found instanceof ResponseProblem) throw found
    return found
  } catch (error) {
    throw error instanceof Error && 'kind' in error ? error : unreachable(url.origin, error)
  }
}
