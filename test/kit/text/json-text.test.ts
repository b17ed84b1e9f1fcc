import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonTextError, parseJsonText, pointerStep } from '../../../src/kit/text/json-text.js'

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(4), (text, indent) => {
      const value: unknown = JSON.parse(text)
      expect(parseJsonText(text).value).toEqual(value)
      expect(parseJsonText(JSON.stringify(value, undefined, indent)).value).toEqual(value)
    }),
  )
})

/** Whether fewer members were read of a changed text than of the text: two of them have one name now. */
const losesMember = (text: string, mutated: string): boolean => membersIn(mutated) < membersIn(text)
function membersIn(text: string): number {
  let count = 0
  JSON.parse(text, (_, value: unknown) => {
    count++
    return value
  })
  return count
}

test('refuses what JSON.parse refuses, with a place in the text', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', '}', ',', '\\', 'x', '\n', '1'),
      (text, at, put) => {
        const cut = at % (text.length + 1)
        const mutated = text.slice(0, cut) + put + text.slice(cut + 1)
        let expected: unknown
        try {
          expected = JSON.parse(mutated)
        } catch {
          expect(() => parseJsonText(mutated)).toThrow(JsonTextError)
          return
        }
        // A name that occurs twice is refused here, and read as the last of the two there.
        if (losesMember(text, mutated)) return
        expect(parseJsonText(mutated).value).toEqual(expected)
      },
    ),
  )
})

describe('a mistake is reported with its place', () => {
  test.each([
    ['', 1, 1, 'a value expected, but the text ends'],
    ['{\n  "a": 1,\n}', 3, 1, 'the name of a member expected, but found }'],
    ['{"a": 1 "b": 2}', 1, 9, '"," or "}" expected, but found "b"'],
    ['[1, 2', 1, 6, '"," or "]" expected, but the text ends'],
    ['{"a" 1}', 1, 6, '":" expected, but found 1'],
    ['[1] 2', 1, 5, 'the end expected, but found 2'],
    ['{\r\n\t"a": tru }', 2, 7, 'tru is no JSON'],
    ['["a\nb"]', 1, 2, 'a string that does not end, or has a wrong escape'],
    ["{'a': 1}", 1, 2, "' is no JSON"],
    ['{"a": 1,\n "a": 2}', 2, 2, 'the member "a" occurs twice'],
    ['[01]', 1, 3, '"," or "]" expected, but found 1'],
    ['['.repeat(100_000), 1, 66, 'values are nested more than 64 deep'],
  ])('%#', (text, line, column, detail) => {
    let error: unknown
    try {
      parseJsonText(text)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ name: 'JsonTextError', place: { line, column }, detail })
  })
})

test('a text that never ends is refused at once', () => {
  expect(() => parseJsonText(`["${'a\\n'.repeat(300_000)}`)).toThrow('a string that does not end')
})

test('every value has its place, and what is not there that of what is round it', () => {
  const { placeOf } = parseJsonText('\ufeff{\n  "a/b": [\n    "x<y>",\n    "q\\"<y>"\n  ]\n}')
  const list = pointerStep('a/b')
  expect(placeOf('')).toEqual({ line: 1, column: 2 })
  expect(placeOf(list)).toEqual({ line: 2, column: 10 })
  expect(placeOf(`${list}/0`)).toEqual({ line: 3, column: 5 })
  expect(placeOf(`${list}/0`, 1)).toEqual({ line: 3, column: 7 })
  expect(placeOf(`${list}/1`, 3)).toEqual({ line: 4, column: 5 })
  expect(placeOf(`${list}/7/name`, 3)).toEqual({ line: 2, column: 10 })
})
