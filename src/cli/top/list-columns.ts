import type { Equipment } from '../../contract/equipment.js'
import { highlight, paint } from '../highlight.js'
import { line, type Span } from './line.js'
import { rateNow, together } from './pulse.js'
import { rateText, sparkline } from './sparkline.js'
import { cell, type Look, numberCell } from './text-cell.js'
import { alarmsOf, type TopState } from './top-state.js'

interface Widths {
  readonly name: number
  readonly connection: number
  readonly state: number
  readonly graph: number
}

const RATE = 5
const ALARMS = 4
/** The cursor, and the gaps between eight columns. */
const AROUND = 1 + 7

/** States are cut on a terminal of 80 columns and whole on a wide one; what is left goes to name and graph. */
function widthsFor(width: number): Widths {
  const state = width >= 96 ? 17 : 13
  const connection = 13
  const rest = width - (connection + 2 * state + RATE + ALARMS + AROUND)
  const graph = Math.max(8, Math.min(60, Math.floor(rest / 3)))
  return { name: Math.max(10, Math.min(40, rest - graph)), connection, state, graph }
}

/** The titles of the list; the column that it is sorted by has a mark. */
export function listTitles(state: TopState, width: number, look: Look): string {
  const widths = widthsFor(width)
  const mark = (title: string, ...sorts: string[]): string =>
    sorts.includes(state.sort) ? `${title}*` : title
  const titles: Span[] = [
    { text: ' ' },
    { text: cell(mark('EQUIPMENT', 'name'), widths.name, look) },
    { text: cell(mark('CONNECTION', 'state'), widths.connection, look) },
    { text: cell('COMMUNICATION', widths.state, look) },
    { text: cell('CONTROL', widths.state, look) },
    { text: numberCell(mark('RATE', 'rate'), RATE) },
    { text: cell('', widths.graph, look) },
    { text: numberCell(mark('ALM', 'alarms'), ALARMS) },
  ]
  return paint.dim(line(titles, width, look))
}

/** One equipment in the list. */
export function listRow(
  state: TopState,
  equipment: Equipment,
  isSelected: boolean,
  width: number,
  look: Look,
): string {
  const widths = widthsFor(width)
  const pulse = state.pulses.get(equipment.id)
  const rate = rateNow(pulse)
  const open = alarmsOf(state, equipment.id).length
  const word = (text: string, room: number): Span => ({
    text: cell(text, room, look),
    tint: (kept) => highlight(text, kept),
  })
  const spans: Span[] = [
    { text: isSelected ? '>' : ' ' },
    { text: cell(equipment.name, widths.name, look) },
    word(equipment.connection_state, widths.connection),
    word(equipment.communication_state, widths.state),
    word(equipment.control_state, widths.state),
    { text: numberCell(rate === undefined ? '' : rateText(rate), RATE) },
    { text: sparkline(together(pulse), widths.graph, look), tint: (text) => paint.cyan(text) },
    { text: numberCell(open === 0 ? '' : String(open), ALARMS), tint: (text) => paint.red(text) },
  ]
  if (!isSelected) return line(spans, width, look)
  return paint.inverse(
    line(
      spans.map(({ text }) => ({ text })),
      width,
      look,
    ),
  )
}
