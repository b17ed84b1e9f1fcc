import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '../../../kit/clock.js'
import { removeDrafts } from './durable-file.js'
import type { FileSystem } from './file-system.js'

export interface DiskProbe {
  /** Milliseconds that a small write and its sync take: the median of all, and the slowest. */
  readonly median: number
  readonly slowest: number
  /**
   * `slow`: every acknowledgement waits for a sync. `too_fast`: no disk puts a write into safety in that time,
   * so what is acknowledged may be gone after a power cut.
   */
  readonly verdict: 'fine' | 'slow' | 'too_fast'
}

const WRITES = 50
const WRITE_BYTES = 4096
const SLOW_MS = 20
const TOO_FAST_MS = 0.02

/** Measures the disk of a folder with small writes, and removes its files. Rejects when it cannot be written. */
export async function probeDisk(fs: FileSystem, folder: string, clock: Clock): Promise<DiskProbe> {
  await removeDrafts(fs, join(folder, 'probe'))
  const path = join(folder, `probe.${randomBytes(6).toString('hex')}.tmp`)
  const file = await fs.open(path, 'create')
  const times: number[] = []
  try {
    const bytes = randomBytes(WRITE_BYTES)
    for (let write = 0; write < WRITES; write++) {
      const from = clock.now()
      await file.write(bytes, write * WRITE_BYTES)
      await file.sync()
      times.push(clock.now() - from)
    }
  } finally {
    await file.close()
    await fs.remove(path)
  }
  times.sort((a, b) => a - b)
  const median = times[WRITES / 2] ?? 0
  const verdict = median > SLOW_MS ? 'slow' : median < TOO_FAST_MS ? 'too_fast' : 'fine'
  return { median, slowest: times.at(-1) ?? 0, verdict }
}
