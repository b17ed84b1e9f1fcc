import { type TSchema, Type } from 'typebox'
import {
  COMMUNICATION_STATES,
  CONNECTION_FAULTS,
  CONNECTION_STATES,
  CONTROL_STATES,
  FaultCode,
} from '../equipment.js'
import { Flag, NullableText, named, nullable, OptionalText, oneOf, Text, Time } from '../schema.js'
import { GATEWAY_STOPS } from '../state-changes.js'
import { AlarmShelf } from './alarm-shelving.js'
import { OUTCOMES } from './messages.js'
import { REPORT_STATES } from './reports.js'

// What `data` of an event has, by what happened.

const change = <Extra extends Readonly<Record<string, TSchema>>>(states: readonly string[], extra: Extra) =>
  Type.Object({ from: oneOf(states), to: oneOf(states), ...extra })

const Cause = Text('What brought it about.')
const ConnectionError = named('ConnectionError', { code: FaultCode, detail: Type.String() })
const Traceparent = OptionalText('The W3C trace context of the call, if it had one.')

export const ConnectionChange = change(CONNECTION_STATES, {
  cause: Text(
    `What brought it about. \`${GATEWAY_STOPS}\`: the gateway stopped, or gave the equipment to another one; until the next event, nothing is known of the equipment.`,
  ),
  error: Type.Optional(ConnectionError),
})

export const AttemptFailed = change(CONNECTION_STATES, {
  cause: oneOf(CONNECTION_FAULTS, 'The code of `error`.'),
  attempts: Type.Integer({
    minimum: 1,
    description: 'Attempts so far. While attempts go on failing, there is one event each minute.',
  }),
  error: ConnectionError,
})

/** Messages that passed between tapped equipment and its host, and were not recorded. */
export const TapGap = Type.Object({
  since: Time('When the first of them passed.'),
  until: Time('When the last of them passed.'),
  messages: Type.Integer({ minimum: 1, description: 'How many were not recorded.' }),
})

export const CommunicationChange = change(COMMUNICATION_STATES, { cause: Cause })
export const ControlChange = change(CONTROL_STATES, { cause: Cause })

/** What changed the state of the event reports that the gateway applies. */
const REPORT_CAUSES = [
  'applied',
  'applied_again',
  'cleared',
  'rolled_back',
  'failed',
  'changed_elsewhere',
] as const

export const ReportsChange = change(REPORT_STATES, {
  cause: oneOf(
    REPORT_CAUSES,
    '`changed_elsewhere`: another host had defined reports anew, or switched events, while the gateway was away.',
  ),
  error: OptionalText('Why it failed, or what another host had changed.'),
  reports: Type.Optional(
    Type.Array(Type.String(), { description: 'RPTIDs of the reports that another host had defined anew.' }),
  ),
  events: Type.Optional(
    Type.Array(Type.String(), { description: 'CEIDs of the events that another host had switched.' }),
  ),
  since_message: OptionalText(
    'Id of the message with which the equipment came back: values of `reports` in messages from there to this event may have been delivered under wrong names.',
  ),
})

/** Where a state of an object is known from: an event report, or the reply to a question of the gateway. */
export const STATE_SOURCES = ['event', 'query'] as const

/** A state of a load port, carrier, job, substrate or module has changed, or is known for the first time. */
export const ObjectChange = Type.Object({
  object_id: Text('The port, carrier, process job, control job, substrate or module.'),
  state: Text(
    'Which of its states: `transfer`, `access_mode`, `reservation` or `association` of a port; `id_status`, `slot_map_status` or `accessing_status` of a carrier; `state`, `processing` or `id_status` of a substrate; otherwise `state`.',
  ),
  from: NullableText('The state before; null if it was not known.'),
  to: Text(
    'The state, such as `READY_TO_LOAD`; `unknown (5)` for a number without a known meaning. `NO_STATE`: the object has ended.',
  ),
  source: oneOf(STATE_SOURCES, '`event`: an event report said so. `query`: the gateway asked.'),
  message_id: Text('Id of the message that said so.'),
  details: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'What else is known of the object and has changed, such as `location`, `carrier`, `port`, `slot_map`, `recipe`, `error`, `task`.',
    }),
  ),
  result: Type.Optional(
    oneOf(
      ['unknown'],
      'The object is gone, and how it ended is not known: the gateway asked, and the equipment does not have it any more.',
    ),
  ),
  object_has: OptionalText(
    'What the attribute of the object says where it differs from the event, which the gateway uses: then `from` and `to` are equal.',
  ),
  before: OptionalText(
    'Of a control job that was moved in the queue, the one that it comes before now: then `from` and `to` are equal.',
  ),
})

const REPORTED = {
  alid: Text('Alarm identifier (ALID).'),
  text: Type.String(),
  category: Type.Integer({ minimum: 0, maximum: 127, description: 'ALCD, bits 1 to 7.' }),
  category_text: Type.String(),
}

export const AlarmSet = Type.Object({
  alarm_id: Text('Id of the alarm.'),
  ...REPORTED,
  count: Type.Integer({
    minimum: 1,
    description: 'How many times the equipment has reported the alarm since it became active.',
  }),
  message_id: Text('Id of the message that reported it.'),
  cause: Type.Optional(
    oneOf(['alignment'], 'The gateway asked for the alarms and found it set. Absent for a report.'),
  ),
  shelved: Type.Optional(AlarmShelf),
})

export const AlarmCleared = Type.Object({
  alarm_id: NullableText('Id of the alarm; null if the gateway did not know it as active.'),
  ...REPORTED,
  message_id: NullableText('Id of the message that reported it; null after the equipment was deleted.'),
  cause: Type.Optional(
    oneOf(
      ['alignment', 'equipment_deleted'],
      '`alignment`: the gateway asked for the alarms and found it cleared. Absent for a report.',
    ),
  ),
})

export const AlarmAcknowledgement = Type.Object({
  alarm_id: Text('Id of the alarm.'),
  alid: Text('Alarm identifier (ALID).'),
  acknowledged_by: Text('Email of the user, or `key:NAME` of an API key.'),
  comment: NullableText('Comment of the user.'),
  traceparent: Traceparent,
})

export const AlarmShelved = Type.Object({
  alid: REPORTED.alid,
  text: NullableText('Text of the alarm; null if the gateway knew none.'),
  category: nullable(REPORTED.category),
  personal_safety: Flag('The alarm is shelved also if it is one of personal safety.'),
  until: Time('When the shelf ends by itself.'),
  shelved_by: Text('Email of the user, or `key:NAME` of an API key.'),
  reason: Text('Why.'),
  traceparent: Traceparent,
})

export const AlarmUnshelved = Type.Object({
  alid: REPORTED.alid,
  shelf_id: Text('Id of the event that shelved it.'),
  cause: oneOf(
    ['call', 'ended', 'equipment_deleted'],
    '`call`: somebody ended the shelf. `ended`: its time was over.',
  ),
  unshelved_by: NullableText('Email of the user, or `key:NAME` of an API key; null if nobody did.'),
})

export const MessageEnd = Type.Object({
  message_id: Text('Id of the primary.'),
  outcome: oneOf(OUTCOMES),
  reply_id: NullableText('Id of the reply; null if there is none.'),
  latency_ms: nullable(Type.Number({ minimum: 0, description: 'Time until the reply, in milliseconds.' })),
  s9: NullableText('The stream 9 message that ended the transaction, such as `S9F5`; null if none did.'),
  traceparent: Traceparent,
})

export const BreakGlassLogin = Type.Object(
  {
    user: Text('Email of the local administrator.'),
    traceparent: Traceparent,
  },
  {
    description:
      'A local administrator has logged in with a password, although users sign on with company accounts. The audit says from where.',
  },
)
