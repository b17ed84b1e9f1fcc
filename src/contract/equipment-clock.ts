import { type Static, Type } from 'typebox'
import { nullable, Time } from './schema.js'
import { Code, Recorded } from './values.js'

export const EquipmentClock = Type.Object({
  time: nullable(
    Type.String({
      description:
        "The equipment's wall clock in ISO 8601, without an offset where TIME has none; null for what is no TIME.",
    }),
  ),
  raw: Type.String({ description: 'TIME as it was sent: 12 or 16 digits, or ISO 8601.' }),
  difference_seconds: nullable(
    Type.Number({
      description:
        "How far it is ahead of the gateway's local time; negative where it is behind. Null for what is no TIME.",
    }),
  ),
  ...Recorded,
})
export type EquipmentClock = Static<typeof EquipmentClock>

export const NewTime = Type.Object(
  {
    time: Type.Optional(
      Time("Sent as the gateway's local time, in 16 digits (YYYYMMDDhhmmsscc); now when left out."),
    ),
    raw: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'TIME as it is to be sent, for equipment of another time zone or format.',
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
