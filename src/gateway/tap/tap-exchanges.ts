import type { Outcome } from '../../contract/topics/messages.js'
import type { Clock } from '../../kit/clock.js'
import { keepNewest } from '../../kit/keep-newest.js'

/** Reply times that are remembered, of each side. */
const MAX_TIMES = 1000

/** Times of replies, in milliseconds; null before the first one. */
export interface ReplyTimes {
  readonly p50: number
  readonly p95: number
  readonly max: number
}

interface Side {
  replied: number
  readonly times: number[]
}

const newSide = (): Side => ({ replied: 0, times: [] })

/** Transactions between tapped equipment and its host, counted since the gateway looks at them. */
export class TapExchanges {
  readonly since: string
  readonly #outcomes = new Map<Outcome, number>()
  readonly #sides = { host: newSide(), equipment: newSide() }
  /** Messages of stream 9 of the equipment, such as `S9F5`. */
  readonly #stream9 = new Map<string, { count: number; last_at: string }>()

  constructor(private readonly clock: Clock) {
    this.since = this.#at
  }

  get #at(): string {
    return this.clock.date().toISOString()
  }

  /** A primary of the host has ended; `ms`: until its reply, undefined without one. */
  hostEnded(outcome: Outcome, ms: number | undefined): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1)
    if (ms !== undefined) this.#replied('host', ms)
  }

  /** A primary of the equipment got its reply from the host. */
  equipmentReplied(ms: number): void {
    this.#replied('equipment', ms)
  }

  #replied(asker: 'host' | 'equipment', ms: number): void {
    const side = this.#sides[asker]
    side.replied += 1
    side.times.push(ms)
    if (side.times.length > MAX_TIMES) side.times.shift()
  }

  /** The equipment sent a message of stream 9 to its host. */
  stream9(topic: string): void {
    const count = (this.#stream9.get(topic)?.count ?? 0) + 1
    this.#stream9.set(topic, { count, last_at: this.#at })
    keepNewest(this.#stream9, 16)
  }

  get outcomes(): readonly { readonly outcome: Outcome; readonly count: number }[] {
    return [...this.#outcomes].map(([outcome, count]) => ({ outcome, count }))
  }

  get complaints(): readonly {
    readonly message: string
    readonly count: number
    readonly last_at: string
  }[] {
    return [...this.#stream9].map(([message, one]) => ({ message, ...one }))
  }

  /** Of primaries of this side. */
  replies(asker: 'host' | 'equipment'): { readonly replied: number; readonly times: ReplyTimes | null } {
    const { replied, times } = this.#sides[asker]
    const sorted = [...times].sort((a, b) => a - b)
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    return { replied, times: sorted.length === 0 ? null : { p50: at(0.5), p95: at(0.95), max: at(1) } }
  }
}
