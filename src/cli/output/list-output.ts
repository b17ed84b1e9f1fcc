import { csvLine } from '../../kit/text/csv.js'
import { wrongUsage } from '../errors/failure.js'
import type { Column, Format } from './output.js'

/** What a user chose of a list. */
export interface ListChoice {
  /** Titles of columns, separated by commas. */
  readonly columns?: string | undefined
  /** A title, and `:desc` for the other direction. */
  readonly sort?: string | undefined
  /** Of a list that runs once: --watch is read before. */
  readonly watch?: unknown
}

/** Throws `usage` for a choice without an effect. */
export function requirePrintable({ columns, sort, watch }: ListChoice, format: Format): void {
  if (watch === true) throw wrongUsage('--watch is given once, and -w with no other flag in its word')
  if (columns !== undefined && ['json', 'yaml', 'sml'].includes(format))
    throw wrongUsage(`--columns has no effect on ${format}, which has no columns`)
  if (sort !== undefined && format === 'sml') throw wrongUsage('--sort has no effect on sml')
}

/** The column with this title, in any case; throws `usage` with the titles that there are. */
function columnNamed<Row>(flag: string, name: string, columns: readonly Column<Row>[]): Column<Row> {
  const found = columns.find(({ title }) => title !== '' && title.toLowerCase() === name.trim().toLowerCase())
  if (found) return found
  const titles = columns.flatMap(({ title }) => (title === '' ? [] : [title]))
  throw wrongUsage(`${flag}: there is no column "${name.trim()}" here; there is ${titles.join(', ')}`)
}

/** The chosen columns in the order of `chosen`; none of them is left out of a narrow table. */
export function chosenColumns<Row>(
  columns: readonly Column<Row>[],
  { columns: chosen }: ListChoice,
): readonly Column<Row>[] {
  if (chosen === undefined) return columns
  return chosen
    .split(',')
    .map((name) => columnNamed('--columns', name, columns))
    .map(({ spare: _, ...column }) => column)
}

/** Numbers by their value and before texts; texts with the numbers in them by value. */
function compared(a: string, b: string, collator: Intl.Collator): number {
  const [x, y] = [Number(a), Number(b)]
  if (!Number.isNaN(x) && !Number.isNaN(y)) return Math.sign(x - y) || 0
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1
  return collator.compare(a, b)
}

/** The rows in the order of a column; rows with nothing there are the last ones in both directions. */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { sort }: ListChoice,
): readonly Row[] {
  if (sort === undefined) return rows
  const [, name = '', direction] = /^(.*?)(?::(asc|desc))?$/i.exec(sort) ?? []
  const { key, text } = columnNamed('--sort', name, columns)
  const sign = direction?.toLowerCase() === 'desc' ? -1 : 1
  // Made here: it takes longer than all else that a list without --sort loads.
  const collator = new Intl.Collator('en', { numeric: true })
  return rows
    .map((row) => ({ row, by: (key ?? text)(row).trim() }))
    .sort((a, b) => {
      if (a.by === '' || b.by === '') return Number(a.by === '') - Number(b.by === '')
      return sign * compared(a.by, b.by, collator)
    })
    .map(({ row }) => row)
}

/** Rows as comma-separated values after a line of titles, if wanted. */
export const csv = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  withTitles: boolean,
): string =>
  (withTitles ? csvLine(columns.map(({ title }) => title)) : '') +
  rows.map((row) => csvLine(columns.map(({ text }) => text(row)))).join('')
