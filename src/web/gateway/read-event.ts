import { readEvents } from '../../client/event-source.js'
import { type Event, eventEndpoints } from '../../contract/topics/events.js'
import { type GatewayCalls, Refused, urlOf } from './call.js'
import { chunksOf } from './event-feed.js'

/** Milliseconds within which the stream has to begin with the event. */
const TIMEOUT_MS = 5000

/**
 * The event with this id: the first one of a stream that starts there. Undefined where there is none, or where nothing
 * comes. Throws where the gateway is not reached, or cannot tell now.
 */
export async function readEvent(
  calls: GatewayCalls,
  id: string,
  left: AbortSignal,
): Promise<Event | undefined> {
  const found = new AbortController()
  const signal = AbortSignal.any([left, found.signal, AbortSignal.timeout(TIMEOUT_MS)])
  let isOpen = false
  const url = urlOf(eventEndpoints.streamEvents, { query: { after: String(Number(id) - 1) } })
  try {
    const { body } = await calls.request('GET', url, { accept: 'text/event-stream' }, signal)
    isOpen = true
    if (!body) return undefined
    for await (const { data } of readEvents(chunksOf(body))) {
      if (data === undefined) continue
      const event = JSON.parse(data) as Event
      return event.id === id ? event : undefined
    }
  } catch (error) {
    const isTold = error instanceof Refused && error.status < 500 && error.status !== 429
    // It is not kept any more, or was never there.
    if (!isTold && !isOpen) throw error
  } finally {
    found.abort()
  }
  return undefined
}
