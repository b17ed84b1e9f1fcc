import type { Traffic } from '../../contract/traffic.js'

/** How many samples are kept of an equipment. */
const MAX_SAMPLES = 120

/** What passes between the gateway and an equipment, as its counts were read one after another. */
export interface Pulse {
  readonly traffic: Traffic
  /** When it was read, in milliseconds of a clock that never goes back. */
  readonly at: number
  /** Messages a second between two samples, oldest first. */
  readonly in: readonly number[]
  readonly out: readonly number[]
}

/** The pulse with one more sample. Counting that began anew, since the gateway did, gives no rate. */
export function beat(before: Pulse | undefined, traffic: Traffic, at: number): Pulse {
  if (!before) return { traffic, at, in: [], out: [] }
  const seconds = (at - before.at) / 1000
  const began = traffic.since !== before.traffic.since
  if (began || seconds <= 0) return { ...before, traffic, at }
  const rate = (way: 'in' | 'out'): number =>
    Math.max(0, traffic[way].frames - before.traffic[way].frames) / seconds
  return {
    traffic,
    at,
    in: [...before.in, rate('in')].slice(-MAX_SAMPLES),
    out: [...before.out, rate('out')].slice(-MAX_SAMPLES),
  }
}

/** Both ways together, oldest first. */
export const together = (pulse: Pulse | undefined): readonly number[] =>
  pulse?.in.map((rate, at) => rate + (pulse.out[at] ?? 0)) ?? []

/** Messages a second now; undefined before the second sample. */
export const rateNow = (pulse: Pulse | undefined): number | undefined => together(pulse).at(-1)
