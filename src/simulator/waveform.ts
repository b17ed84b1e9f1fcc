import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { WaveformParts } from './file/waveform.js'

/** A number over time: `t` in seconds from its beginning, never below 0; `seed` is the equipment's. */
export type Waveform = (t: number, seed: number) => number

type Part<Name extends keyof WaveformParts> = NonNullable<WaveformParts[Name]>

const NOISE_INTERVAL_SECONDS = 0.1

/** The sum of its parts, kept within its bounds. `own`: a 32 bit number by which the noise of each waveform differs. */
export function waveformOf(parts: WaveformParts, own: number): Waveform {
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
  ({ from, to, over, repeat = false }: Part<'ramp'>): Waveform =>
  (t) =>
    from + (to - from) * (repeat ? (t % over) / over : Math.min(t / over, 1))

const sineOf =
  ({ mean = 0, amplitude, period, phase = 0 }: Part<'sine'>): Waveform =>
  (t) =>
    mean + amplitude * Math.sin(2 * Math.PI * (t / period + phase))

function noiseOf(
  { mean = 0, deviation, seed: given, every = NOISE_INTERVAL_SECONDS }: Part<'noise'>,
  own: number,
): Waveform {
  return (t, seed) => {
    const random = xoroshiro128plus(mixed(mixed(given ?? own, seed), Math.floor(t / every)))
    // Box and Muller: two even numbers make one that is normally distributed.
    const distance = Math.sqrt(-2 * Math.log(1 - uniformFloat64(random)))
    return mean + deviation * distance * Math.cos(2 * Math.PI * uniformFloat64(random))
  }
}

function seriesOf({ points, between = 'step', repeat = false }: Part<'series'>): Waveform {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return () => 0
  return (t) => {
    const at = repeat && last[0] > 0 ? t % last[0] : t
    const before = points.findLast(([time]) => time <= at) ?? first
    const after = points.find(([time]) => time > at)
    if (between === 'step' || !after || after[0] <= before[0] || at < before[0]) return before[1]
    return before[1] + ((after[1] - before[1]) * (at - before[0])) / (after[0] - before[0])
  }
}

/** A 32 bit number that depends on both; neighbouring numbers give very different ones. */
export function mixed(a: number, b: number): number {
  let hash = Math.imul((a ^ 0x9e3779b9) >>> 0, 0x85ebca6b) ^ Math.imul((b + 0x7f4a7c15) >>> 0, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** A 32 bit number that depends on a text. */
export const seedOf = (text: string): number =>
  [...text].reduce((hash, character) => mixed(hash, character.codePointAt(0) ?? 0), text.length)
