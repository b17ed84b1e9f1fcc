import type { Event, EventType } from '../../contract/topics/events.js'
import { RecentCache } from '../../kit/recent-cache.js'
import { writtenOnce } from '../../kit/text/json-parts.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import { OBSERVED_TOPICS } from '../knowledge/observations.js'
import { endingAtFirst, isLong, viewLater } from '../messages/message-view.js'
import { MESSAGE_ENDED, MESSAGES } from '../records/journal-kinds.js'
import type { Reading } from '../records/reading.js'
import { messageOf } from '../records/recorded-message.js'

/** Bytes of events that are kept with their JSON. */
const MAX_BYTES = 8 * 1024 * 1024
/** What an event takes: its members, and for each byte of a body its JSON in several forms. */
const EVENT_BYTES = 1024
const BYTES_PER_BYTE = 12

interface Shown {
  readonly event: Event
  readonly reading: Reading
  /** The last entry of the journal when the view was made. */
  readonly at: number
}

/**
 * Entries as events, each made once, and its JSON with it, for all who read it: an entry never changes. Kept as long
 * as it is among the last, and would be read the same.
 */
export class EventViews {
  readonly #shown = new RecentCache<Shown>(MAX_BYTES)
  /** By equipment: the last entry that may have changed the known names of its identifiers. */
  readonly #namesChanged = new Map<string, number>()
  #last = 0

  /** Requires that knowledge is updated from an entry before this class receives its `appended` signal. */
  constructor(
    { appended }: Pick<Journal, 'appended'>,
    private readonly readingOf: (equipmentId: string) => Reading,
  ) {
    appended.on(({ seq, key, name, topic }) => {
      this.#last = seq
      if (name === MESSAGE_ENDED.name || OBSERVED_TOPICS.has(topic ?? '')) this.#namesChanged.set(key, seq)
    })
  }

  of(entry: Entry): Event {
    const { seq, key } = entry
    const reading = this.readingOf(key)
    const isMessage = MESSAGES.some(({ name }) => name === entry.name)
    const shown = this.#shown.get(seq)
    const isSame =
      shown?.reading === reading && (!isMessage || shown.at >= (this.#namesChanged.get(key) ?? 0))
    if (isSame) return shown.event
    const event = isMessage ? messageEvent(entry, reading) : stateEvent(entry, reading)
    if (isMessage && isLong(entry)) return event
    writtenOnce(event)
    const bytes = isMessage ? messageOf(entry).length * BYTES_PER_BYTE : 0
    this.#shown.put(seq, { event, reading, at: this.#last }, EVENT_BYTES + bytes)
    return event
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
