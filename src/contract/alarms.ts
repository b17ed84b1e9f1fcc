import { type Static, Type } from 'typebox'
import { EquipmentIds, EquipmentName, nullable, Paging, Time, TimeRange } from './schema.js'

export const Alarm = Type.Object({
  id: Type.String({ description: 'The id of the event that set it.' }),
  equipment_id: Type.String(),
  equipment_name: EquipmentName,
  alid: Type.String({ description: 'Alarm identifier (ALID).' }),
  text: Type.String(),
  category: Type.Integer({ minimum: 0, maximum: 127, description: 'ALCD, bits 1 to 7.' }),
  category_text: Type.String(),
  active: Type.Boolean(),
  set_at: Time('When the equipment set it.'),
  cleared_at: nullable(Time('When the equipment cleared it.')),
  count: Type.Integer({ minimum: 1, description: 'How often it was reported while active.' }),
  acknowledged: Type.Boolean(),
  acknowledged_by: nullable(Type.String({ description: "The user's email." })),
  acknowledged_at: nullable(Time('When it was acknowledged.')),
  comment: nullable(Type.String()),
})
export type Alarm = Static<typeof Alarm>

export const AlarmQuery = Type.Object(
  {
    ...Paging,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description:
          'When left out: all that are active or not acknowledged, and the newest others, 100 at most. The pages after that have the rest of the others.',
      }),
    ),
    equipment_id: EquipmentIds,
    active: Type.Optional(Type.Boolean()),
    acknowledged: Type.Optional(Type.Boolean()),
    ...TimeRange,
  },
  { additionalProperties: false },
)
export type AlarmQuery = Static<typeof AlarmQuery>

export const Acknowledgement = Type.Object(
  { comment: Type.Optional(Type.String({ maxLength: 1024 })) },
  { additionalProperties: false },
)
export type Acknowledgement = Static<typeof Acknowledgement>
