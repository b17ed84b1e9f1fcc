import { describe, expect, test } from 'vitest'
import { A, B, I8, L } from '../../src/secs2/item.js'
import { fromTypedJson, TypedJsonError, toTypedJson, typedJsonSteps } from '../../src/secs2/json.js'
import { MAX_ITEMS } from '../../src/secs2/limits.js'
import { textCodec } from '../../src/secs2/text.js'

const VALUES = 100_000

/** In how many steps typed JSON is read, up to its end or its first error. */
function countSteps(json: unknown, options: Parameters<typeof typedJsonSteps>[1] = {}): number {
  const reading = typedJsonSteps(json, options)
  let steps = 0
  try {
    while (!reading.next().done) steps++
  } catch (error) {
    if (!(error instanceof TypedJsonError)) throw error
  }
  return steps
}

const many = <T>(value: T, count = VALUES): T[] => Array.from({ length: count }, () => value)

describe('long typed JSON is read in steps', () => {
  test.each([
    ['numbers', { U4: many(7) }],
    ['numbers as text', { I8: many('-7') }],
    ['bytes', { B: many(7) }],
    ['bytes of text', { A: many(65) }],
    ['truths', { BOOLEAN: many(true) }],
    ['items', { L: many({ A: 'x' }) }],
    ['lists', { L: many({ L: [] }) }],
    ['items of many values', { L: many({ U1: many(7, 4000) }, VALUES / 4000) }],
    ['items of long text', { L: many({ A: 'x'.repeat(16_000) }, VALUES / 1000) }],
  ])('of %s', (_, json) => {
    expect(countSteps(json)).toBeGreaterThanOrEqual(20)
  })

  test('of text in an encoding', () => {
    expect(countSteps({ A: '你'.repeat(VALUES) }, { text: textCodec('gb18030') })).toBeGreaterThan(5)
  })
})

test.each([
  ['numbers', 'U4', Float64Array.of(1, 2, 3)],
  ['doubles', 'F8', Float64Array.of(-0, 0.5)],
  ['bytes', 'B', Float64Array.of(1, 255)],
  ['bytes of text', 'A', Float64Array.of(65, 66)],
  ['bytes that are none', 'B', Float64Array.of(1, 256)],
  ['a list', 'L', Float64Array.of(1, 2)],
  ['truths', 'BOOLEAN', Float64Array.of(1)],
])('%s as an array of doubles are those of a usual array', (_, format, numbers) => {
  const read = (values: unknown): unknown => {
    try {
      return fromTypedJson({ L: [{ [format]: values }] })
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(read(numbers)).toEqual(read([...numbers]))
  expect(fromTypedJson.bind(null, numbers)).toThrow('not an array')
})

describe('long typed JSON is read no further than', () => {
  test.each([
    ['numbers', { U8: many(7) }, '/U8'],
    ['items', { L: many({ A: 'x'.repeat(40) }) }, '/L/195/A'],
    ['lists', { L: many({ L: [] }) }, '/L/4095/L'],
  ])('the bytes that a body may have: %s', (_, json, pointer) => {
    const reading = typedJsonSteps(json, { maxBytes: 8192 })
    expect(() => [...reading]).toThrow(`${pointer}: a body of more than 8192 bytes`)
  })

  test('the items that a message may have', () => {
    const items = many({ L: [] }, MAX_ITEMS)
    expect(() => fromTypedJson({ L: items })).toThrow(`/L/${MAX_ITEMS - 1}: more than ${MAX_ITEMS} items`)
  })

  test('what an item may hold', () => {
    expect(() => fromTypedJson({ U8: many(7, 2 ** 21) })).toThrow(
      '/U8: 16777216 bytes: an item holds at most',
    )
  })
})

test('places are told after lists that have ended', () => {
  const json = { L: [{ L: [] }, { L: [{ L: [{ A: 'x' }] }, { B: [1, 2] }] }, { U1: 256 }] }
  expect(() => fromTypedJson(json)).toThrow('/L/2/U1: 256 is outside U1')
  expect(() => fromTypedJson({ L: [{ L: [{ L: [] }, { B: [1, 256] }] }] })).toThrow(
    '/L/0/L/1/B/1: 256 is no byte',
  )
  expect(fromTypedJson({ L: [{ L: [] }, { L: [{ L: [{ A: 'x' }] }] }, { B: [1, 2] }] })).toEqual(
    L(L(), L(L(A('x'))), B(1, 2)),
  )
})

test.each([-(2n ** 53n) - 1n, -(2n ** 53n), -(2n ** 63n), 2n ** 53n, 2n ** 63n - 1n])(
  'I8 %s, which no number is exact for, is text, and comes back',
  (value) => {
    expect(toTypedJson(I8(value))).toEqual({ I8: [String(value)] })
    expect(toTypedJson(I8(value, 1))).toEqual({ I8: [String(value), 1] })
    expect(fromTypedJson({ I8: [String(value)] })).toEqual(I8(value))
    expect(() => fromTypedJson({ I8: [Number(value)] })).toThrow('beyond 2^53')
  },
)

test.each([-(2n ** 53n) + 1n, 2n ** 53n - 1n])('I8 %s is a number, and comes back', (value) => {
  expect(toTypedJson(I8(value))).toEqual({ I8: [Number(value)] })
  expect(fromTypedJson({ I8: [Number(value)] })).toEqual(I8(value))
})
