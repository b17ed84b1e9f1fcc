import type { Equipment } from '../../contract/equipment.js'
import { whoDials } from '../../inspection/dialling.js'
import { lockText } from '../equipment/equipment-output.js'
import { tapText } from '../equipment/tap-flags.js'
import { trafficFields } from '../equipment/traffic-output.js'
import { highlight, paint } from '../output/highlight.js'
import { localTime } from '../output/local-time.js'
import { line, rateText, type Span, sparkline, type View } from './line.js'
import { section } from './list-frame.js'
import { alarmLine, eventLine, messageLine } from './rows.js'
import { windowAround } from './shown-equipment.js'
import { alarmsOf, type TopState } from './top-state.js'

const LABEL_WIDTH = 11

/** One equipment on the whole screen, below the head and above the foot. */
export function equipmentLines(state: TopState, equipment: Equipment, view: View): string[] {
  const facts = factLines(state, equipment, view)
  const free = Math.max(0, view.rows - 3 - facts.length)
  const alarms = alarmsOf(state, equipment.id)
  const events = state.events.filter(({ equipment_id }) => equipment_id === equipment.id)
  const alarmRoom = free < 4 ? 0 : 1 + Math.max(1, Math.min(alarms.length, Math.floor(free / 3)))
  const half = Math.floor((free - alarmRoom) / 2)
  // Lines that the messages do not need go to the events, and the other way round.
  const unused = Math.max(0, free - alarmRoom - half - 1 - Math.max(1, state.messages.length))
  const eventRoom = Math.min(half + unused, 1 + Math.max(1, events.length))
  const { part, from } = windowAround(alarms, Math.min(state.alarm, alarms.length - 1), alarmRoom - 1)
  const title =
    part.length < alarms.length ? `OPEN ALARMS (${part.length} of ${alarms.length})` : 'OPEN ALARMS'
  return [
    ...facts,
    ...section(title, alarmRoom, part, view, (alarm, at) =>
      alarmLine(state, alarm, from + at === state.alarm, view),
    ),
    ...section('LAST MESSAGES', free - alarmRoom - eventRoom, state.messages, view, (message) =>
      messageLine(state, message, view),
    ),
    ...section('LAST EVENTS', eventRoom, events, view, (event) => eventLine(state, event, view)),
  ]
}

function factLines(state: TopState, equipment: Equipment, view: View): string[] {
  const { last_error, lock, model, connected_since, health, health_reason } = equipment
  const { connection_state, communication_state, control_state } = equipment
  const at = (iso: string): string => localTime(iso, state.now)
  const rates = state.rates.get(equipment.id)
  const fields = new Map(rates ? trafficFields(rates.traffic, (iso) => (iso === null ? '' : at(iso))) : [])
  const fact = (label: string, ...spans: Span[]): string =>
    line([{ text: label, width: LABEL_WIDTH, tint: paint.dim }, ...spans], view)
  const word = (text: string): Span => ({ text, tint: (kept) => highlight(text, kept) })
  const rate = (all: readonly number[] = []): Span[] => {
    const width = Math.max(0, view.columns - LABEL_WIDTH - 9)
    return [
      { text: rateText(all.at(-1) ?? 0), width: 5, isNumber: true },
      { text: sparkline(all, width, view.ascii), width, isNumber: true, tint: paint.cyan },
    ]
  }
  const connected = connected_since === null ? 'no' : `since ${at(connected_since)}`
  return [
    fact('state', ...[connection_state, communication_state, control_state].map(word)),
    fact('health', word(health), { text: health_reason ?? '' }),
    ...(lock ? [fact('locked', { text: lockText(lock, (iso) => at(String(iso))) })] : []),
    ...(equipment.tap ? [fact('tap', { text: tapText(equipment) })] : []),
    fact('who dials', { text: whoDials(equipment) }),
    fact('model', { text: model ? `${model.mdln} ${model.softrev}` : '' }),
    connected_since === null && last_error
      ? fact('last error', { text: `${at(last_error.at)} ${last_error.code}: ${last_error.detail}` })
      : fact('connected', { text: connected }),
    fact('round trip', { text: fields.get('round trip') ?? '' }),
    fact('lost', { text: fields.get('lost') ?? '' }, { text: ` timeouts ${fields.get('timeouts') ?? ''}` }),
    fact('in msg/s', ...rate(rates?.in)),
    fact('out msg/s', ...rate(rates?.out)),
  ]
}
