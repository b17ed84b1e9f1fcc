import { Problem } from '../../contract/errors.js'
import { deferred } from '../../kit/deferred.js'
import type { EquipmentRecord } from './equipment-record.js'

interface Claim {
  readonly record: EquipmentRecord
  /** Resolves when it is known whether the record is registered. */
  readonly over: Promise<void>
}

/** Keeps names and addresses unique, also while several records are being written. */
export class EquipmentClaims {
  readonly #claims = new Set<Claim>()

  constructor(
    /** The records on disk. */
    readonly registered: () => Iterable<EquipmentRecord>,
  ) {}

  /**
   * Keeps name and address of a record for it while `work` registers it. Throws `equipment_name_taken` and
   * `equipment_address_taken` only for records on disk: an earlier call is waited for, since it may fail.
   */
  async hold<T>(wanted: EquipmentRecord, work: () => Promise<T>): Promise<T> {
    for (;;) {
      const earlier = [...this.#claims].find(({ record }) => clashOf(record, wanted))
      if (!earlier) break
      await earlier.over
    }
    for (const record of this.registered()) {
      const clash = clashOf(record, wanted)
      if (clash) throw clash
    }
    const { promise, resolve } = deferred<void>()
    const claim = { record: wanted, over: promise }
    this.#claims.add(claim)
    try {
      return await work()
    } finally {
      this.#claims.delete(claim)
      resolve()
    }
  }
}

function clashOf(record: EquipmentRecord, wanted: EquipmentRecord): Problem | undefined {
  if (record.id === wanted.id) return undefined
  if (record.name.normalize() === wanted.name.normalize()) {
    return new Problem(
      'equipment_name_taken',
      `Another equipment is named ${wanted.name} already. Choose another name.`,
    )
  }
  const bothDialIn = record.mode === 'active' && wanted.mode === 'active'
  if (!bothDialIn || record.ip_address !== wanted.ip_address || record.port !== wanted.port) return undefined
  return new Problem(
    'equipment_address_taken',
    `Another equipment dials in from ${record.ip_address} to port ${record.port} already, and equipment that dials in is identified by its address. Give this one another port.`,
  )
}
