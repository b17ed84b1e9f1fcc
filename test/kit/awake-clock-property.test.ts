import { expect, test } from 'vitest'
import { AwakeClock } from '../../src/kit/awake-clock.js'
import type { Cancel } from '../../src/kit/clock.js'
import { ManualClock } from '../support/manual-clock.js'
import { type Random, SEED, withSeed } from '../support/random.js'

/** Milliseconds of a stand-still that may count all the same. */
const LEFT_MS = 750
const LOOKS_MS = 500
const HOUR_MS = 3_600_000

interface Timer {
  readonly id: number
  readonly at: number
  /** Milliseconds that this process was awake before it was scheduled, and how many stand-stills there were. */
  readonly since: {
    readonly awake: number
    readonly stops: number
    readonly left: number
    readonly look: number
  }
  cancel: Cancel
}

/** A process that is stopped now and then, with its timers; what the clock promises is compared at each step. */
class Site {
  readonly clock = new ManualClock()
  readonly awake = new AwakeClock({
    now: () => this.clock.now(),
    date: () => this.clock.date(),
    at: (at, run) =>
      this.clock.at(at, () => {
        this.look += 1
        this.looks += 1
        run()
      }),
  })
  readonly pending = new Map<number, Timer>()
  readonly over = new Set<number>()
  stops = 0
  stoodStill = 0
  look = 0
  looks = 0
  said = Number.NEGATIVE_INFINITY
  made = 0

  constructor(readonly random: Random) {}

  schedule(): void {
    const { random } = this
    const waits = [0, -random(5000), random(1000) / 7, random(3000), random(HOUR_MS) / 6]
    const left = random(200) === 0 ? random(72 * HOUR_MS) : (waits[random(waits.length)] ?? 0)
    const at = this.now() + left
    const { awakeFor: awake, stops, look } = this
    const timer: Timer = { id: this.made++, at, since: { awake, stops, left, look }, cancel: () => {} }
    this.pending.set(timer.id, timer)
    timer.cancel = this.awake.at(at, () => this.fired(timer))
  }

  fired({ id, at, since }: Timer): void {
    const now = this.now()
    expect([this.over.has(id), this.pending.delete(id)], 'fires once, and not after its cancel').toEqual([
      false,
      true,
    ])
    this.over.add(id)
    expect(now, 'not early by its own clock').toBeGreaterThanOrEqual(at)
    const passed = this.awakeFor - since.awake + (this.stops - since.stops) * LEFT_MS
    expect(passed, 'not early by more than is left of stand-stills').toBeGreaterThanOrEqual(since.left - 1e-3)
    for (const other of this.pending.values()) {
      const isBefore = other.at < at || (other.at === at && other.id < id)
      const isKnown = other.since.look < this.look
      expect(isBefore && isKnown, 'in the order of the times').toBe(false)
    }
    this.#act(3)
  }

  get awakeFor(): number {
    return this.clock.now() - this.stoodStill
  }

  now(): number {
    const now = this.awake.now()
    expect(now, 'never goes back').toBeGreaterThanOrEqual(this.said)
    this.said = now
    return now
  }

  pass(ms: number): void {
    const [made, before] = [this.made, this.looks]
    this.clock.advance(ms)
    const most = ms / LOOKS_MS + 4 * (this.pending.size + this.over.size + this.made - made) + 10
    expect(this.looks - before, 'looks no more often than there is something to do').toBeLessThan(most)
  }

  stop(): void {
    const ms = this.random(2) === 0 ? this.random(1000) : this.random(48 * HOUR_MS) / 3
    this.stops += 1
    this.stoodStill += ms
    this.clock.standStill(ms)
  }

  /** One of the things that happen at any time, also within a callback: most rarely there. */
  #act(rarely: number): void {
    const { random } = this
    const what = random(4 * rarely)
    if (what === 0) this.schedule()
    if (what === 1) this.cancelOne()
    if (what === 2) this.stop()
    if (what === 3) this.now()
  }

  cancelOne(): void {
    const all = [...this.pending.values()]
    const one = all[this.random(all.length)]
    if (!one) return
    one.cancel()
    this.pending.delete(one.id)
    this.over.add(one.id)
    if (this.random(3) === 0) one.cancel()
  }

  step(): void {
    this.#act(1)
    if (this.random(2) === 0) this.pass(this.random(3) === 0 ? this.random(20_000) : this.random(900) / 3)
  }
}

test('whenever the process stands still, every timer fires once, in order, and never early', () => {
  const rounds = Number(process.env['ROUNDS'] ?? 50)
  for (let round = 0; round < rounds; round++)
    withSeed(SEED + round, (random) => {
      const site = new Site(random)
      for (let step = 0; step < 200; step++) site.step()
      // Callbacks that make the process stand still end some day.
      for (let hours = 0; site.pending.size > 0 && hours < 1000; hours++) site.pass(HOUR_MS)
      expect([site.pending.size, site.clock.scheduled], 'none is lost').toEqual([0, 0])
    })
})
