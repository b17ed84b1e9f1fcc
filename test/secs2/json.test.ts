import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { A, B, BOOLEAN, F4, type Item, L, U4, U8 } from '../../src/secs2/item.js'
import { fromTypedJson, TypedJsonError, toTypedJson } from '../../src/secs2/json.js'
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
    [{ C: [0, 8, 0x93, 0xfa] }, { format: 'C', bytes: Uint8Array.of(0, 8, 0x93, 0xfa) }],
  ])('%j is taken', (json, item) => {
    expect(fromTypedJson(json)).toEqual(item)
  })

  test.each([
    [null, '', 'an item is an object'],
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

  test('text is in the equipment’s encoding', () => {
    const gb = textCodec('gb18030')
    expect(fromTypedJson({ A: '中' }, gb)).toEqual({ format: 'A', bytes: Uint8Array.of(0xd6, 0xd0) })
    expect(toTypedJson({ format: 'A', bytes: Uint8Array.of(0xd6, 0xd0) }, gb)).toEqual({ A: '中' })
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

/** J and C are text in JSON: bytes that are none in their encoding, and other encodings than UTF-8, are lost. */
const hasPlainText = (item: Item): boolean =>
  item.format === 'L' ? item.items.every(hasPlainText) : item.format !== 'J' && item.format !== 'C'

/** A truth's byte is nought or one after JSON. */
function withPlainTruths(item: Item): Item {
  if (item.format === 'L') return L(...item.items.map(withPlainTruths))
  return item.format === 'BOOLEAN' ? BOOLEAN(...Array.from(item.bytes, Boolean)) : item
}
