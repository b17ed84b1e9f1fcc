import type { Given } from '../catalogue/known-message.js'
import type { Sender } from '../catalogue/message-row.js'
import { Signal } from '../kit/signal.js'
import type { Item } from '../secs2/item.js'
import { Communication, type CommunicationWorld, type Denial } from './communication.js'
import type { CommunicationState } from './communication-states.js'
import { ControlObserver } from './control-observer.js'
import type { ControlState } from './control-states.js'
import type {
  Answer,
  Conversation,
  Exchange,
  GemChange,
  PeerView,
  Primary,
  SecsMessage,
} from './conversation.js'
import { hostAnswers } from './host-answers.js'
import { buildAnswer, Role } from './role.js'
import { siteAnswer } from './site-answer.js'

/** What the equipment says it is: its MDLN and SOFTREV. */
export interface Model {
  readonly mdln: string
  readonly softrev: string
}

/**
 * GEM's host side (SEMI E30) towards one equipment: establishes communication, answers what the equipment
 * sends, and keeps account of what is known of it. It owns one timer and no connection.
 */
export class Host {
  /** Every change of the two state machines, at once and in order. */
  readonly changed = new Signal<GemChange>()
  readonly denied: Signal<Denial>
  readonly #communication: Communication
  readonly #control: ControlObserver
  readonly #answers: Role
  #model: Model | null = null

  constructor(
    conversation: Conversation,
    private readonly world: CommunicationWorld,
  ) {
    this.#communication = new Communication(conversation, world, () => {
      const view = this.#view('host')
      return view.catalogue.build('S1F13', {}, view)
    })
    this.#control = new ControlObserver(world.view)
    this.#answers = new Role('host', hostAnswers(world.clock), world.view)
    this.denied = this.#communication.denied
    this.#communication.answered.on((item) => void this.#learnModel('S1F14', item))
    this.#communication.changed.on((change) => {
      this.changed.emit(change)
      if (change.from === 'COMMUNICATING') this.#report(this.#control.lost())
    })
  }

  get communicationState(): CommunicationState {
    return this.#communication.state
  }

  get controlState(): ControlState {
    return this.#control.state
  }

  /** As the equipment last told it; kept when the link is lost. */
  get model(): Model | null {
    return this.#model
  }

  /** Communication is wanted. */
  enable(): void {
    this.#communication.take({ kind: 'enable' })
  }

  /** Communication is not wanted any more. Says nothing to the equipment and leaves no timer behind. */
  disable(): void {
    this.#communication.take({ kind: 'disable' })
  }

  /** The link is selected: S1F13 goes out at once. */
  selected(): void {
    this.#communication.take({ kind: 'selected' })
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
  answer(primary: Primary): Answer {
    if (primary.stream === 9) return { kind: 'none' }
    if (primary.stream === 1 && primary.function === 13) return this.#answerEstablish(primary)
    const refusal: Answer = primary.wait ? { kind: 'abort' } : { kind: 'none' }
    if (this.communicationState !== 'COMMUNICATING') return refusal
    const verdict = siteAnswer(primary, this.world.view()) ?? this.#answers.answer(primary)
    return verdict.kind === 'fault' ? refusal : verdict
  }

  /**
   * Lets the host learn from a transaction that a caller made over the same link and that has ended. Not for
   * those that the host asked its conversation for.
   */
  learn(sent: SecsMessage, exchange: Exchange): void {
    if (sent.stream === 1 && sent.function === 13) {
      this.#communication.learn(exchange)
      return
    }
    if (sent.stream === 1 && sent.function === 1 && exchange.kind === 'replied') {
      this.#learnModel('S1F2', exchange.item)
    }
    this.#report(this.#control.see(sent, exchange))
  }

  #answerEstablish(primary: Primary): Answer {
    if (!primary.wait) return { kind: 'none' }
    const readable = this.#learnModel('S1F13', primary.item) || isEmptyList(primary.item)
    if (primary.fault !== undefined || !readable) return { kind: 'abort' }
    const accepted = this.communicationState !== 'DISABLED'
    this.#communication.take({ kind: 'asked' })
    const data: Given<'S1F14', 'host'> = { COMMACK: accepted ? '0' : '1' }
    const item = buildAnswer('S1F14', data, this.#view('host'))
    return { kind: 'reply', message: { stream: 1, function: 14, item } }
  }

  /** Takes MDLN and SOFTREV; false when the body is not the equipment's. */
  #learnModel(message: 'S1F2' | 'S1F13' | 'S1F14', item: Item | undefined): boolean {
    const view = this.#view('equipment')
    const { MDLN, SOFTREV } = view.catalogue.read(message, item, view) ?? {}
    if (typeof MDLN !== 'string' || typeof SOFTREV !== 'string') return false
    this.#model = { mdln: MDLN, softrev: SOFTREV }
    return true
  }

  #view<From extends Sender>(sender: From): PeerView & { readonly sender: From } {
    return { ...this.world.view(), sender }
  }

  #report(change: GemChange | undefined): void {
    if (change) this.changed.emit(change)
  }
}

/** Some equipment sends S1F13 as a host does. */
const isEmptyList = (item: Item | undefined): boolean => item?.format === 'L' && item.items.length === 0
