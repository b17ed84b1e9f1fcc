import { type Static, Type } from 'typebox'
import { SEVERITIES } from '../alarm-severity.js'
import { endpoint } from '../endpoint.js'
import { LabelSelector } from '../labels.js'
import {
  described,
  EquipmentIds,
  EquipmentName,
  Flag,
  Id,
  input,
  NullableFlag,
  NullableText,
  named,
  namedInput,
  OptionalFlag,
  oneOf,
  onePage,
  Page,
  PLAIN_NAME,
  Text,
  Time,
} from '../schema.js'

/** The longest time for which an alarm can be shelved at once, in seconds: seven days. */
export const MAX_SHELF_SECONDS = 604_800

/** The most alarms of one equipment that are shelved at once. */
export const MAX_SHELVED = 500

export const AlarmSeverity = described(
  'AlarmSeverity',
  oneOf(
    SEVERITIES,
    'How urgent the alarm is, the most urgent first. It follows from `category`; `other` is a category that SEMI E5 does not define.',
  ),
)

const Reason = Type.String({
  component: 'ShelfReason',
  minLength: 1,
  maxLength: 200,
  pattern: PLAIN_NAME,
  description: 'Why it is shelved: 1 to 200 printable characters on one line.',
})

const SHELF = {
  by: Text('Who shelved it: the email of a user, or `key:` and the name of an API key.'),
  reason: Reason,
  since: Time('When it was shelved.'),
  until: Time('When the shelf ends by itself, by the clock of the gateway.'),
}

export const AlarmShelf = named('AlarmShelf', SHELF)
export type AlarmShelf = Static<typeof AlarmShelf>

const ShelfRequest = namedInput('ShelfRequest', {
  for_seconds: Type.Number({
    minimum: 1,
    maximum: MAX_SHELF_SECONDS,
    description: 'How long the alarm is shelved from now on, in seconds; at most seven days.',
  }),
  reason: Reason,
  personal_safety: OptionalFlag('True: shelve the alarm also if it is one of personal safety.'),
})
export type ShelfRequest = Static<typeof ShelfRequest>

export const ShelvedAlarm = named('ShelvedAlarm', {
  equipment_id: Type.String(),
  equipment_name: EquipmentName,
  alid: Text('Alarm identifier (ALID).'),
  known: NullableFlag(
    'False: the ALID is not among the alarms that the equipment listed (S5F6), and no open alarm has it. Null: the gateway does not know all alarms of the equipment.',
  ),
  text: NullableText('Text of the alarm; null if the gateway knew none when it was shelved.'),
  /** Left out where the gateway knew none. */
  severity: Type.Optional(AlarmSeverity),
  ...SHELF,
  personal_safety: Flag('True: the alarm is shelved also if it is one of personal safety.'),
})
export type ShelvedAlarm = Static<typeof ShelvedAlarm>

const Params = Type.Object({ id: Id, alid: Type.String({ minLength: 1, maxLength: 256 }) })

const SHELVED: ShelvedAlarm = {
  equipment_id: 'eq_8d1f03c6a95e',
  equipment_name: 'etcher',
  alid: '4003',
  known: true,
  text: 'Chuck temperature out of range',
  severity: 'error',
  by: 'ada@example.com',
  reason: 'Sensor is exchanged on Monday',
  since: '2026-01-31T08:00:00.000Z',
  until: '2026-01-31T10:00:00.000Z',
  personal_safety: false,
}

export const shelvingEndpoints = {
  shelveAlarm: endpoint('PUT /equipment/{id}/alarms/{alid}/shelf', {
    tag: 'alarms',
    summary: 'Shelve an alarm of the equipment',
    description:
      'For a limited time the alarm does not ask for attention: counts, the wall and the list of open alarms show it apart. Nothing changes at the equipment: it still reports the alarm, and the gateway still records each report and delivers it to sinks. The shelf is for all occurrences of this ALID, also later ones. It ends at `until`, also after a restart of the gateway, or with `DELETE`. Another call sets another end and reason. A lock of the equipment does not stop the call. A text that cannot be an ALID is a 400: a blank, control characters and, unless the equipment uses such texts as ALIDs, a number with leading zeros or a range. An ALID that the equipment has not listed is accepted, since its list may be incomplete; `known` is then false. An alarm of personal safety is shelved only with `personal_safety`; without it, a shelf has no effect on an alarm that turns out to be one.',
    access: 'operator',
    idempotent: true,
    params: Params,
    body: ShelfRequest,
    reply: ShelvedAlarm,
    errors: ['equipment_not_found', 'personal_safety_alarm', 'quota_exceeded'],
    audited: ['for_seconds', 'reason', 'personal_safety'],
    examples: { body: { for_seconds: 7200, reason: SHELVED.reason }, reply: SHELVED },
  }),
  unshelveAlarm: endpoint('DELETE /equipment/{id}/alarms/{alid}/shelf', {
    tag: 'alarms',
    summary: 'End the shelf of an alarm',
    description:
      'If the alarm is not shelved, the response is 204, too. A lock of the equipment does not stop the call.',
    access: 'operator',
    params: Params,
    errors: ['equipment_not_found'],
  }),
  listShelvedAlarms: endpoint('GET /alarms/shelved', {
    tag: 'alarms',
    summary: 'List what is shelved',
    description:
      'All alarms that are shelved now, also those that are not active. The list is whole on one page. `GET /alarms?shelved=true` lists their open occurrences.',
    access: 'viewer',
    query: input({ equipment_id: EquipmentIds, label_selector: LabelSelector }),
    reply: Page(ShelvedAlarm),
    examples: { reply: onePage([SHELVED]) },
  }),
} as const
