import type { Given } from '../../catalogue/known-message.js'
import type { Sender } from '../../catalogue/message-row.js'
import { sentBy } from '../../catalogue/view.js'
import { Signal } from '../../kit/signal.js'
import type { Item } from '../../secs2/item.js'
import { Communication, type CommunicationWorld } from '../communication.js'
import type { CommunicationState, Denial } from '../communication-states.js'
import type { ControlState } from '../control-states.js'
import type {
  Conversation,
  Exchange,
  GemChange,
  PeerView,
  Primary,
  PrimaryReply,
  SecsMessage,
} from '../conversation.js'
import { reportedAlarm } from '../reported-alarm.js'
import { buildReply, Role } from '../role.js'
import { ControlObserver, isOffline } from './control-observer.js'
import { HostQuestions, type Start } from './host-questions.js'
import { hostReplies, SHARED_HOST_REPLIES } from './host-replies.js'
import {
  controlStateId,
  type EventReport,
  hintsAtControlState,
  NO_NAMES,
  type PeerNames,
  valueIn,
} from './peer-names.js'
import { RefusedQuestions } from './refused-questions.js'
import { siteReply } from './site-reply.js'

/** What the equipment says it is: its MDLN and SOFTREV. */
export interface Model {
  readonly mdln: string
  readonly softrev: string
}

export interface HostWorld extends CommunicationWorld {
  /** What is known of the equipment's identifiers; nothing when left out. */
  readonly names?: () => PeerNames
  /** Whether the host may ask anything by itself beside S1F13; left out, it does not. */
  readonly mayAsk?: () => boolean
  /** A reply that is given for a while in place of the usual one; undefined where there is none. */
  readonly leased?: (primary: Primary) => PrimaryReply | undefined
  /** Whether primaries have come that get their replies later; left out, all get them at once. */
  readonly isRecording?: () => boolean
}

/**
 * GEM's host side (SEMI E30) towards one equipment: establishes communication, asks what a host wants to know,
 * answers what the equipment sends, and keeps account of what is known of it. It owns no connection.
 */
export class Host {
  /** Every change of the two state machines, at once and in order. */
  readonly changed = new Signal<GemChange>()
  readonly denied: Signal<Denial>
  /**
   * Once for every time that communication is established, as soon as the equipment is online, or at once where it
   * may not be asked.
   */
  readonly started: Signal<Start>
  /** Event reports as they come, but for those from the spool: they may be older than the equipment's present state. */
  readonly reported = new Signal<EventReport>()
  readonly #communication: Communication
  readonly #control: ControlObserver
  readonly #replies: Role
  readonly #questions: HostQuestions
  readonly #refused = new RefusedQuestions()
  #model: Model | null = null

  constructor(
    conversation: Conversation,
    private readonly world: HostWorld,
  ) {
    this.#communication = new Communication(conversation, world, () => {
      const view = this.#view('host')
      return view.catalogue.build('S1F13', {}, view)
    })
    const peerNames = world.names ?? (() => NO_NAMES)
    const { clock, view } = world
    const mayAsk = (): boolean => (world.mayAsk?.() ?? false) && this.withoutS1F13 === undefined
    const learn = (sent: SecsMessage, exchange: Exchange): void => this.#see(sent, exchange)
    const refused = this.#refused
    const isRecording = world.isRecording ?? (() => false)
    this.#questions = new HostQuestions({
      conversation,
      clock,
      view,
      peerNames,
      mayAsk,
      isRecording,
      refused,
      learn,
    })
    this.#control = new ControlObserver(world.view, peerNames)
    const replies = hostReplies(world.clock, (report) => this.#receiveReport(report, peerNames()))
    this.#replies = new Role('host', replies, world.view, SHARED_HOST_REPLIES)
    this.denied = this.#communication.denied
    this.started = this.#questions.started
    this.#communication.replied.on((item) => void this.#learnModel('S1F14', item))
    this.#communication.changed.on((change) => {
      this.changed.emit(change)
      if (change.to === 'COMMUNICATING') this.#questions.begin()
      if (change.from !== 'COMMUNICATING') return
      this.#questions.end()
      this.#report(this.#control.lost('communication ended'))
    })
  }

  get communicationState(): CommunicationState {
    return this.#communication.state
  }

  /** Why the equipment is treated as one without S1F13, though it is not registered as such; undefined where it is not. */
  get withoutS1F13(): string | undefined {
    return this.#communication.withoutS1F13
  }

  /** The equipment has shown that it does not know S1F13: nothing is asked until it sends S1F13 or S1F14. */
  assumeWithoutS1F13(cause: string): void {
    this.#communication.take({ kind: 'assume', cause })
  }

  /** Whether it takes more than S1F13 from the equipment. */
  get isCommunicating(): boolean {
    return this.communicationState === 'COMMUNICATING'
  }

  get controlState(): ControlState {
    return this.#control.state
  }

  /** It is offline, and does not let its host change that: it refused the last S1F17. */
  get refusesOnline(): boolean {
    return this.#control.refusesOnline
  }

  /** The last S1F1 on this link was answered by S1F2, which only online equipment sends, and nothing says otherwise. */
  get hasConfirmedPresence(): boolean {
    return this.#control.hasConfirmedPresence
  }

  /** From the equipment's last S1F2, S1F13 or S1F14; kept when the link is lost. */
  get model(): Model | null {
    return this.#model
  }

  /** It is asking the equipment something by itself, or takes its spool. */
  get isAsking(): boolean {
    return this.#questions.isAsking
  }

  /** Resolves once what is being asked of the control state is known. */
  controlStateAsked(): Promise<void> {
    return this.#questions.settled()
  }

  /** Communication is wanted. */
  enable(): void {
    this.#communication.take({ kind: 'enable' })
  }

  /** Communication is not wanted any more. Sends nothing to the equipment and cancels all timers. */
  disable(): void {
    this.#communication.take({ kind: 'disable' })
  }

  /** The link is selected: S1F13 goes out at once. */
  selected(): void {
    this.#communication.take({ kind: 'selected' })
  }

  /** Call when the setting whether the equipment has GEM may have changed. */
  reconsider(): void {
    this.#communication.take({ kind: 'reconsider' })
  }

  /** The link is no longer selected. */
  linkLost(): void {
    this.#communication.take({ kind: 'link_lost' })
  }

  /**
   * What to answer. To be called in the order in which the primaries came. While not communicating only
   * S1F13 is answered; then what a site says of its messages goes before what is usual. Never throws for what
   * the equipment sent.
   */
  replyTo(primary: Primary): PrimaryReply {
    if (primary.stream === 9) return { kind: 'none' }
    if (primary.stream === 1 && primary.function === 13) return this.#answerEstablish(primary)
    const abort: PrimaryReply = primary.wait ? { kind: 'abort' } : { kind: 'none' }
    if (!this.isCommunicating) return abort
    this.#questions.receive()
    // Equipment that is offline sends nothing, and S1F1 when it wants to be online.
    if (isOffline(this.controlState)) this.#questions.inquire()
    else this.#questions.retryIfPending()
    if (this.#reportsNoAlarm(primary)) return abort
    const verdict = siteReply(primary, this.world.view()) ?? this.#replies.replyTo(primary)
    return this.world.leased?.(primary) ?? (verdict.kind === 'fault' ? abort : verdict)
  }

  /**
   * The host learns from a transaction that a caller made over the same link and that has ended. Not for
   * those that the host asked its conversation for.
   */
  learn(sent: SecsMessage, exchange: Exchange): void {
    if (sent.stream === 1 && sent.function === 13) {
      this.#communication.learn(exchange)
      return
    }
    if (exchange.kind === 'replied') this.#refused.answered(sent.stream, sent.function + 1)
    const wasOffline = isOffline(this.controlState)
    this.#see(sent, exchange)
    const isOfflineNow = isOffline(this.controlState)
    const { function: fn } = sent
    const isAboutControl = sent.stream === 1 && (fn === 1 || fn === 15 || fn === 17)
    if (exchange.kind === 'aborted') {
      // The equipment is offline, or does not know the message: it can be asked, by an S1F1.
      if (!wasOffline && !(sent.stream === 1 && fn === 1)) this.#questions.inquire()
    } else if (exchange.kind === 'replied') {
      if (fn === 17 && isAboutControl && !isOfflineNow) this.#questions.inquire(true)
      else if (!isOfflineNow) this.#questions.inquireIfPending()
      // Equipment that is offline answers nothing else.
      else if (!isAboutControl) this.#questions.inquire()
    }
  }

  /** Takes a reply that came after its transaction ended. */
  learnLate({ stream, function: fn }: Pick<SecsMessage, 'stream' | 'function'>): void {
    if (stream === 1 && fn === 14) this.#communication.take({ kind: 'late_reply' })
    if (fn > 0) this.#refused.answered(stream, fn)
  }

  /** The equipment has reported an alarm that is not recorded. */
  missedAlarm(): void {
    this.#questions.missedAlarm()
  }

  #see(sent: SecsMessage, exchange: Exchange): void {
    if (sent.stream === 1 && sent.function === 1 && exchange.kind === 'replied') {
      this.#learnModel('S1F2', exchange.item)
    }
    this.#report(this.#control.see(sent, exchange))
  }

  /** The value of ControlState in an event is certain, unless it was spooled; a name is reason to ask. */
  #receiveReport(report: EventReport, names: PeerNames): void {
    this.#questions.receiveEvent(report)
    if (!this.#questions.isUnloading) this.reported.emit(report)
    const id = controlStateId(names)
    const value = id === undefined ? undefined : valueIn(report, id, names)
    if (value !== undefined && !this.#questions.isUnloading) this.#report(this.#control.reported(value))
    else if (value !== undefined || hintsAtControlState(report, names)) this.#questions.inquire()
  }

  /** An S5F1 in its form that says of no alarm whether it is set. */
  #reportsNoAlarm(primary: Primary): boolean {
    if (primary.stream !== 5 || primary.function !== 1) return false
    const view = this.#view('equipment')
    const row = view.catalogue.read('S5F1', primary.item, view)
    return row !== null && reportedAlarm(row) === undefined
  }

  #answerEstablish(primary: Primary): PrimaryReply {
    if (!primary.wait) return { kind: 'none' }
    const readable = this.#learnModel('S1F13', primary.item) || isEmptyList(primary.item)
    if (primary.fault !== undefined || !readable) return { kind: 'abort' }
    const before = this.withoutS1F13 === undefined ? this.communicationState : 'NOT_COMMUNICATING'
    const accepted = before !== 'DISABLED'
    this.#communication.take({ kind: 'asked' })
    if (before !== 'COMMUNICATING') this.#questions.greeted()
    else if (this.#questions.reestablished())
      this.#report(this.#control.lost('the equipment sent S1F13 again'))
    const data: Given<'S1F14', 'host'> = { COMMACK: accepted ? '0' : '1' }
    const item = buildReply('S1F14', data, this.#view('host'))
    return { kind: 'reply', message: { stream: 1, function: 14, item } }
  }

  /** Takes MDLN and SOFTREV; false when the body is not the equipment's. */
  #learnModel(message: 'S1F2' | 'S1F13' | 'S1F14', item: Item | undefined): boolean {
    const view = this.#view('equipment')
    const { MDLN, SOFTREV } = view.catalogue.read(message, item, view) ?? {}
    if (typeof MDLN !== 'string' || typeof SOFTREV !== 'string') return false
    // The MDLN and SOFTREV of S1F2 may be written differently from those of S1F13.
    if (message !== 'S1F2') this.#refused.meet(`${MDLN} ${SOFTREV}`)
    this.#model = { mdln: MDLN, softrev: SOFTREV }
    return true
  }

  #view<From extends Sender>(sender: From): PeerView & { readonly sender: From } {
    return sentBy(this.world.view(), sender)
  }

  #report(change: GemChange | undefined): void {
    if (change) this.changed.emit(change)
  }
}

/** Some equipment sends S1F13 as a host does. */
const isEmptyList = (item: Item | undefined): boolean => item?.format === 'L' && item.items.length === 0
