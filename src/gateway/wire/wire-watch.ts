import type { Endpoints, WireRecord } from '../../hsms/capture/wire.js'
import type { Clock } from '../../kit/clock.js'
import type { Signal, Unsubscribe } from '../../kit/signal.js'
import { ownRecord, type Passed, WireReader } from './wire-reader.js'

/** The wire of one driver. */
export interface Wire {
  /** Costs nothing without listeners. */
  readonly wire: Signal<WireRecord>
  /** The endpoints of the open connection. */
  readonly endpoints: Endpoints | undefined
}

/** If the clock's date and its monotonic time differ by more milliseconds than this, the date is read again. */
const DRIFT = 500

/** The readers of an equipment's wire, across its drivers. Subscribes to the driver only while there is a reader. */
export class WireWatch {
  readonly #readers = new Set<WireReader>()
  #wire: Wire
  /** Undefined without readers. */
  #unsubscribe: Unsubscribe | undefined
  /** Milliseconds from the clock's time to its date. */
  #epoch: number

  constructor(
    wire: Wire,
    readonly clock: Clock,
  ) {
    this.#wire = wire
    this.#epoch = clock.date().getTime() - clock.now()
  }

  /** The equipment has another driver from now on. */
  moveTo(wire: Wire): void {
    this.#wire = wire
    if (!this.#unsubscribe) return
    this.#unsubscribe()
    this.#listen()
  }

  /** Watches from now on, until `signal` aborts or the equipment is removed. */
  watch(signal: AbortSignal): AsyncIterable<Passed> {
    const reader = new WireReader(() => ({
      at: this.#at(),
      kind: 'state',
      lost: 0,
      endpoints: this.#wire.endpoints,
    }))
    this.#readers.add(reader)
    if (!this.#unsubscribe) this.#listen()
    const leave = (): void => {
      this.#readers.delete(reader)
      if (this.#readers.size > 0) return
      this.#unsubscribe?.()
      this.#unsubscribe = undefined
    }
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    return reader.read(signal)
  }

  /** The equipment is removed. */
  end(): void {
    for (const reader of this.#readers) reader.end()
  }

  #listen(): void {
    this.#unsubscribe = this.#wire.wire.on((record) => {
      const at = this.#at()
      const own = ownRecord(record)
      for (const reader of this.#readers) reader.put(own, at)
    })
  }

  /** Now, in microseconds since 1970: the date alone is too coarse to order two records. */
  #at(): number {
    const date = this.clock.date().getTime()
    const now = this.clock.now()
    if (Math.abs(this.#epoch + now - date) > DRIFT) this.#epoch = date - now
    return Math.round((this.#epoch + now) * 1000)
  }
}
