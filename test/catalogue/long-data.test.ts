import { describe, expect, test } from 'vitest'
import { CatalogueError } from '../../src/catalogue/catalogue.js'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { LATIN1, type TextCodec, textCodec } from '../../src/secs2/text.js'

const VALUES = 100_000
const many = <T>(value: T, count = VALUES): T[] => Array.from({ length: count }, () => value)

/** In how many steps the body of a message is built, up to its end or until its data are refused. */
function countSteps(stream: number, fn: number, data: object, text: TextCodec = LATIN1): number {
  const building = STANDARD_CATALOGUE.buildGivenSteps(
    stream,
    fn,
    { ...data },
    { sender: 'host', formats: {}, text },
  )
  let steps = 0
  try {
    while (!building.next().done) steps++
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
  }
  return steps
}

describe('long named data become items in steps', () => {
  test.each([
    ['items', 1, 3, { SVID: many('7') }],
    ['rows', 2, 15, { ROWS: many({ ECID: 1, ECV: 2 }) }],
    ['rows that are none', 2, 15, { ROWS: many(7) }],
    ['rows that lack what they need', 2, 15, { ROWS: many({ X: 7 }) }],
    ['values of one item', 7, 3, { PPID: 'A', PPBODY: many(7) }],
    ['values in lists', 2, 15, { ROWS: [{ ECID: 1, ECV: many(many(7, 1000), 100) }] }],
    ['typed values', 2, 15, { ROWS: [{ ECID: 1, ECV: { U4: many(7) } }] }],
    ['typed items of many values', 2, 15, { ROWS: many({ ECID: 1, ECV: { U4: many(7, 1000) } }, 100) }],
  ])('%s', (_, stream, fn, data) => {
    expect(countSteps(stream, fn, data)).toBeGreaterThanOrEqual(20)
  })

  test('text in an encoding', () => {
    const data = { PPID: 'A', PPBODY: { A: '你'.repeat(VALUES) } }
    expect(countSteps(7, 3, data, textCodec('gb18030'))).toBeGreaterThan(5)
  })
})

test.each([
  ['items', 1, 3, (SVID: unknown) => ({ SVID })],
  ['values of one item', 7, 3, (PPBODY: unknown) => ({ PPID: 'A', PPBODY })],
  ['a value of any format', 2, 15, (ECV: unknown) => ({ ROWS: [{ ECID: 1, ECV }] })],
  ['rows that are none', 2, 15, (ROWS: unknown) => ({ ROWS })],
  ['a text that is none', 10, 3, (TEXT: unknown) => ({ TID: 0, TEXT })],
  ['a list of a message that is not known', 99, 1, (X: unknown) => ({ X })],
  ['an item of one', 99, 1, (X: unknown) => ({ 'X:U4': X })],
])('numbers as an array of doubles are those of a usual array: %s', (_, stream, fn, dataOf) => {
  const view = { sender: 'host', formats: {}, text: LATIN1 } as const
  const build = (values: unknown): unknown => {
    try {
      return STANDARD_CATALOGUE.buildGiven(stream, fn, dataOf(values), view)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(build(Float64Array.of(1, 70_000, 3))).toEqual(build([1, 70_000, 3]))
})

test('more items than a message may have are refused before all of them are built', () => {
  const view = { sender: 'host', formats: {}, text: LATIN1 } as const
  const ECV = many(many(7, 2 ** 10), 2 ** 11)
  const build = (): unknown => STANDARD_CATALOGUE.buildAny(2, 15, { ROWS: [{ ECID: 1, ECV }] }, view)
  expect(build).toThrow('ROWS/0/ECV is one of more than 1048576 items')
})
