import {
  float32,
  float64,
  int8,
  int16,
  int32,
  int64,
  type Read,
  turnRound,
  uint8,
  uint16,
  uint32,
  uint64,
} from './byte-order.js'
import { FORMATS, isNumberFormat, type NumberFormat } from './format.js'
import type { ValueArray } from './item.js'
import { numberItem } from './number.js'
import type { NumberItem } from './number-item.js'

// Reads the values after an item's head, copied out of `bytes`. The caller has checked that `length` bytes are there.

/** Longer texts are made in one call of the runtime; for these the call costs more than the text. */
const SHORT_TEXT = 12

export function wireText(bytes: Uint8Array, from: number, length: number): string {
  if (length > SHORT_TEXT) return Buffer.prototype.toString.call(bytes, 'latin1', from, from + length)
  const end = from + length
  let text = ''
  let at = from
  for (; at + 4 <= end; at += 4) {
    text += String.fromCharCode(
      uint8(bytes, at),
      uint8(bytes, at + 1),
      uint8(bytes, at + 2),
      uint8(bytes, at + 3),
    )
  }
  for (; at < end; at++) text += String.fromCharCode(uint8(bytes, at))
  return text
}

/** Shared: there is nothing in it to change, and an array without values costs as much as a long one. */
const NO_BYTES = new Uint8Array(0)
const NO_NUMBERS = new Map(FORMATS.filter(isNumberFormat).map((format) => [format, numberItem(format, [])]))

/** A single byte as itself, none or several as an array. */
export function wireBytes(bytes: Uint8Array, from: number, length: number): number | Uint8Array {
  if (length === 1) return uint8(bytes, from)
  return length === 0 ? NO_BYTES : several(new Uint8Array(length), uint8, bytes, from)
}

/** A single number as itself, none or several as a typed array. `length` is a multiple of the format's width. */
export function wireNumbers(
  format: NumberFormat,
  bytes: Uint8Array,
  from: number,
  length: number,
): NumberItem {
  const none = length === 0 ? NO_NUMBERS.get(format) : undefined
  if (none) return none
  switch (format) {
    case 'U4':
      if (length === 4) return { format, value: uint32(bytes, from) }
      return { format, value: several(new Uint32Array(length / 4), uint32, bytes, from) }
    case 'U2':
      if (length === 2) return { format, value: uint16(bytes, from) }
      return { format, value: several(new Uint16Array(length / 2), uint16, bytes, from) }
    case 'U1':
      return { format, value: wireBytes(bytes, from, length) }
    case 'U8':
      if (length === 8) return { format, value: uint64(bytes, from) }
      return { format, value: whole(new BigUint64Array(length / 8), bytes, from) }
    case 'I4':
      if (length === 4) return { format, value: int32(bytes, from) }
      return { format, value: several(new Int32Array(length / 4), int32, bytes, from) }
    case 'I2':
      if (length === 2) return { format, value: int16(bytes, from) }
      return { format, value: several(new Int16Array(length / 2), int16, bytes, from) }
    case 'I1':
      if (length === 1) return { format, value: int8(bytes, from) }
      return { format, value: several(new Int8Array(length), int8, bytes, from) }
    case 'I8':
      if (length === 8) return { format, value: int64(bytes, from) }
      return { format, value: whole(new BigInt64Array(length / 8), bytes, from) }
    case 'F4':
      if (length === 4) return { format, value: float32(bytes, from) }
      return { format, value: whole(new Float32Array(length / 4), bytes, from) }
    case 'F8':
      if (length === 8) return { format, value: float64(bytes, from) }
      return { format, value: whole(new Float64Array(length / 8), bytes, from) }
  }
}

/** An array up to this many bytes lives where objects live, unless its buffer is asked for: that costs 500 ns. */
const SHORT_ARRAY = 64

type IntegerArray = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array

function several<T extends IntegerArray>(values: T, read: Read<number>, bytes: Uint8Array, from: number): T {
  if (values.byteLength > SHORT_ARRAY) return whole(values, bytes, from)
  const width = values.BYTES_PER_ELEMENT
  for (let place = 0; place < values.length; place++) values[place] = read(bytes, from + place * width)
  return values
}

/** Fills an array with what stands at `from`, bit by bit: a NaN keeps its payload. */
function whole<T extends ValueArray>(values: T, bytes: Uint8Array, from: number): T {
  const { byteLength } = values
  const into = new Uint8Array(values.buffer)
  into.set(bytes.subarray(from, from + byteLength))
  turnRound(into, 0, byteLength, values.BYTES_PER_ELEMENT)
  return values
}
