import { type Static, Type } from 'typebox'
import { nullable } from './schema.js'
import { Code, Recorded } from './values.js'

/** An alarm that an equipment can report, whether or not it ever did. */
export const EquipmentAlarm = Type.Object({
  alid: Type.String({ description: 'Alarm identifier (ALID).' }),
  text: Type.String(),
  set: Type.Boolean({ description: 'Whether the alarm is set at the equipment now.' }),
  category: Type.Integer({ minimum: 0, maximum: 127, description: 'ALCD, bits 1 to 7.' }),
  category_text: Type.String(),
  enabled: nullable(
    Type.Boolean({
      description: 'Whether the equipment reports this alarm (S5F7); null if the equipment does not say so.',
    }),
  ),
})
export type EquipmentAlarm = Static<typeof EquipmentAlarm>

export const AlarmChoice = Type.Object(
  {
    alid: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    all: Type.Optional(
      Type.Boolean({ description: 'True: all alarms of the equipment. Use it instead of `alid`.' }),
    ),
  },
  { additionalProperties: false },
)
export type AlarmChoice = Static<typeof AlarmChoice>

export const AlarmsSwitched = Type.Object({
  accepted: Type.Boolean({ description: 'True for ACKC5 0.' }),
  ackc5: Code('ACKC5.'),
  ackc5_text: Type.String(),
  ...Recorded,
})
export type AlarmsSwitched = Static<typeof AlarmsSwitched>
