import type { ConnectionState, LastError } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'
import { GATEWAY_STOPS } from '../../contract/state-changes.js'
import { tapAdvice } from '../../contract/tap-words.js'
import type { TapLink } from '../../contract/topics/equipment/equipment-tap.js'
import type { TapReport } from '../../contract/topics/equipment/tap-report.js'
import type { Exchange } from '../../gem/conversation.js'
import type { Start } from '../../gem/host/host-questions.js'
import type { Endpoints, WireRecord } from '../../hsms/capture/wire.js'
import type { Counters, HsmsCounts } from '../../hsms/counters/counters.js'
import type { Fault } from '../../hsms/fault.js'
import type { Frame } from '../../hsms/frame/frame.js'
import { dataMessage, PTYPE_SECS2, STYPE } from '../../hsms/frame/header.js'
import { type Cancel, withTimeout } from '../../kit/clock.js'
import { Signal, type Unsubscribe } from '../../kit/signal.js'
import type { Ownership } from '../../store/ownership.js'
import type { Observation, OpenTap, RunningTap } from '../../tap/observation.js'
import { selectedAfter } from '../../tap/selected-after.js'
import type { Side } from '../../tap/side.js'
import type { EquipmentHealth } from '../equipment/equipment-health.js'
import { AlarmAlignment } from '../link/alarm-alignment.js'
import { LinkHistory } from '../link/link-history.js'
import type { EquipmentSession, SessionWorld } from '../link/session.js'
import { refuseUnlessReady } from '../link/session-refusal.js'
import { hsmsSettingsOf, millisecondsOf } from '../link/session-settings.js'
import { SpoolUnload } from '../link/spool-unload.js'
import { exchangeOf, type Outgoing, type Transaction, Transactions } from '../link/transactions.js'
import { addressFault } from '../records/equipment-address.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import type { Reading } from '../records/reading.js'
import { messageOf, type RecordedMessage } from '../records/recorded-message.js'
import { throwBug } from '../store-problem.js'
import { lineBefore } from './line-before.js'
import { TapGaps } from './tap-gaps.js'
import { TapLinkState } from './tap-link-state.js'
import { type EndedByHost, TapRecorder } from './tap-recorder.js'
import { TapRecordings } from './tap-recordings.js'
import { viewTap } from './tap-report.js'
import { TapRequests } from './tap-requests.js'
import { type TappedRecord, tapSettingsOf } from './tap-settings.js'
import { TapStates } from './tap-states.js'
import { TapTurns } from './tap-turns.js'
import { refuseUnlessPermitted } from './tapped-reads.js'

export interface TappedWorld extends SessionWorld {
  readonly openTap: OpenTap
  readonly ownership: Pick<Ownership, 'self'>
}

/** Milliseconds in which the last that has passed is recorded, or is not waited for. */
const RECORDED_MS = 4_000
/** Nothing more than this has to be taken into account before it is recorded. */
const UNHELD = { hold: () => {}, release: () => {} }

/**
 * The gateway beside the host of tapped equipment: it records and watches what passes between the two, sends nothing by
 * itself, and sends what clients ask for when the host leaves room for it. The line itself is the tap's.
 */
export class TappedSession implements EquipmentSession {
  readonly changed = new Signal<void>()
  /** Never emits: the host asks the questions. */
  readonly started = new Signal<Start>()
  readonly replies: EquipmentSession['replies']
  readonly #wire = new Signal<WireRecord>()
  readonly #states: TapStates
  readonly #history: LinkHistory
  readonly #link: TapLinkState
  readonly #gaps: TapGaps
  readonly #unload: SpoolUnload
  readonly #alignment: AlarmAlignment
  /** Of primaries of the host that ask for alarms. */
  readonly #aligning = new Map<RecordedMessage, ReturnType<AlarmAlignment['begin']>>()
  readonly #recorder: TapRecorder
  readonly #requests: TapRequests
  readonly #transactions: Transactions
  readonly #turns: TapTurns
  #tap: RunningTap | undefined
  #recordings = new TapRecordings(() => {})
  /** Of open primaries of clients, by their system bytes: resolves once the end is recorded, or will not be. */
  readonly #ends = new Map<number, Promise<void>>()
  #unsubscribe: Unsubscribe = () => {}
  #state: ConnectionState = 'NOT_CONNECTED'
  /** What is told while the record of a line is read that began before: it comes after that. */
  #held: Observation[] | undefined
  #resuming: Promise<void> = Promise.resolve()
  #endpoints: Endpoints | undefined
  #wanted = false
  #connectedSince: string | null = null
  #lastError: LastError | null = null
  /** As the host and the equipment have it on the line. */
  #deviceId: number
  #isSeparated = false
  #failures = 0
  #retryAt: number | undefined
  #cancelRetry: Cancel = () => {}

  constructor(
    readonly record: TappedRecord,
    readonly current: () => EquipmentRecord,
    private readonly counters: Counters,
    readonly health: EquipmentHealth,
    readonly world: TappedWorld,
  ) {
    const { id } = record
    const { clock, journal, alarms, knowledge } = world
    const reading = (): Reading => this.reading()
    this.#deviceId = record.device_id
    this.#states = new TapStates(
      reading,
      () => knowledge.of(id),
      () => current().communication === 'gem',
    )
    this.#history = new LinkHistory(id, journal, clock)
    this.#link = new TapLinkState(counters)
    this.#gaps = new TapGaps(id, journal, clock, (messages) => {
      health.unrecorded(messages)
      counters.unrecorded(messages)
    })
    this.#unload = new SpoolUnload(clock, reading)
    this.#alignment = new AlarmAlignment(id, alarms, journal, clock, reading)
    this.#recorder = new TapRecorder(id, reading, this.#gaps, this.#unload, world, () =>
      millisecondsOf(record.timers.t3),
    )
    const settings = hsmsSettingsOf(record, world.hsmsHost)
    this.#requests = new TapRequests(settings, clock, () => this.#state)
    const self = this
    const sender = {
      id,
      get device_id() {
        return self.#deviceId
      },
    }
    this.#transactions = new Transactions(sender, this.#requests, health, UNHELD, world)
    this.#turns = new TapTurns(
      clock,
      () => current().name,
      () => this.#recorder.openOfHost,
      () => millisecondsOf(current().timers.slow_reply),
    )
    this.replies = {
      set: () => {
        throw new Problem(
          'tapped_read_only',
          `${current().name} is shared with its host, which replies to it: the gateway does not.`,
        )
      },
    }
    this.#follow()
  }

  #follow(): void {
    this.#recorder.passed.on((message) => {
      if (message.direction === 'received') this.health.received()
      this.#deviceId = message.sessionId
      if (message.direction === 'sent' && message.isPrimary) this.#hostAsks(message)
      if (message.direction === 'received' && !message.isPrimary) this.#unload.replied(message)
      this.#states.passed(message)
    })
    this.#recorder.ended.on((ended) => this.#hostEnded(ended))
    this.#states.changed.on(({ machine, from, to, cause }) => {
      if (to === 'COMMUNICATING') this.#lastError = null
      this.#history.note('state', machine, { from, to, cause })
      this.changed.emit()
    })
  }

  #hostAsks(message: RecordedMessage): void {
    this.#unload.asked(message)
    if (message.wait && (message.topic === 'S5F5' || message.topic === 'S5F7'))
      this.#aligning.set(message, this.#alignment.begin())
  }

  get wire(): { wire: Signal<WireRecord>; endpoints: Endpoints | undefined; counts: HsmsCounts } {
    return {
      wire: this.#wire,
      endpoints: this.#endpoints,
      counts: this.counters.counts(this.#requests.count),
    }
  }

  get connectionState(): ConnectionState {
    return this.#state
  }

  get tapLink(): TapLink {
    return this.#link.shown
  }

  get host(): EquipmentSession['host'] {
    return this.#states
  }

  get connectedSince(): string | null {
    return this.#connectedSince
  }

  get lastError(): LastError | null {
    return this.#lastError
  }

  get signs(): string {
    return `device ID ${this.#deviceId}, control state ${this.#states.controlState}`
  }

  readonly lineNoise = null

  get retryAt(): string | null {
    if (this.#retryAt === undefined) return null
    const { clock } = this.world
    return new Date(clock.date().getTime() + this.#retryAt - clock.now()).toISOString()
  }

  reconsider(): void {
    if (this.#state === 'SELECTED') this.#states.selected()
  }

  get ready(): boolean {
    return this.#state === 'SELECTED' && this.#states.communicationState === 'COMMUNICATING'
  }

  async recorded(): Promise<void> {
    await this.#history.recorded()
  }

  reading(): Reading {
    return this.world.knowledge.readingOf(this.record.id)
  }

  /** What has passed, and how it went. */
  async report(): Promise<TapReport> {
    const counts = (await this.#tap?.count()) ?? null
    const { unrecorded } = this.counters.counts(this.#requests.count)
    return viewTap(counts, this.#recorder, unrecorded, this.world.clock.date())
  }

  /** Listens until stopped. Resolves once the port is bound or cannot be bound. */
  async start(): Promise<void> {
    if (this.#wanted) return
    this.#wanted = true
    this.#failures = 0
    this.#history.start()
    this.#gaps.start()
    this.#states.enable()
    await this.#open()
  }

  /** Ends the line, or leaves it; open transactions end as `lost`. */
  async stop(cause = 'disconnect requested'): Promise<void> {
    if (!this.#wanted) return
    this.#wanted = false
    this.#cancelRetry()
    this.#retryAt = undefined
    // A gateway that is alone has the line again when it starts; of several, another one takes the equipment.
    const isLeft = cause === GATEWAY_STOPS && this.world.ownership.self === null
    // The last that has passed is still told, and recorded.
    await (isLeft ? this.#tap?.leave() : this.#tap?.stop())
    while (this.#held) await this.#resuming
    this.#close()
    this.#changeTo('NOT_CONNECTED', cause)
    this.#states.disable(cause === GATEWAY_STOPS ? cause : 'the tap is closed')
    this.changed.emit()
    const { clock } = this.world
    await withTimeout(clock, RECORDED_MS, this.#recorder.recorded())
    await this.#gaps.end()
    await this.#history.end()
    await withTimeout(clock, RECORDED_MS, this.#recordings.counted())
  }

  /** Sends a caller's primary, when the host leaves room for it. Throws the problem that prevents it. */
  async send(message: Outgoing): Promise<Transaction> {
    refuseUnlessPermitted(message, this.current().tap ?? this.record.tap, this.current().name)
    this.#refuseUnlessReady(message)
    const transaction = await this.#turns.take(async () => {
      this.#refuseUnlessReady(message)
      const { stream, function: fn } = message
      const begin = () => this.#begin(message)
      return stream === 5 && (fn === 5 || fn === 7) ? this.#alignment.during(begin) : begin()
    })
    void transaction.ended.then(
      (ended) => ended.outcome && this.#states.ended(message, exchangeOf(ended)),
      () => {},
    )
    return transaction
  }

  async #begin(message: Outgoing): Promise<Transaction> {
    const transaction = await this.#transactions.begin(message)
    const { systemBytes } = messageOf(transaction.sent)
    const over = (): void => void this.#ends.delete(systemBytes)
    const ended = transaction.ended.then(over, over)
    this.#ends.set(systemBytes, ended)
    return transaction
  }

  #refuseUnlessReady(message: Outgoing): void {
    if (!this.#wanted && this.#state === 'SELECTED')
      throw new Problem('equipment_not_connected', `${this.current().name} is being disconnected.`)
    const { id, name } = this.current()
    if (this.#state !== 'SELECTED' && this.#wanted) {
      const { mode, ip_address, port, tap } = this.record
      const seen = { connection_state: this.#state, last_error: this.#lastError, tap_link: this.tapLink }
      const advice = tapAdvice({ mode, ip_address, port, tap, ...seen, enabled: true }, String)
      const why = `${name} is ${this.#state}, not SELECTED. ${advice?.text ?? ''}`
      const next = { operation: 'getEquipment', parameters: { id } } as const
      throw new Problem('equipment_not_connected', why.trim(), { next: [next] })
    }
    if (this.#state !== 'SELECTED') refuseUnlessReady(this, message, false)
    if (this.ready) return
    const { unread } = this.#states
    if (unread !== undefined) throw new Problem('equipment_not_communicating', `${name}: ${unread}.`)
    throw new Problem(
      'equipment_not_communicating',
      `The host of ${name} has not established communication yet (S1F13), and nothing is sent before it has.`,
    )
  }

  async #open(): Promise<void> {
    const { ip_address, tap } = this.record
    const { openTap, equipmentNetworks, hsmsHost } = this.world
    for (const address of [ip_address, tap.host_address]) {
      const detail = address === null ? undefined : addressFault(address, equipmentNetworks)
      if (detail !== undefined) return this.#failed({ code: 'no_route', detail })
    }
    const opened = openTap(this.record.id, tapSettingsOf(this.record, hsmsHost))
    this.#tap = opened
    this.#requests.link = opened
    this.#recordings = new TapRecordings((count) => opened.recorded(count))
    this.#unsubscribe = opened.observed.on((observation) => this.#take(observation))
    await opened.start()
  }

  #close(): void {
    this.#unsubscribe()
    this.#tap = undefined
    this.#requests.link = undefined
    this.#link.became('closed', this.#now)
    this.#lineEnded()
  }

  /** No reply can come any more. */
  #lineEnded(): void {
    this.#endpoints = undefined
    this.#requests.loseAll()
    this.#recorder.end(this.#now)
    this.#unload.end()
  }

  get #now(): number {
    return this.world.clock.date().getTime()
  }

  #take(observation: Observation): void {
    if (this.#held) return void this.#held.push(observation)
    const { told } = this.#recordings
    this.#observe(observation)
    // What is recorded is told when it is.
    if (this.#recordings.told === told) this.#recordings.add(Promise.resolve())
  }

  #observe(observation: Observation): void {
    switch (observation.kind) {
      case 'listening':
        this.#failures = 0
        this.#link.became('waiting', observation.at)
        return this.#changeTo('LISTENING', 'the tap is open')
      case 'not_listening':
        void this.#tap?.stop()
        this.#close()
        this.#failed({ code: 'listen_failed', detail: observation.detail })
        return this.#openLater()
      case 'paired':
        this.#link.became('connected', observation.at, observation.endpoints.host.remote)
        this.#paired(observation.endpoints, observation.isSelected)
        if (observation.isSelected) this.#resuming = this.#resume(observation.at)
        return
      case 'over':
        this.#link.became('waiting', observation.at)
        if (observation.isReplaced) return this.#over(this.#replacedText, this.#replacedText)
        return this.#over(
          `the ${observation.first} ${observation.how === 'closed' ? 'closed' : 'broke off'} its connection first`,
        )
      case 'not_dialled':
        this.#link.became('unreached', observation.at)
        return this.#failed({ code: 'connection_refused', detail: observation.detail })
      case 'refused':
        return this.#refused(observation)
      case 'frame':
        return this.#frame(observation)
      case 'gap':
        this.#gaps.add(observation.messages, observation.since, observation.at)
        this.#states.missed(observation.messages)
        return this.#recordings.add(this.#gaps.told())
      case 'unreadable':
        return this.#unreadable(observation.from, observation.at)
      case 'sent':
        return this.#sent(observation.request, observation.frame)
      case 'replied':
        return this.#replied(observation.request, observation.frame, observation.at)
      case 'not_sent':
        return this.#requests.notSent(observation.request)
    }
  }

  get #callerAddress(): string | null {
    return this.record.mode === 'passive' ? this.record.tap.host_address : this.record.ip_address
  }

  /** A stranger is no fault of the equipment. It may be the host with another address: so the tap says who it was. */
  #refused({ address, why, connections, at }: Extract<Observation, { kind: 'refused' }>): void {
    this.#link.refused(address, why, connections, at)
    this.changed.emit()
  }

  /** Where its messages begin and end is not known any more, so not even their number is. */
  #unreadable(from: Side, at: number): void {
    const detail = `what the ${from} sends is not HSMS: until the next connection it passes, and is neither recorded nor counted`
    this.#states.unreadable(detail)
    this.#remember({ code: 'not_hsms', detail })
    this.#requests.giveUpAll()
    this.#recorder.end(at)
  }

  #paired(endpoints: Readonly<Record<Side, Endpoints>>, isSelected = false): void {
    this.counters.connected()
    this.#states.paired()
    this.#isSeparated = false
    this.#failures = 0
    this.#endpoints = endpoints.equipment
    this.#wire.emit({ kind: 'opened', ...endpoints.equipment })
    const { host, equipment } = endpoints
    this.#changeTo('NOT_SELECTED', `host ${host.remote} and equipment ${equipment.remote} are connected`)
    if (isSelected) this.#select('the session is selected already')
  }

  /** A line that began before the gateway did: what was learnt of it is in the record. */
  async #resume(since: number): Promise<void> {
    const { clock, journal } = this.world
    this.#held = []
    const reading = this.recorded()
      .then(() => lineBefore(journal, this.record.id, since))
      .catch(() => undefined)
    const before = await withTimeout(clock, RECORDED_MS, reading)
    if (before) this.#states.resumed(before)
    this.#deviceId = before?.deviceId ?? this.#deviceId
    const held = this.#held
    this.#held = undefined
    for (const observation of held) this.#take(observation)
  }

  /** Of a pair that the tap has ended itself. */
  get #replacedText(): string {
    const caller = this.record.mode === 'passive' ? 'the host' : 'the equipment'
    return `another connection of ${caller} (${this.#callerAddress}) took over`
  }

  #over(detail: string, cause?: string): void {
    const fault: Fault = { code: this.#isSeparated ? 'separated' : 'connection_lost', detail }
    this.counters.lost(fault.code)
    this.health.lost(fault)
    this.#wire.emit({ kind: 'closed', detail })
    this.#lineEnded()
    this.#changeTo('LISTENING', cause ?? fault.code, fault)
  }

  #frame({ from, frame, mapped, at }: Extract<Observation, { kind: 'frame' }>): void {
    const { header, body } = frame
    this.#passedOnWire(from === 'host' ? 'out' : 'in', 'host', frame)
    if (header.pType !== PTYPE_SECS2) return
    if (header.sType !== STYPE.data) return this.#control(from, frame, at)
    this.#select('a message passed')
    this.#record(from, dataMessage(header, body), at, { mapped })
  }

  /** It is recorded, or counted where the store does not take it: before one of the two the tap does not forget it. */
  #record(...passed: Parameters<TapRecorder['take']>): void {
    this.#recordings.add(this.#recorder.take(...passed).catch(() => this.#gaps.told()))
    // Its reply may pass, and is not seen.
    if (this.#states.unread !== undefined) this.#recorder.end(passed[2])
  }

  #passedOnWire(direction: 'in' | 'out', peer: 'host' | 'gateway', frame: Frame): void {
    this.counters.frame(direction, frame.header, frame.body.length)
    this.#wire.emit({ kind: 'frame', direction, peer, frame })
  }

  #control(from: Side, { header }: Frame, at: number): void {
    const isSelected = selectedAfter(header)
    if (isSelected) this.#select('Select.rsp passed')
    if (header.sType === STYPE.separateReq) this.#isSeparated = true
    if (isSelected === false)
      this.#deselect(this.#isSeparated ? `Separate.req of the ${from} passed` : 'Deselect.rsp passed')
    if (header.sType === STYPE.rejectReq && from === 'equipment')
      this.#recorder.rejected(header.systemBytes, at)
  }

  #select(cause: string): void {
    if (this.#state !== 'NOT_SELECTED') return
    this.#changeTo('SELECTED', cause)
    this.#states.selected()
  }

  #deselect(cause: string): void {
    if (this.#state === 'SELECTED') this.#changeTo('NOT_SELECTED', cause)
  }

  /** A primary of a client has left: it was recorded before. */
  #sent(request: number, frame: Frame): void {
    this.#passedOnWire('out', 'gateway', frame)
    this.#requests.sent(request, frame.header.systemBytes)
  }

  #replied(request: number | null, frame: Frame, at: number): void {
    this.#passedOnWire('in', 'gateway', frame)
    const { header, body } = frame
    const isData = header.pType === PTYPE_SECS2 && header.sType === STYPE.data
    const onLine = isData ? dataMessage(header, body) : undefined
    // Stream 9 is a primary, and recorded as one; what comes after T3 has nothing to end.
    if (onLine && (onLine.stream === 9 || request === null || !this.#requests.isOpen(request))) {
      const { message, mapped } = this.#requests.asRecorded(onLine)
      this.#record('equipment', message, at, { isWithHost: false, mapped })
    } else if (request !== null && this.#requests.isOpen(request))
      this.#recordings.add(this.#ends.get(request) ?? Promise.resolve())
    if (request !== null) this.#requests.replied(request, frame)
  }

  #hostEnded({ primary, outcome, reply, replied, latency }: EndedByHost): void {
    if (reply) {
      this.health.replied(latency)
      this.counters.roundTrip(latency)
    } else if (outcome === 'timed_out') {
      this.health.timedOut('t3')
      this.counters.timeout('t3')
    } else if (outcome === 'rejected') this.health.rejected()
    // A link that ended says nothing about the time that a reply takes.
    this.#turns.hostEnded(outcome === 'lost' ? 0 : latency)
    const isAboutControl = primary.stream === 1 && outcome !== 'lost'
    if (isAboutControl) this.#states.ended(primary, exchangeIn({ outcome, reply }))
    const align = this.#aligning.get(primary)
    this.#aligning.delete(primary)
    if (align) align(replied).catch(throwBug)
  }

  #changeTo(to: ConnectionState, cause: string, fault?: Fault): void {
    const from = this.#state
    if (from === to) return
    this.#state = to
    this.#connectedSince = to === 'SELECTED' ? this.world.clock.date().toISOString() : null
    if (fault) this.#remember(fault)
    this.#history.connectionChanged({ from, to, cause, ...(fault && { fault }) })
    this.changed.emit()
    this.#requests.changed.emit({ from, to, cause })
    if (from === 'SELECTED') this.#states.linkLost(cause === GATEWAY_STOPS ? cause : 'the link is lost')
  }

  #failed(fault: Fault): void {
    this.#failures += 1
    this.counters.attemptFailed()
    this.#history.attemptFailed(fault, this.#failures, this.#state)
    this.#remember(fault)
  }

  #remember({ code, detail }: Fault): void {
    this.#lastError = { code, detail, at: this.world.clock.date().toISOString() }
    this.changed.emit()
  }

  /** A port that is taken now may be free later. */
  #openLater(): void {
    if (!this.#wanted) return
    const { clock } = this.world
    this.#retryAt = clock.now() + millisecondsOf(this.record.timers.t5)
    this.#cancelRetry = clock.at(this.#retryAt, () => {
      this.#retryAt = undefined
      void this.#open()
    })
  }
}

function exchangeIn({ outcome, reply }: Pick<EndedByHost, 'outcome' | 'reply'>): Exchange {
  switch (outcome) {
    case 'replied':
      // What states follow from is short.
      if (reply?.needsSteps) return { kind: 'replied', item: undefined }
      return reply && reply.fault === undefined
        ? { kind: 'replied', item: reply.item }
        : { kind: 'error', unreadable: true }
    case 'aborted':
    case 'timed_out':
      return { kind: outcome }
    default:
      return { kind: 'error' }
  }
}
