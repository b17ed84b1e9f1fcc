import type { SecsMessage } from '../../gem/conversation.js'
import type { Clock } from '../../kit/clock.js'
import type { Reading } from '../records/reading.js'
import type { RecordedMessage } from '../records/recorded-message.js'

/** After this many milliseconds without a message the equipment has sent its spool, or as much as it may at once. */
const QUIET_MS = 3000
/** Streams that are never spooled (SEMI E30). */
const NEVER_SPOOLED: readonly number[] = [1, 9]
/** RSDC: send the spool, and do not purge it. RSDA: it will; and it may be sending it already. */
const TRANSMIT = '0'
const COMING = 0
const BUSY = 1

/**
 * Whether an equipment is probably sending its spool: from the S6F24 that announces it until no message has come for
 * a while, or the next S6F24 ends it. A spooled message has no mark of its own.
 */
export class SpoolUnload {
  #transmits = false
  /** When the last spooled message came or got its reply, or the spool was announced; undefined while none is expected. */
  #lastReceived: number | undefined

  constructor(
    private readonly clock: Clock,
    private readonly reading: () => Reading,
  ) {}

  /** Call before a primary of ours is sent. */
  asked({ stream, function: fn, item }: SecsMessage): void {
    if (stream !== 6 || fn !== 23) return
    const reading = this.reading()
    const RSDC = reading.catalogue.read('S6F23', item, { ...reading, sender: 'host' })?.RSDC
    this.#transmits = RSDC === TRANSMIT
  }

  /** Call with each reply to a primary of ours, before messages that came after it are passed to `receive`. */
  replied(reply: RecordedMessage): void {
    if (reply.topic !== 'S6F24') return
    const code = this.reading().catalogue.acknowledgement(6, 24, reply.item)?.code
    if (code !== BUSY) this.#lastReceived = this.#transmits && code === COMING ? this.clock.now() : undefined
  }

  /** Call for each received primary: returns whether it may be from the spool. */
  receive({ stream }: { readonly stream: number }): boolean {
    if (this.#lastReceived === undefined || NEVER_SPOOLED.includes(stream)) return false
    const now = this.clock.now()
    const isUnderWay = now - this.#lastReceived < QUIET_MS
    this.#lastReceived = isUnderWay ? now : undefined
    return isUnderWay
  }

  /** A spooled message gets its reply: before that the equipment sends no other one, however long the record takes. */
  acknowledged(): void {
    if (this.#lastReceived !== undefined) this.#lastReceived = this.clock.now()
  }

  /** The connection ended. */
  end(): void {
    this.#lastReceived = undefined
  }
}
