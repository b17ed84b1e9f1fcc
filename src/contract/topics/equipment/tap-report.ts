import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import { ById, named, nullable, oneOf, Text, Time } from '../../schema.js'
import { OUTCOMES } from '../messages.js'

const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })
const Milliseconds = (description: string) => Type.Number({ minimum: 0, description })
const SIDES = ['host', 'equipment'] as const

const TapSide = named('TapSide', {
  local: Text('Address of the gateway on this connection.'),
  remote: Text('Address of the host, or of the equipment.'),
  bytes: Count('Bytes that this side has sent.'),
  primaries: Count('Primaries that it has sent.'),
  replies: Count('Replies that it has sent.'),
  stream9: Count('Messages of stream 9 among its primaries.'),
  control: Type.Array(Type.Object({ name: Type.String(), count: Count() }), {
    description: 'Control messages that it has sent, such as `Linktest.req`.',
  }),
  session_id: nullable(
    Type.Integer({ minimum: 0, maximum: 65535, description: 'Of its last data message.' }),
  ),
  readable: Type.Boolean({
    description: 'False: its bytes were no HSMS from some point on. They pass, and are not recorded.',
  }),
  held_ms: Milliseconds('How long bytes of the other side waited since this one did not read them.'),
  last_at: nullable(Time('When it sent last.')),
  unanswered: nullable(
    Type.Object(
      { name: Type.String(), since: Time('When it was sent.') },
      { description: 'Its oldest control message without a response.' },
    ),
  ),
})
export type TapSide = Static<typeof TapSide>

const TapPair = named('TapPair', {
  since: Time('When both sides were connected.'),
  ended: nullable(
    Type.Object(
      {
        at: Time('When it ended.'),
        by: oneOf(SIDES, 'Which side ended first.'),
        how: oneOf(['closed', 'broken'], 'How that side ended: in order, or broken off.'),
      },
      { description: 'Null where it has not ended.' },
    ),
  ),
  selected: Type.Boolean(),
  select: nullable(
    Type.Object(
      { status: Count('0 accepts.'), text: Type.String() },
      { description: 'The last Select.rsp.' },
    ),
  ),
  host: TapSide,
  equipment: TapSide,
  mapped: Count('Primaries of the host whose system bytes were replaced on the way.'),
  gateway_sent: Count('Primaries of the gateway.'),
  gateway_replied: Count('What the equipment sent about them.'),
  handling: Type.Object(
    {
      times: Count(),
      mean_ms: Milliseconds('Mean.'),
      max_ms: Milliseconds('Longest.'),
    },
    { description: 'From reading bytes of a side to having written them to the other one.' },
  ),
})
export type TapPair = Static<typeof TapPair>

const Exchanges = {
  replied: Count('Primaries that got a reply.'),
  open: Count('Primaries that wait for a reply now.'),
  oldest_ms: nullable(Milliseconds('How long the oldest of them waits.')),
  reply_ms: nullable(
    Type.Object(
      { p50: Type.Number(), p95: Type.Number(), max: Type.Number() },
      { description: 'Times until the reply, of the last 1,000.' },
    ),
  ),
}

const TapLine = named('TapLine', {
  since: Time('Since when the tap runs.'),
  listening: nullable(Count('The port on which it listens; null where it does not.')),
  fault: nullable(Type.String({ description: 'Why it does not listen.' })),
  pairs: Count('How often host and equipment were connected.'),
  pair: nullable(TapPair),
  last_pair: nullable(TapPair),
  refused: Type.Array(
    Type.Object({
      address: Type.String(),
      reason: oneOf(
        ['stranger', 'in_use'],
        '`stranger`: it is not the address that may call. `in_use`: there was a connection already.',
      ),
      count: Count(),
      last_at: Time('The last time.'),
    }),
    { description: 'Connections that were closed at once; the newest 16 addresses.' },
  ),
  not_dialled: nullable(
    Type.Object(
      { count: Count(), detail: Type.String(), last_at: Time('The last time.') },
      { description: 'The other side could not be dialled.' },
    ),
  ),
})
export type TapLine = Static<typeof TapLine>

export const TapReport = named('TapReport', {
  at: Time('When this was so, by the clock of the gateway.'),
  line: nullable(TapLine),
  gateway: Type.Object(
    {
      since: Time('Since when this daemon looks at the line.'),
      outcomes: Type.Array(
        Type.Object({ outcome: oneOf(OUTCOMES, 'How primaries of the host ended.'), count: Count() }),
      ),
      host: Type.Object(Exchanges, { description: 'Primaries of the host.' }),
      equipment: Type.Object(Exchanges, { description: 'Primaries of the equipment.' }),
      stream9: Type.Array(
        Type.Object({ message: Type.String(), count: Count(), last_at: Time('The last time.') }),
        { description: 'Messages of stream 9 of the equipment to its host.' },
      ),
      unrecorded: Count('Messages that passed, and are not recorded.'),
    },
    { description: 'What the gateway has seen of it.' },
  ),
})
export type TapReport = Static<typeof TapReport>

const AT = '2026-01-31T08:00:00.000Z'
const SIDE: TapSide = {
  local: '10.0.0.2:6000',
  remote: '10.0.0.9:51712',
  bytes: 5120,
  primaries: 40,
  replies: 22,
  stream9: 0,
  control: [{ name: 'Linktest.req', count: 3 }],
  session_id: 0,
  readable: true,
  held_ms: 0,
  last_at: '2026-01-31T08:10:00.000Z',
  unanswered: null,
}

export const tapEndpoints = {
  getTap: endpoint('GET /equipment/{id}/tap', {
    tag: 'equipment',
    summary: 'Read what passes through the tap',
    description:
      'Of equipment that is shared with its host: who is connected, and what has passed. `line` counts on the line itself, by the process that holds it, also while no daemon ran; null where the tap is not open, or that process does not respond. `gateway` counts what this daemon has seen.',
    access: 'viewer',
    params: ById,
    reply: TapReport,
    errors: ['equipment_not_found', 'not_tapped'],
    examples: {
      reply: {
        at: '2026-01-31T08:10:01.000Z',
        line: {
          since: AT,
          listening: 6000,
          fault: null,
          pairs: 1,
          pair: {
            since: AT,
            ended: null,
            selected: true,
            select: { status: 0, text: 'done' },
            host: SIDE,
            equipment: {
              ...SIDE,
              local: '10.0.0.2:40112',
              remote: '10.0.0.5:5000',
              primaries: 22,
              replies: 40,
            },
            mapped: 0,
            gateway_sent: 2,
            gateway_replied: 2,
            handling: { times: 124, mean_ms: 0.05, max_ms: 0.4 },
          },
          last_pair: null,
          refused: [],
          not_dialled: null,
        },
        gateway: {
          since: AT,
          outcomes: [{ outcome: 'replied', count: 40 }],
          host: { replied: 40, open: 0, oldest_ms: null, reply_ms: { p50: 4.1, p95: 18, max: 41.2 } },
          equipment: { replied: 22, open: 0, oldest_ms: null, reply_ms: { p50: 1.9, p95: 6, max: 9.3 } },
          stream9: [],
          unrecorded: 0,
        },
      },
    },
  }),
} as const
