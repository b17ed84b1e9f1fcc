import { type Given, type MessageFrom, numbersOf } from '../../catalogue/known-message.js'
import type { Clock } from '../../kit/clock.js'
import type { Conversation, Exchange, PeerView, SecsMessage } from '../conversation.js'
import type { Spool } from './spool/spool.js'

/** A conversation that can also say what wants no answer. */
export interface EquipmentConversation extends Conversation {
  /** Sends a primary without W-bit; what cannot be sent is lost. */
  tell(message: SecsMessage): void
}

export interface OutboundQueueWorld {
  readonly clock: Clock
  readonly view: () => PeerView
  readonly isCommunicating: () => boolean
}

/**
 * What an equipment says by itself. While there is no communication it is spooled, or lost; and while the spool is
 * not read, what is not spooled is lost as well, but for stream 1 (SEMI E30).
 */
export class OutboundQueue {
  #isAnswering = false
  /** What leaves behind an answer, in its order. */
  readonly #held: (() => void)[] = []

  constructor(
    private readonly conversation: EquipmentConversation,
    private readonly world: OutboundQueueWorld,
    private readonly spool: Spool | undefined,
  ) {}

  /** Lets what `answer` has to be sent leave behind the answer that it gives, which leaves at once. */
  behind<Answer>(answer: () => Answer): Answer {
    this.#isAnswering = true
    try {
      return answer()
    } finally {
      this.#isAnswering = false
    }
  }

  /** Asks the host now or never. */
  async ask<Name extends MessageFrom<'equipment'>>(
    message: Name,
    data: Given<Name, 'equipment'>,
  ): Promise<Exchange> {
    return this.send(this.#message(message, data))
  }

  /** Reports to the host; resolves with whether it acknowledged. False for what is spooled or lost. */
  async report<Name extends MessageFrom<'equipment'>>(
    message: Name,
    data: Given<Name, 'equipment'>,
  ): Promise<boolean> {
    const { stream, function: fn } = numbersOf(message)
    const isSpooled = this.#isSpooled(stream, fn)
    const isHeld = stream !== 1 && this.spool?.states.spool === 'SPOOL_ACTIVE'
    if (!isSpooled && (isHeld || !this.world.isCommunicating())) return false
    const made = this.#message(message, data)
    if (isSpooled) {
      this.spool?.put(made)
      return false
    }
    const exchange = await this.send(made)
    // Lost with the link: what does not leave for any other reason is gone.
    if (exchange.kind === 'lost' && this.#isSpooled(stream, fn)) this.spool?.put(made)
    if (exchange.kind !== 'replied') return false
    return this.world.view().catalogue.acknowledgement(stream, fn + 1, exchange.item)?.accepted === true
  }

  /** Says what wants no answer, as long as there is somebody to hear it. */
  tell<Name extends MessageFrom<'equipment'>>(message: Name, data: Given<Name, 'equipment'>): void {
    if (!this.world.isCommunicating()) return
    const made = this.#message(message, data)
    this.#leave(() => this.conversation.tell(made))
  }

  /** Sends a primary as it is. */
  send(message: SecsMessage): Promise<Exchange> {
    return new Promise((resolve) => {
      this.#leave(() => {
        const isThere = this.world.isCommunicating()
        resolve(isThere ? this.conversation.request(message) : { kind: 'lost' })
      })
    })
  }

  /** At once, unless an answer leaves first, or what waits for one. */
  #leave(send: () => void): void {
    if (!this.#isAnswering && this.#held.length === 0) return send()
    if (this.#held.push(send) > 1) return
    const { clock } = this.world
    clock.at(clock.now(), () => {
      for (const next of this.#held.splice(0)) next()
    })
  }

  #isSpooled(stream: number, fn: number): boolean {
    return this.spool?.wants(stream, fn, this.world.isCommunicating()) ?? false
  }

  #message<Name extends MessageFrom<'equipment'>>(
    message: Name,
    data: Given<Name, 'equipment'>,
  ): SecsMessage {
    const view = { ...this.world.view(), sender: 'equipment' as const }
    return { ...numbersOf(message), item: view.catalogue.build(message, data, view) }
  }
}
