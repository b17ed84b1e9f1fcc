import { statfs } from 'node:fs/promises'
import { type Clock, withTimeout } from '../kit/clock.js'

export interface DiskSpace {
  /** Bytes that a process without privileges may still use. */
  readonly free: number
  readonly size: number
}

/** Of the disk that holds the folder; undefined where it cannot be asked, or does not answer within two seconds. */
export async function diskSpace(folder: string, clock: Clock): Promise<DiskSpace | undefined> {
  const space = await withTimeout(clock, 2000, statfs(folder)).catch(() => undefined)
  return space && { free: space.bavail * space.bsize, size: space.blocks * space.bsize }
}
