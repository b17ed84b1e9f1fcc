import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

const LINE_FEED = 0x0a
const CHUNK_BYTES = 64 * 1024
/** In bytes: what is longer comes in parts. */
const MAX_LINE_BYTES = 1024 * 1024

/** The byte at which the last `count` lines (1 or more) of a file begin. Holds one chunk of it at a time. */
export async function startOfLast(path: string, count: number): Promise<number> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    let seen = 0
    // The last byte is left out: it ends a line, and begins none.
    for (let end = size - 1; end > 0; ) {
      const start = Math.max(0, end - CHUNK_BYTES)
      const { bytesRead } = await file.read(buffer, 0, end - start, start)
      const chunk = buffer.subarray(0, bytesRead)
      for (
        let at = chunk.lastIndexOf(LINE_FEED);
        at >= 0;
        at = chunk.subarray(0, at).lastIndexOf(LINE_FEED)
      ) {
        seen++
        if (seen === count) return start + at + 1
      }
      end = start
    }
    return 0
  } finally {
    await file.close()
  }
}

export interface LogLine {
  readonly text: string
  /** False for what has no end yet: more of it may come. */
  readonly whole: boolean
  /** The byte after it. */
  readonly end: number
}

/** The lines of a file between two bytes, without their ends. Holds one line at a time. */
export async function* logLines(path: string, from: number, to: number): AsyncGenerator<LogLine> {
  if (to <= from) return
  let begun: Buffer[] = []
  let length = 0
  let place = from
  const taken = (whole: boolean): LogLine => {
    const text = Buffer.concat(begun).toString('utf8')
    begun = []
    length = 0
    return { text, whole, end: place }
  }
  for await (const read of createReadStream(path, { start: from, end: to - 1, highWaterMark: CHUNK_BYTES })) {
    let chunk = read as Buffer
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED)) {
      begun.push(chunk.subarray(0, end))
      place += end + 1
      chunk = chunk.subarray(end + 1)
      yield taken(true)
    }
    begun.push(chunk)
    place += chunk.length
    length += chunk.length
    if (length > MAX_LINE_BYTES) yield taken(true)
  }
  if (length > 0) yield taken(false)
}
