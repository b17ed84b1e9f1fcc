import type { Tool } from '../gateway/site.js'
import type { CsvColumn } from '../parts/csv.js'
import type { Group } from '../wall/selection.js'
import { E10_WORDS, type Mapping, mappingFor } from './e10.js'
import type { SiteChanges } from './site-changes.js'
import { type Span, type Stretch, sharesOf, timelineOf, timesOf } from './timeline.js'

/** An equipment with its states. */
export interface Row {
  readonly tool: Tool
  readonly group: string | undefined
  readonly timeline: readonly Stretch[]
}

/** The equipment of one value of a label. */
export interface RowGroup {
  readonly value: string | undefined
  readonly rows: readonly Row[]
}

/** The states of the equipment of each group until `now`. */
export function rowsOf(
  groups: readonly Group[],
  read: SiteChanges,
  span: Span,
  now: number,
  mapping: Mapping,
): readonly RowGroup[] {
  // What is still to come is neither known nor unknown.
  const past = { from: span.from, to: Math.max(span.from, Math.min(span.to, now)) }
  return groups.map(({ value, tools }) => ({
    value,
    rows: tools.map((tool) => {
      const { record } = tool
      const own = mappingFor(record.labels, mapping)
      const changes = read.changes.get(record.id) ?? []
      return { tool, group: value, timeline: timelineOf(changes, past, read.known, record, own) }
    }),
  }))
}

const iso = (at: number): string => new Date(at).toISOString()
const seconds = (ms: number): number => Math.round(ms / 1000)
const rounded = (share: number | undefined): string => share?.toFixed(4) ?? ''

export const SHARES_CSV: readonly CsvColumn<Row>[] = [
  ['equipment', ({ tool }) => tool.record.name],
  ['group', ({ group }) => group],
  ['from', ({ timeline }) => (timeline[0] ? iso(timeline[0].from) : '')],
  ['to', ({ timeline }) => iso(timeline.at(-1)?.to ?? 0)],
  ...E10_WORDS.map(
    (word) => [`${word}_s`, ({ timeline }: Row) => seconds(timesOf([timeline])[word])] as CsvColumn<Row>,
  ),
  ['productive_share', ({ timeline }) => rounded(sharesOf(timesOf([timeline])).productive)],
  ['up_share', ({ timeline }) => rounded(sharesOf(timesOf([timeline])).up)],
  ['unknown_share', ({ timeline }) => rounded(sharesOf(timesOf([timeline])).unknown)],
]

export const STATES_CSV: readonly CsvColumn<Stretch & { readonly row: Row }>[] = [
  ['equipment', ({ row }) => row.tool.record.name],
  ['group', ({ row }) => row.group],
  ['from', ({ from }) => iso(from)],
  ['to', ({ to }) => iso(to)],
  ['state', ({ state }) => state ?? 'unknown'],
  ['e10', ({ word }) => word],
]

/** Whether any state counts as productive: without one, a share of 0 % would say something that nobody knows. */
export const hasProductive = (rows: readonly Row[], mapping: Mapping): boolean =>
  rows.some(({ tool }) => Object.values(mappingFor(tool.record.labels, mapping)).includes('productive'))
