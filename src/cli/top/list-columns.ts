import type { Equipment } from '../../contract/equipment.js'
import { cutInTheMiddle } from '../../kit/text/columns.js'
import { highlight, paint } from '../output/highlight.js'
import { line, quietText, rateText, type Span, sparkline, type View } from './line.js'
import { longestName, MAX_NAME, MIN_NAME, nameWidth } from './name-width.js'
import { bothWays, rateNow } from './rates.js'
import { countsOf, type Sort, type TopState } from './top-state.js'

interface ListColumn {
  readonly title: string
  /** The sort order that marks its title. */
  readonly sort?: Sort
  readonly isNumber?: true
  /** Width in columns of the terminal where there is little room, and where there is enough. */
  readonly min: number
  readonly max: number
  readonly draw: (state: TopState, equipment: Equipment, width: number, view: View) => Span
}

type Word = 'health' | 'connection_state' | 'communication_state' | 'control_state'

const wordColumn = (title: string, member: Word, min: number, max: number, sort?: Sort): ListColumn => ({
  title,
  min,
  max,
  ...(sort && { sort }),
  draw: (_, { [member]: text }) => ({ text, tint: (kept) => highlight(text, kept) }),
})

const NAME: ListColumn = {
  title: 'EQUIPMENT',
  sort: 'name',
  min: MIN_NAME,
  max: MAX_NAME,
  draw: (_, { name }, width, { ascii }) => ({ text: cutInTheMiddle(name, width, ascii ? '~' : '…') }),
}
const HEALTH = wordColumn('HEALTH', 'health', 8, 8)
const CONNECTION = wordColumn('CONNECTION', 'connection_state', 13, 13, 'state')
const COMMUNICATION = wordColumn('COMMUNICATION', 'communication_state', 13, 17)
const CONTROL = wordColumn('CONTROL', 'control_state', 13, 17)
const RATE: ListColumn = {
  title: 'RATE',
  sort: 'rate',
  isNumber: true,
  min: 5,
  max: 5,
  draw: ({ rates }, { id }) => {
    const rate = rateNow(rates.get(id))
    return { text: rate === undefined ? '' : rateText(rate) }
  },
}
/** How long no message has come; blank where none has come since the gateway started. */
const LAST: ListColumn = {
  title: 'LAST MESSAGE',
  isNumber: true,
  min: 5,
  max: 12,
  draw: ({ now }, { responsiveness }) => ({
    // Of an older gateway it is missing.
    text: quietText(responsiveness?.last_message_at ?? null, now),
  }),
}
const GRAPH: ListColumn = {
  title: '',
  isNumber: true,
  min: 8,
  max: 60,
  draw: ({ rates }, { id }, width, { ascii }) => ({
    text: sparkline(bothWays(rates.get(id)), width, ascii),
    tint: paint.cyan,
  }),
}
/** Active alarms, and `!` where nobody has acknowledged some alarm, active or not. */
const ALARMS: ListColumn = {
  title: 'ALM',
  sort: 'alarms',
  isNumber: true,
  min: 4,
  max: 4,
  draw: (state, { id }) => {
    const { active, unacknowledged } = countsOf(state, id)
    return { text: `${active || ''}${unacknowledged > 0 ? '!' : ''}`, tint: paint.red }
  },
}

/** Who has locked it; shown while any equipment is locked. */
const LOCK: ListColumn = {
  title: 'LOCK',
  min: 4,
  max: 16,
  draw: (_, { lock }) => ({ text: lock?.by.split('@', 1)[0] ?? '', tint: paint.yellow }),
}

/** How its tap stands; shown while any equipment has one. */
const TAP: ListColumn = {
  title: 'TAP',
  min: 9,
  max: 9,
  draw: (_, { tap, tap_link }) => {
    const text = tap ? (tap_link?.state ?? 'tapped') : ''
    return { text, tint: text === 'connected' ? paint.green : paint.yellow }
  },
}

const COLUMNS: readonly ListColumn[] = [
  ...[NAME, LOCK, TAP, HEALTH, CONNECTION, COMMUNICATION, CONTROL, LAST, RATE, GRAPH, ALARMS],
]
/** What a terminal shows as far as there is room, in this order. Name and alarms stay. */
const WANTED_FIRST: readonly ListColumn[] = [
  ...[LOCK, HEALTH, CONNECTION, TAP, RATE, CONTROL, COMMUNICATION, LAST, GRAPH],
]

type Widths = ReadonlyMap<ListColumn, number>

/** The columns that fit, each with its width. */
export function columnsFor(state: TopState, width: number): Widths {
  const all = [...state.equipment.values()]
  const isUsed = new Map([
    [LOCK, all.some(({ lock }) => lock)],
    [TAP, all.some(({ tap }) => tap)],
  ])
  const longest = longestName(state)
  const widths = new Map([
    [NAME, nameWidth(longest, width)],
    [ALARMS, ALARMS.min],
  ])
  // The mark of the cursor, and a space before each column.
  let spare = [...widths.values()].reduce((left, taken) => left - 1 - taken, width - 1)
  for (const column of WANTED_FIRST) {
    if (isUsed.get(column) === false || spare < 1 + column.min) continue
    widths.set(column, column.min)
    spare -= 1 + column.min
  }
  spare = Math.max(0, spare)
  const grow = (column: ListColumn, limit: number): void => {
    const now = widths.get(column)
    if (now === undefined) return
    const more = Math.min(limit, spare, column.max - now)
    widths.set(column, now + more)
    spare -= more
  }
  // People look for a name first; the states are whole from 96 columns on.
  if (width >= 96) for (const column of [COMMUNICATION, CONTROL]) grow(column, spare)
  // Its title is whole, or one word.
  if (spare >= LAST.max - LAST.min) grow(LAST, spare)
  grow(GRAPH, Math.floor(spare / 3))
  grow(NAME, Math.max(0, longest - nameWidth(longest, width)))
  for (const column of [LOCK, COMMUNICATION, CONTROL, GRAPH]) grow(column, spare)
  return new Map(
    COLUMNS.flatMap((column) => {
      const found = widths.get(column)
      return found === undefined ? [] : [[column, found]]
    }),
  )
}

/** The titles of the list; the column that it is sorted by has a mark. */
export function listTitles(state: TopState, columns: Widths, view: View): string {
  const titles = [...columns].map(([{ title, sort, isNumber }, width]): Span => {
    const text = sort !== undefined && sort === state.sort ? `${title}*` : title
    return { text, width, ...(isNumber && { isNumber }) }
  })
  return paint.dim(line([{ text: ' ' }, ...titles], view))
}

/** One equipment in the list. */
export function listRow(
  state: TopState,
  columns: Widths,
  equipment: Equipment,
  isSelected: boolean,
  view: View,
): string {
  const cells = [...columns].map(([{ draw, isNumber }, width]): Span => {
    const { tint, ...span } = draw(state, equipment, width, view)
    return { ...span, width, ...(isNumber && { isNumber }), ...(!isSelected && { tint }) }
  })
  const text = line([{ text: isSelected ? '>' : ' ' }, ...cells], view)
  return isSelected ? paint.inverse(text) : text
}
