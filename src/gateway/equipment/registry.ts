import type { Equipment, EquipmentChange, EquipmentQuery, NewEquipment } from '../../contract/equipment.js'
import type { EquipmentLock, LockRequest } from '../../contract/equipment-lock.js'
import type { Page } from '../../contract/schema.js'
import type { Start } from '../../gem/host/host-questions.js'
import { Counters } from '../../hsms/counters/counters.js'
import { Mutex } from '../../kit/mutex.js'
import { Signal } from '../../kit/signal.js'
import type { Collection } from '../../store/collection.js'
import { Session, type SessionWorld } from '../link/session.js'
import { newId } from '../new-id.js'
import { EquipmentClaims, type Reaches } from '../records/equipment-claims.js'
import {
  changedRecord,
  changesTheWire,
  type EquipmentRecord,
  newEquipmentRecord,
  refuseConnected,
  refuseImpossible,
  refuseStale,
  wholeRecord,
} from '../records/equipment-record.js'
import type { Reading } from '../records/reading.js'
import { WireWatch } from '../wire/wire-watch.js'
import { EquipmentHealth } from './equipment-health.js'
import { EquipmentLabels, equipmentNotFound } from './equipment-labels.js'
import { equipmentPage } from './equipment-page.js'
import { viewEquipment } from './equipment-view.js'
import { type Holder, LockState } from './lock-state.js'
import { untilChanged } from './until-changed.js'

interface Registered {
  record: EquipmentRecord
  session: Session
  /** No more than one connect, disconnect or change at a time. */
  readonly turn: Mutex
  /** The equipment as the API shows it has changed; stays the same signal when the session is replaced. */
  readonly changed: Signal<void>
  /** Message counts over all its sessions, with the time since when they count, ISO 8601. */
  readonly counters: Counters
  readonly health: EquipmentHealth
  readonly lock: LockState
  readonly since: string
  readonly watch: WireWatch
  /** As the API showed it last. */
  shown?: Equipment
}

/** Equipment that communicates, and is online where it may be asked. */
export interface StartedEquipment extends Start {
  readonly equipmentId: string
}

/** The traffic of an equipment, independent of its session. */
export type Observed = Readonly<Pick<Registered, 'record' | 'session' | 'since' | 'watch'>>

/** The equipment that is registered, each with its session. */
export class EquipmentRegistry {
  /** Emits for equipment that communicates, before the host asks its startup questions. */
  readonly started = new Signal<StartedEquipment>()
  /** Emits the id of equipment that was deleted. */
  readonly removed = new Signal<string>()
  readonly labels = new EquipmentLabels()
  readonly #registered = new Map<string, Registered>()
  #closing = false
  readonly #claims = new EquipmentClaims(() => this.allObserved().map(({ record }) => record))

  constructor(
    readonly collection: Collection<EquipmentRecord>,
    readonly world: SessionWorld,
  ) {}

  /** Loads the registered equipment, and starts the sessions of those that are enabled. */
  async restore(): Promise<void> {
    for (const record of await this.collection.all()) this.#register(wholeRecord(record))
    for (const { record, session } of this.#registered.values()) {
      if (record.enabled) await session.start()
    }
  }

  /** Ends every session with Separate.req; `enabled` stays as it is in the records. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.all([...this.#registered.values()].map(({ session }) => session.stop()))
  }

  /** The session of an equipment. Throws `equipment_not_found`. */
  session(id: string): Session {
    return this.#find(id).session
  }

  /** How to read an equipment's messages; the plain reading when it is not registered any more. */
  readingOf(id: string): Reading {
    return this.world.knowledge.readingOf(id)
  }

  /** An equipment as wire readers need it. Throws `equipment_not_found`. */
  observed(id: string): Observed {
    return this.#find(id)
  }

  allObserved(): readonly Observed[] {
    return [...this.#registered.values()]
  }

  async list(query: EquipmentQuery): Promise<Page<Equipment>> {
    return equipmentPage([...this.#registered.values()].map(viewEquipment), query)
  }

  async get(id: string): Promise<Equipment> {
    return viewEquipment(this.#find(id))
  }

  async create(given: NewEquipment, reaches?: Reaches): Promise<Equipment> {
    refuseImpossible(given, this.world)
    const record = newEquipmentRecord(newId('eq'), given, this.#at())
    return this.#claims.hold(record, reaches, async () => {
      await this.collection.put(record)
      return viewEquipment(this.#register(record))
    })
  }

  /** `revisions`: from `If-Match`; the record's has to be one of them. Neither is checked when left out. */
  update(
    id: string,
    change: EquipmentChange,
    revisions?: readonly number[],
    reaches?: Reaches,
  ): Promise<Equipment> {
    return this.#exclusively(id, async (registered) => {
      const { record } = registered
      refuseStale(record, revisions)
      refuseImpossible(change, this.world, record)
      const changed = changedRecord(record, change, this.#at())
      if (changed === record) return viewEquipment(registered)
      const rewired = changesTheWire(record, changed)
      await this.#claims.hold(changed, reaches, async () => {
        if (rewired) refuseConnected(record, registered.session.connectionState)
        await this.collection.put(changed)
        if (rewired) await this.#refuseConnectedSince(registered)
        registered.record = changed
        this.labels.set(id, changed.labels)
        this.world.knowledge.readBy(changed)
      })
      if (rewired) await this.#rewire(registered)
      else if (changed.communication !== record.communication) registered.session.reconsider()
      return viewEquipment(registered)
    })
  }

  delete(id: string): Promise<void> {
    return this.#exclusively(id, async (registered) => {
      registered.record = { ...registered.record, enabled: false }
      await registered.session.stop()
      await this.collection.delete(id)
      this.#registered.delete(id)
      this.labels.delete(id)
      registered.watch.end()
      // The equipment is gone, so it cannot clear them itself.
      await this.world.alarms.clearAll((equipmentId) => equipmentId === id)
      this.world.knowledge.forget((equipmentId) => equipmentId === id)
      this.removed.emit(id)
    })
  }

  /** Waits up to `seconds` for SELECTED and COMMUNICATING; the returned record has the state then. */
  async connect(id: string, seconds: number): Promise<Equipment> {
    await this.#exclusively(id, async (registered) => {
      if (!registered.record.enabled) await this.#write(registered, { enabled: true })
      await this.#start(registered.session)
    })
    await this.#untilReady(this.#find(id), seconds)
    // The disconnect or deletion that ended the wait may still be running.
    return this.#exclusively(id, async (registered) => {
      await registered.session.recorded()
      return viewEquipment(registered)
    })
  }

  disconnect(id: string): Promise<Equipment> {
    return this.#exclusively(id, async (registered) => {
      if (registered.record.enabled) await this.#write(registered, { enabled: false })
      await registered.session.stop()
      return viewEquipment(registered)
    })
  }

  /** Throws `equipment_locked` if somebody else has locked the equipment. */
  refuseLocked(id: string, caller: Pick<Holder, 'id'>): void {
    const registered = this.#registered.get(id)
    registered?.lock.refuseOthers(caller, registered.record)
  }

  /** Locks the equipment for the caller, or sets another end of the caller's lock. Throws `equipment_locked`. */
  async lock(id: string, caller: Holder, wanted: LockRequest): Promise<EquipmentLock> {
    this.refuseLocked(id, caller)
    const { lock } = this.#find(id)
    const kept = lock.wantedBy(caller, wanted)
    // At once: changes that were let through before have their turn first, and no others follow.
    lock.hold(kept)
    return this.#exclusively(id, async (registered) => {
      this.refuseLocked(id, caller)
      await this.#write(registered, { lock: kept })
      return lock.hold(kept)
    })
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

  #find(id: string): Registered {
    const registered = this.#registered.get(id)
    if (registered) return registered
    throw equipmentNotFound(id)
  }

  async #exclusively<T>(id: string, work: (registered: Registered) => Promise<T>): Promise<T> {
    // Looked up again inside the mutex: it may have been deleted meanwhile.
    return this.#find(id).turn.run(() => work(this.#find(id)))
  }

  #register(record: EquipmentRecord): Registered {
    const changed = new Signal<void>()
    const counters = new Counters()
    const health = new EquipmentHealth(this.world.clock)
    const session = this.#newSession(record, changed, counters, health)
    const watch = new WireWatch(session.wire, this.world.clock)
    const since = this.#at()
    const turn = new Mutex()
    const lock = new LockState(this.world.clock, record.lock)
    const registered: Registered = { record, session, turn, changed, counters, health, lock, since, watch }
    this.#registered.set(record.id, registered)
    this.labels.set(record.id, record.labels)
    this.world.knowledge.readBy(record)
    return registered
  }

  #newSession(
    record: EquipmentRecord,
    changed: Signal<void>,
    counters: Counters,
    health: EquipmentHealth,
  ): Session {
    const current = (): EquipmentRecord => this.#registered.get(record.id)?.record ?? record
    const session = new Session(record, current, counters, health, this.world)
    session.changed.on(() => changed.emit())
    session.started.on(({ waitFor }) => this.started.emit({ equipmentId: record.id, waitFor }))
    return session
  }

  /** Throws, and restores the record, if the session was selected while a change of its wire settings was written. */
  async #refuseConnectedSince({ record, session }: Registered): Promise<void> {
    try {
      refuseConnected(record, session.connectionState)
    } catch (error) {
      await this.collection.put(record)
      throw error
    }
  }

  /** Replaces the session by one with the new settings; starts it at once if the equipment is enabled. */
  async #rewire(registered: Registered): Promise<void> {
    await registered.session.stop()
    const { record, changed, counters, health, watch } = registered
    registered.session = this.#newSession(record, changed, counters, health)
    watch.moveTo(registered.session.wire)
    if (registered.record.enabled) await this.#start(registered.session)
  }

  /** Does nothing once the gateway is closing: the session starts with the next process. */
  async #start(session: Session): Promise<void> {
    if (!this.#closing) await session.start()
  }

  /** Writes what is no new revision of the record. */
  async #write(
    registered: Registered,
    change: Partial<Pick<EquipmentRecord, 'enabled' | 'lock'>>,
  ): Promise<void> {
    const record = { ...registered.record, ...change }
    await this.collection.put(record)
    registered.record = record
  }

  /** Resolves when the equipment is ready, when `seconds` are over, or when it was disabled or deleted. */
  #untilReady(registered: Registered, seconds: number): Promise<void> {
    const isOver = (): boolean => registered.session.ready || !registered.record.enabled || this.#closing
    return untilChanged(this.world.clock, registered.changed, seconds * 1000, isOver)
  }

  #at(): string {
    return this.world.clock.date().toISOString()
  }
}
