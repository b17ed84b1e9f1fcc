import type { Event } from '../../../contract/topics/events.js'
import { EventRow } from '../../events/event-row.js'
import { texts } from '../../texts.js'
import { Ladder } from './ladder.js'
import type { MessageFilter } from './message-filter.js'

interface Props {
  /** By the clock of the gateway. */
  readonly today: Date
  /** The newest first. */
  readonly events: readonly Event[]
  readonly filter: MessageFilter
}

/** Messages as a list with their SML, or as a ladder diagram. */
export function MessageRows({ today, events, filter: { isLadder, showsSml } }: Props) {
  if (isLadder) return <Ladder events={events} />
  return (
    <ol class="event-list" aria-label={texts.equipment.messages}>
      {events.map((event) => (
        <EventRow key={event.id} event={event} today={today} isOpen={showsSml} />
      ))}
    </ol>
  )
}
