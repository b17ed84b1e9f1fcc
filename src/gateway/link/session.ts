import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ConnectionState, LastError } from '../../contract/equipment.js'
import type { TapLink } from '../../contract/topics/equipment/equipment-tap.js'
import type { Denial } from '../../gem/communication-states.js'
import { Host } from '../../gem/host/host.js'
import type { Start } from '../../gem/host/host-questions.js'
import type { EventReport } from '../../gem/host/peer-names.js'
import type { Counters } from '../../hsms/counters/counters.js'
import type { Fault } from '../../hsms/fault.js'
import type { StateChange } from '../../hsms/io.js'
import type { LinkDriver } from '../../hsms/link-driver.js'
import { ListenError, type Listeners } from '../../hsms/tcp/listener.js'
import type { Cancel } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import type { EquipmentHealth } from '../equipment/equipment-health.js'
import type { EquipmentKnowledgeBook } from '../knowledge/knowledge-book.js'
import { addressFault, type EquipmentPlaces } from '../records/equipment-address.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import type { Reading } from '../records/reading.js'
import { Diagnosis } from './diagnosis.js'
import { Intake, type IntakeBudget } from './intake.js'
import { LeasedReplies } from './leased-replies.js'
import { LinkHistory } from './link-history.js'
import { linkTo } from './open-link.js'
import { PresenceCheck } from './presence-check.js'
import { Reception, type ReceptionWorld } from './reception.js'
import { SendingConversation } from './sending-conversation.js'
import { refuseUnlessReady } from './session-refusal.js'
import { millisecondsOf } from './session-settings.js'
import { exchangeOf, type Outgoing, type Transaction } from './transactions.js'

/** An event report of an equipment, but for those from the spool. */
export interface ReportedEvent {
  readonly equipmentId: string
  readonly report: EventReport
}

export interface SessionWorld extends ReceptionWorld, EquipmentPlaces {
  readonly listeners: Listeners
  readonly reported: Signal<ReportedEvent>
  readonly budget: IntakeBudget
  readonly catalogue: Catalogue
  readonly knowledge: EquipmentKnowledgeBook
  /** Why equipment may not open its serial port now; undefined where it may. */
  readonly portRefusal?: (record: EquipmentRecord) => Promise<string | undefined>
}

/** The gateway's side of one equipment, whichever role it has. */
export type EquipmentSession = Omit<Session, 'replies'> & {
  readonly replies: Pick<LeasedReplies, 'set'>
}

/** The gateway's side of one equipment: its link, GEM's rules on it, and the record of both. */
export class Session {
  /** The equipment as the API shows it has changed. */
  readonly changed = new Signal<void>()
  /** The equipment communicates, and is online if the host may ask for that; the host's other startup questions follow. */
  readonly started: Signal<Start>
  readonly #driver: LinkDriver
  readonly #host: Host
  readonly #conversation: SendingConversation
  readonly #diagnosis: Diagnosis
  readonly #history: LinkHistory
  readonly #presenceCheck: PresenceCheck
  /** What callers have it reply for a while. */
  readonly replies: LeasedReplies
  #wanted = false
  #stopCause: string | undefined
  #connectedSince: string | null = null
  #cancelListenAgain: Cancel = () => {}
  #listenAgainAt: number | undefined
  #listenFailures = 0

  constructor(
    readonly record: EquipmentRecord,
    /** The record as it is now: name, formats and encoding may change while connected. */
    readonly current: () => EquipmentRecord,
    counters: Counters,
    readonly health: EquipmentHealth,
    readonly world: SessionWorld,
  ) {
    const { clock, journal, listeners } = world
    const refusal = async (): Promise<string | undefined> => world.portRefusal?.(record)
    this.#driver = linkTo(record, world.hsmsHost, { clock, listeners, counters }, refusal)
    this.#diagnosis = new Diagnosis(record, this.#driver, clock, journal)
    this.#history = new LinkHistory(record.id, journal, clock)
    const reading = (): Reading => this.reading()
    const intake = new Intake(this.#driver, world.budget)
    this.#conversation = new SendingConversation(record, this.#driver, health, intake, reading, world)
    this.#host = new Host(this.#conversation, {
      clock,
      establishDelay: millisecondsOf(record.timers.establish),
      view: reading,
      names: () => world.knowledge.of(record.id),
      establishes: () => current().communication === 'gem',
      mayAsk: () => current().communication === 'gem' && current().gem_startup,
      leased: (primary) => this.replies.replyTo(primary),
      isRecording: () => intake.isBusy,
    })
    this.replies = new LeasedReplies(clock)
    const { unload } = this.#conversation
    const reception = new Reception(record, this.#driver, reading, this.#host, unload, intake, world)
    const period = (): number => millisecondsOf(current().timers.presence)
    this.#presenceCheck = new PresenceCheck(clock, period, () => this.#askPresence())
    this.started = this.#host.started
    this.#follow(reception)
  }

  #follow({ received }: Reception): void {
    const { record, world } = this
    this.#conversation.replied.on(() => this.#heard())
    received.on((message) => {
      this.#diagnosis.received(message)
      this.#heard()
      if (message.kind === 'other_device') this.#diagnosis.reportsMisaddressing(this.#host.isCommunicating)
      if (message.kind === 'stray') this.#host.learnLate(message.message)
    })
    this.#driver.changed.on((change) => this.#connectionChanged(change))
    this.#driver.attemptFailed.on(({ fault, attempts }) => this.#attemptFailed(fault, attempts))
    this.#host.changed.on(({ machine, from, to, cause }) => {
      if (to === 'COMMUNICATING') this.#diagnosis.cleared()
      if (machine === 'communication_state') {
        if (to === 'COMMUNICATING') this.#presenceCheck.begin()
        else this.#presenceCheck.end()
      }
      this.#history.note('state', machine, { from, to, cause })
      this.changed.emit()
    })
    this.#host.reported.on((report) => world.reported.emit({ equipmentId: record.id, report }))
    this.#host.denied.on((denial) => void this.#denied(denial))
    this.#diagnosis.changed.on(() => this.changed.emit())
  }

  /** The frames on its connection, and their counts. */
  get wire(): Pick<LinkDriver, 'wire' | 'endpoints' | 'counts'> {
    return this.#driver
  }

  /** Only of tapped equipment. */
  get tapLink(): TapLink | null {
    return null
  }

  get connectionState(): ConnectionState {
    return this.#driver.state
  }

  get host(): Pick<
    Host,
    | 'communicationState'
    | 'controlState'
    | 'refusesOnline'
    | 'hasConfirmedPresence'
    | 'model'
    | 'controlStateAsked'
    | 'isAsking'
    | 'withoutS1F13'
  > {
    return this.#host
  }

  get connectedSince(): string | null {
    return this.#connectedSince
  }

  get lastError(): LastError | null {
    return this.#diagnosis.lastError
  }

  /** Why the equipment may not reply, as a text for people. */
  get signs(): string {
    return this.#diagnosis.signs(`control state ${this.#host.controlState}`)
  }

  /** What shows that a SECS-I line changes bytes, for people; null where it does not. */
  get lineNoise(): string | null {
    return this.#diagnosis.lineNoise
  }

  /** The time of the next attempt, ISO 8601; null when none is scheduled. */
  get retryAt(): string | null {
    const at = this.#driver.retryAt ?? this.#listenAgainAt
    if (at === undefined) return null
    const { clock } = this.world
    return new Date(clock.date().getTime() + at - clock.now()).toISOString()
  }

  /** A message of the equipment has come. */
  #heard(): void {
    this.health.received()
    this.#presenceCheck.received()
  }

  async #askPresence(): Promise<void> {
    if (!this.ready || this.#host.withoutS1F13 !== undefined) return
    const presence = { stream: 1, function: 1, item: undefined }
    this.#host.learn(presence, await this.#conversation.request(presence))
  }

  async #denied(denial: Denial): Promise<void> {
    const connection = this.#connectedSince
    const cause = await this.#diagnosis.denied(denial)
    if (cause === undefined || connection !== this.#connectedSince) return
    this.health.excuse()
    this.#host.assumeWithoutS1F13(cause)
  }

  /** Applies what may change while the equipment is connected. */
  reconsider(): void {
    this.#host.reconsider()
    this.#presenceCheck.reconsider()
  }

  /** SELECTED, and communication is established or needs no S1F13: a caller of connect waits for this. */
  get ready(): boolean {
    return this.connectionState === 'SELECTED' && this.#host.communicationState === 'COMMUNICATING'
  }

  /** Resolves once every change of state so far is on disk, or the disk has failed. */
  async recorded(): Promise<void> {
    await this.#history.recorded()
  }

  reading(): Reading {
    return this.world.knowledge.readingOf(this.record.id)
  }

  /** Tries to connect until stopped. Resolves once the first attempt is made, or the port is bound or cannot be bound. */
  async start(): Promise<void> {
    if (this.#wanted) return
    this.#wanted = true
    this.#stopCause = undefined
    this.#listenFailures = 0
    this.#history.start()
    this.#diagnosis.start()
    this.#host.enable()
    await this.#open()
  }

  /**
   * Ends the session with Separate.req; open transactions end as `lost`. `cause`: what is recorded instead of the
   * connection's own cause.
   */
  async stop(cause?: string): Promise<void> {
    if (!this.#wanted) return
    this.#wanted = false
    this.#stopCause = cause
    this.#cancelListenAgain()
    this.#listenAgainAt = undefined
    await this.#driver.stop()
    this.#host.disable()
    this.changed.emit()
    await this.#history.end()
  }

  /** Sends a caller's primary. Throws the problem that prevents it. */
  async send(message: Outgoing): Promise<Transaction> {
    refuseUnlessReady(this, message, this.#wanted)
    const transaction = await this.#conversation.begin(message)
    void transaction.ended.then(
      (ended) => ended.outcome && this.#host.learn(message, exchangeOf(ended)),
      () => {},
    )
    return transaction
  }

  async #open(): Promise<void> {
    const { ip_address } = this.record
    const detail = ip_address === null ? undefined : addressFault(ip_address, this.world.equipmentNetworks)
    if (detail !== undefined) return this.#attemptFailed({ code: 'no_route', detail }, 1)
    try {
      await this.#driver.start()
    } catch (error) {
      if (!(error instanceof ListenError)) throw error
      this.#listenFailures += 1
      this.#attemptFailed(error.fault, this.#listenFailures)
      if (this.#wanted) this.#listenLater()
    }
  }

  /** A port that is taken now may be free later. */
  #listenLater(): void {
    const { clock } = this.world
    this.#listenAgainAt = clock.now() + millisecondsOf(this.record.timers.t5)
    this.#cancelListenAgain = clock.at(this.#listenAgainAt, () => {
      this.#listenAgainAt = undefined
      void this.#open()
    })
  }

  #connectionChanged(change: StateChange): void {
    const { from, to, fault } = change
    this.#connectedSince = to === 'SELECTED' ? this.world.clock.date().toISOString() : null
    if (fault && from === 'SELECTED') this.#diagnosis.lineLost(fault, () => this.#wanted)
    else if (fault) this.#diagnosis.remember(fault)
    if (fault) this.health.lost(fault)
    this.#history.connectionChanged({ ...change, cause: this.#stopCause ?? change.cause })
    this.changed.emit()
    if (to === 'SELECTED') {
      this.#diagnosis.selected()
      this.#host.selected()
    } else if (from === 'SELECTED') this.#host.linkLost()
  }

  #attemptFailed(fault: Fault, attempts: number): void {
    this.#history.attemptFailed(fault, attempts, this.connectionState)
    this.#diagnosis.remember(fault)
  }
}
