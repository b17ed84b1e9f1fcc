import type { Clock } from '../kit/clock.js'
import type { JsonObject } from '../kit/json.js'
import type { Entry, Kind } from '../store/journal.js'
import type { View } from '../store/view.js'

/** How long a key is kept, in milliseconds. */
const KEPT = 24 * 60 * 60 * 1000

export const KEY_BEGAN = { type: 'idempotency', name: 'began' } as const satisfies Kind
export const KEY_NOTED = { type: 'idempotency', name: 'noted' } as const satisfies Kind
export const KEY_ENDED = { type: 'idempotency', name: 'ended' } as const satisfies Kind
export const KEY_FREED = { type: 'idempotency', name: 'freed' } as const satisfies Kind

/** What is on record of a request with a key. */
export interface KnownKey {
  readonly fingerprint: string
  /** Wall-clock time it began at, in milliseconds since 1970. */
  readonly began: number
  /** Sequence numbers of the entries that say so, of the message it sent and of its answer; 0 where there is none. */
  readonly begun: number
  readonly noted: number
  readonly ended: number
  /** The message; undefined when it sent none. */
  readonly messageId: string | undefined
}

/** The keys of the last day, as the journal tells. */
export class IdempotencyKeys implements View {
  readonly name = 'idempotency'
  readonly version = 1
  readonly kinds = [KEY_BEGAN, KEY_NOTED, KEY_ENDED, KEY_FREED]
  readonly #keys = new Map<string, KnownKey>()

  constructor(readonly clock: Clock) {}

  get size(): number {
    this.#forgetOld()
    return this.#keys.size
  }

  get(id: string): KnownKey | undefined {
    this.#forgetOld()
    return this.#keys.get(id)
  }

  load({ id, message_id, ...known }: JsonObject): void {
    const messageId = typeof message_id === 'string' ? message_id : undefined
    this.#keys.set(String(id), { ...(known as unknown as Omit<KnownKey, 'messageId'>), messageId })
  }

  apply({ seq, name, at, data }: Entry): void {
    const id = String(data['id'])
    if (name === KEY_BEGAN.name) {
      const fingerprint = String(data['fingerprint'])
      const none = { noted: 0, ended: 0, messageId: undefined }
      this.#keys.delete(id)
      this.#keys.set(id, { fingerprint, began: Date.parse(at), begun: seq, ...none })
    }
    if (name === KEY_FREED.name) this.#keys.delete(id)
    const known = this.#keys.get(id)
    if (!known) return
    if (name === KEY_NOTED.name) {
      this.#keys.set(id, { ...known, noted: seq, messageId: String(data['message_id']) })
    }
    if (name === KEY_ENDED.name) this.#keys.set(id, { ...known, ended: seq })
  }

  *lines(): Generator<JsonObject> {
    this.#forgetOld()
    for (const [id, { messageId, ...known }] of this.#keys) {
      yield { id, message_id: messageId ?? null, ...known }
    }
  }

  *owed(): Generator<number> {
    this.#forgetOld()
    for (const { begun, noted, ended } of this.#keys.values()) {
      yield begun
      if (noted !== 0) yield noted
      if (ended !== 0) yield ended
    }
  }

  /** Keys are held in the order they began, so the old ones are the first. */
  #forgetOld(): void {
    const oldest = this.clock.date().getTime() - KEPT
    for (const [id, { began }] of this.#keys) {
      if (began >= oldest) return
      this.#keys.delete(id)
    }
  }
}
