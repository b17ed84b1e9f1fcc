/** The byte order of typed arrays; the wire is big-endian. */
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Between the machine's byte order and the wire's, in place, for `length` bytes of values `width` (1, 2, 4 or 8) wide. */
export function turnRound(bytes: Uint8Array, at: number, length: number, width: number): void {
  if (!LITTLE_ENDIAN || width === 1) return
  const part = Buffer.from(bytes.buffer, bytes.byteOffset + at, length)
  if (width === 2) part.swap16()
  else if (width === 4) part.swap32()
  else part.swap64()
}

/**
 * Converts floats and 64-bit integers, one value at a time. A DataView for each message would cost more than all the
 * numbers in it.
 */
const one = new DataView(new ArrayBuffer(8))

/** Reads one value, big-endian. The caller has checked that its bytes are there. */
export type Read<T> = (bytes: Uint8Array, at: number) => T

export const uint8: Read<number> = (bytes, at) => bytes[at] ?? 0
export const uint16: Read<number> = (bytes, at) => (uint8(bytes, at) << 8) | uint8(bytes, at + 1)
export const int8: Read<number> = (bytes, at) => (uint8(bytes, at) << 24) >> 24
export const int16: Read<number> = (bytes, at) => (uint16(bytes, at) << 16) >> 16
export const int32: Read<number> = (bytes, at) => (uint16(bytes, at) << 16) | uint16(bytes, at + 2)
export const uint32: Read<number> = (bytes, at) => int32(bytes, at) >>> 0

export const float32: Read<number> = (bytes, at) => {
  one.setInt32(0, int32(bytes, at))
  return one.getFloat32(0)
}

export const float64: Read<number> = (bytes, at) => eight(bytes, at).getFloat64(0)
export const int64: Read<bigint> = (bytes, at) => eight(bytes, at).getBigInt64(0)
export const uint64: Read<bigint> = (bytes, at) => eight(bytes, at).getBigUint64(0)

function eight(bytes: Uint8Array, at: number): DataView {
  one.setInt32(0, int32(bytes, at))
  one.setInt32(4, int32(bytes, at + 4))
  return one
}

/** Writes the lowest `width` (1 to 4) bytes of an integer: they are the same, signed or unsigned. */
export function putInteger(bytes: Uint8Array, at: number, width: number, value: number): void {
  if (width === 4) {
    bytes[at] = value >>> 24
    bytes[at + 1] = value >>> 16
    bytes[at + 2] = value >>> 8
    bytes[at + 3] = value
  } else {
    for (let to = at + width - 1, rest = value; to >= at; to--, rest >>>= 8) bytes[to] = rest
  }
}

export function putFloat32(bytes: Uint8Array, at: number, value: number): void {
  one.setFloat32(0, value)
  putInteger(bytes, at, 4, one.getInt32(0))
}

export function putFloat64(bytes: Uint8Array, at: number, value: number): void {
  one.setFloat64(0, value)
  putEight(bytes, at)
}

/** The lowest 64 bits: the same, signed or unsigned. */
export function putInteger64(bytes: Uint8Array, at: number, value: bigint): void {
  one.setBigUint64(0, value)
  putEight(bytes, at)
}

function putEight(bytes: Uint8Array, at: number): void {
  putInteger(bytes, at, 4, one.getInt32(0))
  putInteger(bytes, at + 4, 4, one.getInt32(4))
}
