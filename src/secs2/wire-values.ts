import {
  float32,
  float64,
  int8,
  int16,
  int32,
  int64,
  turnRound,
  uint8,
  uint16,
  uint32,
  uint64,
} from './byte-order.js'
import { ARRAYS, type ValueFormat, widthOf } from './format.js'
import { COPY_BYTES, chunks } from './in-parts.js'
import type { ValueArray } from './item.js'

// Reads the values after an item's head, copied out of `bytes`. The caller has checked that they are there.

export function singleValue(format: ValueFormat, bytes: Uint8Array, at: number): number | bigint {
  switch (format) {
    case 'I8':
      return int64(bytes, at)
    case 'I1':
      return int8(bytes, at)
    case 'I2':
      return int16(bytes, at)
    case 'I4':
      return int32(bytes, at)
    case 'F8':
      return float64(bytes, at)
    case 'F4':
      return float32(bytes, at)
    case 'U8':
      return uint64(bytes, at)
    case 'U2':
      return uint16(bytes, at)
    case 'U4':
      return uint32(bytes, at)
    default:
      return uint8(bytes, at)
  }
}

/** An array up to this many bytes lives where objects live, unless its buffer is asked for: that costs 500 ns. */
const SHORT_ARRAY_BYTES = 64

/** None or several values, which take `length` bytes. */
export function valueArray(format: ValueFormat, bytes: Uint8Array, from: number, length: number): ValueArray {
  if (length === 0) return EMPTY_ARRAYS[format]
  const width = widthOf(format)
  const values = new ARRAYS[format](length / width)
  if (length > SHORT_ARRAY_BYTES) copy(values, bytes, from)
  else if (values instanceof Uint8Array) {
    for (let place = 0; place < length; place++) values[place] = uint8(bytes, from + place)
  } else {
    for (let place = 0; place < values.length; place++) {
      const value = singleValue(format, bytes, from + place * width)
      // A NaN that is read as a number would lose its payload.
      if (Number.isNaN(value)) {
        copy(values, bytes, from)
        break
      }
      values[place] = value
    }
  }
  return values
}

/** Copies what stands at `from` into an array, bit by bit. */
function copy(values: ValueArray, bytes: Uint8Array, from: number): void {
  const { byteLength } = values
  const into = new Uint8Array(values.buffer)
  into.set(bytes.subarray(from, from + byteLength))
  turnRound(into, 0, byteLength, values.BYTES_PER_ELEMENT)
}

/** The same in steps. */
export function* valueArraySteps(
  format: ValueFormat,
  bytes: Uint8Array,
  from: number,
  length: number,
): Generator<undefined, ValueArray> {
  const width = widthOf(format)
  const values = new ARRAYS[format](length / width)
  const into = new Uint8Array(values.buffer)
  for (const [at, end] of chunks(length, COPY_BYTES)) {
    yield
    into.set(bytes.subarray(from + at, from + end), at)
    turnRound(into, at, end - at, width)
  }
  return values
}

/** Shared: there is nothing in it to change, and an array without values costs as much as a long one. */
const EMPTY_ARRAYS = Object.fromEntries(
  Object.entries(ARRAYS).map(([format, ArrayType]) => [format, new ArrayType(0)]),
) as Record<ValueFormat, ValueArray>
