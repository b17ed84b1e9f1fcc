import { BASE_PATH, endpoints } from '../contract/endpoints.js'
import type { Problem } from '../contract/errors.js'
import type { Event, StreamQuery } from '../contract/events.js'
import { type Clock, delay } from '../kit/clock.js'
import { type ClientOptions, queryText } from './client.js'
import { readEvents } from './event-source.js'
import { answeredProblem, Unreachable, unreachable } from './failures.js'
import { jsonIn, openStream } from './open-stream.js'

export interface FollowOptions extends ClientOptions {
  readonly clock: Clock
  /** Is told of each loss, and of when the next attempt is made, in milliseconds from now. */
  readonly onLoss?: (error: Error, retryIn: number) => void
}

/** Milliseconds before the first attempt to connect again, and the longest between two. */
const FIRST_DELAY = 250
const LONGEST_DELAY = 10_000
/** Milliseconds of silence after which the connection is taken for lost: three heartbeats. */
const LONGEST_SILENCE = 45_000

/** True for a failure that another attempt may mend. */
const isPassing = (error: unknown): error is Error => {
  if (error instanceof Unreachable) return true
  const status = (error as Partial<Problem>).status ?? 0
  return status >= 500 || status === 429
}

/** Opens the stream once. Throws the problem that it was answered with, or `Unreachable`. */
const open = (
  options: FollowOptions,
  query: StreamQuery,
  after: string | undefined,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> =>
  openStream(options, {
    path: BASE_PATH + endpoints.streamEvents.path + queryText(query),
    headers: { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) },
    silence: LONGEST_SILENCE,
    signal,
  })

/**
 * Follows events as they happen. After a loss it connects again and goes on behind the last event, without
 * a gap or a repeat. Ends when `signal` aborts; throws `Unreachable` when the first attempt fails, and the
 * `Problem` when the gateway refuses (the token has ended, retention has passed the last event).
 */
export async function* followEvents(
  options: FollowOptions,
  query: StreamQuery,
  signal: AbortSignal,
): AsyncGenerator<Event> {
  let after = query.after
  let wait = FIRST_DELAY
  for (let connected = false; !signal.aborted; ) {
    try {
      const body = await open(options, query, after, signal)
      connected = true
      for await (const { id, event, data } of readEvents(body)) {
        wait = FIRST_DELAY
        if (data !== undefined && event === 'problem') {
          const problem = jsonIn(data)
          const status = Number((problem as { readonly status?: number } | null)?.status ?? 500)
          throw answeredProblem(status, problem) ?? new Unreachable(options.url, 'The stream failed.')
        }
        if (data !== undefined) yield JSON.parse(data) as Event
        if (id !== undefined) after = id
      }
      throw new Unreachable(options.url, 'The gateway ended the stream.')
    } catch (error) {
      if (signal.aborted) return
      const failure = error instanceof Error && 'kind' in error ? error : unreachable(options.url, error)
      if (!connected || !isPassing(failure)) throw failure
      options.onLoss?.(failure, wait)
      await delay(options.clock, wait, signal)
      wait = Math.min(wait * 2, LONGEST_DELAY)
    }
  }
}
