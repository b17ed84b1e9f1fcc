import { type Static, Type } from 'typebox'
import { nullable, oneOf, Time } from './schema.js'

/** What of a frame is told at most: of its bytes as hex, and of its SML in characters. */
export const WIRE_HEX_BYTES = 16 * 1024
export const WIRE_SML_CHARACTERS = 64 * 1024

const AT = Time('When it passed.')
const DIRECTION = oneOf(['in', 'out'], '`in`: from the equipment. `out`: from the gateway.')
const HEX = Type.String({
  description: `The bytes from the length on, in lower case without separators; the first ${WIRE_HEX_BYTES} of them.`,
})
const CUT = Type.Boolean({ description: 'There is more of it than `hex` and `sml` tell.' })
const LENGTH = Type.Integer({ minimum: 0, description: 'Bytes behind the length: header and body.' })
const ADDRESS = Type.String({ description: '`address:port`.' })

/** The header of an HSMS message (SEMI E37), decoded. What only data messages have is null in others. */
export const WireHeader = Type.Object({
  session_id: Type.Integer(),
  stream: nullable(Type.Integer()),
  function: nullable(Type.Integer()),
  w_bit: nullable(Type.Boolean()),
  byte_2: Type.Integer({ description: 'As it is on the wire.' }),
  byte_3: Type.Integer({ description: 'As it is on the wire: status or reason of a control message.' }),
  p_type: Type.Integer(),
  s_type: Type.Integer(),
  s_type_name: nullable(Type.String({ description: 'Null for a number that means nothing.' })),
  system_bytes: Type.Integer(),
})
export type WireHeader = Static<typeof WireHeader>

const Watching = Type.Object({
  at: AT,
  kind: oneOf(['watching'], 'First of all: what passes from now on follows.'),
  local: nullable(ADDRESS),
  remote: nullable(ADDRESS),
})

const Opened = Type.Object({
  at: AT,
  kind: oneOf(['opened'], 'TCP came up.'),
  local: ADDRESS,
  remote: ADDRESS,
})

const Frame = Type.Object({
  at: AT,
  kind: oneOf(['frame'], 'An HSMS message.'),
  direction: DIRECTION,
  header: WireHeader,
  name: Type.String({ description: 'Such as `S1F13 Establish Communications Request` or `Select.req`.' }),
  detail: nullable(
    Type.String({ description: 'What its status or reason means, or why its body cannot be read.' }),
  ),
  length: LENGTH,
  sml: nullable(
    Type.String({
      description: `A data message that can be read; the first ${WIRE_SML_CHARACTERS} characters of it.`,
    }),
  ),
  hex: HEX,
  cut: CUT,
})

const Unreadable = Type.Object({
  at: AT,
  kind: oneOf(['unreadable'], 'Bytes that are no HSMS message; the connection ends because of them.'),
  direction: DIRECTION,
  detail: Type.String(),
  length: Type.Integer({ minimum: 0, description: 'Bytes in all.' }),
  hex: HEX,
  cut: CUT,
})

const Closed = Type.Object({
  at: AT,
  kind: oneOf(['closed'], 'TCP went down.'),
  detail: Type.String(),
})

const Gap = Type.Object({
  at: AT,
  kind: oneOf(['gap'], 'Records are missing here: they came faster than they were taken.'),
  lost: Type.Integer({ minimum: 1 }),
})

/** What passed on the connection of an equipment, one record a thing. */
export const WireRecord = Type.Union([Watching, Opened, Frame, Unreadable, Closed, Gap])
export type WireRecord = Static<typeof WireRecord>
export type WireFrame = Static<typeof Frame>

/** What the wire log can be had as; the first where a caller takes any. */
export const WIRE_MEDIA = ['application/x-ndjson', 'text/plain', 'application/x-pcapng'] as const
export type WireMedia = (typeof WIRE_MEDIA)[number]

export const WireQuery = Type.Object(
  {
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Ends behind so many HSMS messages.' }),
    ),
    hex: Type.Optional(
      Type.Boolean({ default: false, description: 'With the bytes of each message, in `text/plain`.' }),
    ),
  },
  { additionalProperties: false },
)
export type WireQuery = Static<typeof WireQuery>
