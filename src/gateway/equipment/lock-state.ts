import type { EquipmentLock, LockRequest } from '../../contract/equipment-lock.js'
import { Problem } from '../../contract/errors.js'
import type { Identity } from '../../contract/topics/accounts/users.js'
import type { Clock } from '../../kit/clock.js'
import type { EquipmentRecord, KeptLock } from '../records/equipment-record.js'

/** Who locks equipment: a user or an API key. */
export type Holder = Pick<Identity, 'id' | 'email'>

/** A lock that holds, or is being written. */
interface Held {
  /** The id of the user or API key. */
  readonly holder: string
  readonly shown: EquipmentLock
  /** On the clock that never goes back. */
  readonly until: number
}

/** The lock of one equipment, and when it ends, on the clock that never goes back. */
export class LockState {
  #held: Held | undefined
  /** Locks that are being written: others are refused already, and nobody is shown them. */
  readonly #sought = new Set<Held>()

  /** `kept`: the lock in the record at a start. */
  constructor(
    private readonly clock: Clock,
    kept: KeptLock | undefined,
  ) {
    if (!kept) return
    const left = Date.parse(kept.expires_at) - clock.date().getTime()
    // A wall clock that was set back does not make it longer than it was to be.
    this.hold(kept, Math.min(left, kept.for_seconds * 1000))
  }

  /** The lock that is stored and holds now; the same object until it changes. */
  get shown(): EquipmentLock | null {
    return this.#current?.shown ?? null
  }

  get #current(): Held | undefined {
    if (this.#held && this.clock.now() >= this.#held.until) this.#held = undefined
    return this.#held
  }

  /** Throws `equipment_locked` if somebody else than the caller holds it, or is about to. */
  refuseOthers(caller: Pick<Holder, 'id'>, { id, name }: Pick<EquipmentRecord, 'id' | 'name'>): void {
    const current = this.#current
    const other = [...(current ? [current] : []), ...this.#sought].find(({ holder }) => holder !== caller.id)
    if (!other) return
    const { by, reason, expires_at } = other.shown
    const until = expires_at.replace(/\.\d+Z$/, 'Z')
    throw new Problem('equipment_locked', `${name} is locked by ${by} until ${until} (${reason}).`, {
      next: [{ operation: 'getEquipment', parameters: { id } }],
    })
  }

  /** The lock that the caller wants; one that the caller holds already goes on. */
  wantedBy({ id, email }: Holder, { for_seconds, reason }: LockRequest): KeptLock {
    const now = this.clock.date().getTime()
    const held = this.#current?.holder === id ? this.shown : null
    const at = new Date(now).toISOString()
    const expires_at = new Date(now + for_seconds * 1000).toISOString()
    return { by: email, reason, since: held?.since ?? at, expires_at, holder_id: id, for_seconds }
  }

  /** Runs `work`, which writes this lock, while others than its holder are refused. */
  async whileSought<T>(kept: KeptLock, work: () => Promise<T>): Promise<T> {
    const sought = this.#heldOf(kept, kept.for_seconds * 1000)
    this.#sought.add(sought)
    try {
      return await work()
    } finally {
      this.#sought.delete(sought)
    }
  }

  /** The lock is stored. `leftMs`: how long it lasts from now on. */
  hold(kept: KeptLock, leftMs = kept.for_seconds * 1000): EquipmentLock {
    this.#held = this.#heldOf(kept, leftMs)
    return this.#held.shown
  }

  /** What another process has written, just now. */
  take(kept: KeptLock | undefined): void {
    if (kept) this.hold(kept)
    else this.release()
  }

  release(): void {
    this.#held = undefined
  }

  #heldOf({ by, reason, since, expires_at, holder_id }: KeptLock, leftMs: number): Held {
    const until = this.clock.now() + leftMs
    return { holder: holder_id, shown: { by, reason, since, expires_at }, until }
  }
}
