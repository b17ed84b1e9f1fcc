import { decodeHead, isWhole, LINE_START, NEWLINE } from '../segments/journal-line.js'

/** A stretch of a segment that is not what was written. */
export interface Broken {
  /** Where it begins and ends, in bytes. */
  readonly offset: number
  readonly end: number
  /** The entries that are lost with it, none when `last` is less than `first`; `last` is undefined where it is not known. */
  readonly first: number
  readonly last: number | undefined
}

/** Whole lines of a segment, one after the other, their numbers without a gap. */
export interface Run {
  readonly offset: number
  readonly end: number
  readonly first: number
  readonly last: number
}

export interface Stretches {
  readonly broken: readonly Broken[]
  readonly runs: readonly Run[]
}

/**
 * What is whole in a segment and what is not, from `offset` on, where the entry `expected` should begin. `last`:
 * the last entry that may be there, and has to be; undefined where it is not known.
 */
export function stretchesOf(bytes: Buffer, offset: number, expected: number, last?: number): Stretches {
  const broken: Broken[] = []
  const runs: Run[] = []
  const isDue = (line: Line | undefined, seq: number): line is Line =>
    line !== undefined && line.seq >= seq && line.seq <= (last ?? line.seq)
  let seq = expected
  for (let at = offset; at < bytes.length; ) {
    const here = lineAt(bytes, at)
    const isNext = isDue(here, seq) && here.seq === seq
    const line = isNext ? here : nextLine(bytes, at, (one) => isDue(one, seq))
    if (!isNext) {
      const end = line?.offset ?? bytes.length
      broken.push({ offset: at, end, first: seq, last: line ? line.seq - 1 : last })
    }
    if (!line) break
    const before = isNext ? runs.pop() : undefined
    runs.push({
      offset: before?.offset ?? line.offset,
      end: line.end,
      first: before?.first ?? line.seq,
      last: line.seq,
    })
    at = line.end
    seq = line.seq + 1
  }
  return { broken, runs }
}

interface Line {
  readonly offset: number
  readonly end: number
  readonly seq: number
}

function lineAt(bytes: Buffer, offset: number): Line | undefined {
  const newline = bytes.indexOf(NEWLINE, offset)
  if (newline < 0) return undefined
  const line = bytes.subarray(offset, newline)
  const head = isWhole(line) ? decodeHead(line) : undefined
  return head && { offset, end: newline + 1, seq: head.seq }
}

/** The next line that is whole and wanted. */
function nextLine(bytes: Buffer, from: number, isWanted: (line: Line) => boolean): Line | undefined {
  for (let at = bytes.indexOf(LINE_START, from); at >= 0; at = bytes.indexOf(LINE_START, at + 1)) {
    const line = lineAt(bytes, at)
    if (line && isWanted(line)) return line
  }
  return undefined
}
