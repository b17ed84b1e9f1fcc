import { Problem } from '../../contract/errors.js'
import { deferred } from '../../kit/deferred.js'
import type { EquipmentRecord } from './equipment-record.js'
import { type Exclusively, SharedSection } from './shared-section.js'

/** Whether the caller of a call sees and reaches an equipment. */
export type Reaches = (equipmentId: string) => boolean

interface Claim {
  readonly record: EquipmentRecord
  /** Resolves when it is known whether the record is registered. */
  readonly over: Promise<void>
}

/** Keeps names and addresses unique, also while several records are being written, here and by other processes. */
export class EquipmentClaims {
  readonly #claims = new Set<Claim>()
  readonly #section: SharedSection

  constructor(
    /** The records on disk. */
    readonly registered: () => Iterable<EquipmentRecord>,
    /** Keeps other processes from changing records, and makes their changes known. */
    exclusively: Exclusively = (work) => work(),
  ) {
    this.#section = new SharedSection(exclusively)
  }

  /**
   * Keeps name and address of a record for it while `work` registers it. Throws `equipment_name_taken` and
   * `equipment_address_taken` only for records on disk: an earlier call is waited for, since it may fail.
   * `reaches`: the equipment whose address the record may take; all when left out.
   */
  hold<T>(wanted: EquipmentRecord, reaches: Reaches | undefined, work: () => Promise<T>): Promise<T> {
    return this.#section.run(() => this.#hold(wanted, reaches, work))
  }

  async #hold<T>(wanted: EquipmentRecord, reaches: Reaches | undefined, work: () => Promise<T>): Promise<T> {
    const before = [...this.registered()].find(({ id }) => id === wanted.id)
    const mayShare = reaches && !(before && isSamePlace(before, wanted)) ? reaches : () => true
    for (;;) {
      const earlier = [...this.#claims].find(({ record }) => clashOf(record, wanted, mayShare))
      if (!earlier) break
      await earlier.over
    }
    for (const record of this.registered()) {
      const clash = clashOf(record, wanted, mayShare)
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

const isSamePlace = (one: EquipmentRecord, other: EquipmentRecord): boolean =>
  one.serial_port === other.serial_port &&
  // A serial port has no modes.
  (one.serial_port !== null ||
    (one.ip_address === other.ip_address && one.port === other.port && one.mode === other.mode))

function clashOf(record: EquipmentRecord, wanted: EquipmentRecord, reaches: Reaches): Problem | undefined {
  if (record.id === wanted.id) return undefined
  if (record.name.normalize() === wanted.name.normalize()) {
    return new Problem(
      'equipment_name_taken',
      `Another equipment is named ${wanted.name} already. Choose another name.`,
    )
  }
  if (!isSamePlace(record, wanted)) return undefined
  if (wanted.serial_port !== null)
    return new Problem(
      'equipment_address_taken',
      `${record.name} is at the serial port ${wanted.serial_port} already.`,
    )
  if (wanted.mode === 'passive') {
    // Registered once more, equipment could be reached by callers who are not to reach it.
    if (reaches(record.id)) return undefined
    const detail = `Other equipment is at ${record.ip_address} port ${record.port} already.`
    return new Problem('equipment_address_taken', detail)
  }
  return new Problem(
    'equipment_address_taken',
    `Another equipment dials in from ${record.ip_address} to port ${record.port} already, and equipment that dials in is identified by its address. Give this one another port.`,
  )
}
