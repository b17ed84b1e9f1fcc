import { type Deadline, Deadlines } from '../timers/deadlines.js'

/** How long a dial may take: SEMI E37 has no timer for it. */
export const CONNECT_TIMEOUT_MS = 10_000

/** The most that is added to T5 at random, as a share of it and in milliseconds. */
const SPREAD = { share: 0.2, most: 2_000 } as const

/**
 * From the end of an attempt to connect to the next: T5, never less, and a little more, so that hundreds that
 * lost their network in one instant do not all dial in one instant. `random`: 0 to 1.
 */
const timeToDial = (t5: number, random: number): number =>
  t5 + random * Math.min(t5 * SPREAD.share, SPREAD.most)

/** The active side's way to a connection: one dial at a time, and T5 between two. */
export class Dialling {
  /** `dial`: how long the dial under way may take. `t5`: when the next one begins. Never both. */
  readonly #deadlines = new Deadlines<'dial' | 't5'>()
  /** Failed dials since it was begun anew or last succeeded. */
  failures = 0

  /** `t5` in milliseconds. `random` gives 0 to 1: how much is added to each T5. */
  constructor(
    readonly t5: number,
    readonly random: () => number,
  ) {}

  get underWay(): boolean {
    return this.#deadlines.at('dial') !== undefined
  }

  /** When the next dial begins; undefined while none is waited for. */
  get retryAt(): number | undefined {
    return this.#deadlines.at('t5')
  }

  get earliest(): Deadline<'dial' | 't5'> | undefined {
    return this.#deadlines.earliest
  }

  dial(now: number): void {
    this.#deadlines.clear('t5')
    this.#deadlines.set('dial', now + CONNECT_TIMEOUT_MS)
  }

  failed(now: number): void {
    this.failures += 1
    this.#deadlines.clear('dial')
    this.wait(now)
  }

  /** The next dial begins when T5 is over. */
  wait(now: number): void {
    this.#deadlines.set('t5', now + timeToDial(this.t5, this.random()))
  }

  /** A connection is there, or none is wanted: nothing is tried, and no failure counts any more. */
  end(): void {
    this.failures = 0
    this.#deadlines.clear('dial', 't5')
  }
}
