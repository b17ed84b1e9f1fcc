import { basename } from 'node:path'
import type { FileSystem } from '../disk/file-system.js'
import { unread } from '../disk/unread.js'
import { EntryIndex } from '../index/entry-index.js'
import type { IndexFile } from '../index/index-file.js'
import type { Subjects } from '../index/subjects.js'
import { markOf, NEWLINE } from './journal-line.js'
import { firstOf } from './segment.js'
import { type Scan, scanSegment } from './segment-scan.js'

export interface SegmentContent extends IndexFile {
  readonly scan: Scan
}

export const NO_CRASH = 'what follows was synced, so this is no trace of a crash'

/** The bytes of a segment's file without the empty lines at its end; undefined when there is no such file. Throws `StoreDamaged`. */
export async function readSegmentFile(fs: FileSystem, path: string): Promise<Buffer | undefined> {
  const bytes = await fs.read(path).catch((error: unknown) => {
    throw unread(path, error)
  })
  if (!bytes) return undefined
  let end = bytes.length
  while (end > 1 && bytes[end - 1] === NEWLINE && bytes[end - 2] === NEWLINE) end--
  return bytes.subarray(0, end)
}

/** What is in the bytes of a segment's file, as far as its batches are whole. */
export function readSegment(path: string, bytes: Buffer, subjects: Subjects): SegmentContent {
  const first = firstOf(basename(path))
  const all = new EntryIndex()
  const scan = scanSegment(bytes, first, (head, offset) =>
    all.add(Date.parse(head.at), offset, subjects.number(head)),
  )
  const index = all.first(scan.entries)
  const lastLine = index.offsets[scan.entries - 1] ?? 0
  const mark = markOf(bytes.subarray(lastLine, Math.max(0, scan.end - 1)))
  return { scan, index, sealed: { version: scan.version ?? 1, first, size: scan.end, mark } }
}
