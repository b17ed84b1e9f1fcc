import type { Cancel, Clock } from '../../../../kit/clock.js'
import { MAX_RETRY_MS, MIN_RETRY_MS } from '../../retry-delay.js'
import { untilAborted } from '../until-aborted.js'
import type { Broker } from './broker.js'

/** Milliseconds for an orderly end; then the connection is dropped. */
const CLOSE_TIMEOUT_MS = 2000

interface Parts {
  readonly clock: Clock
  readonly connect: (signal: AbortSignal) => Promise<Broker>
  /** Sends what every connection begins with. */
  readonly begin: (broker: Broker, signal: AbortSignal) => Promise<void>
  /** Sends what an orderly end begins with. */
  readonly end: (broker: Broker, signal: AbortSignal) => Promise<void>
}

/**
 * A broker to which a connection is kept also while there is nothing to deliver, so that what it shows of the gateway
 * and of equipment is true. After an end it is connected again after 1 s, then after longer waits up to 5 minutes.
 */
export class KeptBroker {
  #broker: Broker | undefined
  #connecting: Promise<Broker> | undefined
  #again: Cancel = () => {}
  #wait = MIN_RETRY_MS
  /** Aborts when it is closed. */
  readonly #over = new AbortController()

  constructor(private readonly parts: Parts) {
    this.#connectSoon(0)
  }

  /** The connection. Connects at once when there is none; rejects when that fails, or `signal` aborts. */
  connected(signal: AbortSignal): Promise<Broker> {
    if (this.#broker && !this.#broker.ended.aborted) return Promise.resolve(this.#broker)
    return untilAborted(this.#connected(), signal)
  }

  /** Ends the connection, in order where the broker responds in time, whatever is under way. */
  async close(): Promise<void> {
    this.#over.abort(new Error('the sink was closed'))
    this.#again()
    await this.#connecting?.catch(() => {})
    const open = this.#broker
    if (!open || open.ended.aborted) return
    const { clock, end } = this.parts
    const late = new AbortController()
    const cancel = clock.at(clock.now() + CLOSE_TIMEOUT_MS, () => late.abort(new Error('it took too long')))
    await end(open, late.signal).catch(() => {})
    await open.close(late.signal)
    cancel()
  }

  #connected(): Promise<Broker> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async #connect(): Promise<Broker> {
    this.#again()
    const { signal } = this.#over
    try {
      const broker = await this.parts.connect(signal)
      broker.ended.addEventListener('abort', () => this.#connectSoon(this.#wait))
      try {
        if (!broker.offersQos1) throw new Error('the broker does not offer QoS 1')
        await this.parts.begin(broker, signal)
      } catch (error) {
        broker.drop()
        throw error
      }
      this.#wait = MIN_RETRY_MS
      this.#broker = broker
      return broker
    } catch (error) {
      this.#wait = Math.min(this.#wait * 2, MAX_RETRY_MS)
      this.#connectSoon(this.#wait)
      throw error
    }
  }

  #connectSoon(ms: number): void {
    if (this.#over.signal.aborted) return
    this.#again()
    const { clock } = this.parts
    // The reason of a failure is shown when there is something to deliver.
    // Sinks that lost one broker together do not all dial it together.
    const wait = ms === 0 ? 0 : Math.max(MIN_RETRY_MS, ms * (0.5 + Math.random() / 2))
    this.#again = clock.at(clock.now() + wait, () => void this.#connected().catch(() => {}))
  }
}
