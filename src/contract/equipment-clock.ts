import { type Static, Type } from 'typebox'
import { nullable, Time } from './schema.js'
import { Code, Recorded } from './values.js'

export const EquipmentClock = Type.Object({
  time: nullable(
    Type.String({
      description:
        'Local time of the equipment in ISO 8601, without a UTC offset if TIME has none; null if the reply is not a valid TIME.',
    }),
  ),
  raw: Type.String({ description: 'TIME exactly as the equipment sent it: 12 or 16 digits, or ISO 8601.' }),
  difference_seconds: nullable(
    Type.Number({
      description:
        'Time of the equipment minus local time of the gateway, in seconds: positive if the equipment is ahead, negative if it is late. Null if the reply is not a valid TIME.',
    }),
  ),
  ...Recorded,
})
export type EquipmentClock = Static<typeof EquipmentClock>

export const NewTime = Type.Object(
  {
    time: Type.Optional(
      Time(
        'The time to set. It is sent as local time of the gateway in 16 digits (YYYYMMDDhhmmsscc). Default: now.',
      ),
    ),
    raw: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'TIME to send unchanged, for equipment with another time zone or format. Use it instead of `time`.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type NewTime = Static<typeof NewTime>

export const TimeSet = Type.Object({
  accepted: Type.Boolean({ description: 'True for TIACK 0.' }),
  tiack: Code('TIACK.'),
  tiack_text: Type.String(),
  raw: Type.String({ description: 'TIME as it was sent.' }),
  ...Recorded,
})
export type TimeSet = Static<typeof TimeSet>
