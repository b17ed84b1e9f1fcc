import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { CommandError, durationOf, wholeNumber } from '../control/arguments.js'

/** What a bad line does to bytes: each is lost, doubled or changed once in so many, and what comes is late. */
export interface LineNoise {
  readonly drop?: number
  readonly double?: number
  readonly corrupt?: number
  /** Milliseconds. */
  readonly delay?: number
}

const KINDS = ['drop', 'double', 'corrupt'] as const
const MOST = 1_000_000

/** Reads `drop=500 double=500 corrupt=500 delay=20ms`, any of them. Throws `CommandError`. */
export function noiseOf(text: string): LineNoise {
  const given = text.split(/\s+/).map((word): readonly [string, number] => {
    const [, name = '', value = ''] = /^(\w+)=(\S+)$/.exec(word) ?? []
    if (name === 'delay') return [name, durationOf(value)]
    if (KINDS.some((kind) => kind === name)) return [name, wholeNumber(value, 1, MOST)]
    throw new CommandError('usage', `"${word}" is not drop=N, double=N, corrupt=N or delay=DURATION`)
  })
  return Object.fromEntries(given)
}

export const noiseText = ({ delay, ...kinds }: LineNoise): string =>
  [
    ...Object.entries(kinds).map(([name, oneIn]) => `${name}=${oneIn}`),
    ...(delay === undefined ? [] : [`delay=${delay}ms`]),
  ].join(' ')

/** A line that changes what passes on it, the same for the same seed. */
export class NoisyLine {
  readonly #random: () => number
  /** What is late, in the order in which it came. */
  #late: Promise<unknown> | undefined

  constructor(
    readonly noise: () => LineNoise | undefined,
    readonly clock: Clock,
    seed: number,
  ) {
    const generator = xoroshiro128plus(seed)
    this.#random = () => generator.next() >>> 0
  }

  /** The bytes after the line. */
  damaged(bytes: Uint8Array): Uint8Array {
    const noise = this.noise()
    if (!noise || KINDS.every((kind) => noise[kind] === undefined)) return bytes
    return Uint8Array.from(
      [...bytes].flatMap((byte) => {
        if (this.#happens(noise.drop)) return []
        if (this.#happens(noise.double)) return [byte, byte]
        return this.#happens(noise.corrupt) ? [byte ^ (1 + (this.#random() % 255))] : [byte]
      }),
    )
  }

  /** Passes the bytes on after the line, at once or late. */
  carry(bytes: Uint8Array, pass: (bytes: Uint8Array) => void): void {
    const left = this.damaged(bytes)
    const delay = this.noise()?.delay
    if (delay === undefined && this.#late === undefined) return pass(left)
    const { promise, resolve } = deferred<void>()
    this.clock.at(this.clock.now() + (delay ?? 0), resolve)
    const turn = Promise.all([this.#late, promise]).then(() => {
      if (this.#late === turn) this.#late = undefined
      pass(left)
    })
    this.#late = turn
  }

  #happens(oneIn: number | undefined): boolean {
    return oneIn !== undefined && this.#random() % oneIn === 0
  }
}
