import { Problem } from '../../contract/errors.js'
import { tapPort } from '../../contract/tap-port.js'
import { deferred } from '../../kit/deferred.js'
import { serialDevice } from '../../secs1/serial/serial-device.js'
import type { EquipmentRecord } from './equipment-record.js'
import { type Exclusively, SharedSection } from './shared-section.js'

/** Whether the caller of a call sees and reaches an equipment. */
export type Reaches = (equipmentId: string) => boolean

interface Claim {
  readonly record: EquipmentRecord
  /** Resolves when it is known whether the record is registered. */
  readonly over: Promise<void>
}

type Ranked = readonly [rank: number, record: EquipmentRecord]

/** Records by what no other one may have. To compare each with each took a minute with 4,000. */
interface ClaimIndex {
  size: number
  readonly places: Map<string, Ranked[]>
}

/** Keeps names and addresses unique, also while several records are being written, here and by other processes. */
export class EquipmentClaims {
  readonly #claims = new Set<Claim>()
  /** The records of all calls that are under way. */
  readonly #sought = new Set<EquipmentRecord>()
  readonly #section: SharedSection
  /** The device of each path of a serial port, as of the last look. */
  readonly #devices = new Map<string, string>()

  constructor(
    /** The records on disk. */
    readonly registered: () => Iterable<EquipmentRecord>,
    /** Keeps other processes from changing records, and makes their changes known. */
    exclusively: Exclusively = (work) => work(),
    /** The same text for every path of one serial port. */
    private readonly deviceOf: (path: string) => Promise<string> = serialDevice,
  ) {
    this.#section = new SharedSection(exclusively)
  }

  /**
   * Keeps name and address of a record for it while `work` registers it. Throws `equipment_name_taken` and
   * `equipment_address_taken` only for records on disk: an earlier call is waited for, since it may fail.
   * `reaches`: the equipment whose address the record may take; all when left out.
   */
  hold<T>(wanted: EquipmentRecord, reaches: Reaches | undefined, work: () => Promise<T>): Promise<T> {
    const make = () => ({ records: [wanted] })
    return this.holdAll(make, reaches, (_, [clash]) => {
      if (clash) throw clash
      return work()
    })
  }

  /**
   * The same for several records, which `make` makes while no other process can change any. `work` gets the clashes, each
   * at the place of its record.
   */
  holdAll<P extends { readonly records: readonly EquipmentRecord[] }, T>(
    make: () => P,
    reaches: Reaches | undefined,
    work: (made: P, clashes: readonly (Problem | undefined)[]) => Promise<T>,
  ): Promise<T> {
    return this.#section.run(async () => {
      const made = make()
      for (const wanted of made.records) this.#sought.add(wanted)
      try {
        return await this.#hold(made.records, reaches, (clashes) => work(made, clashes))
      } finally {
        for (const wanted of made.records) this.#sought.delete(wanted)
      }
    })
  }

  async #hold<T>(
    all: readonly EquipmentRecord[],
    reaches: Reaches | undefined,
    work: (clashes: readonly (Problem | undefined)[]) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      await this.#lookAtDevices(all)
      const earlier = this.#earlierClaim(all, reaches)
      if (!earlier) break
      await earlier.over
    }
    const clashes = this.clashes(all, reaches)
    const { promise, resolve } = deferred<void>()
    const claims = all.map((record) => ({ record, over: promise }))
    for (const claim of claims) this.#claims.add(claim)
    try {
      return await work(clashes)
    } finally {
      for (const claim of claims) this.#claims.delete(claim)
      resolve()
    }
  }

  /** A claim of an earlier call that one of these records has to wait for. */
  #earlierClaim(all: readonly EquipmentRecord[], reaches?: Reaches): Claim | undefined {
    const claims = new Map([...this.#claims].map((claim) => [claim.record, claim]))
    const index = this.#indexOf(claims.keys(), reaches)
    for (const wanted of all)
      for (const record of this.#possibleClashes(index, wanted))
        if (this.#clashOf(record, wanted, reaches)) return claims.get(record)
    return undefined
  }

  /** What each of these records has in common with registered equipment as it will be, and with those before it. */
  clashes(all: readonly EquipmentRecord[], reaches: Reaches = () => true): readonly (Problem | undefined)[] {
    const ids = new Set(all.map(({ id }) => id))
    const reached: Reaches = (id) => ids.has(id) || reaches(id)
    const index = this.#indexOf(
      [...this.registered()].filter(({ id }) => !ids.has(id)),
      reached,
    )
    return all.map((wanted) => {
      const records = this.#possibleClashes(index, wanted)
      this.#add(index, wanted, reached)
      for (const record of records) {
        const clash = this.#clashOf(record, wanted, reached)
        if (clash) return clash
      }
      return undefined
    })
  }

  /**
   * The equipment that was given the serial port of a record before it. A path may lead to another device than when the
   * record was made, so this is asked before each attempt to open the port.
   */
  async earlierAtPort(record: EquipmentRecord): Promise<EquipmentRecord | undefined> {
    if (record.serial_port === null) return undefined
    await this.#lookAtDevices([record])
    return [...this.registered()].find(
      (other) => this.#isSamePlace(other, record) && isEarlier(other, record),
    )
  }

  async #lookAtDevices(wanted: readonly EquipmentRecord[]): Promise<void> {
    if (wanted.every(({ serial_port }) => serial_port === null)) return
    const records = [...this.registered(), ...this.#sought]
    const paths = new Set(records.flatMap(({ serial_port }) => serial_port ?? []))
    const devices = await Promise.all(
      [...paths].map(async (path) => [path, await this.deviceOf(path)] as const),
    )
    for (const path of this.#devices.keys()) if (!paths.has(path)) this.#devices.delete(path)
    for (const [path, device] of devices) this.#devices.set(path, device)
  }

  #isSamePlace(one: EquipmentRecord, other: EquipmentRecord): boolean {
    if (one.serial_port === null || other.serial_port === null)
      return one.serial_port === other.serial_port && isSameAddress(one, other)
    return this.#deviceAt(one.serial_port) === this.#deviceAt(other.serial_port)
  }

  #deviceAt(path: string): string {
    return this.#devices.get(path) ?? path
  }

  #indexOf(records: Iterable<EquipmentRecord>, reaches: Reaches = () => true): ClaimIndex {
    const index: ClaimIndex = { size: 0, places: new Map() }
    for (const record of records) this.#add(index, record, reaches)
    return index
  }

  /** Adds a record under each thing that `#clashOf` compares. Equipment that is reached may be dialled once more: it is not added for that. */
  #add(index: ClaimIndex, record: EquipmentRecord, reaches: Reaches): void {
    const [rank, port] = [index.size++, listeningPort(record)]
    const isHidden = !reaches(record.id)
    const keys = [
      nameKey(record),
      ...(port === null ? [] : [`port ${port}`]),
      ...(port !== null && record.tap ? [`tapped ${port}`] : []),
      ...(isHidden ? [`${record.mode} dials ${dialledPlace(record)}`] : []),
      ...(isHidden || record.mode !== 'passive' || record.serial_port !== null
        ? [this.#placeKey(record)]
        : []),
    ]
    for (const key of keys) {
      const at = index.places.get(key)
      if (!at) index.places.set(key, [[rank, record]])
      // Two are enough: one of them is not the equipment itself.
      else if (at.length === 1 && at[0]?.[1].id !== record.id) at.push([rank, record])
    }
  }

  /** The first record under each thing that is compared, in order: where it does not clash for that, no further one does. */
  #possibleClashes({ places }: ClaimIndex, wanted: EquipmentRecord): readonly EquipmentRecord[] {
    const port = listeningPort(wanted)
    const otherMode = wanted.mode === 'active' ? 'passive' : 'active'
    const keys = [
      nameKey(wanted),
      wanted.tap ? `port ${port}` : `tapped ${port}`,
      `${otherMode} dials ${dialledPlace(wanted)}`,
      this.#placeKey(wanted),
    ]
    return keys
      .map((key) => places.get(key)?.find(([, { id }]) => id !== wanted.id))
      .filter((found) => found !== undefined)
      .sort(([one], [other]) => one - other)
      .map(([, record]) => record)
  }

  #placeKey({ serial_port, mode, ip_address, port }: EquipmentRecord): string {
    return serial_port === null ? `${mode} at ${ip_address}:${port}` : `serial ${this.#deviceAt(serial_port)}`
  }

  #clashOf(
    record: EquipmentRecord,
    wanted: EquipmentRecord,
    reaches: Reaches = () => true,
  ): Problem | undefined {
    if (record.id === wanted.id) return undefined
    if (record.name.normalize() === wanted.name.normalize()) {
      return nameTaken(wanted.name)
    }
    const taken = (detail: string): Problem => new Problem('equipment_address_taken', detail)
    // A refusal names no equipment that the caller does not see.
    const tapped = tappedPortOfBoth(record, wanted)
    if (tapped !== undefined) {
      const who = reaches(record.id) ? record.name : 'Other equipment'
      return taken(`${who} uses port ${tapped} of the gateway already, and a tap needs a port of its own.`)
    }
    const before = [...this.registered()].find(({ id }) => id === wanted.id)
    const place = dialledByTap(record, wanted)
    if (place !== undefined && !reaches(record.id) && !(before && dialledPlace(before) === place))
      return taken(`Other equipment is at ${place} already.`)
    if (!this.#isSamePlace(record, wanted)) return undefined
    if (wanted.serial_port !== null) {
      // Not claimed anew: which of the two may open the port is decided when it is opened.
      if (before?.serial_port === wanted.serial_port) return undefined
      const who = reaches(record.id) ? record.name : 'Other equipment'
      return taken(`${who} is at the serial port ${wanted.serial_port} already.`)
    }
    if (wanted.mode === 'passive') {
      // Registered once more, equipment could be reached by callers who are not to reach it.
      const isThere = before !== undefined && this.#isSamePlace(before, wanted)
      if (isThere || reaches(record.id)) return undefined
      return taken(`Other equipment is at ${record.ip_address} port ${record.port} already.`)
    }
    return taken(
      `Another equipment dials in from ${record.ip_address} to port ${record.port} already, and equipment that dials in is identified by its address. Give this one another port.`,
    )
  }
}

const nameKey = ({ name }: EquipmentRecord): string => `name ${name.normalize()}`

export const nameTaken = (name: string): Problem =>
  new Problem('equipment_name_taken', `Another equipment is named ${name} already. Choose another name.`)

/** The port of the gateway that both need, of which at least one is tapped; undefined where there is none. */
function tappedPortOfBoth(one: EquipmentRecord, other: EquipmentRecord): number | undefined {
  if (!one.tap && !other.tap) return undefined
  const port = listeningPort(one)
  return port !== null && port === listeningPort(other) ? port : undefined
}

/** Where the gateway dials: equipment, or the host of tapped equipment that dials in. Undefined where it dials nobody. */
function dialledPlace({ mode, ip_address, port, serial_port, tap }: EquipmentRecord): string | undefined {
  if (serial_port !== null) return undefined
  if (mode === 'passive') return `${ip_address}:${port}`
  return tap ? `${tap.host_address}:${tap.host_port}` : undefined
}

/**
 * Where the gateway dials for both, as the host of one of them: who may not reach equipment does not reach it as a host.
 * One host may be that of several.
 */
function dialledByTap(one: EquipmentRecord, other: EquipmentRecord): string | undefined {
  if (one.mode === other.mode) return undefined
  const place = dialledPlace(one)
  return place === dialledPlace(other) ? place : undefined
}

const listeningPort = (record: EquipmentRecord): number | null =>
  record.tap ? tapPort(record) : record.mode === 'active' ? record.port : null

const isSameAddress = (one: EquipmentRecord, other: EquipmentRecord): boolean =>
  one.ip_address === other.ip_address && one.port === other.port && one.mode === other.mode

/** Who was there first has the port: not who was registered first, and has moved to it later. */
function isEarlier(one: EquipmentRecord, other: EquipmentRecord): boolean {
  const [since, otherSince] = [one, other].map((record) => record.serial_port_since ?? record.created_at) as [
    string,
    string,
  ]
  return since < otherSince || (since === otherSince && one.id < other.id)
}
