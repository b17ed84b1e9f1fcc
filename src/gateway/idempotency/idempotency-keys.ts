import type { Clock } from '../../kit/clock.js'
import type { JsonObject } from '../../kit/text/json.js'
import type { Entry, Kind } from '../../store/entry.js'
import type { View } from '../../store/view.js'
import type { TrustedTime } from '../accounts/revocations.js'

/** How long a key is kept, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

export const KEY_BEGAN = { type: 'idempotency', name: 'began' } as const satisfies Kind
export const KEY_NOTED = { type: 'idempotency', name: 'noted' } as const satisfies Kind
export const KEY_ENDED = { type: 'idempotency', name: 'ended' } as const satisfies Kind
export const KEY_FREED = { type: 'idempotency', name: 'freed' } as const satisfies Kind

/** The record of a request with a key: a line of the snapshot. */
export interface KnownKey {
  readonly id: string
  /** The message that it sent; null when it sent none. */
  readonly message_id: string | null
  readonly fingerprint: string
  /** Wall-clock time it began at, in milliseconds since 1970. */
  readonly began: number
  /** Sequence numbers of the entries of its begin, of the message it sent and of its response; 0 where there is none. */
  readonly begun: number
  readonly noted: number
  readonly ended: number
  /** The process that carries it out; left out where there is one alone. */
  readonly node?: string
  /** Sequence numbers of the long messages in its response. Left out where there are none. */
  readonly records?: readonly number[]
}

interface Held {
  readonly known: KnownKey
  /** When it began, on the clock that never goes back. */
  readonly since: number
}

/** The keys of the last day: a view of the journal. A jump of the wall clock neither drops keys early nor keeps them much longer. */
export class IdempotencyKeys implements View {
  readonly name = 'idempotency'
  readonly version = 1
  readonly kinds = [KEY_BEGAN, KEY_NOTED, KEY_ENDED, KEY_FREED]
  readonly #keys = new Map<string, Held>()
  /** The latest time that a key began at, of those that are not in the future. */
  #latest = 0

  /** `trusted`: the time by which keys of a process before are old; the wall clock when left out. */
  constructor(
    readonly clock: Clock,
    readonly trusted: TrustedTime = { now: () => clock.date().getTime() },
  ) {}

  get size(): number {
    this.#forgetOld()
    return this.#keys.size
  }

  get(id: string): KnownKey | undefined {
    this.#forgetOld()
    return this.#keys.get(id)?.known
  }

  load(line: JsonObject): void {
    this.#begin(line as unknown as KnownKey)
  }

  apply({ seq, name, at, data }: Entry): void {
    const id = String(data['id'])
    if (name === KEY_BEGAN.name) {
      const fingerprint = String(data['fingerprint'])
      const { node, after } = data as { readonly node?: string; readonly after?: number }
      const before = this.#keys.get(id)
      // Two processes began at once: the first is carried out. One that knew the first has begun after it was forgotten.
      if (before && after !== undefined && before.known.begun > after) return
      const none = { noted: 0, ended: 0, message_id: null, ...(node !== undefined && { node }) }
      this.#begin({ id, fingerprint, began: Date.parse(at), begun: seq, ...none })
    }
    if (name === KEY_FREED.name) this.#keys.delete(id)
    if (name === KEY_NOTED.name) this.#change(id, { noted: seq, message_id: String(data['message_id']) })
    if (name === KEY_ENDED.name) {
      const records = data['records'] as readonly number[] | undefined
      this.#change(id, { ended: seq, ...(records && { records }) })
    }
  }

  lines(): Iterable<JsonObject> {
    this.#forgetOld()
    return Array.from(this.#keys.values(), ({ known }) => known as unknown as JsonObject)
  }

  *pinned(): Generator<number> {
    this.#forgetOld()
    for (const { known } of this.#keys.values()) {
      yield known.begun
      if (known.noted !== 0) yield known.noted
      if (known.ended !== 0) yield known.ended
      if (known.records) yield* known.records
    }
  }

  #begin(known: KnownKey): void {
    const wall = this.trusted.now()
    // A key's time is never before that of an earlier key, also if the clock was set back, and never in the future.
    const began = Math.min(wall, Math.max(known.began, this.#latest))
    if (known.began <= wall) this.#latest = began
    this.#keys.delete(known.id)
    this.#keys.set(known.id, { known, since: this.clock.now() - Math.min(wall - began, KEPT_MS + 1) })
  }

  #change(id: string, change: Partial<KnownKey>): void {
    const held = this.#keys.get(id)
    if (held) this.#keys.set(id, { ...held, known: { ...held.known, ...change } })
  }

  /** Keys are held in the order they began, so the old ones are the first. */
  #forgetOld(): void {
    const oldest = this.clock.now() - KEPT_MS
    for (const [id, { since }] of this.#keys) {
      if (since >= oldest) return
      this.#keys.delete(id)
    }
  }
}
