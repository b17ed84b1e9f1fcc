import type { EquipmentLock, LockRequest } from '../../contract/equipment-lock.js'
import { Problem } from '../../contract/errors.js'
import type { Identity } from '../../contract/topics/accounts/users.js'
import type { Clock } from '../../kit/clock.js'
import type { EquipmentRecord, KeptLock } from '../records/equipment-record.js'

/** Who locks equipment: a user or an API key. */
export type Holder = Pick<Identity, 'id' | 'email'>

/** The lock of one equipment, and when it ends, on the clock that never goes back. */
export class LockState {
  #holder = ''
  #shown: EquipmentLock | null = null
  #until = Number.NEGATIVE_INFINITY

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

  /** The lock that holds now; the same object until it changes. */
  get shown(): EquipmentLock | null {
    if (this.#shown !== null && this.clock.now() >= this.#until) this.#shown = null
    return this.#shown
  }

  /** Throws `equipment_locked` if somebody else than the caller holds it. */
  refuseOthers(caller: Pick<Holder, 'id'>, { id, name }: Pick<EquipmentRecord, 'id' | 'name'>): void {
    const { shown } = this
    if (shown === null || this.#holder === caller.id) return
    const { by, reason, expires_at } = shown
    const until = expires_at.replace(/\.\d+Z$/, 'Z')
    throw new Problem('equipment_locked', `${name} is locked by ${by} until ${until} (${reason}).`, {
      next: [{ operation: 'getEquipment', parameters: { id } }],
    })
  }

  /** The lock that the caller wants; one that the caller holds already goes on. */
  wantedBy({ id, email }: Holder, { for_seconds, reason }: LockRequest): KeptLock {
    const now = this.clock.date().getTime()
    const held = this.#holder === id ? this.shown : null
    const at = new Date(now).toISOString()
    const expires_at = new Date(now + for_seconds * 1000).toISOString()
    return { by: email, reason, since: held?.since ?? at, expires_at, holder_id: id, for_seconds }
  }

  /** `leftMs`: how long it lasts from now on. */
  hold(
    { by, reason, since, expires_at, holder_id, for_seconds }: KeptLock,
    leftMs = for_seconds * 1000,
  ): EquipmentLock {
    this.#holder = holder_id
    this.#until = this.clock.now() + leftMs
    this.#shown = { by, reason, since, expires_at }
    return this.#shown
  }

  release(): void {
    this.#shown = null
  }
}
