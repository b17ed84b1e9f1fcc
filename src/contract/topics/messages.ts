import { type Static, Type } from 'typebox'
import { MESSAGE_BODY_LIMIT } from '../body-limit.js'
import { endpoint } from '../endpoint.js'
import { TRANSACTION_ERRORS } from '../errors.js'
import { LabelSelector } from '../labels.js'
import {
  ById,
  EquipmentIds,
  EquipmentName,
  input,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  OptionalNumber,
  OptionalText,
  oneOf,
  onePage,
  Page,
  Paging,
  SystemBytes,
  Text,
  Time,
  TimeRange,
  Word,
} from '../schema.js'

export const OUTCOMES = [
  'pending',
  'replied',
  'timed_out',
  'aborted',
  'rejected',
  'error',
  'lost',
  'not_sent',
  'not_expected',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Who sends a message, or gets it. */
export const PARTIES = ['equipment', 'host', 'gateway'] as const

const StreamNumber = Type.Integer({ minimum: 0, maximum: 127, description: 'SECS stream number.' })
const FunctionNumber = Type.Integer({ minimum: 0, maximum: 255, description: 'SECS function number.' })

/** Named items: the keys are SECS item names. Values are strings; other JSON values are accepted too. */
export const NamedData = Type.Record(Type.String(), Type.Unknown(), {
  component: 'NamedData',
  description:
    'Named items. Keys are SECS item names; a value is a string, number, boolean, array or object. If the catalogue does not have the message, the values are sent as one list, in the order of the members. The format of a value is the one given in its name (`CHUCKTEMP:F4`), else the one that `item_formats` of the equipment or the catalogue has for the name, else A. (JSON objects put names that consist of digits first.) An array is sent as a list, or as one item with several values if its name gives a format; an object is sent as a nested list, or is a typed item such as `{"U4":[1]}`. If every name gives its format, the same rules apply to a message that the catalogue has.',
})
export type NamedData = Static<typeof NamedData>

/** One SECS-II item as an object of one key, its format: `{"U4":[1,2]}`, `{"L":[{"A":"START"}]}`. */
export const TypedItem = Type.Record(Type.String(), Type.Unknown(), {
  component: 'TypedItem',
  description:
    'One typed item: an object of one key, the SECS-II format, such as `{"L":[{"A":"START"},{"U4":[1,2]}]}`. ' +
    'In responses the value is an array, also for one value or none; for A, J and C it is a string. ' +
    'An A or J item whose bytes the text encoding cannot represent exactly is an array of bytes instead, also in requests. ' +
    'Integers beyond 2^53, NaN, the infinities and -0 are given as strings.',
})
export type TypedItem = Static<typeof TypedItem>

export const NewMessage = namedInput('NewMessage', {
  stream: Type.Optional(StreamNumber),
  function: Type.Optional(FunctionNumber),
  wait_for_reply: OptionalFlag('Default: true. False: the response is 202 as soon as the message is sent.'),
  data: Type.Optional(NamedData),
  body: Type.Optional(TypedItem),
  sml: OptionalText(
    'The message as SML, such as `S1F3 W <L <U4 1>>.`; `stream` and `function` may then be left out.',
  ),
})
export type NewMessage = Static<typeof NewMessage>

const ReportedValue = Type.Object({
  vid: NullableText('VID; null where the definition of the report is not known.'),
  name: nullable(Type.String()),
  unit: nullable(Type.String()),
  value: Type.Unknown({
    description: 'As in `data`: a string, or an array for a list or for several values.',
  }),
})
export type ReportedValue = Static<typeof ReportedValue>

export const CollectionEvent = Type.Object(
  {
    ceid: Type.String(),
    name: NullableText('Name of the event from S1F24; null where it is not known.'),
    reports: Type.Array(
      Type.Object({
        rptid: Type.String(),
        values: Type.Array(ReportedValue),
        detail: OptionalText('Why its values have no ids and names. Absent where they have.'),
      }),
    ),
  },
  {
    component: 'ReportedEvent',
    description:
      'For S6F11, S6F13, S6F16 and S6F18: the reports with the names of their values, according to the report definitions that were valid when the message was received. What is not known is null.',
  },
)
export type CollectionEvent = Static<typeof CollectionEvent>

/** The ten header bytes in a message of stream 9: MHEAD or SHEAD. */
const ReportedHeader = Type.Object(
  {
    session_id: Type.Integer({ minimum: 0, maximum: 65535 }),
    device_id: nullable(Type.Integer({ minimum: 0, maximum: 32767 })),
    stream: StreamNumber,
    function: FunctionNumber,
    w_bit: Type.Boolean(),
    system_bytes: Type.Integer({ minimum: 0, maximum: 4294967295 }),
    message_id: NullableText('The id of that message; null where it is not found among the last ones.'),
  },
  {
    component: 'ReportedHeader',
    description:
      'For S9F1, S9F3, S9F5, S9F7, S9F9 and S9F11, in `GET /messages/{id}` alone: the header in the body, which is that of the message with the error.',
  },
)

export const Message = named('Message', {
  id: Type.String(),
  equipment_id: Type.String(),
  equipment_name: EquipmentName,
  direction: oneOf(['sent', 'received'], '`sent`: to the equipment. `received`: from it.'),
  from: oneOf(PARTIES, 'Who sent it; `host` is the other host of tapped equipment.'),
  to: oneOf(PARTIES, 'To whom it was sent.'),
  stream: StreamNumber,
  function: FunctionNumber,
  name: Text('Stream, function and name, such as `S1F13 Establish Communications Request`.'),
  w_bit: Type.Boolean(),
  session_id: Word,
  system_bytes: SystemBytes,
  equipment_system_bytes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 4294967295,
      description:
        'Only of tapped equipment, where its host and the gateway had chosen the same system bytes, so that the tap replaced one of them: the system bytes at the equipment. `system_bytes` are those of the host, or of the gateway. For a message of the gateway, only the reply has this member.',
    }),
  ),
  sent_by: NullableText(
    'Email of the user whose call sent the message, or `key:NAME` of an API key; null for a reply, for a question of a call that only reads, for what the gateway sends by itself, and for messages of versions that did not record it.',
  ),
  traceparent: OptionalText(
    'The W3C trace context of the call that sent the message (see `sent_by`), and of the reply to it. Absent otherwise.',
  ),
  data: nullable(NamedData),
  body: nullable(TypedItem),
  sml: NullableText('The message as SML; null if the body is not valid SECS-II.'),
  collection_event: nullable(CollectionEvent),
  at: Time('When it was sent or received.'),
  may_be_spooled: OptionalFlag(
    'True: the message was received while the equipment was probably sending its spool, that is after an S6F24 that accepts the request and before a pause of 3 seconds. It may report something from the past; the message itself does not show this. Absent otherwise.',
  ),
  reply_to: NullableText('For a secondary: the id of the primary to which it replies.'),
  outcome: Type.Optional(
    oneOf(
      OUTCOMES,
      'For a primary: the result of its transaction. An event shows the message as it was recorded, so `pending` where a reply is expected: `GET /messages/{id}` has the result.',
    ),
  ),
  reply_id: Type.Optional(Type.String()),
  latency_ms: Type.Optional(Type.Number({ minimum: 0 })),
  s9: OptionalText(
    'The stream 9 message that ended the transaction, such as `S9F5`. In `GET /messages/{id}` also the one that refused a primary without W-bit, which has no transaction; `reply_id` is its id.',
  ),
  about: Type.Optional(ReportedHeader),
  raw: OptionalText(
    'The recorded bytes of the body in lower-case hex, if it is not valid SECS-II or `raw` asks for them.',
  ),
  decode_error: Type.Optional(Type.String()),
})
export type Message = Static<typeof Message>

export const Sent = named('Sent', {
  message: Message,
  reply: nullable(Message),
  acknowledgement: Type.Optional(
    named('Acknowledgement', {
      item: Text('The item of the code, such as `HCACK`.'),
      code: Type.Integer({ description: 'The value of the code.' }),
      accepted: Type.Boolean({ description: 'False where the code says that the equipment refused.' }),
      text: Text('What the code means.'),
    }),
  ),
})
export type Sent = Static<typeof Sent>

export const MessageQuery = input({
  ...Paging,
  equipment_id: EquipmentIds,
  label_selector: LabelSelector,
  direction: Type.Optional(oneOf(['sent', 'received'])),
  from_side: Type.Optional(oneOf(PARTIES, 'Only messages with this `from`.')),
  to_side: Type.Optional(oneOf(PARTIES, 'Only messages with this `to`.')),
  stream: Type.Optional(StreamNumber),
  function: Type.Optional(FunctionNumber),
  outcome: Type.Optional(
    Type.Array(oneOf(OUTCOMES), {
      maxItems: OUTCOMES.length,
      description:
        'Only primaries with this outcome; may be repeated. A page may then have fewer items than `limit`, or none, and still a `next_cursor`.',
    }),
  ),
  ...TimeRange,
})
export type MessageQuery = Static<typeof MessageQuery>

export const Timeout = {
  timeout: OptionalNumber([0.1, 600], 'Reply timeout for this call in seconds, if it is shorter than T3.'),
}
export const SendQuery = input(Timeout)
export type SendQuery = Static<typeof SendQuery>

/** The row of a call that reads from the equipment and changes nothing in it. */
export const READS = {
  params: ById,
  query: SendQuery,
  access: 'viewer',
  errors: TRANSACTION_ERRORS,
} as const

/** The row of a call that changes something in the equipment. */
export const WRITES = { ...READS, access: 'engineer', idempotent: true } as const

/** Sent, and not yet answered. */
const PENDING: Message = {
  id: '41',
  equipment_id: 'eq_8d1f03c6a95e',
  equipment_name: 'etcher',
  direction: 'sent',
  from: 'gateway',
  to: 'equipment',
  stream: 1,
  function: 3,
  name: 'S1F3 Selected Equipment Status Request',
  w_bit: true,
  session_id: 0,
  system_bytes: 17,
  sent_by: 'ada@example.com',
  data: { SVID: ['1', '2'] },
  body: { L: [{ U4: [1] }, { U4: [2] }] },
  sml: 'S1F3 W <L [2] <U4 1> <U4 2>>.',
  at: '2026-01-31T08:00:00.000Z',
  collection_event: null,
  reply_to: null,
  outcome: 'pending',
}
const ANSWERED: Message = { ...PENDING, outcome: 'replied', reply_id: '42', latency_ms: 12 }
const { outcome: _, ...HEADER } = PENDING
const REPLY: Message = {
  ...HEADER,
  id: '42',
  direction: 'received',
  from: 'equipment',
  to: 'gateway',
  sent_by: null,
  function: 4,
  name: 'S1F4 Selected Equipment Status Data',
  w_bit: false,
  data: { SV: ['7', 'IDLE'] },
  body: { L: [{ U4: [7] }, { A: 'IDLE' }] },
  sml: 'S1F4 <L [2] <U4 7> <A "IDLE">>.',
  reply_to: '41',
}

export const messageEndpoints = {
  listMessages: endpoint('GET /messages', {
    tag: 'messages',
    summary: 'List recorded messages',
    access: 'viewer',
    query: MessageQuery,
    reply: Page(Message),
    errors: ['invalid_cursor', 'cursor_expired'],
    examples: { reply: onePage([ANSWERED]) },
  }),
  getMessage: endpoint('GET /messages/{id}', {
    tag: 'messages',
    summary: 'Read one message',
    access: 'viewer',
    params: ById,
    query: input({ raw: OptionalFlag('True: also the recorded bytes of the body, as `raw`.') }),
    reply: Message,
    errors: ['message_not_found'],
    examples: { reply: REPLY },
  }),
  sendMessage: endpoint('POST /equipment/{id}/messages', {
    ...WRITES,
    tag: 'messages',
    summary: 'Send a SECS message',
    description:
      '200: the message was sent; `reply` is the reply, or null if the message has no reply. `acknowledgement` is the acknowledge code of the reply, absent if the reply has none. 202: the message was sent, and the call did not wait for the reply.',
    body: NewMessage,
    bodyLimit: MESSAGE_BODY_LIMIT,
    reply: Sent,
    status: [200, 202],
    audited: ['stream', 'function'],
    examples: {
      body: { stream: 1, function: 3, wait_for_reply: true, data: { SVID: ['1', '2'] } },
      reply: { message: ANSWERED, reply: REPLY },
      accepted: { message: PENDING, reply: null },
    },
  }),
} as const
