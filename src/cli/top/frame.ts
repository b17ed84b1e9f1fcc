import { paint } from '../output/highlight.js'
import { equipmentLines } from './equipment-frame.js'
import { line, type Span, type View } from './line.js'
import { filled, listLines } from './list-frame.js'
import { shownEquipment } from './shown-equipment.js'
import { nameOf, type TopState } from './top-state.js'

/** Keys, and what each does. */
const HELP: readonly (readonly [keys: string, text: string])[] = [
  ['Up Down, j k', 'move the cursor'],
  ['PgUp PgDn, Space', 'a screen up, down; Home End, g G: first, last'],
  ['Enter', 'open the equipment: its traffic, messages, alarms'],
  ['Esc', 'back to the list; in the list, no filter any more'],
  ['s', 'sort by the next of name, state, rate, alarms'],
  ['/', 'filter by name or state; Enter keeps it, Esc does not'],
  ['a', 'acknowledge: the newest alarm of the equipment,'],
  ['', 'or the one under the cursor where an equipment is open'],
  ['Ctrl-L', 'draw the screen again'],
  ['Ctrl-Z', 'suspend; fg comes back'],
  ['q, Ctrl-C', 'quit'],
]
const LEGEND = [
  '',
  'RATE is messages a second both ways, control messages too; the graph is the',
  'last samples, each row to its own highest. ALM is active alarms; ! is an alarm',
  'that nobody has acknowledged, active or not.',
]

const helpLines = (view: View): string[] => [
  ...HELP.map(([keys, text]) => line([{ text: keys, width: 18 }, { text }], view)),
  ...LEGEND.map((text) => line([{ text }], view)),
]

/** The whole screen: as many lines as it has rows at most, each as wide as it at most. */
export function frame(state: TopState, view: View): string[] {
  const opened = state.opened === undefined ? undefined : state.equipment.get(state.opened)
  const body = opened ? equipmentLines(state, opened, view) : listLines(state, view)
  const room = view.rows - 3
  const lines = [
    headLine(state, view),
    line([statusSpan(state)], view),
    ...filled(state.help ? helpLines(view) : body, room),
    line(footSpans(state), view),
  ]
  return lines.slice(0, view.rows)
}

/** The address of the gateway, and the time at the right edge. */
function headLine({ url, now, lost }: TopState, view: View): string {
  const time = now.toTimeString().slice(0, 8)
  const text = lost ? `LOST  ${time}` : time
  const right: Span = { text, width: text.length, isNumber: true, tint: lost && paint.red }
  const left = { text: 'secsctl top ', tint: paint.bold }
  const room = view.columns - left.text.length - text.length - 2
  if (room < 1) return line([right], view)
  return line([left, { text: url, width: room, tint: paint.bold }, right], view)
}

/** Why the gateway is lost, the equipment that is open, or a summary of the list. */
function statusSpan(state: TopState): Span {
  const { now, lost, equipment, opened, filter, counts, sort } = state
  if (lost) {
    const seconds = Math.max(0, Math.ceil((lost.again.getTime() - now.getTime()) / 1000))
    return { text: `${lost.reason} Trying again${seconds > 0 ? ` in ${seconds} s` : ''}.`, tint: paint.red }
  }
  if (opened !== undefined) return { text: nameOf(state, opened), tint: paint.bold }
  const all = [...equipment.values()]
  const selected = all.filter(({ connection_state }) => connection_state === 'SELECTED').length
  const unacknowledged = [...counts.values()].reduce((sum, of) => sum + of.unacknowledged, 0)
  const open = `${unacknowledged} ${unacknowledged === 1 ? 'alarm' : 'alarms'} not acknowledged`
  const filtered = filter === '' ? '' : `, ${shownEquipment(state).length} match "${filter}"`
  const nodes = new Set(all.flatMap(({ node }) => node ?? []))
  const driven = nodes.size > 1 ? `, on ${nodes.size} daemons` : ''
  return {
    text: `${all.length} equipment, ${selected} selected${driven}, ${open}${filtered}, by ${sort}${sinksText(state)}`,
  }
}

/** The sinks, where there are some: how many do not deliver, and the longest lag. */
function sinksText({ sinks }: TopState): string {
  if (sinks.length === 0) return ''
  const bad = sinks.filter(({ state }) => state !== 'active').length
  const lag = Math.max(...sinks.map(({ lag_entries }) => lag_entries))
  return `; ${sinks.length} ${sinks.length === 1 ? 'sink' : 'sinks'}${bad > 0 ? `, ${bad} not delivering` : ''}, lag ${lag}`
}

/** A question, the result of the last key, or the keys that there are. */
function footSpans(state: TopState): Span[] {
  const { asking, notice, opened, help, filter } = state
  if (asking?.kind === 'filter') return [{ text: `Filter: ${filter}_`, tint: paint.bold }]
  if (asking) {
    const { alid, text, equipment_id } = asking.alarm
    const name = nameOf(state, equipment_id)
    return [{ text: `Acknowledge ${alid} ${text} of ${name}? y/n`, tint: paint.bold }]
  }
  if (notice !== '') return [{ text: notice, tint: paint.bold }]
  const list = ['Enter open', 'a acknowledge', 's sort', '/ filter', '? help', 'q quit']
  const one = ['Esc back', 'a acknowledge', '? help', 'q quit']
  const keys = help ? ['any key back'] : opened === undefined ? list : one
  return keys.map((text) => ({ text, width: text.length + 1, tint: paint.dim }))
}
