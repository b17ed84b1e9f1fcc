import { type Static, Type } from 'typebox'
import { CONNECTION_FAULTS } from './equipment.js'
import { nullable, oneOf, Time } from './schema.js'

const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })

const AMOUNT = {
  frames: Count(),
  bytes: Count('Length bytes, headers and bodies.'),
}

const Way = Type.Object({
  ...AMOUNT,
  messages: Type.Array(
    Type.Object({
      stream: Type.Integer(),
      function: Type.Integer(),
      name: Type.String(),
      ...AMOUNT,
    }),
    { description: 'Data messages, the first 256 kinds.' },
  ),
  other_messages: Type.Object(AMOUNT, { description: 'Data messages of any other kind.' }),
  control: Type.Array(Type.Object({ name: Type.String(), count: Count() }), {
    description: 'Control messages, such as `Linktest.req`.',
  }),
  unknown: Count('Messages of an SType or PType that means nothing.'),
  rejects: Type.Array(Type.Object({ reason: Type.Integer(), text: Type.String(), count: Count() }), {
    description: 'Reject.req by reason.',
  }),
})
export type TrafficWay = Static<typeof Way>

export const TIMEOUTS = ['dial', 't3', 't6', 't7', 't8'] as const

/** What passed between the gateway and an equipment, and what went wrong. All counts rise, but `open`. */
export const Traffic = Type.Object({
  since: Time('When counting began: the start of the gateway, or the registration of the equipment.'),
  in: Way,
  out: Way,
  timeouts: Type.Array(Type.Object({ timer: oneOf(TIMEOUTS), count: Count() }), {
    description: 'What ended because a timer did; `dial` is an attempt to connect.',
  }),
  connects: Count('TCP connections that came up.'),
  losses: Type.Array(Type.Object({ code: oneOf(CONNECTION_FAULTS), count: Count() }), {
    description: 'TCP connections that ended, but for our own disconnect.',
  }),
  attempts_failed: Count('Attempts to connect that came to nothing.'),
  round_trip: Type.Object(
    {
      count: Count(),
      sum: Type.Number({ description: 'Of all, in seconds.' }),
      buckets: Type.Array(
        Type.Object({
          le: nullable(Type.Number({ description: 'Seconds, inclusive; null: any.' })),
          count: Count('So long or shorter.'),
        }),
      ),
    },
    { description: 'From a primary of the gateway to its reply.' },
  ),
  open: Count('Primaries of the gateway that wait for a reply now.'),
})
export type Traffic = Static<typeof Traffic>
