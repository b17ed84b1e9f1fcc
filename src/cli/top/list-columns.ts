import type { Equipment } from '../../contract/equipment.js'
import { highlight, paint } from '../output/highlight.js'
import { line, type Span } from './line.js'
import { rateNow, together } from './pulse.js'
import { rateText, sparkline } from './sparkline.js'
import { cell, type Look, numberCell } from './text-cell.js'
import { alarmsOf, type Sort, type TopState } from './top-state.js'

interface ListColumn {
  readonly title: string
  /** The sort order that marks its title. */
  readonly sort?: Sort
  readonly isNumber?: boolean
  /** Width in columns of the terminal where there is no more, and where there is enough. */
  readonly min: number
  readonly max: number
  readonly draw: (state: TopState, equipment: Equipment, width: number, look: Look) => Span
}

const word = (text: string, width: number, look: Look): Span => ({
  text: cell(text, width, look),
  tint: (kept) => highlight(text, kept),
})

const NAME: ListColumn = {
  ...{ title: 'EQUIPMENT', sort: 'name', min: 10, max: 40 },
  draw: (_, { name }, width, look) => ({ text: cell(name, width, look) }),
}
const HEALTH: ListColumn = {
  ...{ title: 'HEALTH', min: 8, max: 8 },
  draw: (_, { health }, width, look) => word(health, width, look),
}
const CONNECTION: ListColumn = {
  ...{ title: 'CONNECTION', sort: 'state', min: 13, max: 13 },
  draw: (_, { connection_state }, width, look) => word(connection_state, width, look),
}
const COMMUNICATION: ListColumn = {
  ...{ title: 'COMMUNICATION', min: 13, max: 17 },
  draw: (_, { communication_state }, width, look) => word(communication_state, width, look),
}
const CONTROL: ListColumn = {
  ...{ title: 'CONTROL', min: 13, max: 17 },
  draw: (_, { control_state }, width, look) => word(control_state, width, look),
}
const RATE: ListColumn = {
  ...{ title: 'RATE', sort: 'rate', isNumber: true, min: 5, max: 5 },
  draw: ({ pulses }, { id }, width) => {
    const rate = rateNow(pulses.get(id))
    return { text: numberCell(rate === undefined ? '' : rateText(rate), width) }
  },
}
const GRAPH: ListColumn = {
  ...{ title: '', min: 8, max: 60 },
  draw: ({ pulses }, { id }, width, look) => ({
    text: sparkline(together(pulses.get(id)), width, look),
    tint: (text) => paint.cyan(text),
  }),
}
const ALARMS: ListColumn = {
  ...{ title: 'ALM', sort: 'alarms', isNumber: true, min: 4, max: 4 },
  draw: (state, { id }, width) => {
    const open = alarmsOf(state, id).length
    return { text: numberCell(open === 0 ? '' : String(open), width), tint: (text) => paint.red(text) }
  },
}

const COLUMNS: readonly ListColumn[] = [NAME, HEALTH, CONNECTION, COMMUNICATION, CONTROL, RATE, GRAPH, ALARMS]
/** What a narrow terminal does without, the first first. Name and alarms stay. */
const DROPPED_FIRST: readonly ListColumn[] = [GRAPH, CONTROL, COMMUNICATION, RATE, CONNECTION, HEALTH]
/** Columns that the mark of the cursor takes. */
const CURSOR = 1

/** The columns that fit, each with its width. */
function columnsFor(width: number): ReadonlyMap<ListColumn, number> {
  const kept = new Set(COLUMNS)
  // Each has a space before it.
  const needed = (): number => [...kept].reduce((sum, { min }) => sum + 1 + min, CURSOR)
  for (const column of DROPPED_FIRST) if (needed() > width) kept.delete(column)
  const widths = new Map([...kept].map((column) => [column, column.min]))
  let spare = Math.max(0, width - needed())
  const grow = (column: ListColumn, most: number): void => {
    const now = widths.get(column)
    if (now === undefined) return
    const more = Math.min(most, spare, column.max - now)
    widths.set(column, now + more)
    spare -= more
  }
  // A name is what a person looks for; the states are whole from 96 columns on.
  if (width >= 96) for (const column of [COMMUNICATION, CONTROL]) grow(column, spare)
  grow(GRAPH, Math.floor(spare / 3))
  for (const column of [NAME, COMMUNICATION, CONTROL, GRAPH]) grow(column, spare)
  return widths
}

/** The titles of the list; the column that it is sorted by has a mark. */
export function listTitles(state: TopState, width: number, look: Look): string {
  const titles = [...columnsFor(width)].map(([{ title, sort, isNumber }, room]): Span => {
    const text = sort !== undefined && sort === state.sort ? `${title}*` : title
    return { text: isNumber ? numberCell(text, room) : cell(text, room, look) }
  })
  return paint.dim(line([{ text: ' ' }, ...titles], width, look))
}

/** One equipment in the list. */
export function listRow(
  state: TopState,
  equipment: Equipment,
  isSelected: boolean,
  width: number,
  look: Look,
): string {
  const cells = [...columnsFor(width)].map(([{ draw }, room]) => draw(state, equipment, room, look))
  if (!isSelected) return line([{ text: ' ' }, ...cells], width, look)
  return paint.inverse(line([{ text: '>' }, ...cells.map(({ text }) => ({ text }))], width, look))
}
