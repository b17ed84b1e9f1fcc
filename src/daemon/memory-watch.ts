import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Cancel, Clock } from '../kit/clock.js'

const CHECK_INTERVAL_MS = 5000
/** Bytes that a collection may free, from which one is worth its time; and their part of the heap, which it reads through. */
const WORTHWHILE_BYTES = 32 * 1024 * 1024
const WORTHWHILE_PART = 1 / 2
/** V8 begins a collection, in steps beside other work, when buffers of so many bytes were made since the last one. */
const NOTICED_BYTES = 64 * 1024 * 1024
/** Checks after which buffers that a collection did not free are tried again, at most: five minutes. */
const MAX_CHECKS = 60

/** Bytes in use: of the heap, and of buffers beside it. */
interface MemoryUse {
  readonly heap: number
  readonly buffers: number
}

/** Memory that is collected now and then. */
export interface CollectedMemory {
  use(): MemoryUse
  /** Begins a full collection. */
  collect(): void
  /** Calls `run` after each full collection, whoever began it. */
  onCollected(run: () => void): Cancel
}

/**
 * Has memory collected that nothing refers to any more. V8 does so only when more is needed: what is left of a burst of
 * long messages, or of an export, would stay for as long as the daemon has little to do. A collection of 100 MiB takes
 * 100 ms, in steps in which the equipment waits: what a thousand tools need all the time is tried again ever more rarely.
 */
export function watchMemory(clock: Clock, memory: CollectedMemory = memoryOfV8): Cancel {
  let kept = memory.use()
  /** Between two collections for the same buffers, in checks. */
  let pause = 1
  let checks = 0
  const check = (): void => {
    const use = memory.use()
    const worthwhile = Math.max(WORTHWHILE_BYTES, kept.heap * WORTHWHILE_PART)
    const isMore = Math.max(use.heap - kept.heap, use.buffers - kept.buffers) > worthwhile
    // The bytes of buffers are given back some time after their collection.
    kept = { heap: Math.min(use.heap, kept.heap), buffers: Math.min(use.buffers, kept.buffers) }
    if (isMore) pause = 1
    else if (use.buffers <= worthwhile || ++checks < pause) return
    else pause = Math.min(2 * pause, MAX_CHECKS)
    checks = 0
    memory.collect()
  }
  let cancel: Cancel = () => {}
  const wait = (): void => {
    cancel = clock.at(clock.now() + CHECK_INTERVAL_MS, () => {
      check()
      wait()
    })
  }
  wait()
  const unobserve = memory.onCollected(() => {
    kept = memory.use()
  })
  return () => {
    cancel()
    unobserve()
  }
}

const memoryOfV8: CollectedMemory = {
  use() {
    // Not of process.memoryUsage, which fails where there is no /proc.
    const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics()
    return { heap, buffers }
  },
  collect() {
    // Takes no memory, since nothing is written to it.
    new ArrayBuffer(NOTICED_BYTES)
  },
  onCollected(run) {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some((entry) => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR)) run()
    })
    observer.observe({ entryTypes: ['gc'] })
    return () => observer.disconnect()
  },
}

const kindOf = (entry: object): unknown =>
  (entry as { readonly detail?: { readonly kind?: number } }).detail?.kind
