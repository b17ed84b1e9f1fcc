import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import {
  ById,
  EquipmentIds,
  EquipmentName,
  named,
  nullable,
  onePage,
  Page,
  Paging,
  Time,
  TimeRange,
} from './schema.js'

export const Alarm = named('Alarm', {
  id: Type.String({ description: 'Id of the event that set the alarm.' }),
  equipment_id: Type.String(),
  equipment_name: EquipmentName,
  alid: Type.String({ description: 'Alarm identifier (ALID).' }),
  text: Type.String(),
  category: Type.Integer({ minimum: 0, maximum: 127, description: 'ALCD, bits 1 to 7.' }),
  category_text: Type.String(),
  active: Type.Boolean(),
  set_at: Time('When the equipment set the alarm.'),
  cleared_at: nullable(Time('When the equipment cleared the alarm; null while it is active.')),
  count: Type.Integer({
    minimum: 1,
    description: 'How many times the equipment reported the alarm while it was active.',
  }),
  acknowledged: Type.Boolean(),
  acknowledged_by: nullable(Type.String({ description: 'Email of the user who acknowledged the alarm.' })),
  acknowledged_at: nullable(Time('When the alarm was acknowledged.')),
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
          'Default: the first page has all alarms that are active or not acknowledged, and up to 100 of the newest other alarms; the next pages have the remaining alarms.',
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

const DOOR: Alarm = {
  id: '57',
  equipment_id: 'eq_8d1f03c6a95e',
  equipment_name: 'etcher',
  alid: '1204',
  text: 'Chamber door open',
  category: 1,
  category_text: 'Personal safety',
  active: true,
  set_at: '2026-01-31T08:00:00.000Z',
  cleared_at: null,
  count: 1,
  acknowledged: true,
  acknowledged_by: 'ada@example.com',
  acknowledged_at: '2026-01-31T08:00:00.000Z',
  comment: 'Door closed, chamber checked.',
}

export const alarmEndpoints = {
  listAlarms: endpoint('GET /alarms', {
    tag: 'alarms',
    summary: 'List alarms',
    access: 'viewer',
    query: AlarmQuery,
    reply: Page(Alarm),
    errors: ['invalid_cursor'],
    examples: { reply: onePage([DOOR]) },
  }),
  acknowledgeAlarm: endpoint('POST /alarms/{id}/acknowledge', {
    tag: 'alarms',
    summary: 'Acknowledge an alarm',
    access: 'operator',
    params: ById,
    body: Acknowledgement,
    bodyOptional: true,
    reply: Alarm,
    errors: ['alarm_not_found'],
    examples: { body: { comment: 'Door closed, chamber checked.' }, reply: DOOR },
  }),
} as const
