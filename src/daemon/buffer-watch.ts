import type { Cancel, Clock } from '../kit/clock.js'

const CHECK_INTERVAL_MS = 5000
/** Bytes of all buffers, in use or not, from which a collection is worth its time. */
const WORTHWHILE_BYTES = 32 * 1024 * 1024
/** V8 begins a collection, in steps beside other work, when buffers of so many bytes were made since the last one. */
const NOTICED_BYTES = 64 * 1024 * 1024

/**
 * Has large buffers collected that nothing refers to any more. V8 looks for them only when further ones are made: those
 * of a burst of long messages would stay for as long as the daemon has little to do.
 */
export function watchBuffers(clock: Clock): Cancel {
  let cancel: Cancel = () => {}
  const wait = (): void => {
    cancel = clock.at(clock.now() + CHECK_INTERVAL_MS, () => {
      // Takes no memory, since nothing is written to it.
      if (process.memoryUsage().arrayBuffers > WORTHWHILE_BYTES) new ArrayBuffer(NOTICED_BYTES)
      wait()
    })
  }
  wait()
  return () => cancel()
}
