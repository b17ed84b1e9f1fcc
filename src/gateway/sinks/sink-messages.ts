import type { Event } from '../../contract/topics/events.js'
import type { FlatEvent, SinkFormat, SinkMessage } from '../../contract/topics/sinks/sink-message.js'
import type { Clock } from '../../kit/clock.js'
import { jsonParts } from '../../kit/text/json-parts.js'
import { tracedBy, traceparentOf } from '../../kit/text/traceparent.js'
import { chunksOf } from '../../kit/turns.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import type { IdentityChange } from '../equipment/equipment-identities.js'
import type { JournaledEvents } from '../events/event-log.js'
import { IDENTITY } from '../records/journal-kinds.js'
import type { Reading } from '../records/reading.js'
import { isMessage, messageOf } from '../records/recorded-message.js'
import { VALUE_TOPICS, valuesIn } from '../services/history/message-values.js'
import { TraceDefinitions } from '../services/history/trace-definitions.js'
import { shownValue } from '../services/replied-values.js'
import { detailOf } from './attempt.js'
import type { OutMessage } from './kinds/kind.js'

/** Longest message, in characters of its JSON: a longer one is a dead letter. */
const MAX_MESSAGE = 4 * 1024 * 1024

/** What messages are made of. */
export interface MessageParts {
  /** Id of the journal. */
  readonly journalId: string
  readonly journal: Journal
  readonly events: Pick<JournaledEvents, 'of'>
  readonly readingOf: (equipmentId: string) => Reading
  readonly clock: Clock
}

/** The message of an entry, or why there is none: then there is none at any later time either. */
export type MadeMessage =
  | { readonly message: OutMessage; readonly fault?: never }
  | { readonly message?: never; readonly fault: string }

/** JavaScript's own errors: no message can ever be made of the entry. Errors of the store are temporary, and thrown on. */
const OURS = [TypeError, RangeError, ReferenceError, URIError]

/** Entries as the messages that sinks send. */
export class SinkMessages {
  constructor(private readonly parts: MessageParts) {}

  async of(entry: Entry, format: SinkFormat): Promise<MadeMessage> {
    try {
      const message = await this.#of(entry, format)
      return message ? { message } : { fault: `it is longer than ${MAX_MESSAGE} characters` }
    } catch (error) {
      if (!OURS.some((one) => error instanceof one)) throw error
      return { fault: `no message can be made of it: ${detailOf(error)}` }
    }
  }

  /** Undefined for a message that is too long. */
  async #of(entry: Entry, format: SinkFormat): Promise<OutMessage | undefined> {
    const { events } = this.parts
    if (entry.type === IDENTITY.type) return this.#change(entry)
    const event = events.of(entry)
    const data = format === 'flat' ? await this.#flat(entry, event) : event
    const { seq, key, name, at } = entry
    const head = this.#head(String(seq), name, at)
    const traced = tracedBy(traceparentOf(entry.data['traceparent']))
    const subject = key === '' ? {} : { subject: key, partitionkey: key }
    const about = { ...subject, ...traced, datacontenttype: 'application/json' as const }
    const text = await this.#written({ ...head, ...about, data })
    return text === undefined ? undefined : { id: head.id, type: head.type, text, event: data }
  }

  #change({ seq, key, name, at, data }: Entry): OutMessage {
    const { id, type } = this.#head(String(seq), name, at)
    const { before } = data as unknown as IdentityChange
    return { id, type, text: '', change: { equipmentId: key, before } }
  }

  /** The message that says which entries are missing. */
  async gap(from: number, to: number): Promise<OutMessage> {
    const head = this.#head(`${from}..${to}`, 'gap', this.parts.clock.date().toISOString())
    const data = { from: String(from), to: String(to) }
    const message: SinkMessage = { ...head, datacontenttype: 'application/json', data }
    return { id: message.id, type: message.type, text: JSON.stringify(message) }
  }

  test(sink: string): SinkMessage {
    const { clock } = this.parts
    const head = this.#head(`test-${clock.date().getTime()}`, 'test', clock.date().toISOString())
    return { ...head, datacontenttype: 'application/json', data: { sink } }
  }

  #head(id: string, type: string, time: string) {
    const { journalId } = this.parts
    return {
      specversion: '1.0' as const,
      id: `${journalId}-${id}`,
      source: `urn:secsctl:${journalId}`,
      type: `secsctl.${type}`,
      time,
    }
  }

  /** Undefined for a message that is too long. */
  async #written(message: SinkMessage): Promise<string | undefined> {
    let text = ''
    for await (const chunk of chunksOf(jsonParts(message), this.parts.clock)) {
      text += chunk
      if (text.length > MAX_MESSAGE) return undefined
    }
    return text
  }

  async #flat(
    entry: Entry,
    { id, type, name, equipment_id, equipment_name, at, data }: Event,
  ): Promise<FlatEvent> {
    const head = { id, type, name, equipment_id, equipment_name, at }
    // In the message itself.
    const { traceparent: _, ...members } = data
    if (!isMessage(entry))
      return { ...head, message: null, event: null, values: members, units: {}, whole: true }
    const { topic } = messageOf(entry)
    if (!VALUE_TOPICS.has(topic))
      return { ...head, message: topic, event: null, values: {}, units: {}, whole: false }
    const { journal, readingOf } = this.parts
    const reading = readingOf(entry.key)
    const traces = new TraceDefinitions(journal, entry.key, reading)
    const { values: carried, isWhole, ceid } = await valuesIn(entry, { journal, reading, traces })
    const values = new Map<string, unknown>()
    const units = new Map<string, string>()
    for (const { vid, item } of carried) {
      const { name: known, unit } = reading.knowledge?.named(vid) ?? {}
      const { value, text } = shownValue(item, reading)
      const called = known || vid
      const plain = plainValue(value, text)
      const before = values.get(called)
      values.set(called, values.has(called) ? [before, plain].flat() : plain)
      if (unit) units.set(called, unit)
    }
    const event = ceid === undefined ? null : reading.knowledge?.events.get(ceid)?.name || ceid
    const flat = { values: Object.fromEntries(values), units: Object.fromEntries(units) }
    return { ...head, message: topic, event, ...flat, whole: isWhole }
  }
}

/** The value of a typed item: what it holds where it is one number, text or boolean, and readable text of a list. */
function plainValue(item: Readonly<Record<string, unknown>>, text: string): unknown {
  const [[format, value] = []] = Object.entries(item)
  if (format === 'L') return text
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}
