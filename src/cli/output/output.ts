import { cutInTheMiddle, padded, widthOf } from '../../kit/text/columns.js'
import { visible, visibleLines } from '../../kit/text/visible-text.js'
import { highlight } from './highlight.js'
import { wrapped } from './terminal-text.js'

export const FORMATS = ['table', 'wide', 'tsv', 'csv', 'json', 'sml', 'yaml'] as const
export type Format = (typeof FORMATS)[number]

/** One column of a list: its title, and its text for a row. */
export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** What rows are sorted by where it is not the text, such as the time itself. */
  readonly key?: (row: Row) => string
  /**
   * True: left out of a table before anything in it is cut, and where it has no text in any row. `empty`: left out only
   * where it has no text in any row. `narrow`: left out where the others would be cut, and it
   * has no text in any row, and where they would be cut to less than a few characters.
   */
  readonly spare?: true | 'empty' | 'narrow'
  /** In a table that is too narrow, wraps onto further lines instead of being cut. */
  readonly wraps?: true
}

/** Where a command's results go. */
export interface Sink {
  readonly isTerminal: boolean
  /** Columns of the terminal. */
  readonly width: number
}

/** Tabs and line breaks would break the columns, other controls the terminal; they are written as in a C string. */
export const cell = (text: string): string => visible(text.replaceAll('\\', '\\\\'))

/** On a terminal line breaks become spaces. */
const tableCell = (text: string): string =>
  visible(text.replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? ' ' : blanks)))

/** Rows as tab-separated values, nothing padded, coloured or cut, and without a header: `cut -f2` just works. */
export const tsv = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string =>
  cellLines(rows.map((row) => columns.map(({ text }) => text(row))))

/** The same for lines that need not have the same number of cells. */
export const cellLines = (lines: readonly (readonly string[])[]): string =>
  lines.map((cells) => `${cells.map(cell).join('\t')}\n`).join('')

/** Columns by which rows are told apart, and which are typed again: they are cut last. */
const isName = ({ title }: { readonly title: string }): boolean =>
  ['ID', 'NAME', 'EQUIPMENT', 'EMAIL'].includes(title)

/** Columns whose texts differ at their ends: they are cut in the middle. */
const differsAtItsEnd = (column: { readonly title: string }): boolean =>
  isName(column) || column.title === 'ADDRESS'

/** Columns in which a text still says something. */
const LEGIBLE_WIDTH = 8
/** Columns of the longest number, U8, and those by which most names are known. */
const NUMBER_WIDTH = 20
const NAME_WIDTH = 32

/** What columns are cut to at least, one stage after the other, until all fit: others before names. */
const STAGES: readonly (readonly [of: 'others' | 'names', least: number])[] = [
  ['others', NUMBER_WIDTH],
  ['names', NAME_WIDTH],
  ['others', LEGIBLE_WIDTH],
  ['names', 2 * LEGIBLE_WIDTH],
  ['others', 4],
  ['names', 4],
]

/** Gives the widest columns up until all fit beside each other; names last, unless little would be left of the others. */
function narrowed(natural: readonly number[], isName: readonly boolean[], room: number): number[] {
  const widths = [...natural]
  let total = widths.reduce((sum, width) => sum + width, 0)
  for (const [of, least] of STAGES) {
    for (; total > room; total--) {
      const own = widths.map((width, at) => (isName[at] === (of === 'names') ? width : 0))
      const widest = own.indexOf(Math.max(...own))
      if ((own[widest] ?? 0) <= least) break
      widths[widest] = (widths[widest] ?? 0) - 1
    }
  }
  return widths
}

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle']
    .flatMap((edge) => [edge, `${edge}-mid`, `${edge}-left`, `${edge}-right`])
    .map((name) => [name, '']),
)

const GAP = 2

const naturalWidth = <Row>(rows: readonly Row[], { title, text }: Column<Row>): number =>
  rows.reduce((widest, row) => Math.max(widest, widthOf(tableCell(text(row)))), widthOf(title))

/** The columns that fit beside each other: spare ones go, in their order, until they do. */
function fitting<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): readonly Column<Row>[] {
  const natural = columns.map((column) => naturalWidth(rows, column))
  const gaps = GAP * (columns.length - 1)
  const needed = natural.reduce((sum, one) => sum + one, gaps)
  const legible = natural.reduce(
    (sum, one, at) => sum + (columns[at] && isName(columns[at]) ? one : Math.min(one, LEGIBLE_WIDTH)),
    gaps,
  )
  const spare = needed > width ? columns.findIndex((column) => column.spare === true) : -1
  const narrow = legible > width ? columns.findIndex((column) => column.spare === 'narrow') : -1
  const isEmpty = ({ spare, text }: Column<Row>): boolean =>
    spare === 'narrow' && rows.every((row) => text(row) === '')
  const empty = needed > width ? columns.findIndex(isEmpty) : -1
  const first = [empty, spare, narrow].find((at) => at >= 0) ?? -1
  return first < 0 ? columns : fitting(rows, columns.toSpliced(first, 1), width)
}

/** Rows as a table no wider than the terminal. */
export async function table<Row>(
  rows: readonly Row[],
  all: readonly Column<Row>[],
  width: number,
  /** Stands for the rest of a text that was cut; one character wide. */
  ellipsis = '…',
): Promise<string> {
  const { default: Table } = await import('cli-table3')
  const filled = all.filter(
    ({ spare, text }) => !spare || spare === 'narrow' || rows.some((row) => text(row) !== ''),
  )
  const columns = fitting(rows, filled, width)
  const texts = rows.map((row) => columns.map(({ text }) => tableCell(text(row))))
  const natural = columns.map((column) => naturalWidth(rows, column))
  const widths = narrowed(natural, columns.map(isName), width - GAP * (columns.length - 1))
  const drawn = new Table({
    head: columns.map(({ title }) => title),
    // The last column's gap is cut off again with the spaces at the end of each line.
    colWidths: widths.map((column) => column + GAP),
    chars: NO_LINES,
    truncate: ellipsis,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP, compact: true },
  })
  for (const row of texts)
    drawn.push(
      row
        .map((text, at) =>
          columns[at] && differsAtItsEnd(columns[at])
            ? cutInTheMiddle(text, widths[at] ?? 0, ellipsis)
            : text,
        )
        .map((text, at) => ({ content: highlight(text), wordWrap: columns[at]?.wraps === true })),
    )
  return `${drawn.toString().replace(/(?<! ) +$/gm, '')}\n`
}

/** One record: a name and a value a line. On a terminal a value's further lines stand below its first. */
export function record(fields: readonly (readonly [string, string])[], sink: Sink): string {
  if (!sink.isTerminal) return cellLines(fields)
  const shown = fields.map(([name, text]) => [visible(name), visibleLines(text)] as const)
  const widest = Math.max(...shown.map(([name]) => widthOf(name)))
  return shown
    .map(([name, text]) => {
      const lines = text.split('\n').flatMap((line) => wrapped(line, sink.width - widest - GAP))
      const value = highlight(lines.join(`\n${' '.repeat(widest + GAP)}`))
      return `${`${padded(name, widest + GAP)}${value}`.trimEnd()}\n`
    })
    .join('')
}
