import { type Event, type EventQuery, eventEndpoints } from '../../contract/topics/events.js'
import type { GatewayCalls } from '../gateway/call.js'
import type { TimeView } from './time-view.js'

const PAGE = 500

interface Wanted extends Pick<EventQuery, 'type' | 'name'> {
  readonly id: string
  readonly view: Pick<TimeView, 'needed'>
  /** So many events are read, and up to a page more. */
  readonly most: number
}

/** The events of an equipment in the time that is shown, newest first, and whether there are more. Throws `Refused`. */
export async function readEventsOf(
  calls: GatewayCalls,
  { id, view: { needed }, most, ...which }: Wanted,
  signal: AbortSignal,
): Promise<{ readonly events: readonly Event[]; readonly isCut: boolean }> {
  const range = {
    from: new Date(needed.from).toISOString(),
    ...(needed.to !== undefined && { to: new Date(needed.to).toISOString() }),
  }
  const events: Event[] = []
  let cursor: string | null | undefined
  do {
    const query = { equipment_id: id, ...which, ...range, limit: PAGE, ...(cursor && { cursor }) }
    const page = await calls.call(eventEndpoints.listEvents, { query }, signal)
    events.push(...page.items)
    cursor = page.next_cursor
  } while (cursor && events.length < most)
  return { events, isCut: Boolean(cursor) }
}
