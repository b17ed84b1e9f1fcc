import { type Clock, delay, systemClock } from '../../../kit/clock.js'

/** The process, or the whole machine, has as many files and sockets open as it may. */
const NO_DESCRIPTOR: readonly unknown[] = ['EMFILE', 'ENFILE']
/** Milliseconds until it is tried again. */
const RETRY_MS = 50

const hasNone = (error: unknown): boolean => NO_DESCRIPTOR.includes((error as NodeJS.ErrnoException).code)

/**
 * Runs `open`, which takes a file descriptor. Where there is none left, nothing has been read or written and the
 * disk has not failed: it is tried again until one is free.
 */
export async function withDescriptor<T>(open: () => Promise<T>, clock: Clock = systemClock): Promise<T> {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!hasNone(error)) throw error
    }
    await delay(clock, RETRY_MS)
  }
}
