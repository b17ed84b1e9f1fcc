import { decodeHead, isWhole, LINE_START, type LineHead, NEWLINE } from './journal-line.js'

export interface Scan {
  /** Where the whole batches end, and how many entries they have. */
  readonly end: number
  readonly entries: number
  /** Where the last whole batch begins. */
  readonly lastBatch: number
  /** Where the first line begins that is not what was written; the segment's length when all are. */
  readonly fault: number
  /** A batch behind the fault is on disk, so what is wrong was once written and synced: damage, not a crash. */
  readonly damaged: boolean
}

/**
 * Reads a segment whose first entry has to be `first`. `found` is told of every line up to the first fault,
 * also of those in a batch that turns out not to be whole.
 *
 * A batch is written only once the one before is synced. So a fault is what a crash left of the last write
 * exactly when no batch follows the one it is in.
 */
export function scanSegment(
  bytes: Buffer,
  first: number,
  found: (head: LineHead, offset: number) => void,
): Scan {
  let offset = 0
  let seq = first
  let batch = { first, last: first - 1, offset: 0 }
  let lastBatch = 0
  while (offset < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, offset)
    const line = bytes.subarray(offset, Math.max(offset, newline))
    const head = isWhole(line) ? decodeHead(line) : undefined
    if (head?.seq !== seq) break
    if (seq > batch.last) {
      if (head.batch !== seq || head.end < seq) break
      lastBatch = seq > first ? batch.offset : 0
      batch = { first: seq, last: head.end, offset }
    } else if (head.batch !== batch.first || head.end !== batch.last) break
    found(head, offset)
    offset = newline + 1
    seq++
  }
  const whole = seq > batch.last
  const torn = whole ? seq : batch.first
  return {
    end: whole ? offset : batch.offset,
    entries: torn - first,
    lastBatch: whole ? batch.offset : lastBatch,
    fault: offset,
    damaged: offset < bytes.length && hasLaterBatch(bytes, offset, torn),
  }
}

/** Looks at every place where a line could begin, since the newline before it may be what is damaged. */
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
