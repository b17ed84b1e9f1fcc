// The processor's time of each turn of the event loop: what others do on the machine is not in it. Linux alone.
import { openSync, readSync } from 'node:fs'
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'

const TEXT_BYTES = 64
/** Shorter turns are not kept: there are hundreds of thousands of them. */
const MIN_TURN_MS = 1

/** One turn of the event loop, in milliseconds. */
export interface Turn {
  /** Of the processor. */
  readonly cpu: number
  /** Of the clock, in which V8 collected garbage and did nothing else; without its marking in steps, of which it tells nothing. */
  readonly gc: number
}

/** Milliseconds of the processor that the thread of the event loop has had. */
export function threadTimes(): () => number {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const text = Buffer.alloc(TEXT_BYTES)
  return () => {
    // The system brings the figure up to date at its ticks only, every 4 ms, and where the time of the process is asked for.
    process.cpuUsage()
    const length = readSync(file, text, 0, TEXT_BYTES, 0)
    return Number(text.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6
  }
}

/** Watches turns from now on. Returns what ends it and gives each of them, the longest first. */
export function watchTurns(now: () => number): () => Promise<readonly Turn[]> {
  const turns: { readonly cpu: number; readonly from: number; readonly to: number }[] = []
  const collections: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  let isOver = false
  const next = (began: number, from: number): void => {
    setImmediate(() => {
      if (isOver) return
      const to = performance.now()
      const cpu = now() - began
      if (cpu >= MIN_TURN_MS) turns.push({ cpu, from, to })
      next(now(), to)
    })
  }
  next(now(), performance.now())
  return async () => {
    isOver = true
    // Node tells of a collection in a later turn.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
    observer.disconnect()
    const gcIn = (from: number, to: number): number =>
      collections
        .filter(({ startTime }) => startTime >= from && startTime < to)
        .reduce((sum, { duration }) => sum + duration, 0)
    return turns
      .sort((one, other) => other.cpu - one.cpu)
      .map(({ cpu, from, to }) => ({
        cpu,
        get gc() {
          return gcIn(from, to)
        },
      }))
  }
}
