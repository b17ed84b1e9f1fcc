import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** A number over time: `t` in seconds from its beginning, never below 0; `seed` is the equipment's. */
export type Waveform = (t: number, seed: number) => number

/** From one number to another in so many seconds, and there it stays; or, repeated, begins again. */
export interface Ramp {
  readonly from: number
  readonly to: number
  readonly over: number
  readonly repeat?: boolean | undefined
}

export interface Sine {
  readonly mean?: number | undefined
  readonly amplitude: number
  /** In seconds. */
  readonly period: number
  /** The part of a period that is over at the beginning, 0 to 1. */
  readonly phase?: number | undefined
}

/** Normally distributed; the same seed gives the same noise. */
export interface Noise {
  readonly mean?: number | undefined
  readonly deviation: number
  readonly seed?: number | undefined
  /** How long one number stays, in seconds. */
  readonly every?: number | undefined
}

/** As recorded. Before its first point it has that one's number, behind its last one that one's. */
export interface Series {
  /** Seconds and the number then, in order of time. */
  readonly points: readonly (readonly [number, number])[]
  /** Between two points: the first one's number, or on the straight line to the second. */
  readonly between?: 'step' | 'linear' | undefined
  /** Begins again at the last point. */
  readonly repeat?: boolean | undefined
}

/** What a course is made of: the sum of all that is there, kept within its bounds. */
export interface CourseParts {
  readonly constant?: number | undefined
  readonly ramp?: Ramp | undefined
  readonly sine?: Sine | undefined
  readonly noise?: Noise | undefined
  readonly series?: Series | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
}

const NOISE_STAYS = 0.1

/** `own` tells the noise of one course from that of another; a 32 bit number. */
export function courseOf(parts: CourseParts, own: number): Waveform {
  const { constant, ramp, sine, noise, series, minimum = -Infinity, maximum = Infinity } = parts
  const terms = [
    ...(constant === undefined ? [] : [() => constant]),
    ...(ramp ? [rampOf(ramp)] : []),
    ...(sine ? [sineOf(sine)] : []),
    ...(noise ? [noiseOf(noise, own)] : []),
    ...(series ? [seriesOf(series)] : []),
  ]
  return (t, seed) => {
    const sum = terms.reduce((total, term) => total + term(t, seed), 0)
    return Math.min(Math.max(sum, minimum), maximum)
  }
}

const rampOf =
  ({ from, to, over, repeat = false }: Ramp): Waveform =>
  (t) =>
    from + (to - from) * (repeat ? (t % over) / over : Math.min(t / over, 1))

const sineOf =
  ({ mean = 0, amplitude, period, phase = 0 }: Sine): Waveform =>
  (t) =>
    mean + amplitude * Math.sin(2 * Math.PI * (t / period + phase))

function noiseOf({ mean = 0, deviation, seed: given, every = NOISE_STAYS }: Noise, own: number): Waveform {
  return (t, seed) => {
    const random = xoroshiro128plus(mixed(mixed(given ?? own, seed), Math.floor(t / every)))
    // Box and Muller: two even numbers make one that is normally distributed.
    const distance = Math.sqrt(-2 * Math.log(1 - uniformFloat64(random)))
    return mean + deviation * distance * Math.cos(2 * Math.PI * uniformFloat64(random))
  }
}

function seriesOf({ points, between = 'step', repeat = false }: Series): Waveform {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return () => 0
  return (t) => {
    const at = repeat && last[0] > 0 ? t % last[0] : t
    const [next, before] = [points.findIndex(([time]) => time > at), lastUntil(points, at) ?? first]
    const after = points[next]
    if (between === 'step' || !after || after[0] <= before[0] || at < before[0]) return before[1]
    return before[1] + ((after[1] - before[1]) * (at - before[0])) / (after[0] - before[0])
  }
}

const lastUntil = (points: Series['points'], at: number): readonly [number, number] | undefined =>
  points.findLast(([time]) => time <= at)

/** A 32 bit number that depends on both: neighbours come to lie far apart. */
export function mixed(a: number, b: number): number {
  let hash = Math.imul((a ^ 0x9e3779b9) >>> 0, 0x85ebca6b) ^ Math.imul((b + 0x7f4a7c15) >>> 0, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** A 32 bit number that a text stands for. */
export const seedOf = (text: string): number =>
  [...text].reduce((hash, character) => mixed(hash, character.codePointAt(0) ?? 0), text.length)
