import { type Static, Type } from 'typebox'
import { EquipmentIds, EquipmentName, nullable, oneOf, Paging, Time, TimeRange } from './schema.js'

export const OUTCOMES = [
  'pending',
  'replied',
  'timed_out',
  'aborted',
  'rejected',
  'error',
  'lost',
  'not_expected',
] as const
export type Outcome = (typeof OUTCOMES)[number]

const StreamNumber = Type.Integer({ minimum: 0, maximum: 127, description: 'SECS stream number.' })
const FunctionNumber = Type.Integer({ minimum: 0, maximum: 255, description: 'SECS function number.' })

/** Named items: the keys are SECS item names. Values are strings; other JSON is taken as well. */
export const NamedData = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Named items. Keys are SECS item names; a value is a string, or a number, boolean, array or object. Of a message that the catalogue does not know, the values are sent in one list, in the order of the members: each in the format that its name says (`CHUCKTEMP:F4`), else in the one that the catalogue, or `item_formats` of the equipment, has for the name, else as A. (Names of digits alone come first, as JSON objects order them.) An array is a list, or under a name that says a format one item of several values; an object is a list of its own, or a typed item such as `{"U4":[1]}`. Where each name says its format this also holds for a message that the catalogue knows.',
})
export type NamedData = Static<typeof NamedData>

/** One SECS-II item as an object of one key, its format: `{"U4":[1,2]}`, `{"L":[{"A":"START"}]}`. */
export const TypedItem = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'One typed item: an object of one key, the SECS-II format, such as `{"L":[{"A":"START"},{"U4":[1,2]}]}`. ' +
    'In answers the value is an array, also for one value or none; A, J and C are a string. ' +
    'An A or J whose bytes its encoding cannot give back exactly is an array of bytes instead, and may be sent as one. ' +
    'Integers beyond 2^53, NaN, the infinities and -0 are strings.',
})
export type TypedItem = Static<typeof TypedItem>

export const NewMessage = Type.Object(
  {
    stream: Type.Optional(StreamNumber),
    function: Type.Optional(FunctionNumber),
    wait_for_reply: Type.Optional(
      Type.Boolean({ description: 'True unless given. False: answered 202 as soon as it is sent.' }),
    ),
    data: Type.Optional(NamedData),
    body: Type.Optional(TypedItem),
    sml: Type.Optional(
      Type.String({
        description: 'An SML text, such as `S1F3 W <L <U4 1>>.`; `stream` and `function` may be left out.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type NewMessage = Static<typeof NewMessage>

const ReportedValue = Type.Object({
  vid: nullable(Type.String({ description: 'VID; null where the definition of the report is not known.' })),
  name: nullable(Type.String()),
  unit: nullable(Type.String()),
  value: Type.Unknown({ description: 'As in `data`: a string; an array of several values, or of a list.' }),
})
export type ReportedValue = Static<typeof ReportedValue>

export const CollectionEvent = Type.Object(
  {
    ceid: Type.String(),
    name: nullable(Type.String({ description: 'As the equipment tells it (S1F24).' })),
    reports: Type.Array(Type.Object({ rptid: Type.String(), values: Type.Array(ReportedValue) })),
  },
  {
    description:
      'Of S6F11, S6F13, S6F16 and S6F18: the reports with the names of their values, by the definitions that held when the message came. Nothing is guessed.',
  },
)
export type CollectionEvent = Static<typeof CollectionEvent>

export const Message = Type.Object({
  id: Type.String(),
  equipment_id: Type.String(),
  equipment_name: EquipmentName,
  direction: oneOf(['sent', 'received']),
  stream: StreamNumber,
  function: FunctionNumber,
  name: Type.String({ description: 'Such as `S1F13 Establish Communications Request`.' }),
  w_bit: Type.Boolean(),
  session_id: Type.Integer({ minimum: 0, maximum: 65535 }),
  system_bytes: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  data: nullable(NamedData),
  body: nullable(TypedItem),
  sml: nullable(Type.String({ description: 'Null for a body that is not valid SECS-II.' })),
  collection_event: nullable(CollectionEvent),
  at: Time('When it was sent or received.'),
  may_be_spooled: Type.Optional(
    Type.Boolean({
      description:
        'True: it came while the equipment was sending its spool, as far as a host can tell: after the S6F24 that promises it, until nothing came for 3 s. It may tell of the past, which nothing in it says. Else left out.',
    }),
  ),
  reply_to: nullable(Type.String({ description: 'Of a secondary: the id of the primary it answers.' })),
  outcome: Type.Optional(oneOf(OUTCOMES, 'Of a primary: what became of it.')),
  reply_id: Type.Optional(Type.String()),
  latency_ms: Type.Optional(Type.Number({ minimum: 0 })),
  s9: Type.Optional(Type.String({ description: 'The stream 9 message that ended it, such as `S9F5`.' })),
  raw: Type.Optional(Type.String({ description: 'A body that is not valid SECS-II, in lower-case hex.' })),
  decode_error: Type.Optional(Type.String()),
})
export type Message = Static<typeof Message>

export const Sent = Type.Object({ message: Message, reply: nullable(Message) })
export type Sent = Static<typeof Sent>

export const MessageQuery = Type.Object(
  {
    ...Paging,
    equipment_id: EquipmentIds,
    direction: Type.Optional(oneOf(['sent', 'received'])),
    stream: Type.Optional(StreamNumber),
    function: Type.Optional(FunctionNumber),
    ...TimeRange,
  },
  { additionalProperties: false },
)
export type MessageQuery = Static<typeof MessageQuery>

export const Timeout = {
  timeout: Type.Optional(
    Type.Number({ minimum: 0.1, maximum: 600, description: 'Shortens T3 for this call, in seconds.' }),
  ),
}
export const SendQuery = Type.Object(Timeout, { additionalProperties: false })
export type SendQuery = Static<typeof SendQuery>
