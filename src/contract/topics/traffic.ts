import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { FaultCode } from '../equipment.js'
import { ById, Byte, named, nullable, oneOf, Time } from '../schema.js'

const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })

const AMOUNT = { frames: Count(), bytes: Count('Length bytes, headers and bodies.') }

const Way = named('TrafficWay', {
  ...AMOUNT,
  messages: Type.Array(
    Type.Object({
      stream: Byte(),
      function: Byte(),
      name: Type.String(),
      ...AMOUNT,
    }),
    { description: 'Data messages by stream and function; the first 256 kinds.' },
  ),
  other_messages: Type.Object(AMOUNT, { description: 'Data messages of any other kind.' }),
  control: Type.Array(Type.Object({ name: Type.String(), count: Count() }), {
    description: 'Control messages, such as `Linktest.req`.',
  }),
  unknown: Count('Messages with an SType or PType that SEMI E37 does not define.'),
  rejects: Type.Array(Type.Object({ reason: Byte(), text: Type.String(), count: Count() }), {
    description: 'Reject.req messages by reason code.',
  }),
})
export type TrafficWay = Static<typeof Way>

export const TIMEOUTS = ['dial', 't1', 't2', 't3', 't4', 't6', 't7', 't8'] as const

/** Counts of messages, bytes and faults between the gateway and an equipment. All counts only rise, except `open`. */
export const Traffic = named('Traffic', {
  since: Time('When counting began: the start of the gateway, or the registration of the equipment.'),
  in: Way,
  out: Way,
  timeouts: Type.Array(Type.Object({ timer: oneOf(TIMEOUTS), count: Count() }), {
    description: 'Timeouts by timer; `dial` is the timeout of an attempt to connect.',
  }),
  line: Type.Object(
    {
      blocks_in: Count('Blocks from the equipment, also those that are not valid.'),
      blocks_out: Count('Blocks to the equipment, repetitions included.'),
      naks_in: Count('NAK characters from the equipment.'),
      naks_out: Count('NAK characters to the equipment.'),
      retries: Count('Blocks of the gateway for which the line was asked for again (RTY).'),
      duplicates: Count('Blocks that came again although they were acknowledged.'),
      unexpected: Count('Blocks that continue no message.'),
      strays: Count('Bytes that SEMI E4 gives no meaning where they came.'),
    },
    { description: 'SECS-I: what passed on the line. All zero for HSMS.' },
  ),
  connects: Count('TCP connections that were established.'),
  losses: Type.Array(Type.Object({ code: FaultCode, count: Count() }), {
    description: 'TCP connections that were lost, by reason; a disconnect by the gateway does not count.',
  }),
  attempts_failed: Count('Attempts to connect that failed.'),
  unrecorded: Count('Messages that passed through a tap and were not recorded.'),
  refused: Type.Object(
    {
      stranger: Count('They came from an address that may not connect.'),
      in_use: Count('The connection was taken.'),
    },
    { description: 'Connections to a tap that were refused.' },
  ),
  round_trip: Type.Object(
    {
      count: Count(),
      sum: Type.Number({ description: 'Sum of all round-trip times, in seconds.' }),
      buckets: Type.Array(
        Type.Object({
          le: nullable(
            Type.Number({ description: 'Upper bound in seconds, inclusive; null: no upper bound.' }),
          ),
          count: Count('Number of round trips not longer than `le`.'),
        }),
      ),
    },
    { description: 'Histogram of the times from a primary of the gateway to its reply.' },
  ),
  open: Count('Primaries of the gateway that are waiting for a reply now.'),
})
export type Traffic = Static<typeof Traffic>

const WAY: TrafficWay = {
  frames: 2,
  bytes: 38,
  messages: [
    { stream: 1, function: 13, name: 'S1F13 Establish Communications Request', frames: 1, bytes: 24 },
  ],
  other_messages: { frames: 0, bytes: 0 },
  control: [{ name: 'Linktest.req', count: 1 }],
  unknown: 0,
  rejects: [],
}

export const trafficEndpoints = {
  getTraffic: endpoint('GET /equipment/{id}/traffic', {
    tag: 'equipment',
    summary: 'Read message and fault counts',
    description:
      'Counts of messages, bytes, timeouts and lost connections since the gateway was started or the equipment was registered, whichever is later.',
    access: 'viewer',
    params: ById,
    reply: Traffic,
    errors: ['equipment_not_found'],
    examples: {
      reply: {
        since: '2026-01-31T08:00:00.000Z',
        in: WAY,
        out: WAY,
        timeouts: [{ timer: 't3', count: 0 }],
        line: {
          blocks_in: 0,
          blocks_out: 0,
          naks_in: 0,
          naks_out: 0,
          retries: 0,
          duplicates: 0,
          unexpected: 0,
          strays: 0,
        },
        connects: 1,
        losses: [],
        attempts_failed: 0,
        unrecorded: 0,
        refused: { stranger: 0, in_use: 0 },
        round_trip: { count: 1, sum: 0.012, buckets: [{ le: null, count: 1 }] },
        open: 0,
      },
    },
  }),
} as const
