import { endpoints } from '../contract/endpoints.js'
import type { Event, StreamQuery } from '../contract/topics/events.js'
import type { ClientOptions } from './client.js'
import { readEvents } from './event-source.js'
import { jsonIn, problemInResponse, Unreachable } from './failures.js'
import { openStream } from './open-stream.js'
import { type PersistentOptions, persistent } from './persistent.js'

export interface FollowOptions extends PersistentOptions {
  /** Called when the stream is open, and again after each loss. */
  readonly onOpen?: () => void
}

/** Milliseconds without a byte after which the connection is taken for lost: three heartbeats. */
const IDLE_TIMEOUT_MS = 45_000

/** Opens the stream once. Throws the problem of the response, or `Unreachable`. */
const open = (
  options: ClientOptions,
  query: StreamQuery,
  after: string | undefined,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> =>
  openStream(options, endpoints.streamEvents, {
    given: { query },
    accept: 'text/event-stream',
    headers: after === undefined ? {} : { 'last-event-id': after },
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    signal,
  })

/**
 * Follows events as they happen. After a loss it connects again and continues after the last event, without
 * a gap or a repeat. Ends when `signal` aborts; throws `Unreachable` when the first attempt fails, and the
 * `Problem` when the gateway refuses (the token has ended, retention has passed the last event).
 */
export function followEvents(
  options: FollowOptions,
  query: StreamQuery,
  signal: AbortSignal,
): AsyncGenerator<Event> {
  let after = query.after
  return persistent(
    options,
    async function* (where, { opened, received }): AsyncGenerator<Event> {
      const body = await open(where, query, after, signal)
      opened()
      options.onOpen?.()
      for await (const { id, event, data } of readEvents(body)) {
        received()
        if (data !== undefined && event === 'problem') {
          const problem = jsonIn(data)
          const status = Number((problem as { readonly status?: number } | null)?.status ?? 500)
          throw problemInResponse(status, problem) ?? new Unreachable(where.url, 'The stream failed.')
        }
        if (data !== undefined) yield JSON.parse(data) as Event
        if (id !== undefined) after = id
      }
      // With `to`, the gateway ends the stream when all events before it have been sent.
      if (query.to !== undefined && Date.parse(query.to) <= options.clock.date().getTime()) return
      throw new Unreachable(where.url, 'The gateway ended the stream.')
    },
    signal,
  )
}
