import { type Static, Type } from 'typebox'
import { endpoint, type RequestHeader } from '../endpoint.js'
import { LabelSelector } from '../labels.js'
import {
  EquipmentIds,
  EquipmentName,
  input,
  named,
  oneOf,
  onePage,
  Page,
  Paging,
  Text,
  Time,
  TimeRange,
} from '../schema.js'

export const EVENT_TYPES = ['connection', 'alarm', 'state', 'message'] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Names of events, one line for each type. */
export const EVENT_NAMES = [
  ...['connecting', 'listening', 'connected', 'selected', 'deselected', 'disconnected', 'attempt_failed'],
  ...['alarm_set', 'alarm_cleared', 'alarm_acknowledged'],
  ...['communication_state', 'control_state', 'reports'],
  ...['message_sent', 'message_received', 'message_ended'],
]

export const Event = named('Event', {
  id: Text('Sequence number of the event in the journal.'),
  type: oneOf(EVENT_TYPES),
  name: Text('What happened, such as `selected`, `alarm_set` or `message_received`.'),
  equipment_id: Type.String(),
  equipment_name: EquipmentName,
  at: Time('When it happened.'),
  data: Type.Record(Type.String(), Type.Unknown()),
})
export type Event = Static<typeof Event>

const Filters = {
  equipment_id: EquipmentIds,
  label_selector: LabelSelector,
  type: Type.Optional(
    Type.Array(oneOf(EVENT_TYPES), {
      description: 'Type of the event; may be repeated. Default: all types.',
    }),
  ),
}

export const EventQuery = input({ ...Paging, ...Filters, ...TimeRange })
export type EventQuery = Static<typeof EventQuery>

export const StreamQuery = input({
  ...Filters,
  from: Type.Optional(
    Time(
      'The stream starts with the first event at or after this time. `after` and `Last-Event-ID` take precedence.',
    ),
  ),
  to: TimeRange.to,
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description:
        'The stream starts with the first event after the event with this id. The header `Last-Event-ID` does the same and takes precedence.',
    }),
  ),
})
export type StreamQuery = Static<typeof StreamQuery>

const SELECTED: Event = {
  id: '40',
  type: 'connection',
  name: 'selected',
  equipment_id: 'eq_8d1f03c6a95e',
  equipment_name: 'etcher',
  at: '2026-01-31T08:00:00.000Z',
  data: { from: 'NOT_SELECTED', to: 'SELECTED', cause: 'select_accepted' },
}

const LAST_EVENT_ID: RequestHeader = {
  name: 'Last-Event-ID',
  schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
  description: 'Id of an event. The stream starts with the first event after it.',
}

export const eventEndpoints = {
  listEvents: endpoint('GET /events', {
    tag: 'events',
    summary: 'List events',
    access: 'viewer',
    query: EventQuery,
    reply: Page(Event),
    errors: ['invalid_cursor', 'cursor_expired'],
    examples: { reply: onePage([SELECTED]) },
  }),
  streamEvents: endpoint('GET /events/stream', {
    tag: 'events',
    summary: 'Follow events as server-sent events',
    description:
      'Server-sent events: `id:` is the id of the event, `event:` its type, `data:` the event as JSON, as in the list. A comment line every 15 seconds keeps the connection open. With `label_selector`, the labels that the equipment has at the time of sending decide: a change of labels takes effect in streams that are open, from the next event on.',
    access: 'viewer',
    query: StreamQuery,
    headers: [LAST_EVENT_ID],
    reply: Event,
    media: ['text/event-stream'],
    errors: ['invalid_cursor', 'cursor_expired', 'rate_limited', 'quota_exceeded'],
    examples: { reply: SELECTED },
  }),
} as const
