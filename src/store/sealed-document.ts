import { crc32 } from 'node:zlib'
import type { JsonObject } from '../kit/json.js'
import { isWhole, NEWLINE, sealedLine } from './journal-line.js'

/** A file that is replaced as a whole: a line with what it is about, and NDJSON. */
export interface SealedDocument {
  readonly head: JsonObject
  readonly body: Buffer
}

export function encodeDocument({ head, body }: SealedDocument): Buffer {
  const text = JSON.stringify({ ...head, body: crc32(body) })
  return Buffer.concat([sealedLine(text.slice(0, -1)), body])
}

/** Undefined when it is not byte for byte what was written. */
export function decodeDocument(bytes: Buffer): SealedDocument | undefined {
  const newline = bytes.indexOf(NEWLINE)
  const line = bytes.subarray(0, Math.max(0, newline))
  if (!isWhole(line)) return undefined
  const { body: crc, crc: _, ...head } = JSON.parse(line.toString('utf8')) as JsonObject
  const body = bytes.subarray(newline + 1)
  return crc32(body) === crc ? { head, body } : undefined
}

/** A body of one line a value. */
export const encodeLines = (values: Iterable<object>): Buffer =>
  Buffer.from(Array.from(values, (value) => `${JSON.stringify(value)}\n`).join(''))

/** Where a line is, in bytes, without its newline. */
export interface Place {
  readonly offset: number
  readonly length: number
}

/** The values of a body. */
export function* linesOf(body: Buffer): Generator<unknown> {
  for (const { offset, length } of linesFrom(body, 0)) {
    yield JSON.parse(body.toString('utf8', offset, offset + length))
  }
}

/** Where the lines of a whole document's body are in its file. */
export const placesOf = (bytes: Buffer): Generator<Place> => linesFrom(bytes, bytes.indexOf(NEWLINE) + 1)

function* linesFrom(bytes: Buffer, start: number): Generator<Place> {
  for (let offset = start; offset < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, offset)
    const end = newline < 0 ? bytes.length : newline
    yield { offset, length: end - offset }
    offset = end + 1
  }
}
