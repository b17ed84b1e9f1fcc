import { decodeHead, isWhole, LINE_START, NEWLINE } from './journal-line.js'

/** A stretch of a segment that is not what was written. */
export interface Broken {
  /** Where it begins and ends, in bytes. */
  readonly offset: number
  readonly end: number
  /** The entries that are not there for it, and none when `last` is less; `last` is undefined where nobody knows. */
  readonly first: number
  readonly last: number | undefined
}

export interface Stretches {
  readonly broken: readonly Broken[]
  /** Whole entries from the offset on, and the number of the last; one less than expected when there is none. */
  readonly entries: number
  readonly last: number
}

/**
 * Every broken stretch of a segment from `offset` on, where the entry `expected` should begin. `end`: the last
 * entry that has to be there; undefined where nobody knows.
 */
export function brokenStretches(bytes: Buffer, offset: number, expected: number, end?: number): Stretches {
  const broken: Broken[] = []
  let entries = 0
  let seq = expected
  for (let at = offset; at < bytes.length; ) {
    const here = lineAt(bytes, at)
    const line = here?.seq === seq ? here : nextLine(bytes, at, seq)
    if (!line || line !== here)
      broken.push({
        offset: at,
        end: line?.offset ?? bytes.length,
        first: seq,
        last: line ? line.seq - 1 : end,
      })
    if (!line) break
    entries++
    at = line.end
    seq = line.seq + 1
  }
  return { broken, entries, last: seq - 1 }
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

/** The next line that is whole and not one of those before. */
function nextLine(bytes: Buffer, from: number, seq: number): Line | undefined {
  for (let at = bytes.indexOf(LINE_START, from); at >= 0; at = bytes.indexOf(LINE_START, at + 1)) {
    const line = lineAt(bytes, at)
    if (line && line.seq >= seq) return line
  }
  return undefined
}
