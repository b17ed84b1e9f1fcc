import { type Static, Type } from 'typebox'
import { nullable, oneOf, Paging, Time, TimeRange } from './schema.js'

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
    'Named items. Keys are SECS item names; a value is a string, or a number, boolean, array or object.',
})
export type NamedData = Static<typeof NamedData>

/** One SECS-II item as an object of one key, its format: `{"U4":[1,2]}`, `{"L":[{"A":"START"}]}`. */
export const TypedItem = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'One typed item: an object of one key, the SECS-II format, such as `{"L":[{"A":"START"},{"U4":[1,2]}]}`.',
})
export type TypedItem = Static<typeof TypedItem>

export const NewMessage = Type.Object(
  {
    stream: Type.Optional(StreamNumber),
    function: Type.Optional(FunctionNumber),
    wait_for_reply: Type.Optional(Type.Boolean({ default: true })),
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

export const Message = Type.Object({
  id: Type.String(),
  equipment_id: Type.String(),
  direction: oneOf(['sent', 'received']),
  stream: StreamNumber,
  function: FunctionNumber,
  name: Type.String({ description: 'Such as `S1F13 Establish Communications Request`.' }),
  w_bit: Type.Boolean(),
  session_id: Type.Integer({ minimum: 0, maximum: 65535 }),
  system_bytes: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  data: nullable(NamedData),
  body: nullable(TypedItem),
  sml: Type.String(),
  at: Time('When it was sent or received.'),
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
    equipment_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    direction: Type.Optional(oneOf(['sent', 'received'])),
    stream: Type.Optional(StreamNumber),
    function: Type.Optional(FunctionNumber),
    ...TimeRange,
  },
  { additionalProperties: false },
)
export type MessageQuery = Static<typeof MessageQuery>

const TimeoutQuery = {
  timeout: Type.Optional(
    Type.Number({ minimum: 0.1, maximum: 600, description: 'Shortens T3 for this call, in seconds.' }),
  ),
}
export const SendQuery = Type.Object(TimeoutQuery, { additionalProperties: false })
export type SendQuery = Static<typeof SendQuery>
