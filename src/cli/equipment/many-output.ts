import type { Column } from '../output/output.js'
import { namesOf } from './unreached.js'

interface Cell {
  readonly text: string
  /** What it is sorted by. */
  readonly key: string
}

/** A table that a command printed about one equipment. */
export interface PrintedTable {
  readonly columns: readonly Column<never>[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The result of a command for one equipment. */
export interface Outcome {
  readonly name: string
  readonly exitCode: number
  readonly tables: readonly PrintedTable[]
  /** All else that it printed, but for JSON. */
  readonly text: string
  readonly notes: readonly string[]
  /** Of a command that prints JSON. */
  readonly results: readonly unknown[]
  readonly error?: { readonly text: string; readonly problem: object }
}

export interface MergedRow {
  readonly name: string
  readonly cells: ReadonlyMap<string, Cell>
}

export interface MergedTable {
  readonly columns: readonly Column<MergedRow>[]
  readonly rows: readonly MergedRow[]
}

const EQUIPMENT: Column<MergedRow> = { title: 'EQUIPMENT', text: ({ name }) => name }

/** The first tables of all equipments as one table, then the second ones, each with a column for the equipment. */
export function mergedTables(outcomes: readonly Outcome[]): readonly MergedTable[] {
  const tables: { columns: Map<string, Column<MergedRow>>; rows: MergedRow[] }[] = []
  for (const { name, tables: own } of outcomes) {
    for (const [at, part] of own.entries()) {
      tables[at] ??= { columns: new Map(), rows: [] }
      const { columns, rows } = tables[at]
      for (const { title, spare, wraps } of part.columns) {
        if (columns.has(title)) continue
        const text = ({ cells }: MergedRow): string => cells.get(title)?.text ?? ''
        const key = ({ cells }: MergedRow): string => cells.get(title)?.key ?? ''
        columns.set(title, { title, text, key, ...(spare && { spare }), ...(wraps && { wraps }) })
      }
      for (const cells of part.rows)
        rows.push({
          name,
          cells: new Map(cells.map((cell, place) => [part.columns[place]?.title ?? '', cell])),
        })
    }
  }
  return tables.map(({ columns, rows }) => ({ columns: [EQUIPMENT, ...columns.values()], rows }))
}

/** Notes and errors, those that are the same only once: `etch-1, etch-2: not connected`. */
export function groupedNotes(outcomes: readonly Outcome[]): readonly string[] {
  const groups = new Map<string, { readonly name: string }[]>()
  for (const { name, notes, error } of outcomes) {
    for (const note of [...notes, ...(error ? [error.text] : [])]) {
      const text = note.startsWith(`${name} `) ? note.slice(name.length + 1) : note
      const group = groups.get(text)
      if (group) group.push({ name })
      else groups.set(text, [{ name }])
    }
  }
  return [...groups].map(([text, equipment]) => `${namesOf(equipment)}: ${text}`)
}

/** Such as `198 done, 2 failed`. */
export function summaryOf(outcomes: readonly Outcome[], chosen: number): string {
  const failed = outcomes.filter(({ exitCode }) => exitCode !== 0).length
  const left = chosen - outcomes.length
  return [
    `${outcomes.length - failed} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(left > 0 ? [`${left} not begun`] : []),
  ].join(', ')
}

/** The outcome for one equipment, for programs. */
export const lineOf = ({ name, results, error }: Outcome): object => ({
  equipment: name,
  ...(results.length > 0 || !error ? { result: results.length > 1 ? results : (results[0] ?? null) } : {}),
  ...(error && { error: error.problem }),
})
