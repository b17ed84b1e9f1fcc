/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Chance {
  #state: number

  constructor(readonly seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  /** True with this probability, 0 to 1. */
  is(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }

  /** Mostly near `typical`, now and then many times as much: as times of disks and networks are. */
  around(typical: number): number {
    return this.is(0.01) ? typical * this.between(5, 50) : typical * this.between(0.5, 1.5)
  }

  /** A sequence of its own, so that what one actor draws changes nothing for another. */
  fork(name: string): Chance {
    let hash = this.seed ^ 0x811c9dc5
    for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
    return new Chance(hash)
  }
}
