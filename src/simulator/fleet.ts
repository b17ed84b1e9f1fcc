import { type Cancel, type Clock, delay } from '../kit/clock.js'
import { FleetCount, type FleetFigures } from './fleet-count.js'
import { type FleetOptions, type Member, memberOf } from './fleet-member.js'
import type { Model } from './model.js'

/** Reports that are later than this are dropped: sending them would be a burst. */
const MAX_DELAY_MS = 100
const POLL_INTERVAL_MS = 20

/** Many equipments of one model in this process that send reports at an even rate. */
export class Fleet {
  readonly members: readonly Member[]
  readonly #count: FleetCount
  #next = 0
  #due = 0
  #waiting: Cancel | undefined

  constructor(
    model: Model,
    private readonly options: FleetOptions,
    private readonly clock: Clock,
  ) {
    this.#count = new FleetCount(clock)
    this.members = Array.from({ length: options.count }, (_, at) => memberOf(model, options, at, clock))
  }

  /** Since the start, and since the previous figures. */
  get figures(): FleetFigures {
    return this.#count.figures(this.members.map(({ simulator }) => simulator))
  }

  /** Drops the latencies so far, such as those of the start. */
  forgetLatencies(): void {
    this.#count.forgetLatencies()
  }

  /** Resolves when all listen or dial; rejects with `ListenError` when one cannot, and none does then. */
  async start(): Promise<void> {
    const started = await Promise.allSettled(this.members.map(({ simulator }) => simulator.start()))
    const failed = started.find((end) => end.status === 'rejected')
    if (!failed) return
    await this.stop()
    throw failed.reason
  }

  /** Sends reports from now on, at the rate. */
  report(): void {
    if (this.options.rate === 0 || this.#waiting) return
    this.#due = this.clock.now()
    this.#tick()
  }

  /** Sends no more reports; resolves when every report has a reply, or failed. */
  async quiet(): Promise<void> {
    this.#waiting?.()
    this.#waiting = undefined
    while (this.#count.open > 0) await delay(this.clock, POLL_INTERVAL_MS)
  }

  /** Closes every connection without Separate.req; the links come up again. */
  cut(): void {
    for (const { simulator } of this.members) simulator.drop()
  }

  async stop(): Promise<void> {
    this.#waiting?.()
    this.#waiting = undefined
    await Promise.all(this.members.map(({ simulator }) => simulator.stop()))
  }

  #tick(): void {
    const now = this.clock.now()
    const pause = 1000 / this.options.rate
    if (now - this.#due > MAX_DELAY_MS) this.#due = now
    for (; this.#due <= now; this.#due += pause) this.#one()
    this.#waiting = this.clock.at(this.#due, () => this.#tick())
  }

  /** Sends a report of the next equipment that can send one. */
  #one(): void {
    for (let tried = 0; tried < this.members.length; tried++) {
      const member = this.members[this.#next++ % this.members.length]
      const report = member?.traffic.report()
      if (!member || !report) continue
      member.sent += 1
      void this.#count.follow(report).then((acknowledged) => {
        if (acknowledged) member.acknowledged += 1
      })
      return
    }
  }
}
