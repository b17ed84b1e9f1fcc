import type { GatewayClient } from '../../client/client.js'
import type { Event } from '../../contract/events.js'
import type { Message } from '../../contract/messages.js'
import type { Clock } from '../../kit/clock.js'
import { Failure } from '../errors/failure.js'
import { follow } from '../events/event-follow.js'

/** How long the demo waits for something that equipment does by itself, in milliseconds. */
const EVENT_TIMEOUT_MS = 20_000

/** Collects the events of the demo from the stream, and waits for expected ones. */
export class DemoEvents {
  readonly #seen: Event[] = []
  readonly #waiting = new Set<() => void>()
  readonly #stopped = new AbortController()
  #failure: Error | undefined
  readonly #ended: Promise<void>

  constructor(
    client: GatewayClient,
    readonly clock: Clock,
  ) {
    const since = '2000-01-01T00:00:00.000Z'
    this.#ended = follow(client, { since }, { clock, signal: this.#stopped.signal }, (event) => {
      this.#seen.push(event)
      this.#wake()
    }).then(
      () => {},
      (error: Error) => {
        this.#failure = error
        this.#wake()
      },
    )
  }

  get seen(): readonly Event[] {
    return this.#seen
  }

  /** The first event that `matches`, past or future. */
  async event(what: string, matches: (event: Event) => boolean): Promise<Event> {
    let late = false
    const cancel = this.clock.at(this.clock.now() + EVENT_TIMEOUT_MS, () => {
      late = true
      this.#wake()
    })
    try {
      for (;;) {
        const found = this.#seen.find(matches)
        if (found) return found
        if (this.#failure) throw this.#failure
        if (late) throw new Failure('timeout', `${what} did not come in ${EVENT_TIMEOUT_MS / 1000} s`)
        await new Promise<void>((wake) => this.#waiting.add(wake))
      }
    } finally {
      cancel()
    }
  }

  /** The first message of a stream and function that equipment sent. */
  async received(
    stream: number,
    fn: number,
    where: (message: Message) => boolean = () => true,
  ): Promise<Message> {
    const event = await this.event(`S${stream}F${fn}`, ({ name, data }) => {
      const message = data as unknown as Message
      return (
        name === 'message_received' && message.stream === stream && message.function === fn && where(message)
      )
    })
    return event.data as unknown as Message
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#ended
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }
}
