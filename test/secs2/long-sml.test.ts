import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { A, L, U4 } from '../../src/secs2/item.js'
import { SmlError } from '../../src/secs2/sml/error.js'
import type { SmlOptions } from '../../src/secs2/sml/message.js'
import { parseItem, parseSml, smlSteps } from '../../src/secs2/sml/parse.js'
import { printItem } from '../../src/secs2/sml/print.js'
import { LATIN1, textCodec } from '../../src/secs2/text.js'
import { longItem } from './long-item.js'

/** In how many steps a text is read, up to its end or its first error. */
function countSteps(text: string, options: SmlOptions = {}): number {
  const reading = smlSteps(text, options)
  let steps = 0
  try {
    while (!reading.next().done) steps++
  } catch (error) {
    if (!(error instanceof SmlError)) throw error
  }
  return steps
}

const VALUES = 100_000

describe('a long text is read in steps', () => {
  test.each([
    ['numbers', `<U1 ${'7 '.repeat(VALUES)}>`],
    ['bytes of text', `<A ${'0x41 '.repeat(VALUES)}>`],
    ['strings', `<A ${'"a" '.repeat(VALUES)}>`],
    ['truths', `<BOOLEAN ${'T '.repeat(VALUES)}>`],
    ['items', `<L ${'<A "x">'.repeat(VALUES)}>`],
    ['one string', `<A "${'\\"'.repeat(20 * VALUES)}">`],
  ])('of %s', (_, item) => {
    expect(countSteps(`S1F1 ${item}.`)).toBeGreaterThan(90)
  })

  test('and text of an encoding, too', () => {
    const text = textCodec('gb18030')
    expect(countSteps(`S1F1 <A "${'你'.repeat(VALUES)}">.`, { text })).toBeGreaterThan(5)
  })

  test('as the item that was printed', () => {
    fc.assert(
      fc.property(longItem, (item) => {
        expect(parseItem(printItem(item, { text: LATIN1 }))).toEqual(item)
      }),
      { numRuns: 30 },
    )
  })

  test.each([65_534, 65_535, 65_536, 65_537, 131_072])('with an escape behind %i characters', (length) => {
    for (const [written, meant] of [
      ['\\"', '"'],
      ['\\x41', 'A'],
      ['x', 'x'],
    ] as const) {
      const before = 'x'.repeat(length)
      expect(parseItem(`<A "${before}${written}" "y">`)).toEqual(A(`${before}${meant}y`))
    }
  })

  test('a list of very many items has each in its place', () => {
    const item = L(...Array.from({ length: VALUES }, (_, at) => (at % 1000 === 0 ? L(U4(at)) : U4(at))))
    expect(parseItem(printItem(item, { text: LATIN1 }))).toEqual(item)
  })

  test('with no character torn', () => {
    const text = textCodec('utf-8')
    for (const shift of ['', 'x']) {
      const said = shift + '\u{1f600}'.repeat(VALUES)
      expect(parseItem(`<A "${said}">`, { text })).toEqual(A(text.encode(said)))
    }
  })

  test('of which a count counts one string as one', () => {
    const long = 'x'.repeat(70_000)
    expect(parseItem(`<A [2] "${long}" "y">`)).toEqual(A(`${long}y`))
  })
})

describe('a long text is read no further than', () => {
  test.each([
    ['numbers', `<U8 ${'7 '.repeat(VALUES)}>`],
    ['bytes of text', `<A ${'0x41 '.repeat(VALUES)}>`],
    ['strings', `<A ${'"a" '.repeat(VALUES)}>`],
    ['items', `<L ${'<A "x">'.repeat(VALUES)}>`],
  ])('the bytes that a body may have: %s', (_, item) => {
    const options = { maxBytes: 8192 }
    expect(() => parseSml(`S1F1 ${item}.`, options)).toThrow('expected a body of at most 8192 bytes')
    expect(countSteps(`S1F1 ${item}.`, options)).toBeLessThan(17)
  })

  test('what an item may hold', () => {
    expect(() => parseItem(`<U8 ${'7 '.repeat(2 ** 21)}>`)).toThrow('at most 16777215 bytes')
  })

  test('the messages that are wanted', () => {
    expect(parseSml('S1F1. S1F3.', { maxMessages: 2 })).toHaveLength(2)
    expect(() => parseSml('S1F1. S1F3.', { maxMessages: 1 })).toThrow(
      'line 1, column 7: expected no more than 1 message, found S1F3',
    )
  })

  test('a body that just fits', () => {
    const item = L(A('x'.repeat(10)), U4(1, 2, 3))
    const text = `S1F1 ${printItem(item)}.`
    expect(parseSml(text, { maxBytes: 28 })).toEqual([expect.objectContaining({ item })])
    expect(() => parseSml(text, { maxBytes: 27 })).toThrow('at most 27 bytes')
  })
})

test.each(['S1F1 = ', '', 'S1F1 <U1 '])('after "%s" a name that never ends is refused', (before) => {
  expect(() => parseSml(`${before}${'x'.repeat(100_000)}`)).toThrow('at most 2048 characters')
  expect(() => parseSml(`${before}"${'x'.repeat(100_000)}"`)).toThrow(SmlError)
})

test('the character that cannot be written is named, however far it is', () => {
  const text = textCodec('gb18030')
  const said = `${'你'.repeat(VALUES)}\ud800${'好'.repeat(VALUES)}`
  expect(() => text.encode(said)).toThrow(expect.objectContaining({ character: '\ud800' }))
})

test('a long text is folded at the width, wherever its pieces end', () => {
  const item = { format: 'A', value: `${'x'.repeat(30)}\0`.repeat(500) } as const
  const widths = printItem(item, { width: 50 })
    .split('\n')
    .map(({ length }) => length)
  expect(Math.max(...widths)).toBeLessThanOrEqual(50)
})
