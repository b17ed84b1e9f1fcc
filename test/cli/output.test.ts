import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Column, table, tsv } from '../../src/cli/output.js'

type Row = readonly [string, string, string]
const COLUMNS: readonly Column<Row>[] = [
  { title: 'ID', text: (row) => row[0] },
  { title: 'NAME', text: (row) => row[1] },
  { title: 'WHAT', text: (row) => row[2] },
]

test('a table has a title line and columns under each other', async () => {
  const drawn = await table([['1', 'etcher', 'SELECTED']] as const, COLUMNS, 80)
  expect(drawn).toBe('ID  NAME    WHAT\n1   etcher  SELECTED\n')
})

test('a table is never wider than the terminal, whatever is in it', async () => {
  const cell = fc.string({ unit: 'grapheme-ascii', maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }),
      fc.integer({ min: 20, max: 120 }),
      async (rows, width) => {
        const lines = (await table(rows, COLUMNS, width)).slice(0, -1).split('\n')
        expect(lines).toHaveLength(rows.length + 1)
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
      },
    ),
    { numRuns: 50 },
  )
})

test('tab-separated values are one line a row, with nothing cut', () => {
  const value = fc.string({ maxLength: 200 })
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value, value)), (rows) => {
      const lines = tsv(rows, COLUMNS).split('\n')
      expect(lines.pop()).toBe('')
      expect(lines.map((line) => line.split('\t').length)).toEqual(rows.map(() => 3))
    }),
  )
  expect(tsv([['a\tb', 'c\nd', '\\']] as const, COLUMNS)).toBe('a\\tb\tc\\nd\t\\\\\n')
})

test('a table that is too wide leaves out what is spare before it cuts anything', async () => {
  const columns = COLUMNS.map((column, at) => (at === 0 ? { ...column, spare: true as const } : column))
  const rows = [['eq_7f3k2m9qta', 'etcher', 'SELECTED']] as const
  expect(await table(rows, columns, 31)).toBe(
    'ID             NAME    WHAT\neq_7f3k2m9qta  etcher  SELECTED\n',
  )
  expect(await table(rows, columns, 30)).toBe('NAME    WHAT\netcher  SELECTED\n')
})
