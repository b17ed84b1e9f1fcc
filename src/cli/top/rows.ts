import type { Alarm } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import { cutInTheMiddle } from '../../kit/text/columns.js'
import { eventGist } from '../events/event-output.js'
import { messageLabel } from '../messages/message-output.js'
import { paint } from '../output/highlight.js'
import { localTime } from '../output/local-time.js'
import { line, type Span, type View } from './line.js'
import { longestName, nameWidth } from './name-width.js'
import { nameOf, type TopState } from './top-state.js'

/** To the second today, else the month and the day. */
function shortTime(iso: string, now: Date): Span {
  const text = localTime(iso, now)
  return { text: text.length > 8 ? text.slice(5, 10) : text, width: 8 }
}

/** The name of the equipment, where that is not the one that is open. */
function nameSpan(state: TopState, id: string, { columns, ascii }: View): Span[] {
  if (state.opened === id) return []
  const width = nameWidth(longestName(state), columns)
  return [{ text: cutInTheMiddle(nameOf(state, id), width, ascii ? '~' : '…'), width }]
}

/** One alarm: `!` before it until somebody acknowledges it. */
export function alarmLine(state: TopState, alarm: Alarm, isSelected: boolean, view: View): string {
  const { alid, text, active, acknowledged, acknowledged_by, shelved } = alarm
  const words = [
    active ? 'active' : 'cleared',
    ...(acknowledged ? [`acknowledged by ${acknowledged_by}`] : []),
    ...(shelved ? [`shelved until ${localTime(shelved.until, state.now)}`] : []),
  ]
  const spans: Span[] = [
    { text: isSelected ? '>' : ' ' },
    { text: acknowledged ? ' ' : '!', tint: paint.red },
    shortTime(alarm.set_at, state.now),
    ...nameSpan(state, alarm.equipment_id, view),
    { text: `${alid} ${text}`, tint: active && !shelved ? paint.red : undefined },
    { text: `(${words.join(', ')})` },
  ]
  return line(spans, view)
}

export const eventLine = (state: TopState, event: Event, view: View): string =>
  line(
    [
      { text: ' ' },
      shortTime(event.at, state.now),
      ...nameSpan(state, event.equipment_id, view),
      { text: event.name, width: 20 },
      { text: eventGist(event) },
    ],
    view,
  )

export function messageLine(state: TopState, message: Message, view: View): string {
  const { id, at, outcome = '', latency_ms } = message
  const latency = latency_ms === undefined ? '' : `${Math.round(latency_ms)} ms`
  return line(
    [
      { text: ' ' },
      shortTime(at, state.now),
      { text: id, width: 8 },
      { text: messageLabel(message) },
      { text: [outcome, latency].filter(Boolean).join(', '), tint: paint.dim },
    ],
    view,
  )
}
