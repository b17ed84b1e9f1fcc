import type { Traffic } from '../../contract/topics/traffic.js'

/** How many samples are kept of an equipment. */
const MAX_SAMPLES = 120

/** The message rates of an equipment, from its counts as they were read one after another. */
export interface Rates {
  readonly traffic: Traffic
  /** When it was read, in milliseconds of a clock that never goes back. */
  readonly at: number
  /** Messages a second between two samples, oldest first. */
  readonly in: readonly number[]
  readonly out: readonly number[]
}

/** The rates with one more sample. Counting that began again, since the gateway did, gives no rate. */
export function withSample(before: Rates | undefined, traffic: Traffic, at: number): Rates {
  if (!before) return { traffic, at, in: [], out: [] }
  const seconds = (at - before.at) / 1000
  if (traffic.since !== before.traffic.since || seconds <= 0) return { ...before, traffic, at }
  const rate = (way: 'in' | 'out'): readonly number[] => {
    const count = traffic[way].frames - before.traffic[way].frames
    return [...before[way], Math.max(0, count) / seconds].slice(-MAX_SAMPLES)
  }
  return { traffic, at, in: rate('in'), out: rate('out') }
}

/** Both ways together, oldest first. */
export const bothWays = (rates: Rates | undefined): readonly number[] =>
  rates?.in.map((rate, at) => rate + (rates.out[at] ?? 0)) ?? []

/** Messages a second now; undefined before the second sample. */
export const rateNow = (rates: Rates | undefined): number | undefined => bothWays(rates).at(-1)
