import { readEvents } from '../../client/event-source.js'
import type { Event, EventType } from '../../contract/topics/events.js'
import { eventEndpoints } from '../../contract/topics/events.js'
import { type Clock, delay } from '../../kit/clock.js'
import { type GatewayCalls, Refused, urlOf } from './call.js'

/** Milliseconds before the first attempt to connect again, and the longest between two. */
const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 5000

export interface FeedOptions {
  readonly calls: Pick<GatewayCalls, 'request'>
  readonly clock: Clock
  readonly query: { readonly label_selector?: string; readonly type?: readonly EventType[] }
  /** The stream is open: from the very first event on (`from_start`), or from the last one that was received. */
  readonly onOpen: (resumed: boolean) => void
  /** Bytes have come: an event, or the comment that keeps the connection open. */
  readonly onHeard: () => void
  readonly onEvents: (events: readonly Event[]) => void
  readonly onLost: (error: unknown) => void
}

/** Codes after which the stream cannot be resumed: events are missing, and everything has to be read again. */
const CANNOT_RESUME: readonly unknown[] = ['cursor_expired', 'invalid_cursor']

/**
 * The event stream, over `fetch`, since an `EventSource` sends no token. After a loss it connects again, and continues
 * after the last event that was received, without a gap or a repeat.
 */
export class EventFeed {
  /** The id of the last event, or of the one after which the stream started. */
  #after: string | undefined
  #attempt = new AbortController()

  constructor(readonly options: FeedOptions) {}

  get after(): string | undefined {
    return this.#after
  }

  /** Gives up the present connection, which is silent, and opens another. */
  reconnect(): void {
    this.#attempt.abort()
  }

  /** Follows until `signal` aborts, or until the gateway no longer takes the token. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, onLost } = this.options
    let wait = FIRST_DELAY_MS
    while (!signal.aborted) {
      this.#attempt = new AbortController()
      try {
        await this.#follow(AbortSignal.any([signal, this.#attempt.signal]), () => {
          wait = FIRST_DELAY_MS
        })
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof Refused) {
          if (error.status === 401 || error.status === 403) {
            onLost(error)
            return
          }
          if (CANNOT_RESUME.includes(error.code)) this.#after = undefined
          wait = Math.max(wait, (error.retryAfter ?? 0) * 1000)
        }
        onLost(error)
      }
      await delay(clock, wait, signal)
      wait = Math.min(wait * 2, MAX_DELAY_MS)
    }
  }

  /** Reads the stream until it ends. */
  async #follow(signal: AbortSignal, received: () => void): Promise<void> {
    const { calls, query, onOpen, onHeard, onEvents, onLost } = this.options
    const resumed = this.#after !== undefined
    const response = await calls.request(
      'GET',
      urlOf(eventEndpoints.streamEvents, { query: { ...query, after: this.#after } }),
      { accept: 'text/event-stream' },
      signal,
    )
    onHeard()
    onOpen(resumed)
    if (!response.body) throw new TypeError('the stream has no body')
    const heard = (): void => {
      received()
      onHeard()
    }
    for await (const { id, event, data } of readEvents(chunksOf(response.body, heard))) {
      if (data !== undefined && event === 'problem') {
        const problem = problemIn(data)
        // The token has expired within the stream: another one may be there for the next request.
        if (problem.status === 401) break
        throw problem
      }
      // The id is taken first: what cannot be shown is not asked for again and again.
      if (id !== undefined) this.#after = id
      if (data !== undefined) onEvents([JSON.parse(data) as Event])
    }
    onLost(new TypeError('the gateway ended the stream'))
  }
}

function problemIn(data: string): Refused {
  const {
    status = 500,
    code,
    detail = '',
  } = JSON.parse(data) as Partial<Refused> & { readonly detail?: string }
  return new Refused(status, code, detail)
}

/** The chunks of a body; not every browser can iterate over one. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  heard: () => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      heard()
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
