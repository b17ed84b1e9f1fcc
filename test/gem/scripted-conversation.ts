import type { Conversation, Exchange, SecsMessage } from '../../src/gem/conversation.js'
import { type Deferred, deferred } from '../../src/kit/deferred.js'

/** A wire without a peer: keeps what was asked, and each answer waits until the test gives it. */
export class ScriptedConversation implements Conversation {
  readonly asked: SecsMessage[] = []
  /** The t3 of each. */
  readonly t3s: (number | undefined)[] = []
  readonly #open: Deferred<Exchange>[] = []

  request(message: SecsMessage, ended?: (exchange: Exchange) => void, t3?: number): Promise<Exchange> {
    this.asked.push(message)
    this.t3s.push(t3)
    const exchange = deferred<Exchange>()
    this.#open.push(exchange)
    return exchange.promise.then((end) => {
      ended?.(end)
      return end
    })
  }

  /** `S1F13` and so on, in the order in which they were asked. */
  get names(): string[] {
    return this.asked.map(({ stream, function: fn }) => `S${stream}F${fn}`)
  }

  /** Ends the oldest request that is open, and lets its asker go on. */
  async end(exchange: Exchange): Promise<void> {
    const oldest = this.#open.shift()
    if (!oldest) throw new Error('nothing is open')
    oldest.resolve(exchange)
    await oldest.promise
    await Promise.resolve()
  }
}
