import type { DataMessage } from '../../hsms/message.js'
import type { Outcome } from '../../hsms/outcome.js'
import type { Clock } from '../../kit/clock.js'
import { decodeBody } from '../../secs2/decode.js'
import { Secs2DecodeError } from '../../secs2/errors.js'
import type { Item } from '../../secs2/item.js'
import type { Reading } from '../records/reading.js'
import type { Outgoing } from './transactions.js'

/** After this many milliseconds without a message the equipment has sent its spool, or as much as it may at once. */
const QUIET_MS = 3000
/** Streams that are never spooled (SEMI E30). */
const NEVER_SPOOLED: readonly number[] = [1, 9]
/** RSDC: send the spool, and do not purge it. RSDA: it will. */
const TRANSMIT = '0'
const COMING = 0

/**
 * Whether an equipment is probably sending its spool: from the S6F24 that announces it until no message has come for
 * a while, or the next S6F24 ends it. A spooled message has no mark of its own.
 */
export class SpoolUnload {
  #transmits = false
  /** When the last spooled message came, or the spool was announced; undefined while none is expected. */
  #heard: number | undefined

  constructor(
    private readonly clock: Clock,
    private readonly reading: () => Reading,
  ) {}

  /** Call before a primary of ours is sent. */
  asked({ stream, function: fn, body }: Pick<Outgoing, 'stream' | 'function' | 'body'>): void {
    if (stream !== 6 || fn !== 23) return
    const reading = this.reading()
    const RSDC = reading.catalogue.read('S6F23', itemIn(body), { ...reading, sender: 'host' })?.RSDC
    this.#transmits = RSDC === TRANSMIT
  }

  /** Call at the end of a primary of ours, before messages that came after its answer are passed to `hear`. */
  answered(outcome: Outcome): void {
    if (outcome.kind !== 'replied' || outcome.reply.stream !== 6 || outcome.reply.function !== 24) return
    const code = this.reading().catalogue.acknowledgement(6, 24, itemIn(outcome.reply.body))?.code
    this.#heard = this.#transmits && code === COMING ? this.clock.now() : undefined
  }

  /** Call for each received primary: returns whether it may be from the spool. */
  hear({ stream }: DataMessage): boolean {
    if (this.#heard === undefined || NEVER_SPOOLED.includes(stream)) return false
    const now = this.clock.now()
    const isUnderWay = now - this.#heard < QUIET_MS
    this.#heard = isUnderWay ? now : undefined
    return isUnderWay
  }

  /** The connection ended. */
  end(): void {
    this.#heard = undefined
  }
}

/** The item of a body; undefined for invalid SECS-II. */
function itemIn(body: Uint8Array): Item | undefined {
  try {
    return decodeBody(body)
  } catch (error) {
    if (error instanceof Secs2DecodeError) return undefined
    throw error
  }
}
