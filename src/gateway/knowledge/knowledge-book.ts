import type { Catalogue } from '../../catalogue/catalogue.js'
import type { NamedValues } from '../../catalogue/values/read.js'
import { sentBy } from '../../catalogue/view.js'
import type { Gem300Variants } from '../../gem300/variants.js'
import { keepNewest } from '../../kit/keep-newest.js'
import type { JsonObject } from '../../kit/text/json.js'
import { passBody, unreadable } from '../../secs2/decode.js'
import type { Entry } from '../../store/entry.js'
import type { View } from '../../store/view.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import { MESSAGE_ENDED, MESSAGE_RECEIVED, MESSAGE_SENT, REPORTS_OBSERVED } from '../records/journal-kinds.js'
import { topicOf } from '../records/message-topics.js'
import { plainReading, type Reading, readingBy } from '../records/reading.js'
import { messageOf, type RecordedMessage } from '../records/recorded-message.js'
import type { EquipmentKnowledge } from './equipment-knowledge.js'
import { KnownEquipment, NOTHING_KNOWN } from './known-equipment.js'
import type { GivenReports, Observation } from './observation.js'
import { OBSERVED_TOPICS, observationIn, observe, questionOf } from './observations.js'
import { SharedRows } from './shared-rows.js'

/** An open primary of ours whose reply may add to the knowledge. */
interface Open {
  readonly equipmentId: string
  readonly observation: Observation
}

/** Larger bodies are not read: the names of 20,000 variables fit. */
const MAX_BODY_BYTES = 1.5 * 1024 * 1024
/** Longer ones are read in steps. */
const STEP_BYTES = 64 * 1024
/** Readings of equipment that is gone that are kept; others are made again. */
const MAX_GONE = 1000
/** Most primaries that are tracked; above it the oldest are dropped. */
const MAX_OPEN = 10_000

/** What is known of each equipment, and so how its messages are read: a view of the messages in the journal. */
export class EquipmentKnowledgeBook implements View {
  readonly name = 'equipment-knowledge'
  readonly version = 1
  readonly kinds = [MESSAGE_SENT, MESSAGE_RECEIVED, MESSAGE_ENDED, REPORTS_OBSERVED]
  readonly topics: ReadonlySet<string> = new Set(['', ...OBSERVED_TOPICS])
  readonly #known = new Map<string, KnownEquipment>()
  readonly #shared = new SharedRows()
  /** By sequence number. */
  readonly #open = new Map<number, Open>()

  /** The long messages that are applied next, by sequence number: what they say, null where the body does not fit. */
  readonly #ahead = new Map<number, { readonly content: NamedValues | null } | 'no SECS-II'>()
  readonly #readings = new Map<string, Reading>()
  readonly #plain: Reading
  /** Of equipment that is gone and had a name. */
  readonly #gone = new Map<string, Reading>()

  constructor(
    private readonly catalogue: Catalogue,
    records: Iterable<EquipmentRecord> = [],
    /** The last name of equipment that is gone; undefined where it is not known. */
    private readonly lastNameOf: (equipmentId: string) => string | undefined = () => undefined,
  ) {
    this.#plain = plainReading(catalogue)
    for (const record of records) this.readBy(record)
  }

  /** From now on the messages of this equipment are read as its record says. */
  readBy(record: EquipmentRecord): void {
    const { gem300 } = this.#readings.get(record.id) ?? {}
    const reading = readingBy(record, this.catalogue, this.of(record.id))
    this.#readings.set(record.id, { ...reading, ...(gem300 && { gem300 }) })
  }

  /** From now on its messages of GEM 300 are built and read so; undefined: as those of most equipment. */
  readGem300By(equipmentId: string, gem300: Gem300Variants | undefined): void {
    // The mapping of equipment that was removed goes after its reading.
    if (!gem300 && !this.#readings.has(equipmentId)) return
    const { gem300: _, ...reading } = this.#readings.get(equipmentId) ?? this.#plain
    this.#readings.set(equipmentId, { ...reading, ...(gem300 && { gem300 }) })
  }

  /** How to read the messages of an equipment: the same object until that changes. */
  readingOf(equipmentId: string): Reading {
    return this.#readings.get(equipmentId) ?? this.#readingOfGone(equipmentId)
  }

  /** Equipment that is gone keeps its last name, and is read by the catalogue alone. */
  #readingOfGone(equipmentId: string): Reading {
    const known = this.#gone.get(equipmentId)
    const name = this.lastNameOf(equipmentId)
    if (known?.name === name) return known ?? this.#plain
    const reading = { ...this.#plain, ...(name !== undefined && { name }) }
    this.#gone.set(equipmentId, reading)
    keepNewest(this.#gone, MAX_GONE)
    return reading
  }

  /** The knowledge of an equipment; empty where it has sent nothing. */
  of(equipmentId: string): EquipmentKnowledge {
    return this.#known.get(equipmentId) ?? NOTHING_KNOWN
  }

  /** Removes the knowledge of deleted equipment. */
  forget(isGone: (equipmentId: string) => boolean): void {
    for (const ids of [this.#known, this.#readings])
      for (const id of [...ids.keys()]) if (isGone(id)) ids.delete(id)
    for (const [seq, { equipmentId }] of [...this.#open]) if (isGone(equipmentId)) this.#open.delete(seq)
  }

  load(line: JsonObject): void {
    const equipmentId = String(line['equipment_id'])
    if (line['open'] === undefined) this.#knownOf(equipmentId).load(line)
    else
      this.#open.set(Number(line['open']), {
        equipmentId,
        observation: line['lesson'] as unknown as Observation,
      })
  }

  ahead(entry: Entry): Generator<void, void> | undefined {
    if (entry.name !== MESSAGE_RECEIVED.name) return undefined
    const message = messageOf(entry)
    const isLong = message.length > STEP_BYTES && message.length <= MAX_BODY_BYTES
    return isLong && OBSERVED_TOPICS.has(message.topic) ? this.#readAhead(entry, message) : undefined
  }

  apply(entry: Entry): void {
    if (entry.name === MESSAGE_ENDED.name) return this.#ended(entry)
    if (entry.name === REPORTS_OBSERVED.name)
      return this.#knownOf(entry.key).learnGiven(entry.data as unknown as GivenReports, entry.seq)
    const message = messageOf(entry)
    if (!OBSERVED_TOPICS.has(message.topic) || message.length > MAX_BODY_BYTES) return
    if (entry.name === MESSAGE_SENT.name) this.#sent(entry, message)
    else this.#received(entry, message)
  }

  lines(): JsonObject[] {
    const known = [...this.#known].flatMap(([equipment_id, one]) => {
      return one.lines().map((line) => ({ equipment_id, ...line }))
    })
    const open = [...this.#open].map(([seq, { equipmentId, observation }]) => {
      return { equipment_id: equipmentId, open: seq, lesson: observation as unknown as JsonObject }
    })
    return [...known, ...open]
  }

  /** No entries: the snapshot holds everything, so retention may delete every message. */
  *pinned(): Generator<number> {}

  *#readAhead({ seq, key }: Entry, { stream, function: fn, body }: RecordedMessage): Generator<void, void> {
    const reading = this.readingOf(key)
    try {
      const { reader } = yield* passBody(body)
      const view = sentBy(reading, 'equipment')
      const all = Number.POSITIVE_INFINITY
      const content = yield* reading.catalogue.readBodySteps(stream, fn, reader, view, all)
      this.#ahead.set(seq, { content })
      // To learn it takes a turn of its own.
      yield
    } catch (error) {
      unreadable(error)
      this.#ahead.set(seq, 'no SECS-II')
    }
  }

  #sent({ seq, key }: Entry, message: RecordedMessage): void {
    const observation = observationIn(message, this.readingOf(key))
    if (!observation) return
    // Without a reply it stays unknown whether it was carried out.
    if (!message.wait) return this.#knownOf(key).doubt(observation, seq)
    this.#open.set(seq, { equipmentId: key, observation })
    keepNewest(this.#open, MAX_OPEN)
  }

  #received({ seq, key }: Entry, message: RecordedMessage): void {
    const ahead = this.#ahead.get(seq)
    this.#ahead.delete(seq)
    if (ahead === 'no SECS-II' || (!ahead && message.fault !== undefined)) return
    const { replyTo } = message
    const asked = replyTo === null ? undefined : this.#open.get(replyTo)
    if (replyTo !== null) this.#open.delete(replyTo)
    // A late reply: its question was dropped. S5F6 does not show which S5F5 it replies to.
    const isLate = replyTo !== null && !asked && message.function > 0 && !message.isPrimary
    const question = asked
      ? questionOf(asked.observation)
      : isLate
        ? topicOf(message.stream, message.function - 1)
        : undefined
    if (question !== undefined) this.#knownOf(key).unsupported.replied(question)
    const reading = this.readingOf(key)
    observe(this.#knownOf(key), { message, asked: asked?.observation, seq, reading, ...ahead })
  }

  /** Handles the end of a primary that has no usable reply. */
  #ended({ seq, key, data }: Entry): void {
    const primary = Number(data['message_id'])
    const open = this.#open.get(primary)
    if (!open) return
    this.#open.delete(primary)
    const known = this.#knownOf(key)
    const question = questionOf(open.observation)
    const end = { outcome: String(data['outcome']), s9: data['s9'] === null ? null : String(data['s9']) }
    if (question !== undefined) return known.unsupported.ended(question, primary, end, seq)
    const wasRefused = data['outcome'] === 'aborted' || data['outcome'] === 'rejected' || data['s9'] !== null
    if (!wasRefused) known.doubt(open.observation, seq)
  }

  #knownOf(equipmentId: string): KnownEquipment {
    const before = this.#known.get(equipmentId)
    if (before) return before
    const known = new KnownEquipment(this.#shared)
    this.#known.set(equipmentId, known)
    const reading = this.#readings.get(equipmentId)
    if (reading) this.#readings.set(equipmentId, { ...reading, knowledge: known })
    return known
  }
}
