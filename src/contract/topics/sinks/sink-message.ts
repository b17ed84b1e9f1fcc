import { type Static, Type } from 'typebox'
import { EquipmentName, Flag, NullableText, named, nullable, oneOf, Text, Time } from '../../schema.js'
import { EVENT_TYPES, Event } from '../events.js'

export const SINK_FORMATS = ['event', 'flat'] as const
export type SinkFormat = (typeof SINK_FORMATS)[number]

export const FlatEvent = named('FlatEvent', {
  id: Text('Sequence number of the event in the journal.'),
  type: oneOf(EVENT_TYPES),
  name: Text('What happened, such as `alarm_set` or `message_received`.'),
  equipment_id: Text('Empty in an event of the gateway itself.'),
  equipment_name: EquipmentName,
  at: Time('When it happened.'),
  message: NullableText('Of a message: stream and function, such as `S6F11`.'),
  event: NullableText('Of a report: the name of the collection event; its CEID where the name is not known.'),
  values: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Values by name. Of a message with values of variables (S1F4, S6F1, S6F11, S6F13, S6F16, S6F18): by the name of the variable, or its identifier where the name is not known; a value is a number, text or boolean, an array where there are several, or readable text of a list. Of other messages: none. Of other events: the members of `data`.',
  }),
  units: Type.Record(Type.String(), Type.String(), {
    description: 'Units by the same names, where they are known.',
  }),
  whole: Flag(
    'False: the message has further values, whose variables are not known; the format `event` has them.',
  ),
})
export type FlatEvent = Static<typeof FlatEvent>

export const Gap = Type.Object(
  {
    from: Text('Sequence number of the first entry that is missing.'),
    to: Text('Sequence number of the last entry that is missing.'),
  },
  { description: 'Entries that retention removed before the sink could deliver them.' },
)
export const Trial = Type.Object({ sink: Type.String() }, { description: 'The test of a sink.' })

export const SinkMessage = named('SinkMessage', {
  specversion: oneOf(['1.0']),
  id: Text(
    'Id of the journal, a hyphen and the sequence number of the event. A repeated delivery has the same id.',
  ),
  source: Text('`urn:secsctl:` and the id of the journal.'),
  type: Text(
    '`secsctl.` and the name of the event, such as `secsctl.alarm_set`; `secsctl.gap` for entries that are missing, `secsctl.test` for a test.',
  ),
  time: Time('When it happened.'),
  subject: Type.Optional(Text('Id of the equipment; absent where there is none.')),
  partitionkey: Type.Optional(Text('Id of the equipment: messages of one equipment are in order.')),
  traceparent: Type.Optional(
    Text(
      'W3C trace context of the call that caused the event; absent where no call did, or it had none. The extension of CloudEvents for distributed tracing.',
    ),
  ),
  datacontenttype: oneOf(['application/json']),
  data: Type.Unsafe<Event | FlatEvent | Static<typeof Gap> | Static<typeof Trial>>(
    Type.Union([Event, FlatEvent, Gap, Trial]),
  ),
})
export type SinkMessage = Static<typeof SinkMessage>

export const DeadLetter = named('DeadLetter', {
  id: Text('Sequence number of the event; of a gap that of the last missing entry.'),
  reason: Text('The response of the target.'),
  at: Time('When the sink gave up.'),
  retrying: Flag('True: it is sent again next.'),
  message: nullable(
    Type.Unsafe<SinkMessage>(
      Type.Object({}, { description: 'The SinkMessage; null where retention has removed the event.' }),
    ),
  ),
})
export type DeadLetter = Static<typeof DeadLetter>
