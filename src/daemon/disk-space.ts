import { statfs } from 'node:fs/promises'
import { type Clock, withTimeout } from '../kit/clock.js'

export interface DiskSpace {
  /** Bytes that a process without privileges may still use. */
  readonly free: number
  readonly size: number
}

const ANSWER_TIMEOUT_MS = 2000

/**
 * Asks for the space on the disk that holds the folder; undefined where it cannot be asked, or does not answer in time.
 * A disk that hangs is asked once: each question takes a thread of the process until it is answered.
 */
export function diskSpaceOf(
  folder: string,
  clock: Clock,
  ask = statfs,
): () => Promise<DiskSpace | undefined> {
  let asked: Promise<DiskSpace | undefined> | undefined
  const answer = async (): Promise<DiskSpace | undefined> => {
    const space = await ask(folder).catch(() => undefined)
    asked = undefined
    return space && { free: space.bavail * space.bsize, size: space.blocks * space.bsize }
  }
  return () => {
    asked ??= answer()
    return withTimeout(clock, ANSWER_TIMEOUT_MS, asked)
  }
}
