import { type Given, type MessageFrom, numbersOf } from '../../catalogue/known-message.js'
import type { Clock } from '../../kit/clock.js'
import type { Conversation, Exchange, PeerView, SecsMessage } from '../conversation.js'
import type { SpoolState } from './spool/spool-states.js'

/** A conversation that can also send primaries without W-bit. */
export interface EquipmentConversation extends Conversation {
  /** Sends a primary without W-bit; what cannot be sent is lost. */
  sendOneWay(message: SecsMessage): void
}

/** The spool as this queue uses it. */
interface Spooling {
  readonly states: { readonly spool: SpoolState }
  wants(stream: number, fn: number, isCommunicating: boolean): boolean
  put(message: SecsMessage): void
}

interface OutboundQueueWorld {
  readonly clock: Clock
  readonly view: () => PeerView
  readonly isCommunicating: () => boolean
}

/**
 * Sends the primaries of an equipment. Without communication they are spooled, or lost; and while the spool has not
 * been read, messages that are not spooled are lost as well, except stream 1 (SEMI E30).
 */
export class OutboundQueue {
  #isAnswering = false
  /** Messages to send after a reply, in order. */
  readonly #held: (() => void)[] = []

  constructor(
    private readonly conversation: EquipmentConversation,
    private readonly world: OutboundQueueWorld,
    private readonly spool: Spooling | undefined,
  ) {}

  /** Calls `answer`, and sends the messages that it causes only after the reply that it returns. */
  afterReply<Reply>(answer: () => Reply): Reply {
    this.#isAnswering = true
    try {
      return answer()
    } finally {
      this.#isAnswering = false
    }
  }

  /** Sends a primary to the host; it is never spooled. */
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
    // Spooled if the link was lost; a message that fails for another reason is not kept.
    if (exchange.kind === 'lost' && this.#isSpooled(stream, fn)) this.spool?.put(made)
    if (exchange.kind !== 'replied') return false
    return this.world.view().catalogue.acknowledgement(stream, fn + 1, exchange.item)?.accepted === true
  }

  /** Sends a primary without W-bit; drops it without communication. */
  sendOneWay<Name extends MessageFrom<'equipment'>>(message: Name, data: Given<Name, 'equipment'>): void {
    if (!this.world.isCommunicating()) return
    const made = this.#message(message, data)
    this.#leave(() => this.conversation.sendOneWay(made))
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

  /** Sends at once, or after the current reply and the messages that already wait for it. */
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
