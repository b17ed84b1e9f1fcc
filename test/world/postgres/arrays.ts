const HEADER_BYTES = 20
const TEXT = 25

/** The array that a statement was given in the binary format of PostgreSQL; other values as they are. */
export function arrayOf(value: unknown): unknown {
  if (!Buffer.isBuffer(value)) return value
  const [type, count] = [value.readInt32BE(8), value.readInt32BE(12)]
  const elements: (string | number)[] = []
  for (let at = HEADER_BYTES; elements.length < count; ) {
    const length = value.readInt32BE(at)
    at += 4
    const bytes = value.subarray(at, at + length)
    elements.push(type === TEXT ? bytes.toString() : integerOf(bytes))
    at += length
  }
  return elements
}

const integerOf = (bytes: Buffer): number =>
  bytes.length === 8 ? Number(bytes.readBigInt64BE()) : bytes.readInt32BE()
