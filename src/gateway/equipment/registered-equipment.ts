import { isDeepStrictEqual } from 'node:util'
import type { Equipment } from '../../contract/equipment.js'
import { GATEWAY_STOPS } from '../../contract/state-changes.js'
import type { Start } from '../../gem/host/host-questions.js'
import { Counters } from '../../hsms/counters/counters.js'
import { Mutex } from '../../kit/mutex.js'
import { Signal } from '../../kit/signal.js'
import type { Ownership } from '../../store/ownership.js'
import { type EquipmentSession, Session } from '../link/session.js'
import { changesTheWire, type EquipmentRecord } from '../records/equipment-record.js'
import { throwBug } from '../store-problem.js'
import type { TappedRecord } from '../tap/tap-settings.js'
import { TappedSession, type TappedWorld } from '../tap/tapped-session.js'
import { WireWatch } from '../wire/wire-watch.js'
import { EquipmentHealth } from './equipment-health.js'
import { type SeenReports, type Shown, viewEquipment } from './equipment-view.js'
import { LockState } from './lock-state.js'

export interface EquipmentWorld extends TappedWorld {
  readonly ownership: Ownership
  /** What is known of the event reports that were applied, by equipment. */
  readonly reportsStates: ReadonlyMap<string, SeenReports>
}

/** One equipment that is registered, with its session, which runs only in the process that owns the equipment. */
export class RegisteredEquipment {
  session: EquipmentSession
  lock: LockState
  /** No more than one connect, disconnect or change at a time. */
  readonly turn = new Mutex()
  /** The equipment as the API shows it has changed; stays the same signal when the session is replaced. */
  readonly changed = new Signal<void>()
  /** Message counts over all its sessions, with the time since when they count, ISO 8601. */
  readonly counters = new Counters()
  readonly since: string
  readonly health: EquipmentHealth
  readonly watch: WireWatch
  /** This process has taken it: its session may run here. */
  isTaken = false
  /** Resolves when its session has ended since it was given away. */
  given: Promise<void> = Promise.resolve()
  /** As the API showed it last. */
  shown?: Shown

  constructor(
    public record: EquipmentRecord,
    readonly world: EquipmentWorld,
    private readonly onStarted: (start: Start) => void,
  ) {
    const { clock } = world
    this.health = new EquipmentHealth(clock)
    this.session = this.#newSession()
    this.watch = new WireWatch(this.session.wire, clock)
    this.lock = new LockState(clock, record.lock)
    this.since = clock.date().toISOString()
  }

  get isOwned(): boolean {
    return this.world.ownership.owns(this.record.id)
  }

  /** As the API shows it. The state of equipment that another process owns is what that process has published. */
  get view(): Equipment {
    if (this.isOwned) return viewEquipment(this)
    const { ownership } = this.world
    const { id } = this.record
    return viewEquipment(this, ownership.ownerOf(id) && ownership.published(id))
  }

  /** The name of the process that owns it; null where there is one alone, or none owns it. */
  get node(): string | null {
    const { ownership } = this.world
    return ownership.self === null ? null : (ownership.ownerOf(this.record.id)?.name ?? null)
  }

  /** What this process knows of the event reports that were applied. */
  get reports(): SeenReports | undefined {
    return this.world.reportsStates.get(this.record.id)
  }

  /** Starts the session if it may run here: otherwise it starts where the equipment is taken next. */
  async start(): Promise<void> {
    if (this.isTaken) await this.session.start()
  }

  /** Replaces the session by one with the settings of the record; starts it at once if the equipment is enabled. */
  async rewire(): Promise<void> {
    await this.session.stop()
    this.#renewSession()
    if (this.record.enabled) await this.start()
  }

  /** Takes a record that another process has written. */
  use(record: EquipmentRecord): void {
    const { lock } = this.record
    this.record = record
    // It was written just now: how long it lasts does not depend on how the clocks of the two machines differ.
    if (!isDeepStrictEqual(record.lock, lock)) this.lock.take(record.lock)
    if (this.isTaken) this.turn.run(() => this.#follow()).catch(throwBug)
    else if (changesTheWire(this.session.record, record)) this.#renewSession()
    this.changed.emit()
  }

  /**
   * Stops the session, and replaces it by one that has not started. Resolves once everything about it is recorded;
   * `isLost`: once it is stopped, since nothing can be recorded any more.
   */
  give(isLost: boolean): Promise<void> {
    this.isTaken = false
    this.given = Promise.all([this.given, this.#end(isLost)]).then(() => {})
    return this.given
  }

  async #end(isLost: boolean): Promise<void> {
    const stopped = this.session.stop(GATEWAY_STOPS)
    this.watch.end()
    await stopped
    // A change that is under way may replace the session once more.
    if (!isLost) await this.turn.run(() => this.session.stop(GATEWAY_STOPS))
    this.#renewSession()
    this.changed.emit()
  }

  /** Does with the session what the record says. */
  async #follow(): Promise<void> {
    if (changesTheWire(this.session.record, this.record)) await this.rewire()
    else if (this.record.enabled) await this.start()
    else await this.session.stop()
  }

  #renewSession(): void {
    this.session = this.#newSession()
    this.watch.moveTo(this.session.wire)
  }

  #newSession(): EquipmentSession {
    const { record, counters, health, world } = this
    const current = (): EquipmentRecord => this.record
    const session: EquipmentSession = record.tap
      ? new TappedSession(record as TappedRecord, current, counters, health, world)
      : new Session(record, current, counters, health, world)
    session.changed.on(() => this.changed.emit())
    session.started.on((start) => this.onStarted(start))
    return session
  }
}
