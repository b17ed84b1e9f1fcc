import type { JsonObject } from '../../kit/text/json.js'
import { decodeBody } from '../../secs2/decode.js'
import { Secs2DecodeError } from '../../secs2/errors.js'
import type { Item } from '../../secs2/item.js'
import type { Entry } from '../../store/entry.js'
import type { View } from '../../store/view.js'
import { MESSAGE_ENDED, MESSAGE_RECEIVED, MESSAGE_SENT } from '../records/journal-kinds.js'
import { type MessageEntry, messageOf, topicOf } from '../records/message-entry.js'
import type { Reading } from '../records/reading.js'
import type { EquipmentKnowledge } from './equipment-knowledge.js'
import { KnownEquipment, NOTHING_KNOWN } from './known-equipment.js'
import type { Observation } from './observation.js'
import { OBSERVED_TOPICS, observationIn, observe, questionOf } from './observations.js'

/** An open primary of ours whose answer may add to the knowledge. */
interface Open {
  readonly equipmentId: string
  readonly lesson: Observation
}

/**
 * Larger bodies are not read, in characters of base64: the names of 20,000 variables fit, and reading them keeps the
 * event loop for less than 100 ms.
 */
const MAX_BODY_LENGTH = 2 * 1024 * 1024
/** Most primaries that are tracked; above it the oldest are dropped. */
const MAX_OPEN = 10_000

/** What is known of each equipment: a view of the messages in the journal. */
export class EquipmentKnowledgeBook implements View {
  readonly name = 'equipment-knowledge'
  readonly version = 1
  readonly kinds = [MESSAGE_SENT, MESSAGE_RECEIVED, MESSAGE_ENDED]
  readonly topics: ReadonlySet<string> = new Set(['', ...OBSERVED_TOPICS])
  readonly #known = new Map<string, KnownEquipment>()
  /** By sequence number. */
  readonly #open = new Map<number, Open>()

  /** `readingOf`: how the messages of an equipment are read. */
  constructor(private readonly readingOf: (equipmentId: string) => Reading) {}

  /** The knowledge of an equipment; empty where it has sent nothing. */
  of(equipmentId: string): EquipmentKnowledge {
    return this.#known.get(equipmentId) ?? NOTHING_KNOWN
  }

  /** Removes the knowledge of deleted equipment. */
  forget(isGone: (equipmentId: string) => boolean): void {
    for (const id of [...this.#known.keys()]) if (isGone(id)) this.#known.delete(id)
    for (const [seq, { equipmentId }] of [...this.#open]) if (isGone(equipmentId)) this.#open.delete(seq)
  }

  load(line: JsonObject): void {
    const equipmentId = String(line['equipment_id'])
    if (line['open'] === undefined) this.#knownOf(equipmentId).load(line)
    else
      this.#open.set(Number(line['open']), { equipmentId, lesson: line['lesson'] as unknown as Observation })
  }

  apply(entry: Entry): void {
    if (entry.name === MESSAGE_ENDED.name) return this.#ended(entry)
    const message = messageOf(entry)
    if (!OBSERVED_TOPICS.has(entry.topic ?? topicOf(message.stream, message.function))) return
    if (entry.name === MESSAGE_SENT.name) this.#sent(entry, message)
    else this.#received(entry, message)
  }

  lines(): JsonObject[] {
    const known = [...this.#known].flatMap(([equipment_id, one]) => {
      return one.lines().map((line) => ({ equipment_id, ...line }))
    })
    const open = [...this.#open].map(([seq, { equipmentId, lesson }]) => {
      return { equipment_id: equipmentId, open: seq, lesson: lesson as unknown as JsonObject }
    })
    return [...known, ...open]
  }

  /** No entries: the snapshot holds everything, so retention may delete every message. */
  *owed(): Generator<number> {}

  #sent({ seq, key }: Entry, message: MessageEntry): void {
    const body = bodyOf(message)
    const lesson = body && observationIn(message, body.item, this.readingOf(key))
    if (!lesson) return
    // Without a reply it stays unknown whether it was carried out.
    if (!message.w_bit) return this.#knownOf(key).doubt(lesson, seq)
    this.#open.set(seq, { equipmentId: key, lesson })
    if (this.#open.size <= MAX_OPEN) return
    for (const oldest of this.#open.keys()) {
      this.#open.delete(oldest)
      break
    }
  }

  #received({ seq, key }: Entry, message: MessageEntry): void {
    const body = bodyOf(message)
    if (!body) return
    const asked = message.reply_to === null ? undefined : this.#open.get(message.reply_to)
    if (message.reply_to !== null) this.#open.delete(message.reply_to)
    // A late reply: its question was dropped. S5F6 does not show which S5F5 it answers.
    const isLate = message.reply_to !== null && !asked && message.function > 0 && message.function % 2 === 0
    const question = asked
      ? questionOf(asked.lesson)
      : isLate
        ? topicOf(message.stream, message.function - 1)
        : undefined
    if (question !== undefined) this.#knownOf(key).unsupported.answered(question)
    observe(this.#knownOf(key), message, {
      item: body.item,
      asked: asked?.lesson,
      seq,
      reading: this.readingOf(key),
    })
  }

  /** Handles the end of a primary that has no usable answer. */
  #ended({ seq, key, data }: Entry): void {
    const primary = Number(data['message_id'])
    const open = this.#open.get(primary)
    if (!open) return
    this.#open.delete(primary)
    const known = this.#knownOf(key)
    const question = questionOf(open.lesson)
    const end = { outcome: String(data['outcome']), s9: data['s9'] === null ? null : String(data['s9']) }
    if (question !== undefined) return known.unsupported.ended(question, primary, end, seq)
    const wasRefused = data['outcome'] === 'aborted' || data['outcome'] === 'rejected' || data['s9'] !== null
    if (!wasRefused) known.doubt(open.lesson, seq)
  }

  #knownOf(equipmentId: string): KnownEquipment {
    const known = this.#known.get(equipmentId) ?? new KnownEquipment()
    this.#known.set(equipmentId, known)
    return known
  }
}

/** The item of a body, undefined for an empty body; undefined as a whole for invalid SECS-II or a body that is too large. */
function bodyOf({ body }: MessageEntry): { readonly item: Item | undefined } | undefined {
  if (body.length > MAX_BODY_LENGTH) return undefined
  try {
    return { item: decodeBody(Buffer.from(body, 'base64')) }
  } catch (error) {
    if (error instanceof Secs2DecodeError) return undefined
    throw error
  }
}
