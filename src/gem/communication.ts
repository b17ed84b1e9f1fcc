import type { Cancel, Clock } from '../kit/clock.js'
import { Signal } from '../kit/signal.js'
import type { Item } from '../secs2/item.js'
import {
  type CommunicationInput,
  CommunicationMachine,
  type CommunicationOutput,
  type CommunicationState,
  type Denial,
  type Establishment,
} from './communication-states.js'
import type { Conversation, Exchange, GemChange, PeerView } from './conversation.js'

export interface CommunicationWorld {
  readonly clock: Clock
  /** From a failed S1F13 to the next, in milliseconds. */
  readonly establishDelay: number
  /** False for a peer without GEM, to which no S1F13 is sent. Left out, it is sent. */
  readonly establishes?: () => boolean
  /** Looked at for every message: formats and encoding may change meanwhile. */
  readonly view: () => PeerView
}

/** Carries out the actions of one side's communication state machine: sends S1F13, and keeps its timer. */
export class Communication {
  readonly changed = new Signal<GemChange>()
  readonly denied = new Signal<Denial>()
  /** The body of an S1F14 that came. */
  readonly replied = new Signal<Item | undefined>()
  readonly #machine: CommunicationMachine
  #cancelTimer: Cancel = () => {}

  /** `body` gives the body of this side's S1F13. */
  constructor(
    private readonly conversation: Conversation,
    private readonly world: CommunicationWorld,
    private readonly body: () => Item | undefined,
  ) {
    this.#machine = new CommunicationMachine(() => world.establishDelay, world.establishes)
  }

  get state(): CommunicationState {
    return this.#machine.state
  }

  /** Why the peer is treated as one without S1F13, though it is not registered as such; undefined where it is not. */
  get withoutS1F13(): string | undefined {
    return this.#machine.withoutS1F13
  }

  take(input: CommunicationInput): void {
    for (const output of this.#machine.handle(input, this.world.clock.now())) this.#carryOut(output)
    this.#cancelTimer()
    const deadline = this.#machine.deadline
    this.#cancelTimer =
      deadline === undefined ? () => {} : this.world.clock.at(deadline, () => this.take({ kind: 'tick' }))
  }

  /** Call at the end of an S1F13 that a caller sent over the same link. */
  learn(exchange: Exchange): void {
    this.take({ kind: 'ended', attempt: undefined, how: this.#establishment(exchange) })
  }

  #carryOut(output: CommunicationOutput): void {
    switch (output.kind) {
      case 'ask':
        void this.#ask(output.attempt)
        return
      case 'denied':
        this.denied.emit(output.denial)
        return
      case 'change': {
        const { from, to, cause } = output
        this.changed.emit({ machine: 'communication_state', from, to, cause })
      }
    }
  }

  async #ask(attempt: number): Promise<void> {
    const exchange = await this.conversation.request({ stream: 1, function: 13, item: this.body() })
    this.take({ kind: 'ended', attempt, how: this.#establishment(exchange) })
  }

  #establishment(exchange: Exchange): Establishment {
    if (exchange.kind !== 'replied') return exchange
    this.replied.emit(exchange.item)
    const { catalogue } = this.world.view()
    return { kind: 'replied', commack: catalogue.acknowledgement(1, 14, exchange.item)?.code }
  }
}
