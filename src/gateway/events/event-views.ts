import type { Event, EventType } from '../../contract/topics/events.js'
import { writtenOnce } from '../../kit/text/json-parts.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import { endingAtFirst, isLong, viewLater } from '../messages/message-view.js'
import { KeptViews } from '../records/kept-views.js'
import type { Reading } from '../records/reading.js'
import { isMessage, messageOf } from '../records/recorded-message.js'

/** Entries as events, each made once, and its JSON with it. */
export class EventViews {
  readonly #views: KeptViews<Event>

  /** As for `KeptViews`. */
  constructor(journal: Pick<Journal, 'appended'>, readingOf: (equipmentId: string) => Reading) {
    this.#views = new KeptViews(journal, readingOf)
  }

  of(entry: Entry): Event {
    if (!isMessage(entry)) return this.#views.of(entry, (reading) => writtenOnce(stateEvent(entry, reading)))
    const keeps = !isLong(entry)
    const make = (reading: Reading): Event => {
      const event = messageEvent(entry, reading)
      return keeps ? writtenOnce(event) : event
    }
    return this.#views.of(entry, make, { keeps })
  }
}

type Head = Omit<Event, 'type' | 'data'>

const headOf = ({ seq, name, key, at }: Entry, reading: Reading): Head => ({
  id: String(seq),
  name,
  equipment_id: key,
  equipment_name: reading.name ?? null,
  at,
})

const stateEvent = (entry: Entry, reading: Reading): Event =>
  Object.assign(headOf(entry, reading), { type: entry.type as EventType, data: entry.data })

const messageEvent = (entry: Entry, reading: Reading): Event =>
  Object.defineProperty(Object.assign(headOf(entry, reading), { type: 'message' as const }), 'data', {
    enumerable: true,
    // Not kept: a message takes many times the memory of its JSON.
    get: () => viewLater(entry, reading, endingAtFirst(messageOf(entry))),
  }) as Event
