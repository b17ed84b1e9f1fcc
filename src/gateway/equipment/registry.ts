import type {
  Equipment,
  EquipmentApplied,
  EquipmentChange,
  EquipmentEntry,
  EquipmentQuery,
  NewEquipment,
} from '../../contract/equipment.js'
import type { EquipmentLock, LockRequest } from '../../contract/equipment-lock.js'
import { type Fault, Problem } from '../../contract/errors.js'
import type { Page } from '../../contract/schema.js'
import type { Labels } from '../../contract/selector.js'
import type { Collection } from '../../store/collection.js'
import type { NewEntry } from '../../store/entry.js'
import { ChangedElsewhere, NotOwner, StoreUnavailable } from '../../store/failure.js'
import type { EquipmentSession } from '../link/session.js'
import { newId } from '../new-id.js'
import { EquipmentClaims, type Reaches } from '../records/equipment-claims.js'
import {
  changedRecord,
  changesTheWire,
  type EquipmentRecord,
  memberFaults,
  newEquipmentRecord,
  refuseConnected,
  refuseImpossible,
  refuseTapInUse,
  wholeRecord,
} from '../records/equipment-record.js'
import { IDENTITY, MESSAGE_RECEIVED } from '../records/journal-kinds.js'
import type { Reading } from '../records/reading.js'
import { type Revisions, requireRevision } from '../records/revision.js'
import { throwBug } from '../store-problem.js'
import { EquipmentDirectory } from './equipment-directory.js'
import { type Identity, identityEntry } from './equipment-identities.js'
import { equipmentNotFound } from './equipment-labels.js'
import { equipmentPage } from './equipment-page.js'
import {
  type EquipmentPlan,
  entryOf,
  equipmentPlan,
  holdsAnyway,
  isPlaceSound,
  type PlanFault,
  type PlannedChange,
  planProblem,
  repeatedNames,
  soundPart,
  type WrongMembers,
} from './equipment-plan.js'
import type { Holder } from './lock-state.js'
import type { EquipmentWorld, RegisteredEquipment } from './registered-equipment.js'
import { untilChanged } from './until-changed.js'

export interface ApplyOptions {
  readonly dryRun: boolean
  readonly caller: Pick<Holder, 'id'>
  readonly reaches?: Reaches
  /** Throws where the caller may not register equipment with these labels. */
  readonly mayHave?: (labels: Labels) => void
}

/** The traffic of an equipment, independent of its session. */
export type Observed = Readonly<Pick<RegisteredEquipment, 'record' | 'session' | 'since' | 'watch'>>

/** Milliseconds for which a change waits until this process has taken its equipment over. */
const TAKEN_WITHIN_MS = 2000
/** Milliseconds after which the alarms of deleted equipment are cleared again while the store is away. */
const CLEAR_AGAIN_MS = 1000

/** All equipment that is registered. The sessions of what this process owns run. */
export class EquipmentRegistry {
  readonly #directory: EquipmentDirectory
  readonly #claims: EquipmentClaims
  #closing = false

  constructor(
    readonly collection: Collection<EquipmentRecord>,
    readonly world: EquipmentWorld,
  ) {
    const portRefusal = async (record: EquipmentRecord): Promise<string | undefined> =>
      (await this.#claims.earlierAtPort(record)) &&
      `${record.serial_port} is the port of other equipment, which had it earlier`
    this.#directory = new EquipmentDirectory(collection, { ...world, portRefusal })
    this.#claims = new EquipmentClaims(
      () => this.#directory.all().map(({ record }) => record),
      (work) => this.#directory.exclusively(work),
    )
  }

  /** Emits for equipment that communicates, before the host asks its startup questions. */
  get started(): EquipmentDirectory['started'] {
    return this.#directory.started
  }

  /** Emits the id of equipment that was deleted. */
  get removed(): EquipmentDirectory['removed'] {
    return this.#directory.removed
  }

  get labels(): EquipmentDirectory['labels'] {
    return this.#directory.labels
  }

  /** Registers all equipment that there is. */
  load(): Promise<void> {
    return this.#directory.load()
  }

  /** Knows all records as they are in the store. */
  readAll(): Promise<void> {
    return this.#directory.exclusively(async () => {})
  }

  /** Those of these ids whose sessions do not run here. */
  notTaken(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => this.#directory.get(id)?.isTaken !== true)
  }

  /** Starts the sessions of those that are enabled. */
  async take(ids: readonly string[]): Promise<void> {
    const taken: RegisteredEquipment[] = []
    for (const id of ids) {
      const record = await this.collection.get(id)
      if (!record) continue
      const registered = this.#directory.use(wholeRecord(record))
      // It may have been given away before, or have passed on meanwhile.
      await registered.given
      if (!registered.isOwned) continue
      registered.isTaken = true
      taken.push(registered)
      registered.changed.emit()
    }
    for (const registered of taken) if (registered.record.enabled) await registered.start()
    void this.#recall(taken)
  }

  /** One after the other, beside all else: equipment that has been silent for long is searched for in all that is kept. */
  async #recall(taken: readonly RegisteredEquipment[]): Promise<void> {
    for (const { record, health, changed } of taken) {
      if (this.#closing) return
      const query = { kinds: [MESSAGE_RECEIVED], key: record.id, order: 'desc', limit: 1 } as const
      const [last] = await this.world.journal.query(query).catch(() => [])
      if (!last) continue
      health.recall(last.at)
      changed.emit()
    }
  }

  /** Stops the sessions. Resolves once nothing more is recorded for this equipment; `isLost`: nothing can be any more. */
  async give(ids: readonly string[], isLost: boolean): Promise<void> {
    await Promise.all(ids.map((id) => this.#directory.get(id)?.give(isLost)))
  }

  /** No session starts any more. */
  close(): void {
    this.#closing = true
    this.#directory.close()
    for (const { changed } of this.#directory.all()) changed.emit()
  }

  /** The id of the equipment with this name; undefined where there is none. */
  idOf(name: string): string | undefined {
    return this.#directory.idOf(name)
  }

  isRegistered(id: string): boolean {
    return this.#directory.get(id) !== undefined
  }

  /** The session of an equipment. Throws `equipment_not_found`, and `NotOwner` where it runs in another process. */
  session(id: string): EquipmentSession {
    return this.#findOwned(id).session
  }

  /** How to read an equipment's messages; the plain reading when it is not registered any more. */
  readingOf(id: string): Reading {
    return this.world.knowledge.readingOf(id)
  }

  /** An equipment as wire readers need it. Throws `equipment_not_found`, and `NotOwner` as `session` does. */
  observed(id: string): Observed {
    return this.#findOwned(id)
  }

  /** The equipment that this process owns. */
  allObserved(): readonly Observed[] {
    return this.#directory.all().filter(({ isOwned }) => isOwned)
  }

  /** Equipment as it is now, also where another process owns it. */
  known(id: string): Equipment | undefined {
    return this.#directory.get(id)?.view
  }

  /** All equipment as it is now, also what other processes own. */
  allKnown(): readonly Equipment[] {
    return this.#directory.all().map(({ view }) => view)
  }

  /** Name and labels of equipment that is registered. */
  identityOf(id: string): Identity | undefined {
    return this.#directory.get(id)?.record
  }

  /** The ids of all equipment that is registered. */
  get ids(): readonly string[] {
    return this.#directory.all().map(({ record }) => record.id)
  }

  #requireKnown(): void {
    if (!this.world.ownership.isCurrent)
      throw new Problem(
        'store_unavailable',
        'The database does not respond, so the present state of equipment is not known here.',
      )
  }

  /** Throws `store_unavailable` where the states of equipment that other processes drive are not known. */
  async list(query: EquipmentQuery): Promise<Page<Equipment>> {
    this.#requireKnown()
    return equipmentPage([...this.allKnown()], query)
  }

  async get(id: string): Promise<Equipment> {
    const found = this.#find(id)
    if (!found.isOwned) this.#requireKnown()
    return found.view
  }

  /** Faults of single members, such as formats that the catalogue does not have, of a body that has others. */
  memberFaults(given: unknown): readonly Fault[] {
    const used = new Set(this.allKnown().map(({ ip_address }) => ip_address))
    return memberFaults(given, this.world, (address) => used.has(address))
  }

  async create(given: NewEquipment, reaches?: Reaches): Promise<Equipment> {
    refuseImpossible(given, this.world)
    const record = newEquipmentRecord(newId('eq'), given, this.#at())
    return this.#claims.hold(record, reaches, async () => {
      await this.collection.put(record)
      const registered = this.#directory.use(record)
      registered.isTaken = registered.isOwned && !this.#closing
      return registered.view
    })
  }

  /** `revisions`: from `If-Match`; the record's has to be one of them. Neither is checked when left out. */
  update(id: string, change: EquipmentChange, revisions?: Revisions, reaches?: Reaches): Promise<Equipment> {
    return this.#exclusively(id, async (registered) => {
      const { record } = registered
      requireRevision('Equipment', record, record.name, revisions)
      if (change.revision !== undefined)
        requireRevision('Equipment', record, record.name, [String(change.revision)])
      refuseImpossible(change, this.world, record)
      const changed = changedRecord(record, change, this.#at())
      if (changed === record) return registered.view
      const rewired = changesTheWire(record, changed)
      await this.#claims.hold(changed, reaches, async () => {
        if (registered.record !== record) throw new ChangedElsewhere(record.name)
        if (rewired) refuseConnected(record, registered.session.connectionState)
        await this.#recordIdentity(record, changed)
        await this.collection.put(changed)
        if (rewired) await this.#refuseConnectedSince(registered)
        this.#adopt(registered, changed)
      })
      if (rewired) await registered.rewire()
      else registered.session.reconsider()
      return registered.view
    })
  }

  /**
   * Registers and changes all equipment of a list, or none: everything is checked first, and then written together.
   * `dryRun`: nothing is written.
   */
  async apply(entries: readonly EquipmentEntry[], options: ApplyOptions): Promise<EquipmentApplied> {
    const { dryRun, reaches } = options
    const named = new Set(entries.map(({ name }) => name.normalize()))
    const isNamed = ({ record }: RegisteredEquipment): boolean => named.has(record.name.normalize())
    const meant = this.#directory.all().filter(isNamed)
    const own = meant.filter(({ isOwned }) => isOwned).sort((a, b) => (a.record.id < b.record.id ? -1 : 1))
    const make = (): EquipmentPlan => this.#planOf(entries, reaches)
    const work = (): Promise<EquipmentApplied> =>
      this.#claims.holdAll(make, reaches, async ({ changes, records, faults }, clashes) => {
        const found = this.#planFaults({ changes, faults }, clashes, options)
        if (found.length > 0) throw planProblem(found)
        if (!dryRun && records.length > 0) await this.#writeAll(changes)
        return {
          dry_run: dryRun,
          changes: changes.map(({ before, after, members }) => ({
            change: before ? ('change' as const) : ('add' as const),
            equipment: after.name,
            equipment_id: before || !dryRun ? after.id : null,
            members: [...members],
          })),
        }
      })
    // One after the other by their ids, so that two such calls cannot wait for each other.
    const inTurn = own.reduceRight<() => Promise<EquipmentApplied>>(
      (next, { turn }) =>
        () =>
          turn.run(next),
      work,
    )
    return inTurn()
  }

  /**
   * All that `apply` would refuse of a list in which some entries are no equipment by the schema (`wrong` has their
   * places): of those, what is wrong besides.
   */
  listFaults(
    given: readonly unknown[],
    wrong: ReadonlyMap<number, WrongMembers>,
    options: Omit<ApplyOptions, 'dryRun'>,
  ): readonly Fault[] {
    const entries = given.map((entry, at) => soundPart(entry, wrong.get(at)))
    const plan = this.#planOf(entries, options.reaches)
    const placed = plan.changes.filter(({ at }) => isPlaceSound(wrong.get(at))).map(({ after }) => after)
    const found = this.#claims.clashes(placed, options.reaches)
    const clashes = new Map(placed.map((record, at) => [record, found[at]]))
    const planned = this.#planFaults(
      plan,
      plan.records.map((record) => clashes.get(record)),
      options,
    )
    const ofMembers = given.flatMap((entry, at) =>
      wrong.has(at)
        ? this.memberFaults(entry).map((fault) => ({
            ...fault,
            pointer: `/equipment/${at}${fault.pointer}`,
          }))
        : [],
    )
    const holding = planned.filter((fault) => holdsAnyway(fault, wrong.get(entryOf(fault))))
    const all = [...repeatedNames(given), ...holding, ...ofMembers]
    const first = new Map(all.toReversed().map(({ pointer, detail }) => [pointer, { pointer, detail }]))
    return [...first.values()]
  }

  #planOf(entries: readonly (EquipmentEntry | undefined)[], reaches: Reaches | undefined): EquipmentPlan {
    const known = new Map(
      this.#directory.all().map(({ record }) => [record.name.normalize(), record] as const),
    )
    return equipmentPlan(entries, (name) => known.get(name.normalize()), this.world, this.#at(), reaches)
  }

  /** The faults of a plan, and why its changes cannot be made now. */
  #planFaults(
    { changes, faults }: Pick<EquipmentPlan, 'changes' | 'faults'>,
    clashes: readonly (Problem | undefined)[],
    options: Omit<ApplyOptions, 'dryRun'>,
  ): readonly PlanFault[] {
    const said = new Set(faults.map(({ pointer }) => pointer))
    const refused = changes.flatMap((one, place) => this.#refusals(one, clashes[place], options))
    return [...faults, ...refused.filter(({ pointer }) => !said.has(pointer))]
  }

  /** Why a planned change cannot be made now. */
  #refusals(
    { at, before, after }: PlannedChange,
    clash: Problem | undefined,
    { caller, mayHave }: Omit<ApplyOptions, 'dryRun'>,
  ): readonly PlanFault[] {
    const refused = (problem: Problem, member: string): PlanFault => ({
      code: problem.code,
      pointer: `/equipment/${at}${member}`,
      detail: problem.message,
    })
    const problems: PlanFault[] = []
    const take = (check: () => void, member: string): void => {
      try {
        check()
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        problems.push(refused(error, member))
      }
    }
    if (clash) problems.push(refused(clash, clash.code === 'equipment_name_taken' ? '/name' : '/port'))
    take(() => mayHave?.(after.labels), '/labels')
    const registered = before && this.#directory.get(before.id)
    if (before && registered) {
      take(() => this.refuseLocked(before.id, caller), '')
      if (changesTheWire(before, after))
        take(() => refuseConnected(before, registered.view.connection_state), '')
    }
    return problems
  }

  async #writeAll(changes: readonly PlannedChange[]): Promise<void> {
    const elsewhere = changes.flatMap(({ before }) =>
      before && this.#directory.get(before.id)?.isOwned === false ? [before.id] : [],
    )
    // Also of equipment that another process drives.
    await this.world.journal.appendAll(
      changes.flatMap(({ before, after }) =>
        before ? this.#identityChange(before, after).map((entry) => ({ ...entry, byAnyone: true })) : [],
      ),
    )
    await this.collection.putAll(
      changes.map(({ after }) => after),
      new Set(elsewhere),
    )
    for (const { before, after } of changes) {
      const registered = this.#directory.use(after)
      if (!before) registered.isTaken = registered.isOwned && !this.#closing
      else if (before.communication !== after.communication && registered.isTaken)
        registered.session.reconsider()
    }
  }

  /** `force`: also where its host works with it through a tap. Throws `equipment_connected`. */
  delete(id: string, revisions?: Revisions, force = false): Promise<void> {
    return this.#exclusively(id, async (registered) => {
      const { record, session } = registered
      requireRevision('Equipment', record, record.name, revisions)
      if (!force) refuseTapInUse(record, session.connectionState)
      await this.#recordIdentity(record, null)
      await this.collection.delete(id)
      registered.record = { ...registered.record, enabled: false }
      this.#directory.unregister(registered)
      await registered.session.stop()
      this.#directory.forget(id)
      await this.#clearAlarms(id)
    })
  }

  /** Waits up to `seconds` for SELECTED and COMMUNICATING; the returned record has the state then. */
  async connect(id: string, seconds: number): Promise<Equipment> {
    await this.#exclusively(id, async (registered) => {
      if (!registered.record.enabled) await this.#write(registered, { enabled: true })
      await registered.start()
    })
    await this.#untilReady(this.#find(id), seconds)
    // The disconnect or deletion that ended the wait may still be running.
    return this.#exclusively(id, async (registered) => {
      await registered.session.recorded()
      return registered.view
    })
  }

  disconnect(id: string): Promise<Equipment> {
    return this.#exclusively(id, async (registered) => {
      if (registered.record.enabled) await this.#write(registered, { enabled: false })
      await registered.session.stop()
      return registered.view
    })
  }

  /** Throws `equipment_locked` if somebody else has locked the equipment. */
  refuseLocked(id: string, caller: Pick<Holder, 'id'>): void {
    const registered = this.#directory.get(id)
    registered?.lock.refuseOthers(caller, registered.record)
  }

  /** Locks the equipment for the caller, or sets another end of the caller's lock. Throws `equipment_locked`. */
  async lock(id: string, caller: Holder, wanted: LockRequest): Promise<EquipmentLock> {
    this.refuseLocked(id, caller)
    const { lock } = this.#findOwned(id)
    const kept = lock.wantedBy(caller, wanted)
    // At once: changes that were let through before have their turn first, and no others follow.
    return lock.whileSought(kept, () =>
      this.#exclusively(id, async (registered) => {
        this.refuseLocked(id, caller)
        await this.#write(registered, { lock: kept })
        return registered.lock.hold(kept)
      }),
    )
  }

  /** Releases the caller's lock; with `force` also that of somebody else. Throws `equipment_locked`. */
  unlock(id: string, caller: Pick<Holder, 'id'>, force: boolean): Promise<void> {
    return this.#exclusively(id, async (registered) => {
      if (!force) registered.lock.refuseOthers(caller, registered.record)
      if (registered.lock.shown === null) return
      await this.#write(registered, { lock: undefined })
      registered.lock.release()
    })
  }

  #find(id: string): RegisteredEquipment {
    const registered = this.#directory.get(id)
    if (registered) return registered
    throw equipmentNotFound(id)
  }

  #findOwned(id: string): RegisteredEquipment {
    const registered = this.#find(id)
    // Until it is taken, what its owner before has changed may not be known here.
    if (registered.isOwned && (registered.isTaken || this.#closing)) return registered
    throw new NotOwner(`${registered.record.name} is not driven by this process`)
  }

  async #exclusively<T>(id: string, work: (registered: RegisteredEquipment) => Promise<T>): Promise<T> {
    await this.#untilTaken(this.#find(id))
    // Looked up again inside the mutex: it may have been deleted, or given to another process, meanwhile.
    return this.#findOwned(id).turn.run(() => work(this.#findOwned(id)))
  }

  /** What this process is about to take over is waited for, for a short time: it was given a moment ago. */
  async #untilTaken(registered: RegisteredEquipment): Promise<void> {
    const isOver = (): boolean => registered.isTaken || !registered.isOwned || this.#closing
    if (!isOver()) await untilChanged(this.world.clock, registered.changed, TAKEN_WITHIN_MS, isOver)
  }

  /** What is delivered later is delivered by the name and labels that equipment had when it happened. */
  async #recordIdentity(before: EquipmentRecord, now: EquipmentRecord | null): Promise<void> {
    await this.world.journal.appendAll(this.#identityChange(before, now))
  }

  /** The entry of a change of name or labels; none where they stay as they are. */
  #identityChange(before: EquipmentRecord, now: EquipmentRecord | null): NewEntry[] {
    const data = identityEntry(before, now)
    return data ? [{ ...IDENTITY, key: before.id, at: this.#at(), data }] : []
  }

  /** Throws, and restores the record, if the session was selected while a change of its wire settings was written. */
  async #refuseConnectedSince({ record, session }: RegisteredEquipment): Promise<void> {
    try {
      refuseConnected(record, session.connectionState)
    } catch (error) {
      // Where that fails, the change is what is stored, and is made.
      const isRestored = await this.collection.put(record).then(
        () => true,
        () => false,
      )
      if (isRestored) throw error
    }
  }

  /** Takes a record that is stored. */
  #adopt(registered: RegisteredEquipment, record: EquipmentRecord): void {
    registered.record = record
    this.labels.set(record.id, record.labels)
    this.world.knowledge.readBy(record)
  }

  /** Writes what is no new revision of the record. */
  async #write(
    registered: RegisteredEquipment,
    change: Partial<Pick<EquipmentRecord, 'enabled' | 'lock'>>,
  ): Promise<void> {
    const record = { ...registered.record, ...change }
    await this.collection.put(record)
    registered.record = record
  }

  /** Resolves when the equipment is ready, when `seconds` are over, or when it was disabled or deleted. */
  #untilReady(registered: RegisteredEquipment, seconds: number): Promise<void> {
    const isOver = (): boolean =>
      registered.session.ready || !registered.record.enabled || this.#closing || !registered.isOwned
    return untilChanged(this.world.clock, registered.changed, seconds * 1000, isOver)
  }

  /** Of equipment that is gone, which cannot clear them itself. Its deletion is stored, so a store that is away is tried again later. */
  async #clearAlarms(id: string): Promise<void> {
    try {
      await this.world.alarms.clearAll((equipmentId) => equipmentId === id)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      const { clock } = this.world
      clock.at(clock.now() + CLEAR_AGAIN_MS, () => {
        if (!this.#closing) this.#clearAlarms(id).catch(throwBug)
      })
    }
  }

  #at(): string {
    return this.world.clock.date().toISOString()
  }
}
