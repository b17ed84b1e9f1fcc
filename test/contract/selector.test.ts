import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { Labels } from '../../src/contract/labels.js'
import { isLabelKey, matchesSelector, parseSelector, SelectorError } from '../../src/contract/selector.js'

const matches = (text: string, labels: Readonly<Record<string, string>>): boolean =>
  matchesSelector(parseSelector(text), labels)

describe('a selector', () => {
  const ETCH_3 = { area: 'etch', bay: '3', note: '' }

  test.each([
    ['area=etch', true],
    ['area==etch', true],
    ['area=litho', false],
    ['area!=litho', true],
    ['area!=etch', false],
    ['shift!=night', true],
    ['area', true],
    ['shift', false],
    ['!shift', true],
    ['!area', false],
    ['area in (etch,litho)', true],
    ['area in (litho)', false],
    ['shift in (night)', false],
    ['bay notin (1,2)', true],
    ['bay notin (1,3)', false],
    ['shift notin (night)', true],
    ['note=', true],
    ['area=', false],
    ['note=,area=etch', true],
    ['area=etch,bay!=3', false],
    ['area=etch,bay=3,!spare', true],
    [' area = etch , bay in ( 2 , 3 ) ', true],
    ['constructor', false],
    ['in', false],
  ])('%s', (text, expected) => {
    expect(matches(text, ETCH_3)).toBe(expected)
  })

  test('may use the words of the grammar as keys and values', () => {
    expect(matches('in in (notin),notin=in', { in: 'notin', notin: 'in' })).toBe(true)
  })

  const KEY = /^a label key/
  const VALUE = /^a label value/
  test.each([
    ['', 1, KEY, 'the end'],
    ['   ', 4, KEY, 'the end'],
    ['area=etch,', 11, KEY, 'the end'],
    [',area', 1, KEY, '","'],
    ['=etch', 1, KEY, '"="'],
    ['area=etch bay=3', 11, /^","$/, '"bay"'],
    ['area etch', 6, /^"=", "!=", "in", "notin" or ","$/, '"etch"'],
    ['area=etch=3', 10, /^","$/, '"="'],
    ['area=-etch', 6, VALUE, '"-etch"'],
    ['área=etch', 1, KEY, '"área"'],
    ['__proto__', 1, KEY, '"__proto__"'],
    ['area in etch', 9, /^"\("$/, '"etch"'],
    ['area in ()', 10, VALUE, '")"'],
    ['area in (etch', 14, /^"," or "\)"$/, 'the end'],
    ['!', 2, KEY, 'the end'],
    [`${'a'.repeat(64)}=1`, 1, KEY, `"${'a'.repeat(64)}"`],
    ['a,'.repeat(600), 1025, /^at most 1024 characters$/, '1200 characters'],
  ])('that cannot be read says where and what is expected: %s', (text, position, expected, found) => {
    const error = (() => {
      try {
        parseSelector(text)
      } catch (error) {
        return error
      }
    })() as SelectorError
    expect(error).toBeInstanceOf(SelectorError)
    expect(error).toMatchObject({ position, expected: expect.stringMatching(expected) })
    expect(error.message).toBe(`position ${position}: expected ${error.expected}, found ${found}`)
  })

  test('any text is read, or is a SelectorError with a position inside or just after it', () => {
    const parts = fc.array(
      fc.constantFrom(
        'area',
        'bay',
        '3',
        '=',
        '==',
        '!=',
        '!',
        ',',
        '(',
        ')',
        ' in ',
        ' notin ',
        ' ',
        '-',
        'é',
      ),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          parts.map((all) => all.join('')),
        ),
        (text) => {
          try {
            parseSelector(text)
          } catch (error) {
            expect(error).toBeInstanceOf(SelectorError)
            const { position } = error as SelectorError
            expect(position).toBeGreaterThanOrEqual(1)
            expect(position).toBeLessThanOrEqual(text.length + 1)
          }
        },
      ),
    )
  })

  const name = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,8}[A-Za-z0-9])?$/)
  const labels = fc.dictionary(name, name, { maxKeys: 8, noNullPrototype: true })

  test('made of the labels of an equipment matches it, and its negation does not', () => {
    fc.assert(
      fc.property(labels, name, name, (all, key, value) => {
        const each = Object.entries(all).map(([key, value]) => `${key}=${value}`)
        if (each.length > 0) expect(matches(each.join(','), all)).toBe(true)
        expect(matches(`${key}=${value}`, all)).toBe(!matches(`${key}!=${value}`, all))
        expect(matches(`${key} in (${value},x)`, all)).toBe(!matches(`${key} notin (${value},x)`, all))
        expect(matches(key, all)).toBe(!matches(`!${key}`, all))
      }),
    )
  })
})

test.each([
  [{}, true],
  [{ area: 'etch', 'bay-3.b_1': '' }, true],
  [{ [`k${'x'.repeat(62)}`]: `v${'x'.repeat(62)}` }, true],
  [{ area: 'x'.repeat(64) }, false],
  [{ area: 'etch ' }, false],
  [{ area: 'etch\n' }, false],
  [{ area: 3 }, false],
  [Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`k${at}`, ''])), false],
])('labels are bounded: %j', (labels, expected) => {
  expect(Value.Check(Labels, labels)).toBe(expected)
})

test.each([
  ['area', true],
  ['bay-3.b_1', true],
  ['x'.repeat(63), true],
  ['x'.repeat(64), false],
  ['', false],
  ['-area', false],
  ['area.', false],
  ['area\n', false],
  ['__proto__', false],
])('a label key is bounded: %j', (key, expected) => {
  expect(isLabelKey(key)).toBe(expected)
})
