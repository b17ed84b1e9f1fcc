import type { Alarm } from '../../contract/alarms.js'
import type { Event } from '../../contract/events.js'
import type { Message } from '../../contract/messages.js'
import { eventGist } from '../events/event-output.js'
import { messageLabel } from '../messages/message-output.js'
import { paint } from '../output/highlight.js'
import { localTime } from '../output/local-time.js'
import { line, type Span } from './line.js'
import { cell, type Look, shown } from './text-cell.js'
import { nameOf, type TopState } from './top-state.js'

const TIME = 8
const NAME = 16

/** To the second today, else the month and the day. */
function shortTime(iso: string, now: Date): string {
  const text = localTime(iso, now)
  return text.length > TIME ? text.slice(5, 10).padEnd(TIME) : text
}

/** One alarm: `!` before it until somebody acknowledges it. */
export function alarmLine(
  state: TopState,
  alarm: Alarm,
  { isSelected = false, withName = true },
  width: number,
  look: Look,
): string {
  const { alid, text, active, acknowledged, acknowledged_by } = alarm
  const told = [active ? 'active' : 'cleared', acknowledged ? `acknowledged by ${acknowledged_by}` : '']
  const spans: Span[] = [
    { text: isSelected ? '>' : ' ' },
    { text: acknowledged ? ' ' : '!', tint: (mark) => paint.red(mark) },
    { text: shortTime(alarm.set_at, state.now) },
    ...(withName ? [{ text: cell(nameOf(state, alarm.equipment_id), NAME, look) }] : []),
    { text: shown(`${alid} ${text}`, look), tint: active ? (kept: string) => paint.red(kept) : undefined },
    { text: `(${shown(told.filter(Boolean).join(', '), look)})` },
  ]
  return line(spans, width, look)
}

export function eventLine(
  state: TopState,
  event: Event,
  withName: boolean,
  width: number,
  look: Look,
): string {
  return line(
    [
      { text: ' ' },
      { text: shortTime(event.at, state.now) },
      ...(withName ? [{ text: cell(nameOf(state, event.equipment_id), NAME, look) }] : []),
      { text: cell(event.name, 20, look) },
      { text: shown(eventGist(event), look) },
    ],
    width,
    look,
  )
}

export function messageLine(state: TopState, message: Message, width: number, look: Look): string {
  const { id, at, outcome = '', latency_ms } = message
  const latency = latency_ms === undefined ? '' : `${Math.round(latency_ms)} ms`
  return line(
    [
      { text: ' ' },
      { text: shortTime(at, state.now) },
      { text: cell(id, 8, look) },
      { text: shown(messageLabel(message), look) },
      { text: shown([outcome, latency].filter(Boolean).join(', '), look), tint: (kept) => paint.dim(kept) },
    ],
    width,
    look,
  )
}
