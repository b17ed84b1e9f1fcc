import { paint } from '../output/highlight.js'
import { equipmentLines } from './equipment-frame.js'
import { edges, line, type Size } from './line.js'
import { listLines } from './list-frame.js'
import { shownEquipment } from './shown-equipment.js'
import { type Look, shown } from './text-cell.js'
import { nameOf, type TopState } from './top-state.js'

const two = (value: number): string => String(value).padStart(2, '0')

const HELP = [
  'Up Down, j k       move the cursor',
  'PgUp PgDn, Space   a screen up, down; Home End, g G: first, last',
  'Enter              open the equipment: its traffic, messages, alarms',
  'Esc                back to the list; in the list, no filter any more',
  's                  sort by the next of name, state, rate, alarms',
  '/                  filter by name or state; Enter keeps it, Esc does not',
  'a                  acknowledge: the newest alarm of the equipment,',
  '                   or the one under the cursor where an equipment is open',
  'Ctrl-L             draw the screen again',
  'Ctrl-Z             suspend; fg comes back',
  'q, Ctrl-C          quit',
  '',
  'RATE is messages a second both ways, control messages too; the graph is the',
  'last samples, each row to its own highest. ! is an alarm not acknowledged.',
]

/** The whole screen: as many lines as it has rows at most, each as wide as it at most. */
export function frame(state: TopState, size: Size, look: Look): string[] {
  const opened = state.opened === undefined ? undefined : state.equipment.get(state.opened)
  const body = state.help
    ? HELP.map((text) => line([{ text }], size.columns, look))
    : opened
      ? equipmentLines(state, opened, size, look)
      : listLines(state, size, look)
  const inside = body.slice(0, Math.max(0, size.rows - 3))
  const blank = Array.from({ length: Math.max(0, size.rows - 3 - inside.length) }, () => '')
  return [...headLines(state, size, look), ...inside, ...blank, footLine(state, size, look)].slice(
    0,
    size.rows,
  )
}

function headLines(state: TopState, { columns }: Size, look: Look): string[] {
  const { now, lost, equipment } = state
  const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`
  const head = edges(
    { text: `secsctl top  ${state.url}`, tint: (text) => paint.bold(text) },
    { text: lost ? `LOST  ${time}` : time, tint: (text) => (lost ? paint.red(text) : text) },
    columns,
    look,
  )
  if (lost) {
    const seconds = Math.max(0, Math.ceil((lost.again.getTime() - now.getTime()) / 1000))
    const text = shown(`${lost.reason} Trying again${seconds > 0 ? ` in ${seconds} s` : ''}.`, look)
    return [head, line([{ text, tint: (kept) => paint.red(kept) }], columns, look)]
  }
  const opened = state.opened === undefined ? undefined : nameOf(state, state.opened)
  if (opened !== undefined)
    return [head, line([{ text: shown(opened, look), tint: (text) => paint.bold(text) }], columns, look)]
  const all = [...equipment.values()]
  const selected = all.filter(({ connection_state }) => connection_state === 'SELECTED').length
  const filtered = state.filter === '' ? '' : `, ${shownEquipment(state).length} match "${state.filter}"`
  const text = `${all.length} equipment, ${selected} selected, ${state.alarms.length} ${state.alarms.length === 1 ? 'alarm' : 'alarms'} not acknowledged${filtered}, by ${state.sort}`
  return [head, line([{ text: shown(text, look) }], columns, look)]
}

/** What is asked, what came of the last key, or what keys there are. */
function footLine(state: TopState, { columns }: Size, look: Look): string {
  const { asking, notice, opened, help } = state
  const told = (text: string): string =>
    line([{ text: shown(text, look), tint: (kept) => paint.bold(kept) }], columns, look)
  if (asking?.kind === 'filter') return told(`Filter: ${state.filter}_`)
  if (asking?.kind === 'acknowledge') {
    const { alarm } = asking
    return told(`Acknowledge ${alarm.alid} ${alarm.text} of ${nameOf(state, alarm.equipment_id)}? y/n`)
  }
  if (notice !== '') return told(notice)
  const keys = help
    ? 'any key back'
    : opened === undefined
      ? 'Enter open  a acknowledge  s sort  / filter  ? help  q quit'
      : 'Esc back  a acknowledge  ? help  q quit'
  return line([{ text: keys, tint: (text) => paint.dim(text) }], columns, look)
}
