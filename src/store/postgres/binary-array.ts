/** The numbers by which PostgreSQL knows the types of elements. */
const BIGINT = 20
const INTEGER = 23
const TEXT = 25

const HEADER_BYTES = 20
const LENGTH_BYTES = 4

/**
 * Arrays as PostgreSQL sends and receives them in its binary format. The driver itself writes an array as one text, in
 * which each quotation mark of an element is escaped, and which the server has to parse.
 */
export function textArray(values: readonly string[]): Buffer {
  let length = HEADER_BYTES
  for (const value of values) length += LENGTH_BYTES + Buffer.byteLength(value)
  const bytes = header(TEXT, values.length, length)
  let at = HEADER_BYTES
  for (const value of values) {
    const written = bytes.write(value, at + LENGTH_BYTES)
    bytes.writeInt32BE(written, at)
    at += LENGTH_BYTES + written
  }
  return bytes
}

/** Writes a number at a place, and returns the place after it. */
type Write = (bytes: Buffer, value: number, at: number) => number

const numberArray =
  (type: number, size: number, write: Write) =>
  (values: readonly number[]): Buffer => {
    const bytes = header(type, values.length, HEADER_BYTES + values.length * (LENGTH_BYTES + size))
    let at = HEADER_BYTES
    for (const value of values) at = write(bytes, value, bytes.writeInt32BE(size, at))
    return bytes
  }

export const integerArray = numberArray(INTEGER, 4, (bytes, value, at) => bytes.writeInt32BE(value, at))

/** Of numbers up to 2^53, which are exact. */
export const bigintArray = numberArray(BIGINT, 8, (bytes, value, at) =>
  bytes.writeUInt32BE(value >>> 0, bytes.writeInt32BE(Math.floor(value / 2 ** 32), at)),
)

/** One dimension, no NULL, places from 1. */
function header(type: number, count: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (const [at, value] of [1, 0, type, count, 1].entries()) bytes.writeInt32BE(value, at * 4)
  return bytes
}
