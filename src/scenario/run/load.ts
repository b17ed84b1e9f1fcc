import { type Clock, delay } from '../../kit/clock.js'
import type { LOAD_VALUES } from '../file/load.js'

/** Messages that wait for their replies at most: the others are sent later. */
export const MAX_OPEN = 32

export type LoadFigures = Readonly<Record<(typeof LOAD_VALUES)[number], number>>

interface Load {
  /** Messages in a second. */
  readonly rate: number
  readonly milliseconds: number
  /** Sends one and resolves with the milliseconds until its reply; undefined where the equipment did not reply. Rejects for what ends the load. */
  readonly send: () => Promise<number | undefined>
  readonly signal: AbortSignal
}

/**
 * Sends a message at a rate, whether or not the replies have come. Resolves with how many were sent, how many `failed`,
 * the `rate` of replies in a second, and the latencies in milliseconds: median, 99th percentile and the longest.
 */
export async function runLoad(
  { rate, milliseconds, send, signal }: Load,
  clock: Clock,
): Promise<LoadFigures> {
  const began = clock.now()
  const latencies: number[] = []
  const open = new Set<Promise<void>>()
  let [count, failed] = [0, 0]
  let fault: unknown
  const total = Math.max(1, Math.round((rate * milliseconds) / 1000))
  while (count < total && fault === undefined && !signal.aborted) {
    const due = began + (count * 1000) / rate
    if (due > clock.now()) await delay(clock, due - clock.now(), signal)
    if (open.size >= MAX_OPEN) await Promise.race(open)
    count += 1
    const one: Promise<void> = send()
      .then(
        (latency) => {
          if (latency === undefined) failed += 1
          else latencies.push(latency)
        },
        (error: unknown) => {
          fault ??= error
        },
      )
      .finally(() => open.delete(one))
    open.add(one)
  }
  // The last one has its whole time, too.
  await Promise.all(open)
  await delay(clock, began + (count * 1000) / rate - clock.now(), signal)
  if (fault !== undefined) throw fault
  latencies.sort((one, other) => one - other)
  const at = (part: number): number =>
    rounded(latencies[Math.max(0, Math.ceil(part * latencies.length) - 1)] ?? 0)
  const seconds = (clock.now() - began) / 1000
  return { count, failed, rate: rounded(latencies.length / seconds), p50: at(0.5), p99: at(0.99), max: at(1) }
}

const rounded = (value: number): number => Math.round(value * 100) / 100
