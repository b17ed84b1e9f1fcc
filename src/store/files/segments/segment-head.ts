import { isWhole, lineFrom, sealedLine } from './journal-line.js'

/** The first line of a segment. */
export interface SegmentHead {
  /** Version of what the entries of this segment hold as `data`. */
  readonly version: number
  /** The sequence number it begins with. */
  readonly first: number
  /** Bytes of the line, its newline with it. */
  readonly length: number
}

/** Changes with the notation of the lines. */
const NOTATION = 1

export const encodeSegmentHead = (version: number, first: number): Buffer =>
  sealedLine(`{"journal":${NOTATION},"version":${version},"first":${first}`)

/** The head at the beginning of `bytes`; undefined when there is none that is whole. */
export function decodeSegmentHead(bytes: Buffer): SegmentHead | undefined {
  const line = lineFrom(bytes)
  if (!isWhole(line)) return undefined
  const head = JSON.parse(line.toString('utf8')) as Record<string, unknown>
  const { journal, version, first } = head
  if (journal !== NOTATION || !Number.isSafeInteger(version) || !Number.isSafeInteger(first)) return undefined
  return { version: Number(version), first: Number(first), length: line.length + 1 }
}
