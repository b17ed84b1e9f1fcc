import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Cancel, Clock } from '../kit/clock.js'

const CHECK_INTERVAL_MS = 5000
/** Bytes of buffers, or bytes that were added to the heap since the last collection, from which one is worth its time. */
const WORTHWHILE_BYTES = 32 * 1024 * 1024
/** V8 begins a collection, in steps beside other work, when buffers of so many bytes were made since the last one. */
const NOTICED_BYTES = 64 * 1024 * 1024

/**
 * Has memory collected that nothing refers to any more. V8 does so only when more is needed: what is left of a burst of
 * long messages, or of an export, would stay for as long as the daemon has little to do.
 */
export function watchMemory(clock: Clock): Cancel {
  // Not of process.memoryUsage, which fails where there is no /proc.
  let afterCollection = getHeapStatistics().used_heap_size
  const collections = new PerformanceObserver((list) => {
    const isFull = list.getEntries().some((entry) => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR)
    if (isFull) afterCollection = getHeapStatistics().used_heap_size
  })
  collections.observe({ entryTypes: ['gc'] })
  let cancel: Cancel = () => {}
  const wait = (): void => {
    cancel = clock.at(clock.now() + CHECK_INTERVAL_MS, () => {
      const { external_memory: buffers, used_heap_size: used } = getHeapStatistics()
      const added = used - afterCollection
      // Takes no memory, since nothing is written to it.
      if (Math.max(buffers, added) > WORTHWHILE_BYTES) new ArrayBuffer(NOTICED_BYTES)
      wait()
    })
  }
  wait()
  return () => {
    cancel()
    collections.disconnect()
  }
}

const kindOf = (entry: object): unknown =>
  (entry as { readonly detail?: { readonly kind?: number } }).detail?.kind
