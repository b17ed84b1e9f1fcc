import type { Static } from 'typebox'
import { watchGateway } from '../../client/gateway-watch.js'
import type { AnyEndpoint, Call } from '../../contract/endpoint.js'
import type { ErrorCode } from '../../contract/errors.js'
import { pathPart } from '../../contract/path-part.js'
import { type Clock, systemClock, withTimeout } from '../../kit/clock.js'
import { texts } from '../texts.js'

const BASE_PATH = '/api/v1'
/** Milliseconds in which the gateway says that it is there: the event stream has a comment every 15 s. */
const THERE_MS = 18_000
/** A smaller difference of the clocks may be that of the way. */
const MIN_OFFSET_MS = 5000

/** What is said of a token that was valid once. */
const ENDED: readonly unknown[] = ['token_expired', 'token_revoked']

/** The parts of a call: those that its schemas require, and those that may be left out. */
export type Given<E extends AnyEndpoint> = Partial<Call<E>> & {
  /** The Idempotency-Key, for a call that accepts one: a repeat with it does nothing again. */
  readonly key?: string
} & {
  [Part in keyof Call<E> as object extends Call<E>[Part] ? never : Part]: Call<E>[Part]
}

/** What the gateway answered instead of a result: a problem document (RFC 9457). */
export class Refused extends Error {
  override readonly name = 'Refused'

  constructor(
    readonly status: number,
    readonly code: ErrorCode | undefined,
    detail: string,
    /** Seconds after which it may be asked again. */
    readonly retryAfter?: number,
  ) {
    super(detail)
  }
}

/** What a request ended with: that the gateway was not reached is said in words for people, and not in those of the browser. */
function inWords(error: unknown): unknown {
  if (error instanceof TypeError) return new TypeError(texts.unreachable, { cause: error })
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new DOMException(texts.unreachable, error.name)
  return error
}

interface Problem {
  readonly code?: ErrorCode
  readonly detail?: string
  readonly title?: string
}

/** The problem that a response is. */
export async function refusal(response: Response): Promise<Refused> {
  const problem = (await response.json().catch(() => ({}))) as Problem
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new Refused(
    response.status,
    problem.code,
    problem.detail ?? problem.title ?? `HTTP ${response.status}`,
    Number.isNaN(retryAfter) ? undefined : retryAfter,
  )
}

/** The path and query of a call. An array repeats its name; what is undefined or empty is left out. */
export function urlOf(
  { path }: Pick<AnyEndpoint, 'path'>,
  { params = {}, query = {} }: { readonly params?: object; readonly query?: object },
): string {
  const values = params as Readonly<Record<string, unknown>>
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== '') search.append(name, String(one))
    }
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(String(values[name])))
  return BASE_PATH + filled + (search.size === 0 ? '' : `?${search}`)
}

/** Calls of the gateway that this page comes from, by rows of the contract. */
export class GatewayCalls {
  /** Milliseconds by which the clock of the gateway is ahead of this computer's. */
  #offset = 0
  /** When something came from the gateway, by `clock`. */
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(
    /** Undefined while nobody is logged in. */
    readonly token: () => string | undefined,
    /** Called when the gateway no longer takes the token. */
    readonly onUnauthenticated: (refused: Refused) => void,
    readonly send: typeof fetch = (input, init) => fetch(input, init),
    /**
     * Replaces a token that the gateway refuses. False: there is no other token. Throws when the gateway cannot be asked.
     */
    readonly renew: (refused: Refused) => Promise<boolean> = async () => false,
    readonly clock: Clock = systemClock,
  ) {}

  /** Something has come from the gateway. */
  heard(): void {
    this.#heardAt = this.clock.now()
  }

  /** The present time of the gateway: what it records has its times, and the clock of this computer may be wrong. */
  date(): Date {
    return new Date(systemClock.date().getTime() + this.#offset)
  }

  /**
   * Waits as long as the gateway is there: it may wait for equipment, or for its memory. Throws `Refused` for what the
   * gateway refuses, and a `TypeError` or `DOMException` where it is not reached.
   */
  async call<E extends AnyEndpoint>(
    endpoint: E,
    given: Given<E>,
    signal?: AbortSignal,
  ): Promise<Static<E['reply']>> {
    const over = new AbortController()
    const unwatch = watchGateway(
      this.clock,
      () => this.#isThere(),
      () => over.abort(new DOMException('no sign of the gateway', 'TimeoutError')),
    )
    try {
      const response = await this.request(
        endpoint.method,
        urlOf(endpoint, given),
        {
          accept: 'application/json',
          ...(given.key !== undefined && endpoint.idempotent && { 'idempotency-key': given.key }),
        },
        signal ? AbortSignal.any([signal, over.signal]) : over.signal,
        given.body,
      )
      return (response.status === 204 ? {} : await response.json()) as Static<E['reply']>
    } catch (error) {
      throw inWords(error)
    } finally {
      unwatch()
    }
  }

  /** Whether anything comes from the gateway. A browser may hold the question back, where all its connections wait. */
  async #isThere(): Promise<boolean> {
    const asked = this.clock.now()
    const left = new AbortController()
    const init = { signal: left.signal, cache: 'no-store', credentials: 'omit' } as const
    const question = this.send('/healthz', init).then(
      () => true,
      () => false,
    )
    const responds = await withTimeout(this.clock, THERE_MS, question)
    left.abort()
    return responds === true || this.#heardAt >= asked
  }

  async #reach(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.send(url, init)
    } catch (error) {
      throw inWords(error)
    }
  }

  /** Any request with the token; resolves with a success only. */
  async request(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    body?: unknown,
    isRepeat = false,
  ): Promise<Response> {
    const token = this.token()
    const response = await this.#reach(url, {
      method,
      signal,
      headers: {
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'omit',
    })
    this.heard()
    const offset = Date.parse(response.headers.get('date') ?? '') - systemClock.date().getTime()
    if (!Number.isNaN(offset)) this.#offset = Math.abs(offset) < MIN_OFFSET_MS ? 0 : offset
    if (response.ok) return response
    const refused = await refusal(response)
    const isOver = refused.status === 401 && ENDED.includes(refused.code)
    if (isOver && !isRepeat && token !== undefined && (await this.renew(refused)))
      return this.request(method, url, headers, signal, body, true)
    // A login that is refused is no session that has ended.
    if (refused.status === 401 && refused.code !== 'invalid_credentials' && token === this.token())
      this.onUnauthenticated(refused)
    throw refused
  }
}
