import type { Equipment } from '../../contract/equipment.js'
import { whoDials } from '../../inspection/dialling.js'
import { trafficFields } from '../equipment/traffic-output.js'
import { highlight, paint } from '../output/highlight.js'
import { localTime } from '../output/local-time.js'
import { alarmLine, eventLine, messageLine } from './happenings.js'
import { line, type Size, type Span } from './line.js'
import { section } from './list-frame.js'
import { around } from './shown-equipment.js'
import { rateText, sparkline } from './sparkline.js'
import { cell, type Look, shown } from './text-cell.js'
import { alarmsOf, type TopState } from './top-state.js'

const LABEL = 11

/** One equipment on the whole screen, below the head and above the foot. */
export function equipmentLines(state: TopState, equipment: Equipment, size: Size, look: Look): string[] {
  const { columns } = size
  const facts = factLines(state, equipment, columns, look)
  const free = Math.max(0, size.rows - 3 - facts.length)
  const alarms = alarmsOf(state, equipment.id)
  const events = state.events.filter(({ equipment_id }) => equipment_id === equipment.id)
  const alarmRoom = free < 4 ? 0 : 1 + Math.max(1, Math.min(alarms.length, Math.floor(free / 3)))
  const half = Math.floor((free - alarmRoom) / 2)
  // What the messages do not need is for the events, and the other way round.
  const unused = Math.max(0, free - alarmRoom - half - 1 - Math.max(1, state.messages.length))
  const eventRoom = Math.min(half + unused, 1 + Math.max(1, events.length))
  const { part, from } = around(alarms, Math.min(state.alarm, alarms.length - 1), alarmRoom - 1)
  return [
    ...facts,
    ...section(titled('OPEN ALARMS', part, alarms), alarmRoom, part, columns, look, (alarm, at) =>
      alarmLine(state, alarm, { isSelected: from + at === state.alarm, withName: false }, columns, look),
    ),
    ...section('LAST MESSAGES', free - alarmRoom - eventRoom, state.messages, columns, look, (message) =>
      messageLine(state, message, columns, look),
    ),
    ...section('LAST EVENTS', eventRoom, events, columns, look, (event) =>
      eventLine(state, event, false, columns, look),
    ),
  ]
}

const titled = (title: string, part: readonly unknown[], all: readonly unknown[]): string =>
  part.length < all.length ? `${title} (${part.length} of ${all.length})` : title

function factLines(state: TopState, equipment: Equipment, columns: number, look: Look): string[] {
  const { last_error, model, connected_since } = equipment
  const at = (iso: string): string => localTime(iso, state.now)
  const pulse = state.pulses.get(equipment.id)
  const fact = (label: string, ...spans: Span[]): string =>
    line([{ text: cell(label, LABEL, look), tint: (text) => paint.dim(text) }, ...spans], columns, look)
  const text = (value: string): Span => ({ text: shown(value, look) })
  const word = (value: string): Span => ({ text: value, tint: (kept) => highlight(value, kept) })
  const graph = (rates: readonly number[]): Span => ({
    text: sparkline(rates, Math.max(0, columns - LABEL - 9), look),
    tint: (bars) => paint.cyan(bars),
  })
  const rate = (rates: readonly number[]): Span => ({ text: rateText(rates.at(-1) ?? 0).padStart(5) })
  const fields = new Map(pulse ? trafficFields(pulse.traffic, (iso) => (iso === null ? '' : at(iso))) : [])
  return [
    fact(
      'state',
      word(equipment.connection_state),
      word(equipment.communication_state),
      word(equipment.control_state),
    ),
    fact('health', word(equipment.health), text(equipment.health_reason ?? '')),
    fact('who dials', text(whoDials(equipment))),
    fact('model', text(model ? `${model.mdln} ${model.softrev}` : '')),
    connected_since === null && last_error
      ? fact('last error', text(`${at(last_error.at)} ${last_error.code}: ${last_error.detail}`))
      : fact('connected', text(connected_since === null ? 'no' : `since ${at(connected_since)}`)),
    fact('round trip', text(fields.get('round trip') ?? '')),
    fact('lost', text(fields.get('lost') ?? ''), text(` timeouts ${fields.get('timeouts') ?? ''}`)),
    fact('in msg/s', rate(pulse?.in ?? []), graph(pulse?.in ?? [])),
    fact('out msg/s', rate(pulse?.out ?? []), graph(pulse?.out ?? [])),
  ]
}
