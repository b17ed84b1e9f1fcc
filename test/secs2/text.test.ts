import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TextEncodeError } from '../../src/secs2/errors.js'
import { bytesOfWire, codecOfWord, LATIN1, textCodec } from '../../src/secs2/text.js'
import { decodeText, encodeText } from '../../src/secs2/text-item.js'
import { hexBytes, hexOf } from '../support/vectors.js'

/** Bytes as text is on the wire. */
const wireOf = (hex: string): string => String.fromCharCode(...hexBytes(hex))

describe('encodings', () => {
  test('every byte is a character of Latin-1 and back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const wire = String.fromCharCode(...bytes)
        expect(LATIN1.encode(LATIN1.decode(wire))).toBe(wire)
        expect(bytesOfWire(wire)).toEqual(Buffer.from(bytes))
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
    expect(hexOf(bytesOfWire(codec.encode(text)))).toBe(hex)
    expect(codec.decode(wireOf(hex))).toBe(text)
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

  test.each(['utf-8', 'utf-16be', 'shift_jis', 'gb18030', 'euc-jp', 'euc-kr', 'big5'])(
    'bytes in %s that come in pieces are the same text, also where they are not valid',
    (encoding) => {
      const codec = textCodec(encoding)
      const pieces = fc.array(fc.uint8Array({ maxLength: 4 }), { maxLength: 8 })
      fc.assert(
        fc.property(pieces, (given) => {
          const wires = given.map((bytes) => Buffer.from(bytes).toString('latin1'))
          const decoder = codec.decoder()
          const text = wires.map((wire) => decoder.write(wire)).join('') + decoder.end()
          expect(text).toBe(codec.decode(wires.join('')))
        }),
        { numRuns: 300 },
      )
    },
  )

  test('a byte order mark is text like any other', () => {
    const codec = textCodec('utf-8')
    const wire = wireOf('efbbbf41')
    expect(codec.encode(codec.decode(wire))).toBe(wire)
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
    expect(decodeText({ format: 'C', value: String.fromCharCode(0, word) + wireOf(hex) })).toBe(text)
  })

  test('a C item in an encoding that is not known is shown as Latin-1', () => {
    expect(codecOfWord(99)).toBeUndefined()
    expect(decodeText({ format: 'C', value: '\0cA' })).toBe('A')
  })

  test('a C item too short for its encoding word is shown all the same', () => {
    expect(decodeText({ format: 'C', value: 'A' })).toBe('A')
  })

  test('a C item is written in UTF-8', () => {
    expect(encodeText('C', '日').value).toBe('\0\x02\xe6\x97\xa5')
  })

  test('the equipment’s encoding is for A alone', () => {
    const gb = textCodec('gb18030')
    expect(encodeText('A', '中', gb).value).toBe('\xd6\xd0')
    expect(encodeText('J', 'ｱ', gb).value).toBe('\xb1')
    expect(decodeText({ format: 'A', value: '\xd6\xd0' }, gb)).toBe('中')
  })

  test('bytes beyond ASCII in a C item that says ASCII are marked', () => {
    expect(decodeText({ format: 'C', value: '\0\x03A\xe9' })).toBe('A\ufffd')
  })
})
