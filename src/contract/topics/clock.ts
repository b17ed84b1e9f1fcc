import { Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { NullableText, named, namedInput, nullable, OptionalText, Text, Time } from '../schema.js'
import { Acknowledged, acknowledgedAs, Recorded, recordedAs } from '../values.js'
import { READS, WRITES } from './messages.js'

const EquipmentClock = named('EquipmentClock', {
  time: NullableText(
    'Local time of the equipment in ISO 8601, without a UTC offset if TIME has none; null if the reply is not a valid TIME.',
  ),
  raw: Text('TIME exactly as the equipment sent it: 12 or 16 digits, or ISO 8601.'),
  difference_seconds: nullable(
    Type.Number({
      description:
        'Time of the equipment minus local time of the gateway, in seconds: positive if the equipment is ahead, negative if it is late. Null if the reply is not a valid TIME.',
    }),
  ),
  ...Recorded,
})

const NewTime = namedInput('NewTime', {
  time: Type.Optional(
    Time(
      'The time to set. It is sent as local time of the gateway in 16 digits (YYYYMMDDhhmmsscc). Default: now.',
    ),
  ),
  raw: OptionalText(
    'TIME to send unchanged, for equipment with another time zone or format. Use it instead of `time`.',
    { minLength: 1, maxLength: 64 },
  ),
})

const TimeSet = named('TimeSet', { ...Acknowledged('tiack'), raw: Text('TIME as it was sent.') })

export const clockEndpoints = {
  getClock: endpoint('GET /equipment/{id}/clock', {
    ...READS,
    tag: 'clock',
    summary: 'Read the clock',
    description: 'Sends S2F17.',
    reply: EquipmentClock,
    examples: {
      reply: {
        time: '2026-01-31T09:00:02.50',
        raw: '2026013109000250',
        difference_seconds: 2.5,
        ...recordedAs(61),
      },
    },
  }),
  setClock: endpoint('PUT /equipment/{id}/clock', {
    ...WRITES,
    tag: 'clock',
    summary: 'Set the clock',
    description:
      'Sends S2F31. Without a body, the clock is set to the local time of the gateway. If the equipment refuses, the response is 200 with `accepted` false.',
    body: NewTime,
    bodyOptional: true,
    reply: TimeSet,
    audited: ['time', 'raw'],
    examples: {
      body: { time: '2026-01-31T08:00:00.000Z' },
      reply: { ...acknowledgedAs('tiack', 61), raw: '2026013109000000' },
    },
  }),
} as const
