import { type Static, Type } from 'typebox'
import { SEVERITIES } from '../alarm-severity.js'
import { endpoint } from '../endpoint.js'
import { LabelSelector } from '../labels.js'
import {
  ById,
  EquipmentIds,
  EquipmentName,
  Flag,
  input,
  NullableFlag,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  OptionalText,
  oneOf,
  onePage,
  Page,
  Paging,
  Text,
  Time,
  TimeRange,
} from '../schema.js'
import { Acknowledged, acknowledgedAs } from '../values.js'
import { AlarmSeverity, AlarmShelf } from './alarm-shelving.js'
import { READS, WRITES } from './messages.js'

export const Alarm = named('Alarm', {
  id: Text('Id of the event that set the alarm.'),
  equipment_id: Type.String(),
  equipment_name: EquipmentName,
  alid: Text('Alarm identifier (ALID).'),
  text: Type.String(),
  category: Type.Integer({ minimum: 0, maximum: 127, description: 'ALCD, bits 1 to 7.' }),
  category_text: Type.String(),
  severity: AlarmSeverity,
  active: Type.Boolean(),
  set_at: Time('When the equipment set the alarm.'),
  cleared_at: nullable(Time('When the equipment cleared the alarm; null while it is active.')),
  count: Type.Integer({
    minimum: 1,
    description: 'How many times the equipment reported the alarm while it was active.',
  }),
  acknowledged: Type.Boolean(),
  acknowledged_by: NullableText('Email of the user who acknowledged the alarm, or `key:NAME` of an API key.'),
  acknowledged_at: nullable(Time('When the alarm was acknowledged.')),
  comment: nullable(Type.String()),
  shelved: nullable(AlarmShelf),
})
export type Alarm = Static<typeof Alarm>

export const AlarmQuery = input({
  ...Paging,
  equipment_id: EquipmentIds,
  label_selector: LabelSelector,
  active: Type.Optional(Type.Boolean()),
  acknowledged: Type.Optional(Type.Boolean()),
  shelved: Type.Optional(
    Type.Boolean({ description: 'Only open alarms that are shelved; false: only alarms that are not.' }),
  ),
  alid: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[^,]{1,64}$' }), {
      maxItems: 100,
      description:
        'Only alarms with this ALID, or with a number in this range, such as `4000-4010`; may be repeated.',
    }),
  ),
  category: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 127 }), {
      maxItems: 128,
      description: 'Only alarms of this category (ALCD, bits 1 to 7); may be repeated.',
    }),
  ),
  severity: Type.Optional(
    Type.Array(AlarmSeverity, {
      maxItems: SEVERITIES.length,
      description: 'Only alarms of this severity; may be repeated.',
    }),
  ),
  sort: Type.Optional(
    oneOf(
      ['time', 'severity'],
      '`severity`: the most urgent first, and of these the newest; `order` `asc` is the reverse. Default: `time`.',
    ),
  ),
  text: OptionalText(
    'Only alarms whose text contains this, in upper or lower case; `*` stands for any characters. With `text` or `alid` a page may have fewer items than `limit`, or none, and still a `next_cursor`.',
    { minLength: 1, maxLength: 256 },
  ),
  ...TimeRange,
})
export type AlarmQuery = Static<typeof AlarmQuery>

const COMMENT = { comment: Type.Optional(Type.String({ maxLength: 1024 })) }
const Acknowledgement = input(COMMENT)

/** The most alarms that one call acknowledges. */
export const MAX_ACKNOWLEDGED = 1000

const AcknowledgementOfAlarms = namedInput('AcknowledgementOfAlarms', {
  ids: Type.Array(Type.String({ minLength: 1, maxLength: 15 }), {
    maxItems: MAX_ACKNOWLEDGED,
    description: `Ids of at most ${MAX_ACKNOWLEDGED} alarms.`,
  }),
  ...COMMENT,
})

export const AlarmAcknowledged = named('AlarmAcknowledged', {
  id: Text('The id in the request.'),
  result: oneOf(
    ['acknowledged', 'already_acknowledged', 'not_found'],
    '`acknowledged`: by this call, also if the equipment has cleared the alarm. `already_acknowledged`: before this call; `alarm` says by whom. `not_found`: there is no alarm with this id.',
  ),
  alarm: nullable(Alarm),
})
export type AlarmAcknowledged = Static<typeof AlarmAcknowledged>

const DOOR: Alarm = {
  id: '57',
  equipment_id: 'eq_8d1f03c6a95e',
  equipment_name: 'etcher',
  alid: '1204',
  text: 'Chamber door open',
  category: 1,
  category_text: 'Personal safety',
  severity: 'personal_safety',
  active: true,
  set_at: '2026-01-31T08:00:00.000Z',
  cleared_at: null,
  count: 1,
  acknowledged: true,
  acknowledged_by: 'ada@example.com',
  acknowledged_at: '2026-01-31T08:00:00.000Z',
  comment: 'Door closed, chamber checked.',
  shelved: null,
}

/** The most active alarms of one equipment that are kept at hand. */
export const MAX_ACTIVE_ALARMS = 10_000

const AlarmPage = Type.Object({
  ...Page(Alarm).properties,
  incomplete: Type.Array(Type.String(), {
    description: `Ids of equipment that had more than ${MAX_ACTIVE_ALARMS} active alarms at once: of its active alarms the oldest may be left out. Those of other equipment never are. Empty otherwise.`,
  }),
})
export type AlarmPage = Static<typeof AlarmPage>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** The most urgent alarm of an equipment, as far as a summary tells it. */
export const WorstAlarm = named('WorstAlarm', {
  id: Text('Id of the event that set the alarm.'),
  alid: Text('Alarm identifier (ALID).'),
  text: Type.String(),
  category: Type.Integer({ minimum: 0, maximum: 127, description: 'ALCD, bits 1 to 7.' }),
  category_text: Type.String(),
  severity: AlarmSeverity,
  set_at: Time('When the equipment set the alarm.'),
  acknowledged: Type.Boolean(),
})
export type WorstAlarm = Static<typeof WorstAlarm>

const EquipmentAlarmCounts = named('EquipmentAlarmCounts', {
  equipment_id: Type.String(),
  equipment_name: EquipmentName,
  active: Count('Alarms that are set and not shelved.'),
  unacknowledged: Count('Alarms, set or cleared, that nobody has acknowledged and that are not shelved.'),
  shelved: Count('Alarms, active or not acknowledged, that are shelved.'),
  worst: nullable(WorstAlarm),
})

export const AlarmSummary = named('AlarmSummary', {
  as_of: Text(
    'Id of the last event that the counts include. A stream with `after` of this value has each later event, without a gap.',
  ),
  items: Type.Array(EquipmentAlarmCounts, {
    description: 'Equipment with open alarms, in no order. Equipment that is not here has none.',
  }),
  incomplete: AlarmPage.properties.incomplete,
})
export type AlarmSummary = Static<typeof AlarmSummary>

export const alarmEndpoints = {
  listAlarms: endpoint('GET /alarms', {
    tag: 'alarms',
    summary: 'List alarms',
    access: 'viewer',
    query: AlarmQuery,
    reply: AlarmPage,
    errors: ['invalid_cursor'],
    examples: { reply: { ...onePage([DOOR]), incomplete: [] } },
  }),
  getAlarmSummary: endpoint('GET /alarms/summary', {
    tag: 'alarms',
    summary: 'Count the open alarms of each equipment',
    description:
      'How many alarms are open on each equipment, how many of them are shelved, and the most urgent active one that is not shelved: the first of `severity`, and of these the newest. To follow the counts, read the event stream from `as_of` on.',
    access: 'viewer',
    query: input({ equipment_id: EquipmentIds, label_selector: LabelSelector }),
    reply: AlarmSummary,
    examples: {
      reply: {
        as_of: '61',
        items: [
          {
            equipment_id: DOOR.equipment_id,
            equipment_name: DOOR.equipment_name,
            active: 2,
            unacknowledged: 1,
            shelved: 0,
            worst: {
              id: DOOR.id,
              alid: DOOR.alid,
              text: DOOR.text,
              category: DOOR.category,
              category_text: DOOR.category_text,
              severity: DOOR.severity,
              set_at: DOOR.set_at,
              acknowledged: true,
            },
          },
        ],
        incomplete: [],
      },
    },
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
    audited: ['comment'],
    examples: { body: { comment: 'Door closed, chamber checked.' }, reply: DOOR },
  }),
  acknowledgeAlarms: endpoint('POST /alarms/acknowledge', {
    tag: 'alarms',
    summary: 'Acknowledge several alarms',
    description:
      'Acknowledges exactly the alarms with these ids, and no alarm that is set meanwhile. The response has one item for each id, in their order. That an alarm was cleared or acknowledged meanwhile, or is not found, does not stop the others. The call has one entry in the audit: with `equipment_id` if all alarms are of one equipment.',
    access: 'operator',
    body: AcknowledgementOfAlarms,
    reply: Type.Object({ items: Type.Array(AlarmAcknowledged) }),
    audited: ['ids', 'comment'],
    examples: {
      body: { ids: ['57', '61'], comment: 'Door closed, chamber checked.' },
      reply: {
        items: [
          { id: '57', result: 'acknowledged', alarm: DOOR },
          { id: '61', result: 'not_found', alarm: null },
        ],
      },
    },
  }),
} as const

/** An alarm that an equipment can report, whether or not it ever did. */
export const EquipmentAlarm = named('EquipmentAlarm', {
  alid: Text('Alarm identifier (ALID).'),
  text: Type.String(),
  set: Flag('Whether the alarm is set at the equipment now.'),
  category: Type.Integer({ minimum: 0, maximum: 127, description: 'ALCD, bits 1 to 7.' }),
  category_text: Type.String(),
  enabled: NullableFlag(
    'Whether the equipment reports this alarm (S5F7); null if the equipment does not say so.',
  ),
})
export type EquipmentAlarm = Static<typeof EquipmentAlarm>

const AlarmChoice = namedInput('AlarmChoice', {
  alid: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  all: OptionalFlag('True: all alarms of the equipment. Use it instead of `alid`.'),
})

const AlarmsSwitched = named('AlarmsSwitched', Acknowledged('ackc5'))
type AlarmsSwitched = Static<typeof AlarmsSwitched>

/** A call that switches one alarm of the equipment or all. */
const SWITCHES = {
  ...WRITES,
  tag: 'alarms',
  description:
    'Sends S5F3 for one alarm or for all alarms. If the equipment refuses, the response is 200 with `accepted` false.',
  body: AlarmChoice,
  reply: AlarmsSwitched,
} as const
const SWITCHED: AlarmsSwitched = acknowledgedAs('ackc5', 61)

export const equipmentAlarmEndpoints = {
  listEquipmentAlarms: endpoint('GET /equipment/{id}/alarms', {
    ...READS,
    tag: 'alarms',
    summary: 'List the alarms that the equipment defines',
    description:
      'Sends S5F5, and S5F7 to find which alarms are enabled. S5F5 has an empty array, or an empty list for equipment that does not reply to the array. The response has all alarms in one page. `GET /alarms` lists the alarms that were reported.',
    reply: Page(EquipmentAlarm),
    examples: {
      reply: onePage([
        {
          alid: '4003',
          text: 'Chuck temperature out of range',
          set: false,
          category: 5,
          category_text: 'irrecoverable error',
          enabled: true,
        },
      ]),
    },
  }),
  enableAlarms: endpoint('POST /equipment/{id}/alarms/enable', {
    ...SWITCHES,
    summary: 'Enable alarms',
    audited: ['alid', 'all'],
    examples: { body: { all: true }, reply: SWITCHED },
  }),
  disableAlarms: endpoint('POST /equipment/{id}/alarms/disable', {
    ...SWITCHES,
    summary: 'Disable alarms',
    audited: ['alid', 'all'],
    examples: { body: { alid: '4003' }, reply: SWITCHED },
  }),
} as const
