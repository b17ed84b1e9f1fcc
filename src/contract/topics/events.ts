import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { endpoint, type RequestHeader } from '../endpoint.js'
import { LabelSelector } from '../labels.js'
import {
  described,
  EquipmentIds,
  EquipmentName,
  input,
  named,
  namedUnion,
  OptionalText,
  oneOf,
  onePage,
  Page,
  Paging,
  Text,
  Time,
  TimeRange,
} from '../schema.js'
import {
  AlarmAcknowledgement,
  AlarmCleared,
  AlarmSet,
  AlarmShelved,
  AlarmUnshelved,
  AttemptFailed,
  BreakGlassLogin,
  CommunicationChange,
  ConnectionChange,
  ControlChange,
  MessageEnd,
  ObjectChange,
  ReportsChange,
  TapGap,
} from './event-data.js'
import { Message } from './messages.js'

/** `gateway`: an event of the gateway itself, which is of no equipment. */
export const EVENT_TYPES = ['connection', 'alarm', 'state', 'message', 'gateway'] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Names of events that say that the connection state changed. */
export const CONNECTION_CHANGES = [
  'connecting',
  'listening',
  'connected',
  'selected',
  'deselected',
  'disconnected',
] as const

/** Names of events that say that a state of an object of GEM 300 equipment changed. */
export const OBJECT_CHANGES = [
  'port_state',
  'carrier_state',
  'job_state',
  'control_job_state',
  'substrate_state',
  'performance_state',
] as const

/** Names of events of each type. */
export const EVENT_NAMES_OF: Readonly<Record<EventType, readonly string[]>> = {
  connection: [...CONNECTION_CHANGES, 'attempt_failed', 'tap_gap'],
  alarm: ['alarm_set', 'alarm_cleared', 'alarm_acknowledged', 'alarm_shelved', 'alarm_unshelved'],
  state: ['communication_state', 'control_state', 'reports', ...OBJECT_CHANGES],
  message: ['message_sent', 'message_received', 'message_ended'],
  gateway: ['break_glass_login'],
}
export const EVENT_NAMES = Object.values(EVENT_NAMES_OF).flat()
export const EventName = described('EventName', oneOf(EVENT_NAMES))

/** The events that have these names, and what their `data` has. */
const events = (component: string, type: EventType, names: readonly string[], data: TSchema) =>
  named(component, {
    id: Text('Sequence number of the event in the journal.'),
    type: oneOf([type]),
    name: oneOf(names, 'What happened.'),
    equipment_id: type === 'gateway' ? Text('Empty: the event is of no equipment.') : Type.String(),
    equipment_name: EquipmentName,
    at: Time('When it happened.'),
    data,
  })

/** Any of them. What reads events takes `data` as it comes. */
export interface Event {
  readonly id: string
  readonly type: EventType
  readonly name: string
  /** Empty in an event of the gateway itself. */
  readonly equipment_id: string
  readonly equipment_name: string | null
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

export const Event = namedUnion('Event', 'name', [
  events('ConnectionEvent', 'connection', CONNECTION_CHANGES, ConnectionChange),
  events('AttemptFailedEvent', 'connection', ['attempt_failed'], AttemptFailed),
  events('TapGapEvent', 'connection', ['tap_gap'], TapGap),
  events('AlarmSetEvent', 'alarm', ['alarm_set'], AlarmSet),
  events('AlarmClearedEvent', 'alarm', ['alarm_cleared'], AlarmCleared),
  events('AlarmAcknowledgedEvent', 'alarm', ['alarm_acknowledged'], AlarmAcknowledgement),
  events('AlarmShelvedEvent', 'alarm', ['alarm_shelved'], AlarmShelved),
  events('AlarmUnshelvedEvent', 'alarm', ['alarm_unshelved'], AlarmUnshelved),
  events('CommunicationStateEvent', 'state', ['communication_state'], CommunicationChange),
  events('ControlStateEvent', 'state', ['control_state'], ControlChange),
  events('ReportsEvent', 'state', ['reports'], ReportsChange),
  events('ObjectStateEvent', 'state', OBJECT_CHANGES, ObjectChange),
  events('MessageEvent', 'message', ['message_sent', 'message_received'], Message),
  events('MessageEndedEvent', 'message', ['message_ended'], MessageEnd),
  events('BreakGlassLoginEvent', 'gateway', ['break_glass_login'], BreakGlassLogin),
]) as unknown as TUnsafe<Event>

const Filters = {
  equipment_id: EquipmentIds,
  label_selector: LabelSelector,
  type: Type.Optional(
    Type.Array(oneOf(EVENT_TYPES), {
      description: 'Type of the event; may be repeated. Default: all types.',
    }),
  ),
}

/** A SECS message or a stream. */
export const MESSAGE_PATTERN =
  '^S(12[0-7]|1[01][0-9]|[1-9]?[0-9])(F(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9]))?$'
const MessageName = OptionalText('Only this SECS message, such as `S6F11`, or this stream, such as `S6`.', {
  pattern: MESSAGE_PATTERN,
})

/** Names of events, which narrow lists. */
const Named = {
  name: Type.Optional(
    Type.Array(EventName, {
      maxItems: 20,
      description: 'Only events of this name, such as `alarm_set`; may be repeated.',
    }),
  ),
  message: MessageName,
  ceid: OptionalText('Only messages that report this collection event (CEID), such as an S6F11.', {
    minLength: 1,
    maxLength: 64,
  }),
  alid: OptionalText(
    'Only events of the alarm with this ALID. With `alid` or `ceid` a page may have fewer items than `limit`, or none, and still a `next_cursor`.',
    { minLength: 1, maxLength: 64 },
  ),
}

export const EventQuery = input({ ...Paging, ...Filters, ...Named, ...TimeRange })
export type EventQuery = Static<typeof EventQuery>

export const StreamQuery = input({
  ...Filters,
  message: MessageName,
  from: Type.Optional(
    Time(
      'The stream starts with the first event at or after this time. `after` and `Last-Event-ID` take precedence.',
    ),
  ),
  to: Type.Optional(
    Time(
      'Only events before this time. The stream ends when they have been sent; a `to` in the past ends it at once.',
    ),
  ),
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
