import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonLimitError, jsonSteps } from '../../../src/kit/text/json-steps.js'

interface Reading {
  readonly value?: unknown
  readonly error?: string
  readonly steps: number
}

/** What is read of a text, and in how many steps. */
function read(text: string, chunk?: number, maxDepth = 100): Reading {
  const parse = (part: string): unknown => JSON.parse(part)
  const steps = jsonSteps(Buffer.from(text), { maxDepth, parse, ...(chunk && { chunk }) })
  for (let count = 0; ; count++) {
    try {
      const step = steps.next()
      if (step.done) return { value: step.value, steps: count }
    } catch (error) {
      return { error: (error as Error).name, steps: count }
    }
  }
}

const spaced = fc.constantFrom('', ' ', '\n\t', ' '.repeat(40))

describe('whatever the chunk, the value is that of JSON.parse', () => {
  test('of any JSON, with any white space', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 6, stringUnit: 'binary' }).filter((text) => !text.includes('__proto__')),
        fc.integer({ min: 8, max: 60 }),
        fc.nat(4),
        (text, chunk, indent) => {
          const value: unknown = JSON.parse(text)
          for (const written of [text, JSON.stringify(value, null, indent)]) {
            expect(read(written, chunk).value).toEqual(value)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('of text that was damaged, there is an error where JSON.parse has one', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }).filter((text) => !text.includes('__proto__')),
        fc.nat(),
        fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', '\\', '1', 'x', '-'),
        fc.integer({ min: 8, max: 40 }),
        spaced,
        (text, where, damage, chunk, space) => {
          const at = where % (text.length + 1)
          const damaged = `${space}${text.slice(0, at)}${damage}${text.slice(at + (where % 2))}${space}`
          const { value, error } = read(damaged, chunk)
          const expected = read(damaged)
          expect(error).toBe(expected.error)
          if (error === undefined) expect(value).toEqual(expected.value)
        },
      ),
      { numRuns: 1000 },
    )
  })

  test.each([
    '[1,]',
    '[,1]',
    '[1,,2]',
    '[',
    '{"a":1,}',
    '{,}',
    '[1}',
    '{"a":1]',
    '[1]2',
    '{"a" 1}',
    '{1:2}',
    '',
  ])('%s is refused in every chunk', (text) => {
    for (const spaces of [0, 100]) {
      const wide = text.replaceAll(/[,\d]/g, (found) => found + ' '.repeat(spaces))
      for (const chunk of [8, 20, 1000]) expect(read(wide, chunk).error).toBe('SyntaxError')
    }
  })
})

describe('what is long is read in steps', () => {
  test.each([
    ['numbers', `{"a":[${'7,'.repeat(500_000)}7]}`],
    ['one string', `{"a":"${'x'.repeat(2_000_000)}"}`],
    ['escapes', `["${'\\u0041'.repeat(400_000)}"]`],
    ['characters of several bytes', `["${'你'.repeat(600_000)}"]`],
    ['objects', `[${'{"U1":7},'.repeat(200_000)}{}]`],
    ['lists in lists', `[${`[${'[[7]],'.repeat(1000)}7],`.repeat(300)}7]`],
  ])('%s', (_, text) => {
    const { value, steps } = read(text)
    expect(steps).toBeGreaterThanOrEqual(8)
    expect(value).toEqual(JSON.parse(text))
  })
})

describe('an array of very many numbers', () => {
  const numbers = '7,-0,0.1,1e300,9007199254740991,'.repeat(120_000)

  test('is one of doubles, made in steps', () => {
    const { value, steps } = read(`{"a":[${numbers}7],"b":[1]}`)
    const { a, b } = value as { readonly a: Float64Array; readonly b: unknown }
    expect([a.length, a.slice(-6), b]).toEqual([
      600_001,
      Float64Array.of(7, -0, 0.1, 1e300, 9007199254740991, 7),
      [1],
    ])
    // Each part is read, and copied once more.
    expect(steps).toBeGreaterThan((2 * numbers.length) / (128 * 1024))
  })

  test.each([
    ['at its end', `[${numbers}"x"]`],
    ['at its beginning', `["x",${numbers}7]`],
    ['in its middle', `[${numbers}{"a":1},${numbers}7]`],
  ])('is a usual one where something else is %s', (_, text) => {
    expect(read(text).value).toEqual(JSON.parse(text))
  })
})

test('depth is limited alike in one chunk and in many', () => {
  for (const chunk of [10, 1000]) {
    for (const [depth, error] of [
      [100, undefined],
      [101, 'JsonLimitError'],
    ] as const) {
      expect(read('['.repeat(depth) + ']'.repeat(depth), chunk).error).toBe(error)
      expect(read(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`, chunk).error).toBe(error)
    }
    expect(read(JSON.stringify({ a: `${'[{"\\'.repeat(150)}` }), chunk).error).toBeUndefined()
  }
})

test('an object of too many members is refused, and a number that is none', () => {
  const members = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"${at}":0`)}}`
  expect(read(members(100_000)).error).toBeUndefined()
  expect(read(members(100_001)).error).toBe(JsonLimitError.name)
  expect(read(`[${'1'.repeat(300_000)}]`).error).toBe(JsonLimitError.name)
})

test('a name that is refused in a short object is refused in a long one', () => {
  const parse = (text: string): unknown => {
    if (/"__proto__"|"constructor":\{"prototype"/.test(text)) throw new RangeError('refused')
    return JSON.parse(text)
  }
  const long = `[${'7,'.repeat(100)}7]`
  for (const text of [
    `{"__proto__":${long}}`,
    `{"constructor":{"prototype":${long}}}`,
    `{"a":${long},"constructor":{"b":${long},"prototype":1}}`,
  ]) {
    const steps = jsonSteps(Buffer.from(text), { maxDepth: 9, parse, chunk: 32 })
    expect(() => [...steps]).toThrow('refused')
  }
})
