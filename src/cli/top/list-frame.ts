import { paint } from '../output/highlight.js'
import { line, type View } from './line.js'
import { columnsFor, listRow, listTitles } from './list-columns.js'
import { alarmLine, eventLine } from './rows.js'
import { cursorIn, shownEquipment, windowAround } from './shown-equipment.js'
import type { TopState } from './top-state.js'

/** Lines above and below the list: two of the head, its titles, the foot. */
const FIXED = 4
/** Lines of alarms and of events below a list that needs all others, with their titles. */
const BELOW = 5
const MIN_ROWS = 4

const NONE = 'No equipment yet: secsctl equipment add'
const NO_MATCH = 'Nothing matches the filter.'

interface Rooms {
  readonly equipment: number
  readonly alarms: number
  readonly events: number
}

/**
 * How the lines are shared. A low terminal shows equipment alone; on a high one, lines that the equipment does not
 * need go to the alarms, then to the events.
 */
function roomsIn(state: TopState, { rows }: View): Rooms {
  const free = rows - FIXED
  const wanted = (count: number): number => 1 + Math.max(1, count)
  let left = free - MIN_ROWS
  const take = (lines: number): number => {
    const taken = left >= lines ? lines : 0
    left -= taken
    return taken
  }
  const alarms = take(Math.min(BELOW, wanted(state.alarms.length)))
  const events = take(BELOW)
  let spare = Math.max(0, free - alarms - events - Math.max(MIN_ROWS, shownEquipment(state).length))
  const grown = (lines: number, count: number): number => {
    const more = lines === 0 ? 0 : Math.max(0, Math.min(spare, wanted(count) - lines))
    spare -= more
    return lines + more
  }
  const rooms = { alarms: grown(alarms, state.alarms.length), events: grown(events, state.events.length) }
  return { equipment: Math.max(0, free - rooms.alarms - rooms.events), ...rooms }
}

/** How much equipment is on the screen at once. */
export const pageOf = (state: TopState, view: View): number => Math.max(1, roomsIn(state, view).equipment)

/** The ids of the equipment that is on the screen. */
export function onScreen(state: TopState, view: View): readonly string[] {
  if (state.opened !== undefined) return [state.opened]
  const shown = shownEquipment(state)
  const { part } = windowAround(shown, cursorIn(shown, state), pageOf(state, view))
  return part.map(({ id }) => id)
}

/** The list of equipment, with the open alarms and the last events below it. */
export function listLines(state: TopState, view: View): string[] {
  const rooms = roomsIn(state, view)
  const shown = shownEquipment(state)
  const cursor = cursorIn(shown, state)
  const { part, from } = windowAround(shown, cursor, rooms.equipment)
  const columns = columnsFor(state, view.columns)
  const rows = part.map((equipment, at) =>
    listRow(state, columns, equipment, !view.still && from + at === cursor, view),
  )
  if (rows.length === 0)
    rows.push(line([{ text: ' ' }, { text: state.filter === '' ? NONE : NO_MATCH }], view))
  return [
    listTitles(state, columns, view),
    ...filled(rows, rooms.equipment),
    ...section(
      isCut(state.alarms, rooms.alarms) ? 'NEWEST OPEN ALARMS' : 'OPEN ALARMS',
      rooms.alarms,
      state.alarms,
      view,
      (alarm) => alarmLine(state, alarm, false, view),
    ),
    ...section('LAST EVENTS', rooms.events, state.events, view, (event) => eventLine(state, event, view)),
  ]
}

/** Exactly so many lines. */
export const filled = (lines: readonly string[], count: number): string[] =>
  Array.from({ length: Math.max(0, count) }, (_, at) => lines[at] ?? '')

/** Below a title there is no room for all. What was read may be a part itself: its number is no total. */
const isCut = (all: readonly unknown[], room: number): boolean => all.length > Math.max(0, room - 1)

/** A title and as much of a list as there is room for below it. */
export function section<T>(
  title: string,
  room: number,
  all: readonly T[],
  view: View,
  draw: (one: T, at: number) => string,
): string[] {
  const some = all.slice(0, Math.max(0, room - 1))
  const rows = some.length === 0 ? [line([{ text: ' ' }, { text: 'none' }], view)] : some.map(draw)
  return filled([line([{ text: title, tint: paint.dim }], view), ...rows], room)
}
