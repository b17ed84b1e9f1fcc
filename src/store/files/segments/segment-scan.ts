import { decodeHead, isWhole, LINE_START, type LineHead, lineFrom, NEWLINE } from './journal-line.js'
import { decodeSegmentHead, type SegmentHead } from './segment-head.js'

export interface Scan {
  /** Version of the entries' data; undefined when the segment's head is not whole. */
  readonly version: number | undefined
  /** Where the whole batches end, and how many entries they have. */
  readonly end: number
  readonly entries: number
  /** Where the last whole batch begins; where the head ends when there is none. */
  readonly lastBatch: number
  /** Where the first line begins that is not what was written; the segment's length when all are. */
  readonly fault: number
  /** A batch after the fault is on disk, so what is wrong was once written and synced: damage, not a crash. */
  readonly damaged: boolean
  /** The last number of the batch that is not whole; undefined where it is not known. */
  readonly tornLast: number | undefined
}

/**
 * Reads a segment whose first entry has to be `first`. `found` is called for every line up to the first fault,
 * also of those in a batch that turns out not to be whole.
 *
 * A batch is written only once the one before is synced, and the first one once the head is. So a fault is
 * what a crash left of the last write exactly when no batch follows the one it is in.
 */
export function scanSegment(
  bytes: Buffer,
  first: number,
  found: (head: LineHead, offset: number) => void,
): Scan {
  const head = decodeSegmentHead(bytes) ?? headOfNone(bytes, first)
  if (head?.first !== first) {
    // A head that is whole, but not ours, is of another notation or another segment.
    const damaged = isWhole(lineFrom(bytes)) || hasLaterBatch(bytes, 0, 0)
    return { version: undefined, end: 0, entries: 0, lastBatch: 0, fault: 0, damaged, tornLast: undefined }
  }
  let offset = head.length
  let seq = first
  let batch = { first, last: first - 1, offset }
  let lastBatch = offset
  while (offset < bytes.length) {
    const bytesOfLine = lineFrom(bytes, offset)
    const line = isWhole(bytesOfLine) ? decodeHead(bytesOfLine) : undefined
    if (line?.seq !== seq) break
    if (seq > batch.last) {
      if (line.batch !== seq || line.end < seq) break
      lastBatch = batch.offset
      batch = { first: seq, last: line.end, offset }
    } else if (line.batch !== batch.first || line.end !== batch.last) break
    found(line, offset)
    offset += bytesOfLine.length + 1
    seq++
  }
  const whole = seq > batch.last
  const torn = whole ? seq : batch.first
  return {
    // Without a head and without a whole batch it is as good as never begun.
    version: head.length === 0 && torn === first ? undefined : head.version,
    end: whole ? offset : batch.offset,
    entries: torn - first,
    lastBatch: whole ? batch.offset : lastBatch,
    fault: offset,
    damaged: offset < bytes.length && hasLaterBatch(bytes, offset, torn),
    tornLast: whole ? undefined : batch.last,
  }
}

/** Segments had no head at first: they begin with their first entry, whose data is of the first version. */
function headOfNone(bytes: Buffer, first: number): SegmentHead | undefined {
  const line = lineFrom(bytes)
  return isWhole(line) && decodeHead(line)?.seq === first ? { version: 1, first, length: 0 } : undefined
}

/** Tries every place where a line could begin, since the newline before it may be what is damaged. */
function hasLaterBatch(bytes: Buffer, from: number, torn: number): boolean {
  for (
    let start = bytes.indexOf(LINE_START, from);
    start >= 0;
    start = bytes.indexOf(LINE_START, start + 1)
  ) {
    const newline = bytes.indexOf(NEWLINE, start)
    if (newline < 0) return false
    const line = bytes.subarray(start, newline)
    const head = decodeHead(line)
    if (head && head.batch > torn && isWhole(line)) return true
  }
  return false
}
