import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import {
  ById,
  Byte,
  Flag,
  input,
  NullableText,
  named,
  namedUnion,
  nullable,
  OptionalInteger,
  oneOf,
  SystemBytes,
  Text,
  Time,
  Word,
} from '../schema.js'
import { PARTIES } from './messages.js'

/** Limits for one frame in the wire log: bytes shown as hex, and characters of SML. */
export const WIRE_HEX_BYTES = 16 * 1024
export const WIRE_SML_CHARACTERS = 64 * 1024

/** Wire logs that the gateway serves to one user at once. */
export const MAX_WIRE_LOGS = 8

const AT = Time('When the gateway sent or received it.')
const DIRECTION = oneOf(
  ['in', 'out'],
  '`in`: from the equipment. `out`: to the equipment, from the gateway or from the host of tapped equipment.',
)
const HEX = Text(
  `The bytes of the message, length field included, in lower-case hex without separators; at most the first ${WIRE_HEX_BYTES} bytes.`,
)
const CUT = Flag('True: the message is longer than `hex` or `sml` shows.')
const LENGTH = Type.Integer({ minimum: 0, description: 'Bytes after the length field: header and body.' })
const ADDRESS = Text('`address:port`.')

/** The header of an HSMS message (SEMI E37), decoded. Fields that only data messages have are null in control messages. */
export const WireHeader = named('WireHeader', {
  session_id: Word,
  stream: nullable(Byte()),
  function: nullable(Byte()),
  w_bit: nullable(Type.Boolean()),
  byte_2: Byte('Header byte 2, as on the wire.'),
  byte_3: Byte('Header byte 3, as on the wire; in a control message its status or reason code.'),
  p_type: Byte(),
  s_type: Byte(),
  s_type_name: NullableText('Null for an SType that SEMI E37 does not define.'),
  system_bytes: SystemBytes,
})
export type WireHeader = Static<typeof WireHeader>

const Watching = named('WireWatching', {
  at: AT,
  kind: oneOf(
    ['watching'],
    'Always the first record. The records after it are what passes on the connection from now on.',
  ),
  local: nullable(ADDRESS),
  remote: nullable(ADDRESS),
})

const Opened = named('WireOpened', {
  at: AT,
  kind: oneOf(['opened'], 'The TCP connection was opened.'),
  local: ADDRESS,
  remote: ADDRESS,
})

const Frame = named('WireFrame', {
  at: AT,
  kind: oneOf(
    ['frame'],
    'An HSMS message. For SECS-I, a whole data message, with the header that it would have in HSMS.',
  ),
  direction: DIRECTION,
  from: Type.Optional(oneOf(PARTIES, 'Only of tapped equipment: who sent it.')),
  to: Type.Optional(oneOf(PARTIES, 'Only of tapped equipment: who gets it.')),
  header: WireHeader,
  name: Text('Such as `S1F13 Establish Communications Request` or `Select.req`.'),
  detail: NullableText('Meaning of its status or reason code, or why its body cannot be decoded.'),
  length: LENGTH,
  sml: NullableText(
    `The data message as SML, at most the first ${WIRE_SML_CHARACTERS} characters; null for a control message or a body that cannot be decoded.`,
  ),
  hex: HEX,
  cut: CUT,
})

/** The header of a SECS-I block (SEMI E4), decoded. */
export const WireBlock = named('WireBlock', {
  r_bit: Flag('True: from the equipment to the host.'),
  device_id: Word,
  stream: Byte(),
  function: Byte(),
  w_bit: Type.Boolean(),
  e_bit: Flag('True: the last block of its message.'),
  number: Type.Integer({
    minimum: 0,
    maximum: 32767,
    description: 'Number of the block in its message, from 1.',
  }),
  system_bytes: SystemBytes,
})
export type WireBlock = Static<typeof WireBlock>

const Line = named('WireLine', {
  at: AT,
  kind: oneOf(
    ['line'],
    'SECS-I only: a character or a block on the line. A message follows as a `frame` record when its last block has passed.',
  ),
  direction: DIRECTION,
  name: oneOf(
    ['ENQ', 'EOT', 'ACK', 'NAK', 'block', 'bytes'],
    '`bytes`: not a valid block; its checksum or its length is wrong.',
  ),
  block: nullable(WireBlock),
  length: Type.Integer({ minimum: 0, description: 'Total number of bytes.' }),
  hex: HEX,
})

const Unreadable = named('WireUnreadable', {
  at: AT,
  kind: oneOf(
    ['unreadable'],
    'Bytes that are not a valid HSMS message. The gateway closes the connection because of them.',
  ),
  direction: DIRECTION,
  detail: Type.String(),
  length: Type.Integer({ minimum: 0, description: 'Total number of bytes.' }),
  hex: HEX,
  cut: CUT,
})

const Closed = named('WireClosed', {
  at: AT,
  kind: oneOf(['closed'], 'The TCP connection was closed.'),
  detail: Type.String(),
})

const Gap = named('WireGap', {
  at: AT,
  kind: oneOf(['gap'], 'Records are missing here, because the client read more slowly than they arrived.'),
  lost: Type.Integer({ minimum: 1 }),
})

/** One record of the wire log of an equipment. */
export const WireRecord = namedUnion('WireRecord', 'kind', [
  Watching,
  Opened,
  Frame,
  Line,
  Unreadable,
  Closed,
  Gap,
])
export type WireRecord = Static<typeof WireRecord>
export type WireFrame = Static<typeof Frame>
export type WireLine = Static<typeof Line>

/** Media types of the wire log; the first is the default. */
const WIRE_MEDIA = ['application/x-ndjson', 'text/plain', 'application/x-pcapng'] as const
export type WireMedia = (typeof WIRE_MEDIA)[number]

export const WireQuery = input({
  count: OptionalInteger(
    [1, 1_000_000_000],
    'The response ends after this number of HSMS messages. Default: no limit.',
  ),
  hex: Type.Optional(
    Type.Boolean({ default: false, description: 'In `text/plain`: adds a hex dump of each message.' }),
  ),
})
export type WireQuery = Static<typeof WireQuery>

const FRAME: WireFrame = {
  at: '2026-01-31T08:00:00.000Z',
  kind: 'frame',
  direction: 'out',
  header: {
    session_id: 0,
    stream: 1,
    function: 1,
    w_bit: true,
    byte_2: 129,
    byte_3: 1,
    p_type: 0,
    s_type: 0,
    s_type_name: 'Data',
    system_bytes: 17,
  },
  name: 'S1F1 Are You There Request',
  detail: null,
  length: 10,
  sml: 'S1F1 W.',
  hex: '0000000a00008101000000000011',
  cut: false,
}

export const wireEndpoints = {
  followWire: endpoint('GET /equipment/{id}/wire', {
    tag: 'equipment',
    summary: 'Stream the HSMS messages of the equipment',
    description:
      'Streams all HSMS messages on the connection from now on, until the client closes the stream. Nothing is stored. Of tapped equipment, each message has `from` and `to`: the host, the gateway or the equipment. The stream continues over reconnects, and waits while the equipment is not connected. `application/x-ndjson`: one JSON object on each line. `text/plain`: readable text. `application/x-pcapng`: a capture file for Wireshark, which can open it while it grows; the TCP and IP headers are synthetic. A client that reads too slowly loses records; a `gap` record has the number of lost records.',
    access: 'viewer',
    params: ById,
    query: WireQuery,
    reply: WireRecord,
    media: WIRE_MEDIA,
    errors: ['equipment_not_found', 'rate_limited', 'quota_exceeded'],
    examples: { reply: FRAME },
  }),
} as const
