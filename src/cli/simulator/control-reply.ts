import { padded, widthOf } from '../../kit/text/columns.js'
import { isJsonObject } from '../../kit/text/json.js'
import { visible } from '../../kit/text/visible-text.js'
import { cell } from '../output/output.js'

const GAP = '  '

/** The result of a simulator's command for people: a line a member, and a list of records as columns. */
export function resultText(result: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(result).flatMap(([name, value]) => {
    if (name === 'ok') return []
    if (Array.isArray(value) && value.some(isJsonObject)) return columns(value.filter(isJsonObject))
    return [`${name}: ${word(value)}`]
  })
  return lines.join('\n')
}

/** The same for programs, tab-separated: a name and its value a line; of a list of records one a line. */
export function resultRows(result: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(result).flatMap(([name, value]) => {
    if (name === 'ok') return []
    if (Array.isArray(value) && value.some(isJsonObject))
      return value.filter(isJsonObject).map((one) => Object.values(one).map(word))
    return [[name, word(value)]]
  })
  return rows.map((row) => `${row.map(cell).join('\t')}\n`).join('')
}

/** Text unchanged, so that SML keeps its lines; a short form of all else. */
function word(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(word).join(', ')
  return value === null ? '-' : JSON.stringify(value)
}

function columns(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const cells = rows.map((row) => Object.values(row).map((value) => visible(word(value))))
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))))
  return cells.map((row) =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  )
}
