import type { Event, EventType } from '../../contract/events.js'
import { writtenInParts } from '../../kit/text/json-parts.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import { OBSERVED_TOPICS } from '../knowledge/observations.js'
import { endingAtFirst, isLong, viewLater } from '../messages/message-view.js'
import { MESSAGE_ENDED, MESSAGE_RECEIVED, MESSAGE_SENT } from '../records/journal-kinds.js'
import type { Reading } from '../records/reading.js'
import { messageOf } from '../records/recorded-message.js'

interface Shown {
  readonly event: Event
  /** The reading of its message; undefined where the event has no message. */
  readonly reading: Reading | undefined
  /** The last entry of the journal when the view was made. */
  readonly at: number
}

/**
 * Entries as events, each made once, and its JSON with it, for all who read it: an entry never changes. Kept for as
 * long as the journal keeps the entry in memory, and as long as a message would be read the same.
 */
export class EventViews {
  readonly #shown = new WeakMap<Entry, Shown>()
  /** By equipment: the last entry that may have changed the known names of its identifiers. */
  readonly #taught = new Map<string, number>()
  #last = 0

  /** Requires that knowledge is updated from an entry before this class receives its `appended` signal. */
  constructor(
    { appended }: Pick<Journal, 'appended'>,
    private readonly readingOf: (equipmentId: string) => Reading,
  ) {
    appended.on(({ seq, key, name, topic }) => {
      this.#last = seq
      if (name === MESSAGE_ENDED.name || OBSERVED_TOPICS.has(topic ?? '')) this.#taught.set(key, seq)
    })
  }

  of(entry: Entry): Event {
    const shown = this.#shown.get(entry)
    const reading = this.readingOf(entry.key)
    if (!isMessage(entry)) {
      if (shown && shown.event.equipment_name === (reading.name ?? null)) return shown.event
      return this.#keep(entry, stateOf(entry, reading), undefined)
    }
    if (shown && this.#readsAs(shown, entry.key, reading)) return shown.event
    const event = messageEvent(entry, reading)
    return isLong(entry) ? event : this.#keep(entry, event, reading)
  }

  #readsAs({ reading, at }: Shown, key: string, now: Reading): boolean {
    return reading !== undefined && isSame(reading, now) && at >= (this.#taught.get(key) ?? 0)
  }

  #keep(entry: Entry, event: Event, reading: Reading | undefined): Event {
    let text: string | undefined
    writtenInParts(event, () => {
      text ??= JSON.stringify(event)
      return [text]
    })
    this.#shown.set(entry, { event, reading, at: this.#last })
    return event
  }
}

const isMessage = ({ name }: Entry): boolean => name === MESSAGE_RECEIVED.name || name === MESSAGE_SENT.name

const isSame = (one: Reading, other: Reading): boolean =>
  one === other ||
  (one.name === other.name &&
    one.catalogue === other.catalogue &&
    one.formats === other.formats &&
    one.text === other.text &&
    one.knowledge === other.knowledge)

const headOf = (
  { seq, name, key, at }: Entry,
  { name: equipmentName }: Reading,
): Omit<Event, 'type' | 'data'> => ({
  id: String(seq),
  name,
  equipment_id: key,
  equipment_name: equipmentName ?? null,
  at,
})

const stateOf = (entry: Entry, reading: Reading): Event => ({
  ...headOf(entry, reading),
  type: entry.type as EventType,
  data: entry.data,
})

const messageEvent = (entry: Entry, reading: Reading): Event => ({
  ...headOf(entry, reading),
  type: 'message',
  // Not kept: a decoded body takes many times the memory of its JSON.
  get data() {
    return viewLater(entry, reading, endingAtFirst(messageOf(entry)))
  },
})
