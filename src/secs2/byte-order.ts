/** What typed arrays hold has to be turned round to be big-endian. */
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Between the machine's byte order and the wire's, in place, for `length` bytes of values `width` wide. */
export function turnRound(bytes: Uint8Array, at: number, length: number, width: 1 | 2 | 4 | 8): void {
  if (!LITTLE_ENDIAN || width === 1) return
  const part = Buffer.from(bytes.buffer, bytes.byteOffset + at, length)
  if (width === 2) part.swap16()
  else if (width === 4) part.swap32()
  else part.swap64()
}
