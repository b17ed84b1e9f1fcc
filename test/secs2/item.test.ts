import { describe, expect, test } from 'vitest'
import { A, B, BOOLEAN, F4, F8, I1, I8, L, lengthOf, U1, U2, U4, U8 } from '../../src/secs2/item.js'
import { numberText, readNumber } from '../../src/secs2/number.js'

describe('making items', () => {
  test('one number stands alone, none or several are an array', () => {
    expect(U2(7)).toEqual({ format: 'U2', value: 7 })
    expect(U2()).toEqual({ format: 'U2', value: new Uint16Array() })
    expect(U8(1, 2n)).toEqual({ format: 'U8', value: BigUint64Array.of(1n, 2n) })
  })

  test('an F4 is what its bytes will be', () => {
    expect(F4(0.1)).toEqual({ format: 'F4', value: Math.fround(0.1) })
  })

  test('truths are bytes of nought and one', () => {
    expect(BOOLEAN(true, false)).toEqual({ format: 'BOOLEAN', value: Uint8Array.of(1, 0) })
  })

  test.each([
    ['U1(256)', () => U1(256)],
    ['U1(-1)', () => U1(-1)],
    ['I1(128)', () => I1(128)],
    ['U4(1.5)', () => U4(1.5)],
    ['U4(NaN)', () => U4(Number.NaN)],
    ['I8(2^63)', () => I8(2n ** 63n)],
    ['F4(1e39)', () => F4(1e39)],
    ['B(256)', () => B(256)],
    ['B(0.5)', () => B(0.5)],
    ['A beyond Latin-1', () => A('日')],
  ])('%s is a RangeError', (_, make) => {
    expect(make).toThrow(RangeError)
  })

  test('an infinity that is meant is no overflow', () => {
    expect(F4(Number.POSITIVE_INFINITY)).toEqual({ format: 'F4', value: Number.POSITIVE_INFINITY })
  })

  test.each([
    [L(A('x'), B()), 2],
    [A('abc'), 3],
    [U8(1), 1],
    [F8(), 0],
    [F8(1, 2), 2],
  ])('lengthOf counts items, bytes or values', (item, length) => {
    expect(lengthOf(item)).toBe(length)
  })
})

describe('numbers in text', () => {
  test.each([
    ['U1', '255', 255],
    ['U1', '0xff', 255],
    ['I2', '-0x10', -16],
    ['U8', '18446744073709551615', 2n ** 64n - 1n],
    ['F4', '0.1', Math.fround(0.1)],
    ['F8', '1e3', 1000],
    ['F8', '0x10', 16],
    ['F8', '-inf', Number.NEGATIVE_INFINITY],
    ['F8', 'NaN', Number.NaN],
  ] as const)('%s %s is read', (format, text, value) => {
    expect(readNumber(format, text)).toBe(value)
  })

  test.each([
    ['U1', '256'],
    ['U1', ''],
    ['U1', ' 1'],
    ['U1', '1_000'],
    ['U1', '1e2'],
    ['I4', 'one'],
    ['U8', '18446744073709551616'],
    ['F8', '1e999'],
    ['F8', '1,5'],
    ['F4', `1${'0'.repeat(5000)}`],
  ] as const)('%s "%s" is refused', (format, text) => {
    expect(() => readNumber(format, text)).toThrow(RangeError)
  })

  test('the range is named', () => {
    expect(() => readNumber('I1', '200')).toThrow('"200" is outside I1: -128 to 127')
  })

  test.each([
    ['F4', Math.fround(0.1), '0.1'],
    ['F4', Math.fround(16777217), '16777216'],
    ['F4', 3.4028234663852886e38, '3.4028235e+38'],
    ['F8', 0.1, '0.1'],
    ['F8', -0, '-0'],
    ['I8', -(2n ** 63n), '-9223372036854775808'],
  ] as const)('%s %d is written as short as can be', (format, value, text) => {
    expect(readNumber(format, numberText(format, value))).toBe(value)
    expect(numberText(format, value)).toBe(text)
  })
})
