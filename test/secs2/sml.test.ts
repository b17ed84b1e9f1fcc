import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { A, L, U4 } from '../../src/secs2/item.js'
import { MAX_ITEMS } from '../../src/secs2/limits.js'
import { SmlError } from '../../src/secs2/sml/error.js'
import { parseItem, parseSml } from '../../src/secs2/sml/parse.js'
import { printItem, printSml } from '../../src/secs2/sml/print.js'
import { LATIN1, textCodec } from '../../src/secs2/text.js'
import { vectors } from '../support/vectors.js'
import { anyItem } from './any-item.js'

describe('an item', () => {
  test('is read with and without a dot, and nothing after it', () => {
    expect(parseItem('<U4 1>.')).toEqual(U4(1))
    expect(() => parseItem('<U4 1> <U4 2>')).toThrow('expected the end of the text, found <')
  })
})

describe('dialects', () => {
  test.each(vectors<{ text: string; printed: string[] }>('sml.json'))('$name', ({ text, printed }) => {
    expect(parseSml(text).map((message) => printSml(message, { text: LATIN1 }))).toEqual(printed)
  })

  test.each(
    vectors<{ text: string; line: number; column: number; expected: string; found: string }>('bad-sml.json'),
  )('$name is refused with its place', ({ text, line, column, expected, found }) => {
    expect(() => parseSml(text)).toThrow(SmlError)
    expect(() => parseSml(text)).toThrow(expect.objectContaining({ line, column, expected, found }))
  })

  test('an error is one sentence', () => {
    expect(() => parseSml('S1F3\n <U1 256>.')).toThrow(
      'line 2, column 6: expected a value of U1 (0 to 255), found 256',
    )
  })
})

describe('printing', () => {
  test('shows no more than ASCII unless told the encoding', () => {
    const item = A('a\xe9b')
    expect(printItem(item)).toBe('<A "a" 0xE9 "b">')
    expect(printItem(item, { text: LATIN1 })).toBe('<A "aéb">')
  })

  test('shows text in the equipment’s encoding', () => {
    const text = textCodec('gb18030')
    const item = A(text.encode('中文\n'))
    expect(printItem(item, { text })).toBe('<A "中文" 0x0A>')
    expect(parseItem(printItem(item, { text }), { text })).toEqual(item)
  })

  test('shows bytes that are no text in the encoding as hex', () => {
    const text = textCodec('utf-8')
    const item = A('a\xffb')
    expect(printItem(item, { text })).toBe('<A "a" 0xFF "b">')
  })

  test('keeps within a width when told one', () => {
    const item = L(U4(...Array.from({ length: 30 }, (_, at) => at * 1000)))
    const lines = printItem(item, { width: 40 }).split('\n')
    expect(lines.length).toBeGreaterThan(4)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(40)
    expect(parseItem(lines.join('\n'))).toEqual(item)
  })
})

describe('large texts', () => {
  test('a text item of a million controls and letters goes there and back', () => {
    const item = A('\nAA'.repeat(333_333))
    const read = parseItem(printItem(item, { text: LATIN1 }))
    expect(read.format === 'A' && read.value === item.value).toBe(true)
  })

  test.each(['/* */', ' // x\n', ' ', 'S1F1.'])('a hundred thousand times "%s" is read', (text) => {
    expect(parseSml(text.repeat(100_000))).toHaveLength(text.includes('S1F1') ? 100_000 : 0)
  })

  test.each(['1', 'a', '-', '<L ', '"', '0x1', '.'])('ten million times "%s" is refused', (text) => {
    expect(() => parseSml(text.repeat(10_000_000))).toThrow(SmlError)
  })
})

describe('properties', () => {
  test.each(['latin1', 'utf-8', 'shift_jis', 'gb18030', 'utf-16be', undefined])(
    'what is printed with encoding %s parses back to the same bytes',
    (encoding) => {
      const options = encoding === undefined ? {} : { text: textCodec(encoding) }
      fc.assert(
        fc.property(anyItem, fc.constantFrom(undefined, 30), (item, width) => {
          const sml = printItem(item, { ...options, ...(width && { width }) })
          expect(parseItem(sml, options)).toEqual(item)
        }),
        { numRuns: 200 },
      )
    },
  )

  test('random text is parsed or refused, never anything else', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '[',
        ']',
        '.',
        '..',
        ':',
        '"',
        "'",
        '\\',
        'W',
        'S1F1',
        'L',
        'A',
        'U4',
        '1',
        '0x',
        '-',
        '/*',
        '//',
        ' ',
        '\n',
      ),
      fc.string({ maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          parseSml(pieces.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(SmlError)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('more items than a message may have are refused where they begin', () => {
    const many = (items: number): string => `<L\n${'<L>'.repeat(items - 1)}>`
    expect(() => parseItem(many(MAX_ITEMS))).not.toThrow()
    expect(() => parseItem(many(MAX_ITEMS + 1))).toThrow(
      expect.objectContaining({ name: 'SmlError', line: 2, column: 3 * (MAX_ITEMS - 1) + 1 }),
    )
  })

  test('lists nested too deep are refused', () => {
    expect(() => parseItem('<L '.repeat(100_000))).toThrow(SmlError)
  })
})
