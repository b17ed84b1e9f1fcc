import type { Cancel, Clock } from '../../src/kit/clock.js'
import { Chance } from './chance.js'

/** The event loop's own, which `takeOver` replaces for everybody else. */
const realSetImmediate = globalThis.setImmediate
const RealDate = Date

/** The first moment of a simulation, by its seed: a plain day, and half an hour before a day that a calendar may get wrong. */
const BEGINNINGS: readonly number[] = [
  '2026-03-10T00:00Z',
  '2026-03-28T23:30Z',
  '2026-12-31T23:30Z',
  '2028-02-28T23:30Z',
  '2028-02-29T23:30Z',
].map((text) => Date.parse(text))

/** Steps in one turn of the real event loop. */
const STEPS_A_TURN = 100

const DAY_MS = 24 * 60 * 60 * 1000

/** Milliseconds between two callbacks that stay in their order. */
const ORDER_MS = 1e-4

/** Steps that a report has. */
const SHOWN_STEPS = 50

/** A process on a machine. All that it waits for is dropped when it dies. */
export class Host {
  alive = true
  /** Nothing of it runs until then: it is stopped, and goes on. */
  frozenUntil = 0
  /** Milliseconds for which it was stopped, in all. */
  frozenFor = 0
  /** How many of its callbacks wait for that. */
  deferred = 0
  /** Milliseconds by which its wall clock is wrong. */
  skew = 0
  readonly clock: Clock

  constructor(
    readonly name: string,
    readonly ip: string,
    readonly world: World,
  ) {
    this.clock = {
      now: () => world.now,
      date: () => world.dateOf(this),
      at: (at, run) => world.at(this, at, run),
    }
  }
}

interface Scheduled {
  readonly at: number
  /** Decides who is first of those that are due together. */
  readonly order: number
  readonly host: Host
  run: (() => void) | undefined
}

/** What happens before a step of a process. */
interface Interruption {
  readonly host: Host
  left: number
  readonly run: () => void
}

interface Immediate {
  readonly host: Host
  run: (() => void) | undefined
}

/**
 * The event loop of the simulation. Nothing happens but by `at` and `immediately`; what is due at the same time happens
 * in an order that the seed decides. A step is one callback and all promises that it settles.
 */
export class World {
  /** Milliseconds since the simulation began, on a clock that nobody can set. */
  now = 0
  steps = 0
  /** Whose callback runs. */
  current: Host
  readonly chance: Chance
  /** How often what happened. */
  readonly counts = new Map<string, number>()
  /** Nothing happens in the world until then: somebody outside of it has to respond first. */
  held: Promise<void> | undefined
  readonly #order: Chance
  readonly #heap: Scheduled[] = []
  #cancelled = 0
  #immediates: Immediate[] = []
  #interruption: Interruption | undefined
  readonly #begin: number
  readonly #last: { readonly at: number; readonly host: Host }[] = []
  #failure: { readonly error: unknown } | undefined

  /** `from`: when it begins, in milliseconds since 1970; by the seed when left out. */
  constructor(
    readonly seed: number,
    from?: number,
  ) {
    this.chance = new Chance(seed)
    this.#order = this.chance.fork('order')
    this.#begin = from ?? this.chance.fork('beginning').pick(BEGINNINGS)
    this.current = new Host('world', '0.0.0.0', this)
  }

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by)
  }

  /** How often the day has changed, by a clock that is right. */
  get midnights(): number {
    return Math.floor((this.#begin + this.now) / DAY_MS) - Math.floor(this.#begin / DAY_MS)
  }

  /** What the clock of a process shows, in milliseconds since 1970. */
  timeOf({ skew }: Host): number {
    return this.#begin + this.now + skew
  }

  dateOf(host: Host): Date {
    return new RealDate(this.timeOf(host))
  }

  /** ISO 8601, of a clock that is right. */
  get time(): string {
    return new RealDate(this.#begin + this.now).toISOString()
  }

  /** Number, time and process of the last steps, oldest first. */
  lastSteps(): string[] {
    const first = Math.max(0, this.steps - SHOWN_STEPS)
    return Array.from({ length: this.steps - first }, (_, index) => {
      const { at, host } = this.#last[(first + index) % SHOWN_STEPS] as { at: number; host: Host }
      return `step ${first + index}, ${new Date(this.#begin + at).toISOString()}: ${host.name}`
    })
  }

  at(host: Host, at: number, run: () => void): Cancel {
    const entry: Scheduled = { at: Math.max(at, this.now), order: this.#order.next(), host, run }
    push(this.#heap, entry)
    return () => {
      entry.run = undefined
      this.#cancelled += 1
      if (this.#cancelled > this.#heap.length / 2) this.#dropCancelled()
    }
  }

  /** Most timers are cancelled long before they are due. */
  #dropCancelled(): void {
    this.#cancelled = 0
    for (const entry of this.#heap.splice(0)) if (entry.run && entry.host.alive) push(this.#heap, entry)
  }

  after(host: Host, ms: number, run: () => void): Cancel {
    return this.at(host, this.now + ms, run)
  }

  /** Runs before time goes on, in the order of the calls. */
  immediately(run: () => void): Immediate {
    const entry: Immediate = { host: this.current, run }
    this.#immediates.push(entry)
    return entry
  }

  /** Runs when so many more steps of the process are over, before its next one: between any two of its awaits. */
  interrupt(host: Host, steps: number, run: () => void): void {
    this.#interruption = { host, left: steps, run }
  }

  /** Stops a process for so many milliseconds: what is due meanwhile is done afterwards, in its order. */
  freeze(host: Host, ms: number): void {
    host.frozenFor += Math.max(0, this.now + ms - Math.max(this.now, host.frozenUntil))
    host.frozenUntil = Math.max(this.now + ms, host.frozenUntil)
    host.deferred = 0
  }

  sleep(host: Host, ms: number): Promise<void> {
    return new Promise((resolve) => this.after(host, ms, resolve))
  }

  /** Ends the run with this error. */
  fail(error: unknown): void {
    this.#failure ??= { error }
  }

  /** Resolves when the time is `until`, or `enough` says so; rejects with what was given to `fail`. */
  run(until: number, enough: () => boolean = () => false): Promise<void> {
    return new Promise((resolve, reject) => {
      let isOver = false
      const step = (): void => {
        if (isOver || this.held) return
        isOver = true
        if (this.#failure) return reject(this.#failure.error)
        if (enough()) return resolve()
        if (!this.#step(until)) {
          this.now = until
          return resolve()
        }
        isOver = false
      }
      // Between any two of them Node settles all promises.
      const turn = (): void => {
        if (this.held) return void this.held.then(turn)
        for (let steps = 0; steps < STEPS_A_TURN; steps++) realSetImmediate(step)
        if (!isOver) realSetImmediate(turn)
      }
      turn()
    })
  }

  /** False when nothing is due until then. */
  #step(until: number): boolean {
    const next = this.#nextImmediate() ?? this.#nextDue(until)
    if (!next?.run) return false
    this.#interruptBefore(next)
    const { host } = next
    if (!host.alive) return true
    if (host.frozenUntil > this.now) {
      // A little later each, so that they stay in their order.
      this.at(host, host.frozenUntil + ORDER_MS * host.deferred++, () => next.run?.())
      return true
    }
    this.current = host
    this.#last[this.steps % SHOWN_STEPS] = { at: this.now, host }
    this.steps++
    try {
      next.run()
    } catch (error) {
      this.fail(error)
    }
    return true
  }

  #interruptBefore({ host }: { readonly host: Host }): void {
    const interruption = this.#interruption
    if (interruption?.host !== host || interruption.left-- > 0) return
    this.#interruption = undefined
    interruption.run()
  }

  #nextImmediate(): Immediate | undefined {
    for (;;) {
      const entry = this.#immediates.shift()
      if (!entry || (entry.run && entry.host.alive)) return entry
    }
  }

  #nextDue(until: number): Scheduled | undefined {
    for (;;) {
      const [first] = this.#heap
      if (!first || first.at > until) return undefined
      pop(this.#heap)
      if (!first.run || !first.host.alive) continue
      this.now = first.at
      return first
    }
  }
}

const isBefore = (one: Scheduled, other: Scheduled): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

function push(heap: Scheduled[], entry: Scheduled): void {
  let at = heap.length
  heap.push(entry)
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = heap[above] as Scheduled
    if (!isBefore(entry, parent)) break
    heap[at] = parent
    at = above
  }
  heap[at] = entry
}

function pop(heap: Scheduled[]): void {
  const last = heap.pop() as Scheduled
  if (heap.length === 0) return
  let at = 0
  for (;;) {
    let below = 2 * at + 1
    if (below >= heap.length) break
    const right = heap[below + 1]
    if (right && isBefore(right, heap[below] as Scheduled)) below++
    const child = heap[below] as Scheduled
    if (!isBefore(child, last)) break
    heap[at] = child
    at = below
  }
  heap[at] = last
}
