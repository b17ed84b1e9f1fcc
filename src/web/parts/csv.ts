import { csvLine } from '../../kit/text/csv.js'

/** A title, and what a row has under it. */
export type CsvColumn<Row> = readonly [
  title: string,
  text: (row: Row) => string | number | boolean | null | undefined,
]

/** Text that a spreadsheet would take for a formula. Numbers are none. */
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text))

/** Rows as CSV for a spreadsheet: what equipment reports never becomes a formula there. */
export const csvOf = <Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string =>
  csvLine(columns.map(([title]) => title)) +
  rows
    .map((row) =>
      csvLine(
        columns.map(([, text]) => {
          const given = text(row)
          return typeof given === 'string' && isFormula(given) ? `'${given}` : String(given ?? '')
        }),
      ),
    )
    .join('')
