import { texts } from '../texts.js'
import { type CsvColumn, csvOf } from './csv.js'

interface Props<Row> {
  /** Of the file, without its ending. */
  readonly name: string
  readonly rows: readonly Row[]
  readonly columns: readonly CsvColumn<Row>[]
  /** Where a page has several files. */
  readonly text?: string
}

/** Saves the rows of a table as a file. */
export function CsvButton<Row>({ name, rows, columns, text = texts.csv.button }: Props<Row>) {
  const save = (): void => {
    // The mark at the beginning lets spreadsheets read UTF-8.
    const url = URL.createObjectURL(
      new Blob(['\ufeff', csvOf(rows, columns)], { type: 'text/csv;charset=utf-8' }),
    )
    const link = document.createElement('a')
    link.href = url
    link.download = `${name}.csv`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <button type="button" class="csv" disabled={rows.length === 0} title={texts.csv.title} onClick={save}>
      {text}
    </button>
  )
}
