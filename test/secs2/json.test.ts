import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atOnce } from '../../src/kit/turns.js'
import { A, B, BOOLEAN, bytesOf, F4, type Item, L, U4, U8 } from '../../src/secs2/item.js'
import { fromTypedJson, TypedJsonError, toTypedJson, typedJsonSteps } from '../../src/secs2/json.js'
import { textCodec } from '../../src/secs2/text.js'
import { anyItem } from './any-item.js'

describe('typed JSON', () => {
  test.each<[unknown, Item]>([
    [{ U4: 1 }, U4(1)],
    [{ U4: '0x10' }, U4(16)],
    [{ U8: '18446744073709551615' }, U8(2n ** 64n - 1n)],
    [{ B: 1 }, B(1)],
    [{ BOOLEAN: true }, BOOLEAN(true)],
    [{ F4: 'NaN' }, F4(Number.NaN)],
    [{ F4: [1, '-Infinity'] }, F4(1, Number.NEGATIVE_INFINITY)],
    [{ A: [0x61, 0xff] }, A('aÿ')],
    [{ L: [] }, L()],
    [{ C: [0, 8, 0x93, 0xfa] }, { format: 'C', value: '\0\b\x93\xfa' }],
  ])('%j is taken', (json, item) => {
    expect(fromTypedJson(json)).toEqual(item)
  })

  test.each([
    [null, '', 'an item is an object'],
    [{ A: {} }, '/A', 'text is a string, not an object'],
    [[], '', 'not an array'],
    ['A', '', 'not a string'],
    [{}, '', 'one key'],
    [{ A: '', B: [] }, '', 'one key'],
    [{ X: 1 }, '/X', 'no SECS-II format'],
    [{ constructor: 1 }, '/constructor', 'no SECS-II format'],
    [{ 'a/b~': 1 }, '/a~1b~0', 'no SECS-II format'],
    [{ L: 1 }, '/L', 'a list is an array'],
    [{ L: [{ A: 'x' }, { U1: [1, 256] }] }, '/L/1/U1/1', '256 is outside U1: 0 to 255'],
    [{ U1: 256 }, '/U1', '0 to 255'],
    [{ U4: 1.5 }, '/U4', 'no integer'],
    [{ U4: [null] }, '/U4/0', 'not nothing'],
    [{ U4: [true] }, '/U4/0', 'not a boolean'],
    [{ F4: 1e39 }, '/F4', 'beyond F4'],
    // 1e400, as JSON.parse gives it.
    [{ F8: [1, Infinity] }, '/F8/1', 'beyond F8'],
    [{ F4: -Infinity }, '/F4', 'beyond F8'],
    [{ B: [1, 'x'] }, '/B/1', 'no byte'],
    [{ B: [-1] }, '/B/0', 'no byte'],
    [{ BOOLEAN: [1] }, '/BOOLEAN/0', 'neither true nor false'],
    [{ A: 1 }, '/A', 'text is a string'],
    [{ A: '日' }, '/A', 'U+65E5'],
    [{ A: [256] }, '/A/0', 'no byte'],
  ])('%j is refused with its place', (json, pointer, detail) => {
    expect(() => fromTypedJson(json)).toThrow(TypedJsonError)
    expect(() => fromTypedJson(json)).toThrow(
      expect.objectContaining({ pointer, detail: expect.stringContaining(detail) }),
    )
  })

  test('no more than 20 faults are looked for, nor any beyond a limit', () => {
    const faultsOf = (json: unknown, maxBytes?: number): readonly string[] => {
      try {
        atOnce(typedJsonSteps(json, { ...(maxBytes !== undefined && { maxBytes }) }))
        return []
      } catch (error) {
        return (error as TypedJsonError).faults.map(({ pointer }) => pointer)
      }
    }
    const many = Array.from({ length: 100 }, () => ({ U1: 256 }))
    expect(faultsOf({ L: many })).toEqual(Array.from({ length: 20 }, (_, at) => `/L/${at}/U1`))
    expect(faultsOf({ I8: Array.from({ length: 100 }, () => 'x') })).toHaveLength(20)
    expect(faultsOf({ L: [{ A: 1 }, { U8: 'x' }, { L: [] }, { A: 'x'.repeat(50) }, { A: 1 }] }, 30)).toEqual([
      '/L/0/A',
      '/L/1/U8',
      '/L/3/A',
    ])
  })

  test('text is in the equipment’s encoding', () => {
    const gb = textCodec('gb18030')
    expect(fromTypedJson({ A: '中' }, gb)).toEqual(A('\xd6\xd0'))
    expect(toTypedJson(A('\xd6\xd0'), gb)).toEqual({ A: '中' })
  })

  test.each<[string, Item, string | undefined, unknown]>([
    ['Latin-1 has every byte', A('a\xff'), undefined, { A: 'aÿ' }],
    ['UTF-8 does not know ff', A('a\xff'), 'utf-8', { A: [0x61, 0xff] }],
    ['half a character', A('\xd6'), 'gb18030', { A: [0xd6] }],
    ['bytes that are read as others are', A('\xc0\xaf'), 'utf-8', { A: [0xc0, 0xaf] }],
    ['readable text stays text', A('\xe4\xb8\xad'), 'utf-8', { A: '中' }],
    ['JIS-8 does not know ff', { format: 'J', value: 'A\xff' }, undefined, { J: [0x41, 0xff] }],
    ['JIS-8 text', { format: 'J', value: '\xb1' }, undefined, { J: 'ｱ' }],
  ])('text that would not give its bytes again is bytes: %s', (_, item, encoding, json) => {
    const codec = encoding === undefined ? undefined : textCodec(encoding)
    expect(toTypedJson(item, codec)).toEqual(json)
    expect(fromTypedJson(json, codec)).toEqual(item)
  })

  test('its depth is bounded', () => {
    let json: unknown = { L: [] }
    for (let depth = 0; depth < 100_000; depth++) json = { L: [json] }
    expect(() => fromTypedJson(json)).toThrow(TypedJsonError)
  })

  test('goes through JSON text and back to the same item', () => {
    fc.assert(
      fc.property(anyItem.filter(hasPlainText), (item) => {
        expect(fromTypedJson(JSON.parse(JSON.stringify(toTypedJson(item))))).toEqual(withPlainTruths(item))
      }),
      { numRuns: 500 },
    )
  })
})

/** C is its text alone in JSON: bytes that are none in its encoding, and other encodings than UTF-8, are lost. */
const hasPlainText = (item: Item): boolean =>
  item.format === 'L' ? item.items.every(hasPlainText) : item.format !== 'C'

/** A truth's byte is nought or one after JSON. */
function withPlainTruths(item: Item): Item {
  if (item.format === 'L') return L(...item.items.map(withPlainTruths))
  return item.format === 'BOOLEAN' ? BOOLEAN(...Array.from(bytesOf(item), Boolean)) : item
}
