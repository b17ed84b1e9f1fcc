import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBody, decodeItem } from '../../src/secs2/decode.js'
import { encodeBody, encodeItem } from '../../src/secs2/encode.js'
import { Secs2DecodeError, Secs2EncodeError } from '../../src/secs2/errors.js'
import { A, B, I2, type Item, L, lengthOf, U4 } from '../../src/secs2/item.js'
import { MAX_DEPTH, MAX_ITEMS, MAX_LENGTH } from '../../src/secs2/limits.js'
import { hexBytes, hexOf } from '../support/vectors.js'
import { anyItem } from './any-item.js'

const nested = (depth: number): Item => {
  let item: Item = L()
  for (let above = 1; above < depth; above++) item = L(item)
  return item
}

describe('a body', () => {
  test('without bytes is a header-only message', () => {
    expect(decodeBody(new Uint8Array())).toBeUndefined()
    expect(encodeBody(undefined)).toHaveLength(0)
  })

  test('is read from a part of a larger buffer, and holds nothing of it', () => {
    const buffer = Buffer.from('ffff4102616b21020102ffff', 'hex')
    const [text, bytes] = [decodeBody(buffer.subarray(2, 6)), decodeBody(buffer.subarray(6, 10))]
    buffer.fill(0)
    expect(text).toEqual(A('ak'))
    expect(bytes).toEqual(B(1, 2))
  })
})

describe('lengths', () => {
  test.each([
    [0xff, '41ff'],
    [0x100, '420100'],
    [0xffff, '42ffff'],
    [0x10000, '43010000'],
    [MAX_LENGTH, '43ffffff'],
  ])('%i bytes take as few length bytes as can be', (length, header) => {
    const item: Item = { format: 'A', value: 'a'.repeat(length) }
    const encoded = encodeItem(item)
    expect(hexOf(encoded.subarray(0, header.length / 2))).toBe(header)
    expect(encoded).toHaveLength(length + header.length / 2)
    expect(Buffer.from(encoded.subarray(header.length / 2)).equals(Buffer.alloc(length, 0x61))).toBe(true)
    expect(lengthOf(decodeItem(encoded))).toBe(length)
  })

  test('a list counts its items', () => {
    const list = L(...Array.from({ length: 256 }, () => A('')))
    expect(hexOf(encodeItem(list).subarray(0, 3))).toBe('020100')
    expect(decodeItem(encodeItem(list))).toEqual(list)
  })

  test('one byte or one item more than an item can hold is refused', () => {
    const many = new Array<Item>(MAX_LENGTH + 1).fill(A(''))
    expect(() => encodeItem({ format: 'B', value: new Uint8Array(MAX_LENGTH + 1) })).toThrow(Secs2EncodeError)
    expect(() => encodeItem({ format: 'L', items: many })).toThrow(Secs2EncodeError)
    expect(() => encodeItem({ format: 'U8', value: new BigUint64Array(2 ** 21) })).toThrow(Secs2EncodeError)
  })

  test.each(['日', `${'a'.repeat(100)}日`])('a character that is no byte is refused', (value) => {
    expect(() => encodeItem({ format: 'A', value })).toThrow(Secs2EncodeError)
  })

  test('the items of one message are bounded alike for reading and for writing', () => {
    const full: Item = { format: 'L', items: new Array<Item>(MAX_ITEMS - 1).fill(L()) }
    const bytes = encodeItem(full)
    expect(lengthOf(decodeItem(bytes))).toBe(MAX_ITEMS - 1)
    expect(() => encodeItem(L(full))).toThrow(Secs2EncodeError)
    expect(() => decodeItem(Buffer.concat([hexBytes('0101'), bytes]))).toThrow(
      expect.objectContaining({ fault: 'too_many_items', offset: bytes.length }),
    )
  })

  test('what a list claims is not allocated before it is there', () => {
    const before = process.memoryUsage().heapTotal
    for (let claims = 0; claims < 100; claims++) {
      expect(() => decodeItem(hexBytes('03ffffff4100'))).toThrow(Secs2DecodeError)
    }
    expect(process.memoryUsage().heapTotal - before).toBeLessThan(64 * 2 ** 20)
  })
})

describe('depth', () => {
  test('is bounded alike for reading and for writing', () => {
    expect(decodeItem(encodeItem(nested(MAX_DEPTH)))).toEqual(nested(MAX_DEPTH))
    expect(() => encodeItem(nested(MAX_DEPTH + 1))).toThrow(Secs2EncodeError)
    const tooDeep = Buffer.concat([Buffer.alloc(2 * MAX_DEPTH, '0101', 'hex'), hexBytes('0100')])
    expect(() => decodeItem(tooDeep)).toThrow(
      expect.objectContaining({ fault: 'too_deep', offset: 2 * MAX_DEPTH }),
    )
  })

  test('lists nested a million deep do not exhaust the stack', () => {
    const bomb = Buffer.alloc(2 * 2 ** 20, '0101', 'hex')
    expect(() => decodeItem(bomb)).toThrow(expect.objectContaining({ fault: 'too_deep' }))
  })
})

describe('properties', () => {
  test('whatever is encoded decodes to itself', () => {
    fc.assert(
      fc.property(anyItem, (item) => {
        expect(decodeItem(encodeItem(item))).toEqual(item)
      }),
      { numRuns: 500 },
    )
  })

  test('random bytes are decoded or refused, never anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expectDecodedOrRefused(bytes)
      }),
      { numRuns: 2000 },
    )
  })

  test('an encoded item with bytes changed or cut is decoded or refused', () => {
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), cut: fc.nat() })
    fc.assert(
      fc.property(anyItem, change, (item, { at, byte, cut }) => {
        const bytes = encodeItem(item)
        bytes[at % bytes.length] = byte
        expectDecodedOrRefused(bytes.subarray(0, cut % (bytes.length + 1)))
      }),
      { numRuns: 1000 },
    )
  })

  test('NaN keeps its payload in an array', () => {
    const bytes = hexBytes('91087fc000017fa00002')
    expect(hexOf(encodeItem(decodeItem(bytes)))).toBe(hexOf(bytes))
  })

  test('a typed array that begins inside its buffer is written from where it begins', () => {
    const value = Int16Array.of(1, 2, 3, 4).subarray(1, 3)
    expect(encodeItem({ format: 'I2', value })).toEqual(encodeItem(I2(2, 3)))
  })

  test('texts of every length follow each other without loss', () => {
    const lengths = [0, 1, 13, 498, 511, 512, 513, 5, 0, 1100, 12]
    const texts = lengths.map((length, at) =>
      A(
        String.fromCharCode(0x41 + at, 0xe9)
          .repeat(length)
          .slice(0, length),
      ),
    )
    const list = L(...texts.flatMap((text) => [text, U4(1, 2), text]))
    expect(decodeItem(encodeItem(list))).toEqual(list)
  })

  test('several items share no memory', () => {
    const [first, second] = [decodeItem(encodeItem(U4(1, 2))), decodeItem(encodeItem(B(1, 2)))]
    expect(first).toEqual(U4(1, 2))
    expect(second).toEqual(B(1, 2))
  })
})

function expectDecodedOrRefused(bytes: Uint8Array): void {
  let item: Item
  try {
    item = decodeItem(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(Secs2DecodeError)
    return
  }
  expect(decodeItem(encodeItem(item))).toEqual(item)
}
