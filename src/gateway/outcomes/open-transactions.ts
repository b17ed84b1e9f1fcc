import type { JsonObject } from '../../kit/text/json.js'
import type { Entry } from '../../store/entry.js'
import type { View } from '../../store/view.js'
import { MESSAGE_ENDED, MESSAGE_SENT } from '../records/journal-kinds.js'
import { messageOf } from '../records/recorded-message.js'

/** Primaries of ours that want a reply and have no end on record. */
export class OpenTransactions implements View {
  readonly name = 'open-transactions'
  readonly version = 1
  readonly kinds = [MESSAGE_SENT, MESSAGE_ENDED]
  /** Sequence number to equipment. */
  readonly #open = new Map<number, string>()

  load(line: JsonObject): void {
    this.#open.set(Number(line['message_id']), String(line['equipment_id']))
  }

  apply(entry: Entry): void {
    if (entry.name === MESSAGE_ENDED.name) return void this.#open.delete(Number(entry.data['message_id']))
    const { isPrimary, wait } = messageOf(entry)
    if (isPrimary && wait) this.#open.set(entry.seq, entry.key)
  }

  *lines(): Generator<JsonObject> {
    for (const [seq, key] of this.#open) yield { message_id: seq, equipment_id: key }
  }

  /** Oldest first. */
  pinned(): Iterable<number> {
    return this.#open.keys()
  }

  has(seq: number): boolean {
    return this.#open.has(seq)
  }

  /** Sequence number and equipment of each, oldest first. */
  all(): readonly (readonly [seq: number, equipmentId: string])[] {
    return [...this.#open]
  }
}
