import type { GatewayClient } from '../../client/client.js'
import type { Event } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import { type Clock, withTimeout } from '../../kit/clock.js'
import { Failure } from '../errors/failure.js'
import { follow } from '../events/event-follow.js'
import { Arrivals } from './arrivals.js'

/** How long the demo waits for something that equipment does by itself. */
const EVENT_TIMEOUT_MS = 20_000

/** Collects the events of the demo from the stream, and waits for expected ones. */
export class DemoEvents {
  readonly #events = new Arrivals<Event>()
  readonly #stopped = new AbortController()
  readonly #ended: Promise<void>

  constructor(
    client: GatewayClient,
    readonly clock: Clock,
  ) {
    const since = '2000-01-01T00:00:00.000Z'
    const world = { clock, signal: this.#stopped.signal }
    this.#ended = follow(client, { since }, world, (event) => this.#events.add(event)).then(
      () => {},
      (error: Error) => this.#events.end(error),
    )
  }

  /** The first event that `matches`, past or future. */
  async event(what: string, matches: (event: Event) => boolean): Promise<Event> {
    const found = await withTimeout(this.clock, EVENT_TIMEOUT_MS, this.#events.first(matches))
    if (found) return found
    throw new Failure('timeout', `${what} did not come in ${EVENT_TIMEOUT_MS / 1000} s`)
  }

  /** The first message of a stream and function that was sent to equipment or received from it. */
  async message(
    way: 'sent' | 'received',
    stream: number,
    fn: number,
    where: (message: Message) => boolean = () => true,
  ): Promise<Message> {
    const event = await this.event(`S${stream}F${fn}`, ({ name, data }) => {
      const message = data as unknown as Message
      const isSame = message.stream === stream && message.function === fn
      return name === `message_${way}` && isSame && where(message)
    })
    return event.data as unknown as Message
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#ended
  }
}
