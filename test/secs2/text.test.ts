import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TextEncodeError } from '../../src/secs2/errors.js'
import { codecOfWord, LATIN1, textCodec } from '../../src/secs2/text.js'
import { decodeText, encodeText } from '../../src/secs2/text-item.js'
import { hexBytes, hexOf } from '../support/vectors.js'

describe('encodings', () => {
  test('every byte is a character of Latin-1 and back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(LATIN1.encode(LATIN1.decode(bytes))).toEqual(bytes)
      }),
    )
  })

  test.each([
    ['utf-8', '日本', 'e697a5e69cac'],
    ['shift_jis', '日本', '93fa967b'],
    ['gb18030', '中文', 'd6d0cec4'],
    ['big5', '中文', 'a4a4a4e5'],
    ['euc-kr', '한', 'c7d1'],
    ['Latin-1', 'é', 'e9'],
    ['ISO-8859-1', 'é', 'e9'],
  ])('%s writes and reads %s', (encoding, text, hex) => {
    const codec = textCodec(encoding)
    expect(hexOf(codec.encode(text))).toBe(hex)
    expect(codec.decode(hexBytes(hex))).toBe(text)
  })

  test.each([
    ['latin1', 'a日b', 'U+65E5'],
    ['shift_jis', 'a😀b', 'U+1F600'],
    ['euc-kr', 'ü', 'U+00FC'],
    ['utf-8', 'a\ud800', 'U+D800'],
  ])('%s refuses what it cannot write, and names it', (encoding, text, named) => {
    expect(() => textCodec(encoding).encode(text)).toThrow(TextEncodeError)
    expect(() => textCodec(encoding).encode(text)).toThrow(named)
  })

  test.each(['klingon', '', 'base64', 'hex', 'constructor'])('"%s" is no encoding', (encoding) => {
    expect(() => textCodec(encoding)).toThrow(RangeError)
  })

  test('case, hyphens and underscores make no difference', () => {
    expect(textCodec('Shift-JIS')).toBe(textCodec('shift_jis'))
  })

  test('a byte order mark is text like any other', () => {
    const codec = textCodec('utf-8')
    expect(hexOf(codec.encode(codec.decode(hexBytes('efbbbf41'))))).toBe('efbbbf41')
  })
})

describe('text items', () => {
  test.each([
    [1, '65e5', '日'],
    [2, 'e697a5', '日'],
    [3, '41', 'A'],
    [4, 'e9', 'é'],
    [8, '93fa', '日'],
    [9, 'c6fc', '日'],
  ])('a C item with encoding word %i is read in it', (word, hex, text) => {
    expect(decodeText({ format: 'C', bytes: Uint8Array.of(0, word, ...hexBytes(hex)) })).toBe(text)
  })

  test('a C item in an encoding that is not known is shown as Latin-1', () => {
    expect(codecOfWord(99)).toBeUndefined()
    expect(decodeText({ format: 'C', bytes: Uint8Array.of(0, 99, 0x41) })).toBe('A')
  })

  test('a C item too short for its encoding word is shown all the same', () => {
    expect(decodeText({ format: 'C', bytes: Uint8Array.of(0x41) })).toBe('A')
  })

  test('a C item is written in UTF-8', () => {
    expect(hexOf(encodeText('C', '日').bytes)).toBe('0002e697a5')
  })

  test('the equipment’s encoding is for A alone', () => {
    const gb = textCodec('gb18030')
    expect(hexOf(encodeText('A', '中', gb).bytes)).toBe('d6d0')
    expect(hexOf(encodeText('J', 'ｱ', gb).bytes)).toBe('b1')
    expect(decodeText({ format: 'A', bytes: hexBytes('d6d0') }, gb)).toBe('中')
  })

  test('bytes beyond ASCII in a C item that says ASCII are marked', () => {
    expect(decodeText({ format: 'C', bytes: Uint8Array.of(0, 3, 0x41, 0xe9) })).toBe('A\ufffd')
  })
})
