import { basename } from 'node:path'
import { EntryIndex } from '../index/entry-index.js'
import type { IndexFile } from '../index/index-file.js'
import type { Subjects } from '../index/subjects.js'
import { markOf } from './journal-line.js'
import { firstOf } from './segment.js'
import { type Scan, scanSegment } from './segment-scan.js'

export interface SegmentContent extends IndexFile {
  readonly scan: Scan
}

export const NO_CRASH = 'what follows was synced, so this is no trace of a crash'

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
