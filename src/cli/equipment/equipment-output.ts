import type { Equipment } from '../../contract/equipment.js'
import type { EquipmentLock } from '../../contract/equipment-lock.js'
import { INITIAL_SETTINGS } from '../../contract/topics/equipment/equipment-settings.js'
import { addressText, whoDials } from '../../inspection/dialling.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'
import { labelsText } from './label-flags.js'
import { tapFields, tapText } from './tap-flags.js'

export const equipmentColumns = (formatTime: FormatTime): readonly Column<Equipment>[] => [
  { title: 'ID', text: ({ id }) => id, spare: true },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'ADDRESS', text: addressText, spare: 'narrow' },
  { title: 'MODE', text: ({ mode }) => mode, spare: true },
  { title: 'CONNECTION', text: ({ connection_state }) => connection_state },
  { title: 'COMMUNICATION', text: communicationText, spare: 'narrow' },
  { title: 'CONTROL', text: ({ control_state }) => control_state, spare: 'narrow' },
  { title: 'HEALTH', text: ({ health }) => health ?? '' },
  { title: 'LABELS', text: ({ labels }) => labelsText(labels), spare: true },
  { title: 'LOCK', text: ({ lock }) => lock?.by ?? '', spare: 'empty' },
  { title: 'REASON', text: ({ health_reason }) => health_reason ?? '', spare: true },
  { title: 'NODE', text: ({ node }) => node ?? '', spare: true },
  {
    title: 'LAST MESSAGE',
    text: ({ responsiveness }) => formatTime(responsiveness?.last_message_at ?? null),
    key: ({ responsiveness }) => responsiveness?.last_message_at ?? '',
    spare: true,
  },
  { title: 'TAP', text: tapText, spare: true },
]

export const lockColumns = (formatTime: FormatTime): readonly Column<EquipmentLock>[] => [
  { title: 'LOCKED BY', text: ({ by }) => by },
  { title: 'UNTIL', text: ({ expires_at }) => formatTime(expires_at), key: ({ expires_at }) => expires_at },
  { title: 'REASON', text: ({ reason }) => reason },
]

/** The communication state, marked where it is assumed because the equipment has no GEM. */
function communicationText({ communication, communication_state }: Equipment): string {
  return communication === 'none' ? `${communication_state} (no GEM)` : communication_state
}

/** Of a record of an older gateway, members that it does not have. */
const MISSING = {
  ...INITIAL_SETTINGS,
  labels: {},
  serial_port: null,
  tap: null,
  tap_link: null,
  lock: null,
  health_reason: null,
  retry_at: null,
  model: null,
} as const

/** All that is known of an equipment, for a person. */
export function equipmentFields(known: Equipment, formatTime: FormatTime): (readonly [string, string])[] {
  const equipment: Equipment = { ...MISSING, ...known }
  const { last_error, lock, model, timers, retry_at, connected_since } = equipment
  const formats = Object.entries(equipment.item_formats).map(([item, format]) => `${item}=${format}`)
  return [
    ['id', equipment.id],
    ['name', equipment.name],
    ['who dials', whoDials(equipment)],
    ...tapFields(equipment, formatTime),
    ['connection', equipment.connection_state],
    ['communication', communicationText(equipment)],
    ['control', equipment.control_state],
    ['health', healthText(equipment)],
    ['responses', responsesText(equipment, formatTime)],
    ['locked', lock ? lockText(lock, formatTime) : 'no'],
    // Of a record of an older gateway it is missing.
    ...((equipment.node ?? null) === null ? [] : [['node', String(equipment.node)] as const]),
    ['wanted', equipment.enabled ? 'connected' : 'not connected'],
    ['connected since', formatTime(connected_since)],
    ['next attempt', formatTime(retry_at)],
    [
      'last error',
      last_error ? `${last_error.code}: ${last_error.detail} (${formatTime(last_error.at)})` : '',
    ],
    ['model', model ? `${model.mdln} ${model.softrev}`.trim() : ''],
    ['device id', String(equipment.device_id)],
    ...lineFields(equipment),
    [
      'timers',
      Object.entries(timers)
        .filter(([name]) => usesTimer(equipment, name))
        .map(([name, seconds]) => `${name}=${seconds}s`)
        .join(' '),
    ],
    ['GEM', equipment.communication === 'gem' ? 'S1F13 comes first' : 'none: SELECTED is enough'],
    [
      'GEM startup',
      equipment.gem_startup && equipment.communication === 'gem' && !equipment.tap ? 'yes' : 'no',
    ],
    ['item formats', formats.join(' ')],
    ['text encoding', equipment.text_encoding],
    ['labels', labelsText(equipment.labels)],
    ['revision', String(equipment.revision)],
    ['created', formatTime(equipment.created_at)],
    ['changed', formatTime(equipment.updated_at)],
  ]
}

const HSMS_TIMERS = new Set(['t6', 't7', 't8', 'linktest'])
const SECS1_TIMERS = new Set(['t1', 't2', 't4'])

const usesTimer = ({ transport }: Equipment, name: string): boolean =>
  !(transport === 'hsms' ? SECS1_TIMERS : HSMS_TIMERS).has(name)

/** What is set of its transport. */
function lineFields(equipment: Equipment): (readonly [string, string])[] {
  const { transport, rty, master, baud_rate } = equipment
  if (transport === 'hsms')
    return [
      ['session id', String(equipment.session_id)],
      ['linktest mode', equipment.linktest_mode],
    ]
  return [
    ['transport', transport === 'secs1-tcp' ? 'SECS-I over TCP' : `SECS-I, ${baud_rate} baud`],
    ['retries (RTY)', String(rty)],
    ['master', master],
  ]
}

/** Who holds the lock, until when, and why. */
export const lockText = ({ by, expires_at, reason }: EquipmentLock, formatTime: FormatTime): string =>
  `by ${by} until ${formatTime(expires_at)}: ${reason}`

/** The health, and why it is not ok. */
export const healthText = ({ health, health_reason }: Equipment): string =>
  (health_reason ?? null) === null ? (health ?? '') : `${health}: ${health_reason}`

function responsesText(
  { responsiveness }: { readonly responsiveness?: Equipment['responsiveness'] },
  formatTime: FormatTime,
): string {
  if (!responsiveness) return ''
  const { last_message_at = null, last_reply_at, p99_ms, t3_timeouts, t6_timeouts } = responsiveness
  return [
    last_message_at === null ? 'no message yet' : `last message ${formatTime(last_message_at)}`,
    last_reply_at === null ? 'no reply yet' : `last reply ${formatTime(last_reply_at)}`,
    ...(p99_ms === null ? [] : [`p99 ${p99_ms} ms`]),
    `${t3_timeouts} T3 and ${t6_timeouts} T6 timeouts in 15 minutes`,
  ].join(', ')
}
