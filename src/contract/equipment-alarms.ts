import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { READS, WRITES } from './messages.js'
import { named, nullable, onePage, Page } from './schema.js'
import { Acknowledged, acknowledgedAs } from './values.js'

/** An alarm that an equipment can report, whether or not it ever did. */
export const EquipmentAlarm = named('EquipmentAlarm', {
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

const AlarmChoice = named(
  'AlarmChoice',
  {
    alid: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    all: Type.Optional(
      Type.Boolean({ description: 'True: all alarms of the equipment. Use it instead of `alid`.' }),
    ),
  },
  { additionalProperties: false },
)

const AlarmsSwitched = named('AlarmsSwitched', {
  ...Acknowledged('ackc5'),
})
type AlarmsSwitched = Static<typeof AlarmsSwitched>

/** A call that switches one alarm of the equipment or all. */
const SWITCHES = {
  ...WRITES,
  tag: 'alarms',
  description:
    'Sends S5F3 for one alarm or for all alarms. If the equipment refuses, the answer is 200 with `accepted` false.',
  body: AlarmChoice,
  reply: AlarmsSwitched,
} as const
const SWITCHED: AlarmsSwitched = { ...acknowledgedAs('ackc5', 61) }

export const equipmentAlarmEndpoints = {
  listEquipmentAlarms: endpoint('GET /equipment/{id}/alarms', {
    ...READS,
    tag: 'alarms',
    summary: 'List the alarms that the equipment defines',
    description:
      'Sends S5F5, and S5F7 to find which alarms are enabled. The answer has all alarms in one page. `GET /alarms` lists the alarms that were reported.',
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
    examples: { body: { all: true }, reply: SWITCHED },
  }),
  disableAlarms: endpoint('POST /equipment/{id}/alarms/disable', {
    ...SWITCHES,
    summary: 'Disable alarms',
    examples: { body: { alid: '4003' }, reply: SWITCHED },
  }),
} as const
