import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ConnectionState, LastError } from '../../contract/equipment.js'
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
import { connectionEventName } from '../events/connection-events.js'
import type { EquipmentKnowledgeBook } from '../knowledge/knowledge-book.js'
import { addressFault, type EquipmentPlaces } from '../records/equipment-address.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import type { Reading } from '../records/reading.js'
import { AlarmAlignment } from './alarm-alignment.js'
import { Intake, type IntakeBudget } from './intake.js'
import { LineNoise } from './line-noise.js'
import { MissingPresence } from './missing-presence.js'
import { linkTo } from './open-link.js'
import { PresenceCheck } from './presence-check.js'
import { Reception, type ReceptionWorld } from './reception.js'
import { RecordedConversation } from './recorded-conversation.js'
import { NO_GEM, refuseUnlessReady } from './session-refusal.js'
import { millisecondsOf } from './session-settings.js'
import { SpoolUnload } from './spool-unload.js'
import { Stream9Log } from './stream9-log.js'
import { exchangeOf, type Outgoing, type Transaction, Transactions } from './transactions.js'
import { TransportCheck } from './transport-check.js'

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

/** While the same error repeats, its time is updated once per this time. */
const SAME_ERROR_INTERVAL_MS = 60_000
/** While every attempt fails, one event is recorded per this time. */
const FAILURE_EVENT_INTERVAL_MS = 10 * 60_000

/** The gateway's side of one equipment: its link, GEM's rules on it, and the record of both. */
export class Session {
  /** The equipment as the API shows it has changed. */
  readonly changed = new Signal<void>()
  /** The equipment communicates, and is online if the host may ask for that; the host's other startup questions follow. */
  readonly started: Signal<Start>
  readonly #driver: LinkDriver
  readonly #host: Host
  readonly #conversation: RecordedConversation
  #wanted = false
  #lastError: LastError | null = null
  #connectedSince: string | null = null
  readonly #stream9: Stream9Log
  readonly #noise: LineNoise
  readonly #transport: TransportCheck
  readonly #presence: MissingPresence
  readonly #presenceCheck: PresenceCheck
  #failureEventAt: number | undefined
  #cancelListenAgain: Cancel = () => {}
  #listenAgainAt: number | undefined
  #listenFailures = 0
  #noted: Promise<unknown> = Promise.resolve()

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
    this.#noise = new LineNoise(() => this.#driver.counts)
    this.#transport = new TransportCheck(this.#driver.settings, clock)
    const intake = new Intake(this.#driver, world.budget)
    const transactions = new Transactions(record, this.#driver, health, intake, world)
    const reading = (): Reading => this.reading()
    const alignment = new AlarmAlignment(record.id, world.alarms, journal, clock, reading)
    const unload = new SpoolUnload(clock, reading)
    transactions.replied.on((reply) => unload.answered(reply))
    transactions.replied.on(() => this.#heard())
    const isSelected = (): boolean => this.connectionState === 'SELECTED'
    this.#conversation = new RecordedConversation(transactions, alignment, unload, isSelected)
    this.#host = new Host(this.#conversation, {
      clock,
      establishDelay: millisecondsOf(record.timers.establish),
      view: reading,
      names: () => world.knowledge.of(record.id),
      establishes: () => current().communication === 'gem',
      mayAsk: () => current().communication === 'gem' && current().gem_startup,
    })
    const reception = new Reception(record, this.#driver, reading, this.#host, unload, intake, world)
    this.#stream9 = new Stream9Log(clock, record)
    reception.received.on((received) => {
      this.#stream9.receive(received)
      this.#heard()
      if (received.kind === 'foreign') this.#reportsMisaddressing()
      if (received.kind === 'stray') this.#host.learnLate(received.message)
    })
    this.#driver.changed.on((change) => this.#connectionChanged(change))
    this.#driver.attemptFailed.on(({ fault, attempts }) => this.#attemptFailed(fault, attempts))
    this.#host.changed.on(({ machine, from, to, cause }) => {
      if (to === 'COMMUNICATING') this.#lastError = null
      if (machine === 'communication_state') {
        if (to === 'COMMUNICATING') this.#presenceCheck.begin()
        else this.#presenceCheck.end()
      }
      this.#note('state', machine, { from, to, cause })
    })
    this.started = this.#host.started
    this.#host.reported.on((report) => world.reported.emit({ equipmentId: record.id, report }))
    this.#presence = new MissingPresence(record.id, journal)
    this.#host.denied.on((denial) => this.#denied(denial))
    const period = (): number => millisecondsOf(current().timers.presence)
    this.#presenceCheck = new PresenceCheck(clock, period, () => this.#askPresence())
  }

  /** The frames on its connection, and their counts. */
  get wire(): Pick<LinkDriver, 'wire' | 'endpoints' | 'counts'> {
    return this.#driver
  }

  get connectionState(): ConnectionState {
    return this.#driver.state
  }

  get host(): Pick<
    Host,
    | 'communicationState'
    | 'controlState'
    | 'refusesOnline'
    | 'hasAnsweredPresence'
    | 'model'
    | 'controlStateAsked'
    | 'withoutS1F13'
  > {
    return this.#host
  }

  get connectedSince(): string | null {
    return this.#connectedSince
  }

  get lastError(): LastError | null {
    return this.#lastError
  }

  /** Why the equipment may not answer, as a text for people. */
  get signs(): string {
    const facts = [`device ID ${this.record.device_id}`, `control state ${this.#host.controlState}`]
    return `${facts.join(', ')}${this.#stream9.recent}`
  }

  /** What shows that a SECS-I line changes bytes, for people; null where it does not. */
  get lineNoise(): string | null {
    return this.#noise.seen
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

  /** S1F13 had no success. Equipment that does not know it is spoken to without, unless it has ever shown that it does. */
  #denied({ code, detail, knowsGem, isAborted, isError }: Denial): void {
    if (this.#reportsMisaddressing()) return
    const isSilent = code === 'communication_timeout'
    const noise = isSilent ? this.#noise.error : null
    if (noise) return this.#remember(noise)
    const hint = knowsGem ? '' : `; ${NO_GEM}`
    const said = (isError && this.#stream9.answerToS1F13) || `${detail}${this.#stream9.all}`
    this.#remember({ code, detail: `${said}${hint}` })
    if (knowsGem) return
    const isUnknown = isAborted || this.#stream9.refusesS1F13
    const connection = this.#connectedSince
    void this.#presence.isMissing(isSilent, isUnknown).then((isMissing) => {
      if (!isMissing || connection !== this.#connectedSince) return
      this.health.excuse()
      this.#host.assumeWithoutS1F13(`${said}: it is treated as equipment with communication none`)
    })
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
    await this.#noted
  }

  reading(): Reading {
    return this.world.knowledge.readingOf(this.record.id)
  }

  /** Tries to connect until stopped. Resolves once the first attempt is made, or the port is bound or cannot be bound. */
  async start(): Promise<void> {
    if (this.#wanted) return
    this.#wanted = true
    this.#failureEventAt = undefined
    this.#listenFailures = 0
    this.#transport.forget()
    this.#host.enable()
    await this.#open()
  }

  /** Ends the session with Separate.req; open transactions end as `lost`. */
  async stop(): Promise<void> {
    if (!this.#wanted) return
    this.#wanted = false
    this.#cancelListenAgain()
    this.#listenAgainAt = undefined
    await this.#driver.stop()
    this.#host.disable()
    this.changed.emit()
    await this.recorded()
  }

  /** Sends a caller's primary. Throws the problem that prevents it. */
  async send(message: Outgoing): Promise<Transaction> {
    refuseUnlessReady(this, message, this.#wanted)
    const transaction = await this.#conversation.begin(message)
    void transaction.ended.then(
      (ended) => ended.outcome && this.#host.learn(message, exchangeOf(ended, message.stream === 1)),
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

  #connectionChanged({ from, to, cause, fault }: StateChange): void {
    const { clock } = this.world
    this.#connectedSince = to === 'SELECTED' ? clock.date().toISOString() : null
    if (fault && from === 'SELECTED') this.#lineLost(fault)
    else if (fault) this.#remember(fault)
    if (fault) this.health.lost(fault)
    this.#note('connection', connectionEventName(from, to), {
      from,
      to,
      cause,
      ...(fault && { error: { code: fault.code, detail: fault.detail } }),
    })
    if (to === 'SELECTED') {
      this.#failureEventAt = undefined
      this.#stream9.begin()
      this.#noise.begin()
      this.#host.selected()
    } else if (from === 'SELECTED') this.#host.linkLost()
  }

  /** A connection has ended. Where nothing has come over a dialled SECS-I line, the equipment may speak HSMS. */
  #lineLost(fault: Fault): void {
    const { transport, mode } = this.record
    const isSilent = transport === 'secs1-tcp' && mode === 'passive' && this.#noise.isSilent
    if (!isSilent) this.#transport.forget()
    this.#remember(this.#transport.found ?? fault)
    if (!isSilent) return
    void this.#transport.ask().then((found) => found && this.#wanted && this.#remember(found))
  }

  /**
   * Reports at once equipment that replies under another session ID: its reply to S1F13 would only time out. Once
   * communication is established, a primary under another session ID is reported as well: its content is lost.
   */
  #reportsMisaddressing(): boolean {
    const misaddressed = this.#host.isCommunicating ? this.#stream9.foreign : this.#stream9.misaddressed
    if (!misaddressed) return false
    const last = this.#lastError
    const age =
      last?.detail === misaddressed.detail
        ? this.world.clock.date().getTime() - Date.parse(last.at)
        : Number.POSITIVE_INFINITY
    if (age >= SAME_ERROR_INTERVAL_MS) this.#remember(misaddressed)
    return true
  }

  #attemptFailed(fault: Fault, attempts: number): void {
    this.#remember(fault)
    const now = this.world.clock.now()
    const last = this.#failureEventAt
    if (last !== undefined && now - last < FAILURE_EVENT_INTERVAL_MS) return this.changed.emit()
    this.#failureEventAt = now
    const state = this.connectionState
    this.#note('connection', 'attempt_failed', {
      from: state,
      to: state,
      cause: fault.code,
      attempts,
      error: { code: fault.code, detail: fault.detail },
    })
  }

  #remember({ code, detail }: Pick<LastError, 'code' | 'detail'>): void {
    this.#lastError = { code, detail, at: this.world.clock.date().toISOString() }
    this.changed.emit()
  }

  /** Errors are ignored here: when the disk fails, the daemon ends. */
  #note(type: 'connection' | 'state', name: string, data: EventData): void {
    const { journal, clock } = this.world
    const entry = { key: this.record.id, type, name, at: clock.date().toISOString(), data }
    this.#noted = journal.append(entry).catch(() => {})
    this.changed.emit()
  }
}

type EventData = { readonly [name: string]: string | number | EventData }
