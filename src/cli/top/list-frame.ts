import { paint } from '../output/highlight.js'
import { alarmLine, eventLine } from './happenings.js'
import type { Size } from './line.js'
import { listRow, listTitles } from './list-columns.js'
import { around, cursorIn, shownEquipment } from './shown-equipment.js'
import { cut, type Look } from './text-cell.js'
import type { TopState } from './top-state.js'

/** Lines above and below the list: two of the head, its titles, the foot. */
const FIXED = 4
/** Lines of alarms and of events below a list that needs all others, with their titles. */
const BELOW = 5
const MIN_ROWS = 4

const NONE = '  No equipment yet: secsctl equipment add'
const NO_MATCH = '  Nothing matches the filter.'

interface Rooms {
  readonly equipment: number
  readonly alarms: number
  readonly events: number
}

/**
 * How the lines are shared out. A low terminal shows equipment alone; what the equipment does not need on a high one
 * is for alarms, then for events.
 */
function roomsIn(state: TopState, { rows }: Size): Rooms {
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
export const pageOf = (state: TopState, size: Size): number => Math.max(1, roomsIn(state, size).equipment)

/** The ids of the equipment that is on the screen. */
export function onScreen(state: TopState, size: Size): readonly string[] {
  if (state.opened !== undefined) return [state.opened]
  const shown = shownEquipment(state)
  const { part } = around(shown, cursorIn(shown, state), pageOf(state, size))
  return part.map(({ id }) => id)
}

/** The list of equipment with what is open and what happened below it. */
export function listLines(state: TopState, size: Size, look: Look): string[] {
  const { columns } = size
  const rooms = roomsIn(state, size)
  const shown = shownEquipment(state)
  const cursor = cursorIn(shown, state)
  const { part, from } = around(shown, cursor, rooms.equipment)
  const rows = part.map((equipment, at) =>
    listRow(state, equipment, !look.still && from + at === cursor, columns, look),
  )
  if (rows.length === 0 && rooms.equipment > 0)
    rows.push(cut(state.filter === '' ? NONE : NO_MATCH, columns, look))
  const blank = Array.from({ length: rooms.equipment - rows.length }, () => '')
  return [
    listTitles(state, columns, look),
    ...rows,
    ...blank,
    ...section('OPEN ALARMS', rooms.alarms, state.alarms, columns, look, (alarm) =>
      alarmLine(state, alarm, {}, columns, look),
    ),
    ...section('LAST EVENTS', rooms.events, state.events, columns, look, (event) =>
      eventLine(state, event, true, columns, look),
    ),
  ]
}

/** A title and as much of a list as there is room for below it. */
export function section<T>(
  title: string,
  room: number,
  all: readonly T[],
  width: number,
  look: Look,
  draw: (one: T, at: number) => string,
): string[] {
  if (room === 0) return []
  const some = all.slice(0, room - 1)
  const lines = [
    paint.dim(
      cut(some.length < all.length ? `${title} (${some.length} of ${all.length})` : title, width, look),
    ),
    ...(some.length === 0 ? [cut('  none', width, look)] : some.map(draw)),
  ]
  return [...lines.slice(0, room), ...Array.from({ length: Math.max(0, room - lines.length) }, () => '')]
}
