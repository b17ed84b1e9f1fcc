import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { csv, sortedRows } from '../../../src/cli/output/list-output.js'
import type { Column } from '../../../src/cli/output/output.js'
import { yamlText } from '../../../src/cli/output/yaml-output.js'

const COLUMNS: readonly Column<string>[] = [{ title: 'VALUE', text: (row) => row }]

test('a field of CSV is in quotes only where RFC 4180 needs it, and no value is changed', () => {
  const rows = ['plain', 'a,b', 'a "b"', 'two\r\nlines', ' edge', '=1+1', '']
  expect(csv(rows, COLUMNS, true)).toBe(
    'VALUE\r\nplain\r\n"a,b"\r\n"a ""b"""\r\n"two\r\nlines"\r\n" edge"\r\n=1+1\r\n\r\n',
  )
  expect(csv(['b'], COLUMNS, false)).toBe('b\r\n')
})

test('numbers are sorted by value and before texts, and empty ones are last in both directions', () => {
  const rows = ['b10', '', '10', '-3', '0.5', 'b9', '9']
  const sorted = (sort: string) => sortedRows(rows, COLUMNS, { sort })
  expect(sorted('value')).toEqual(['-3', '0.5', '9', '10', 'b9', 'b10', ''])
  expect(sorted('VALUE:desc')).toEqual(['b10', 'b9', '10', '9', '0.5', '-3', ''])
})

test('a column is sorted by its key where it has one', () => {
  const dated: readonly Column<string>[] = [{ title: 'AT', text: () => 'today', key: (row) => row }]
  expect(sortedRows(['2026-03-02', '2026-03-01'], dated, { sort: 'at' })).toEqual([
    '2026-03-01',
    '2026-03-02',
  ])
})

test('YAML is read back as it was, and no text as another type', () => {
  const rows = [
    { no: 'no', number: '010', text: 'a\u001b[31m\nb: #', none: null, list: [1, true, '2026-01-01'] },
  ]
  const text = yamlText(rows)
  expect(parse(text)).toEqual(rows)
  expect(text).not.toContain('\u001b')
})
