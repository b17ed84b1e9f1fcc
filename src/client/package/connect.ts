import { endpoints } from '../../contract/endpoints.js'
import { pathPart } from '../../contract/path-part.js'
import { type Clock, delay, systemClock } from '../../kit/clock.js'
import { readEvents } from '../event-source.js'
import { isRepeated, PATIENCE_MS } from '../repeats.js'
import { GatewayError, GatewayUnreachable, refusal } from './gateway-error.js'

/** What the declarations in `index.d.mts` promise: they have the types of every call, made from the OpenAPI document. */
export interface ConnectOptions {
  readonly url: string
  readonly token?: string
  readonly timeout?: number
  readonly fetch?: typeof fetch
}

interface GivenParts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeout?: number
  readonly idempotencyKey?: string
  readonly ifMatch?: string
}

const BASE_PATH = '/api/v1'

/** Longer than the gateway takes for any call: `wait` of connect is 120 s at most. */
const TIMEOUT_MS = 150_000
/** Milliseconds without a byte after which a stream is taken for lost: three heartbeats. */
const IDLE_TIMEOUT_MS = 45_000
/** Milliseconds before a stream is opened again, first and at most. */
const RETRY_MS = { first: 250, most: 5_000 } as const

export const connect = (options: ConnectOptions): Gateway => new Gateway(options, systemClock)

export class Gateway {
  token: string | undefined
  readonly #origin: string
  readonly #send: typeof fetch

  constructor(
    readonly options: ConnectOptions,
    readonly clock: Clock,
  ) {
    if (!/^https?:$/.test(new URL(options.url).protocol)) throw new TypeError(`${options.url} is no http URL`)
    this.#origin = options.url.replace(/(?<!\/)\/+$/, '')
    this.token = options.token?.trim()
    this.#send = options.fetch ?? ((input, init) => fetch(input, init))
  }

  /** Logs in, and calls with the token of the session from now on. */
  async logIn(email: string, password: string): Promise<unknown> {
    const session = (await this.call('login', { body: { email, password } })) as { readonly token: string }
    this.token = session.token
    return session
  }

  /** Calls an operation of the OpenAPI document by its `operationId`. */
  async call(operation: string, given: GivenParts = {}, options: CallOptions = {}): Promise<unknown> {
    const endpoint = (
      endpoints as Readonly<Record<string, { readonly method: string; readonly path: string }>>
    )[operation]
    if (!endpoint) throw new TypeError(`there is no operation ${operation}`)
    const target = BASE_PATH + filled(endpoint.path, given.params) + queryText(given.query)
    const text = given.body === undefined ? undefined : JSON.stringify(given.body)
    const headers = {
      accept: 'application/json',
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
      ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
    }
    const timeout = options.timeout ?? this.options.timeout ?? TIMEOUT_MS + eventWait(given.body)
    for (let patience = PATIENCE_MS; ; ) {
      const limit = AbortSignal.timeout(timeout)
      const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
      try {
        const response = await this.#fetch(target, {
          method: endpoint.method,
          headers,
          body: text ?? null,
          signal,
        })
        const body = await response.text()
        return body === '' ? undefined : JSON.parse(body)
      } catch (error) {
        if (!(error instanceof GatewayError) || !isRepeated(error.code) || patience <= 0) throw error
        const wait = (error.retryAfter ?? 1) * 1000
        patience -= wait
        await delay(this.clock, wait, options.signal)
      }
    }
  }

  /**
   * Events as they happen, until `signal` aborts or the loop ends. After a loss it connects again and continues after
   * the last event. Throws when the first attempt fails, and what the gateway refuses.
   */
  async *events(
    query: Readonly<Record<string, unknown>> = {},
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<unknown, void> {
    let after: string | undefined
    let wait: number = RETRY_MS.first
    let wasOpen = false
    while (!signal?.aborted) {
      const attempt = new AbortController()
      const either = signal ? AbortSignal.any([signal, attempt.signal]) : attempt.signal
      try {
        const target = `${BASE_PATH}${endpoints.streamEvents.path}${queryText({ ...query, ...(after !== undefined && { after }) })}`
        const response = await this.#fetch(target, {
          headers: { accept: 'text/event-stream' },
          signal: either,
        })
        wasOpen = true
        const chunks = this.#chunks(response.body as ReadableStream<Uint8Array>, attempt)
        for await (const { id, event, data } of readEvents(chunks)) {
          wait = RETRY_MS.first
          if (data !== undefined && event === 'problem') throw refusal(500, data)
          if (id !== undefined) after = id
          if (data !== undefined) yield JSON.parse(data)
        }
        // The gateway ends a stream with `to` when all events before it have been sent.
        const { to } = query
        if (typeof to === 'string' && Date.parse(to) <= this.clock.date().getTime()) return
      } catch (error) {
        if (signal?.aborted) return
        const isRefused = error instanceof GatewayError && error.status < 500 && error.status !== 429
        if (!wasOpen || isRefused) throw error
      } finally {
        attempt.abort()
      }
      await delay(this.clock, wait, signal)
      wait = Math.min(2 * wait, RETRY_MS.most)
    }
  }

  /** The chunks of a stream; a silent one is given up. */
  async *#chunks(body: ReadableStream<Uint8Array>, attempt: AbortController): AsyncGenerator<Uint8Array> {
    const reader = body.getReader()
    const idle = () => this.clock.at(this.clock.now() + IDLE_TIMEOUT_MS, () => attempt.abort())
    let cancel = idle()
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        cancel()
        cancel = idle()
        yield value
      }
    } finally {
      cancel()
      await reader.cancel().catch(() => undefined)
    }
  }

  async #fetch(target: string, init: RequestInit): Promise<Response> {
    const authorization = this.token ? { authorization: `Bearer ${this.token}` } : {}
    const headers = { ...(init.headers as Record<string, string>), ...authorization }
    let response: Response
    try {
      response = await this.#send(this.#origin + target, { ...init, headers })
    } catch (error) {
      if (init.signal?.aborted) throw init.signal.reason
      throw new GatewayUnreachable(this.#origin, error)
    }
    if (!response.ok)
      throw refusal(response.status, await response.text(), response.headers.get('retry-after'))
    return response
  }
}

/** Milliseconds that a command may wait for its event (`within`), beyond the time for its reply. */
function eventWait(body: unknown): number {
  const { wait_event, within = 30 } = (body ?? {}) as {
    readonly wait_event?: unknown
    readonly within?: unknown
  }
  return wait_event !== undefined && typeof within === 'number' ? within * 1000 : 0
}

const filled = (path: string, params: Readonly<Record<string, unknown>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    if (value === '') throw new TypeError(`params.${name} must not be empty`)
    return pathPart(value)
  })

function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one))
  }
  return search.size === 0 ? '' : `?${search}`
}
