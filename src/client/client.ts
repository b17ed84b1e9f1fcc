import type { Static } from 'typebox'
import type { AnyEndpoint, Call } from '../contract/endpoint.js'
import { BASE_PATH } from '../contract/endpoints.js'
import { Problem } from '../contract/errors.js'
import { systemClock } from '../kit/clock.js'
import { exchange, gatewayUrl, type HttpReply } from './exchange.js'
import {
  type Effect,
  jsonIn,
  NoResponse,
  problemInResponse,
  type ResponseProblem,
  Unreachable,
} from './failures.js'
import { THERE_WITHIN_MS, watchGateway } from './gateway-watch.js'
import { PATIENCE_MS, type Repeats, repeated } from './repeats.js'

/** The parts of a call: those that its schemas require, and those that may be left out. */
export type Given<E extends AnyEndpoint> = Partial<Call<E>> & {
  [Part in keyof Call<E> as object extends Call<E>[Part] ? never : Part]: Call<E>[Part]
}

export interface ClientOptions extends Repeats {
  /** Of the gateway, without `/api/v1`. */
  readonly url: string
  readonly token?: string | undefined
  /** Why it calls, for the audit; sent with each call that is not a GET and has none in its body. */
  readonly reason?: string | undefined
  /** The W3C trace context that its calls belong to. */
  readonly traceparent?: string | undefined
  /** Milliseconds without a byte after which a call is given up. When left out, as long as the gateway responds to others. */
  readonly timeout?: number | undefined
}

export interface CallOptions {
  /** A repeat with the same key does nothing, and is given the first response. */
  readonly idempotencyKey?: string | undefined
  /** The `ETag` that the record has to have still. */
  readonly ifMatch?: string | undefined
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FullReply<T> {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: T
}

/** Query parameters as text; an array repeats its name, and what is undefined is left out. */
export function queryText(query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of [value].flat()) search.append(name, String(one))
  }
  return search.size === 0 ? '' : `?${search}`
}

/** The endpoint's path below the base, with its parameters in place. */
function pathOf(endpoint: AnyEndpoint, params: Readonly<Record<string, unknown>>): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    if (value === '') throw new Problem('invalid_request', `The ${name} must not be empty.`)
    return encodeURIComponent(value)
  })
}

/** The path and query of a call, below the path of the gateway's URL. */
export const urlPathOf = <E extends AnyEndpoint>(
  endpoint: E,
  { params = {}, query = {} }: Partial<Record<keyof Call<E>, object>>,
): string => BASE_PATH + pathOf(endpoint, params as Record<string, unknown>) + queryText(query)

/** What a call may have done to which no response has come. */
function effectOf({ method, errors, isSafe }: AnyEndpoint): Effect {
  if (method !== 'GET' && errors.includes('reply_timeout')) return 'message'
  return isSafe ? 'none' : 'change'
}

/** The same of a request of which only the method is known. */
const effectOfMethod = (method: string): Effect =>
  ['GET', 'HEAD', 'OPTIONS'].includes(method) ? 'none' : 'change'

/** The problem that a response is; undefined for every other one. */
const problemInReply = ({ status, headers, text }: HttpReply): ResponseProblem | undefined =>
  problemInResponse(status, jsonIn(text), headers['retry-after'])

/** Says what the request may have done where it may have arrived. */
const withEffect = (error: unknown, effect: Effect): unknown =>
  error instanceof Unreachable && error.asked && effect !== 'none' ? new NoResponse(error, effect) : error

/**
 * Calls the gateway. A failure that the gateway reports is thrown as the `Problem` of its response
 * (`ResponseProblem`), one on the way as `Unreachable`.
 */
export class GatewayClient {
  readonly #url: URL

  /** Throws `invalid_request` when `url` is none. */
  constructor(readonly options: ClientOptions) {
    this.#url = gatewayUrl(options.url)
  }

  async call<E extends AnyEndpoint>(
    endpoint: E,
    given: Given<E>,
    options: CallOptions = {},
  ): Promise<Static<E['reply']>> {
    return (await this.callFull(endpoint, given, options)).body
  }

  /** The same, with the status (connect returns 200 or 202) and the headers. */
  async callFull<E extends AnyEndpoint>(
    endpoint: E,
    given: Given<E>,
    options: CallOptions = {},
  ): Promise<FullReply<Static<E['reply']>>> {
    const { body } = given
    // A reason in the body is that of the audit, too.
    const hasOwn = endpoint.method === 'GET' || (body as { readonly reason?: string } | undefined)?.reason
    const { reason } = hasOwn ? {} : this.options
    const path = urlPathOf(endpoint, { ...given, query: { ...given.query, reason } })
    const text = body === undefined ? undefined : JSON.stringify(body)
    const effect = effectOf(endpoint)
    const reply = await this.request(endpoint.method, path, text, options, effect)
    const { status, headers } = reply
    const response = reply.text === '' ? {} : jsonIn(reply.text)
    if (response !== null && status >= 200 && status < 300)
      return { status, headers, body: response as Static<E['reply']> }
    throw problemInReply(reply) ?? withEffect(this.#noGateway(reply, response === null), effect)
  }

  /** For a response that is none of a gateway. One of a server between them may mean that the gateway took too long. */
  #noGateway({ status, headers }: HttpReply, isText: boolean): Unreachable {
    const { origin } = this.#url
    const type = isText ? `, ${headers['content-type'] ?? 'no content type'}` : ''
    const detail = `The server at ${origin} is not a gateway: it responded with ${status}${type}.`
    return new Unreachable(origin, detail, undefined, status >= 500)
  }

  /**
   * Any request with the token of this client; the response is given as it is, also when it is a failure. A client that
   * may wait repeats one that is refused for a reason that passes.
   */
  async request(
    method: string,
    path: string,
    body?: string,
    options: CallOptions = {},
    effect = effectOfMethod(method),
  ): Promise<HttpReply> {
    const { timeout = this.options.timeout, signal } = options
    const once = (): Promise<HttpReply> =>
      this.#once(method, path, body, options).catch((error: unknown) => {
        throw withEffect(error, effect)
      })
    const refusalIn = (reply: HttpReply) => (reply.status < 400 ? undefined : problemInReply(reply))
    return repeated(this.options, once, refusalIn, signal, timeout === undefined ? PATIENCE_MS : 0)
  }

  #once(method: string, path: string, body: string | undefined, options: CallOptions): Promise<HttpReply> {
    const { idempotencyKey, ifMatch, timeout = this.options.timeout, signal } = options
    const { traceparent, clock = systemClock } = this.options
    const token = this.options.token?.trim()
    return exchange(this.#url, {
      method,
      path,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(traceparent !== undefined && { traceparent }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      body,
      timeout,
      signal,
      watch:
        timeout === undefined
          ? (giveUp: () => void) => watchGateway(clock, () => this.#isThere(), giveUp)
          : undefined,
    })
  }

  /** Whether the gateway responds to `/readyz`, whatever it says. */
  #isThere(): Promise<boolean> {
    const question = { method: 'GET', path: '/readyz', headers: {}, timeout: THERE_WITHIN_MS }
    return exchange(this.#url, question).then(
      () => true,
      () => false,
    )
  }
}
