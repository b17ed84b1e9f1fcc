import type { LastError } from '../../contract/equipment.js'
import { type Address, speaksHsms } from '../../hsms/tcp/select-question.js'
import type { Clock } from '../../kit/clock.js'

/** For the dial and Select.rsp; less than the usual T5, so that the next connection is not in its way. */
const TIMEOUT_MS = 3000
/** From one question to the next, while the line stays silent. */
const INTERVAL_MS = 10 * 60_000

type WrongTransport = Pick<LastError, 'code' | 'detail'>
const HSMS_THERE: WrongTransport = {
  code: 'not_secs1',
  detail: 'the peer speaks HSMS, not SECS-I: it replies to Select.req, but not to ENQ',
}

/**
 * Equipment that is registered with SECS-I over TCP, and lets a connection end without a word, is asked by Select.req
 * whether it speaks HSMS: an HSMS entity takes ENQ for the beginning of a message, and cannot answer it.
 */
export class TransportCheck {
  #found: WrongTransport | null = null
  #askedAt: number | undefined

  constructor(
    private readonly address: Address,
    private readonly clock: Clock,
  ) {}

  /** The reply to an earlier question; null where SECS-I may be right. */
  get found(): WrongTransport | null {
    return this.#found
  }

  /** Connections begin anew, or the equipment has said something on the line. */
  forget(): void {
    this.#found = null
    this.#askedAt = undefined
  }

  /** The connection has ended without a word. Gives what is found; null also where it was asked a short time ago. */
  async ask(): Promise<WrongTransport | null> {
    const now = this.clock.now()
    if (this.#askedAt !== undefined && now - this.#askedAt < INTERVAL_MS) return null
    this.#askedAt = now
    const isHsms = await speaksHsms(this.address, TIMEOUT_MS, this.clock)
    // Forgotten, or asked again meanwhile.
    if (this.#askedAt !== now) return null
    this.#found = isHsms ? HSMS_THERE : null
    return this.#found
  }
}
