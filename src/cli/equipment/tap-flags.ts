import type { Equipment } from '../../contract/equipment.js'
import { tapPort } from '../../contract/tap-port.js'
import { tapStanding } from '../../contract/tap-words.js'
import {
  TAP_READS,
  type TAP_REFUSALS,
  type TapChange,
} from '../../contract/topics/equipment/equipment-tap.js'
import { defined } from '../../kit/defined.js'
import { wrongUsage } from '../errors/failure.js'
import { choiceFlag, numberFlag, rare, switchFlag, textFlag } from '../input/flags.js'
import type { FormatTime } from '../output/local-time.js'

/** The flags by which equipment is shared with the host that it already has. */
export const TAP_FLAGS = rare({
  'tap-listen': numberFlag('Tap: the port that the host dials in place of the equipment.', {
    min: 1,
    max: 65535,
  }),
  'tap-host': textFlag(
    'HOST[:PORT]',
    'Tap: address of the host that the equipment already has; with its port where the equipment dials.',
  ),
  'tap-reads': choiceFlag(
    TAP_READS,
    'Tap: what may be asked beside the host: short questions, or everything that only reads.',
  ),
  'tap-writes': switchFlag('Tap: whether messages that change the equipment may be sent, too.', {
    allowNo: true,
  }),
  'no-tap': switchFlag('The equipment is not shared any more: the gateway is its only host.', {
    exclusive: ['tap-listen', 'tap-host', 'tap-reads', 'tap-writes'],
  }),
})

/** What the members are called that are no flag of the same name. */
export const TAP_WORDS = {
  '/tap': '--tap-listen',
  '/tap/listen_port': '--tap-listen',
  '/tap/host_address': '--tap-host',
  '/tap/host_port': '--tap-host',
  '/tap/reads': '--tap-reads',
  '/tap/writes': '--tap-writes',
}

interface TapGiven {
  readonly 'tap-listen'?: number | undefined
  readonly 'tap-host'?: string | undefined
  readonly 'tap-reads'?: (typeof TAP_READS)[number] | undefined
  readonly 'tap-writes'?: boolean | undefined
  readonly 'no-tap'?: boolean | undefined
}

/** The tap as the API's member; undefined where no flag is about it. */
export function tapGiven(flags: TapGiven): TapChange | null | undefined {
  if (flags['no-tap']) return null
  const change = defined({
    listen_port: flags['tap-listen'],
    ...(flags['tap-host'] !== undefined && hostGiven(flags['tap-host'])),
    reads: flags['tap-reads'],
    writes: flags['tap-writes'],
  })
  return Object.keys(change).length === 0 ? undefined : change
}

function hostGiven(text: string): Pick<TapChange, 'host_address' | 'host_port'> {
  const [, host, port] = /^([^:\s]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (host === undefined)
    throw wrongUsage(`--tap-host takes HOST or HOST:PORT such as 10.0.0.9, not "${text}"`)
  const host_address = host === 'localhost' ? '127.0.0.1' : host
  return { host_address, ...(port !== undefined && { host_port: Number(port) }) }
}

/** The tap of equipment in a few words; empty without one. */
export function tapText(equipment: Equipment): string {
  const { tap } = equipment
  if (!tap) return ''
  const rights = tap.writes ? 'clients may write' : tap.reads === 'all' ? 'clients may read' : 'short reads'
  return `${tapStanding(equipment)}; ${rights}`
}

/** All that is known of the tap of equipment, for a person; nothing without one. */
export function tapFields(equipment: Equipment, formatTime: FormatTime): (readonly [string, string])[] {
  const { tap_link } = equipment
  if (!equipment.tap) return []
  const { state, since = null, host, refused = 0, last_refused, unrecorded = 0 } = tap_link ?? {}
  const last = last_refused
    ? `, last ${last_refused.address} at ${formatTime(last_refused.at)}: ${REFUSALS[last_refused.reason]}`
    : ''
  const from = state === 'connected' && host ? ` from ${host}` : ''
  return [
    ['tap', tapText(equipment)],
    ...(since === null ? [] : [[`tap ${state}`, `since ${formatTime(since)}${from}`] as const]),
    ...(refused > 0 ? [['tap refused', `${refused}${last}`] as const] : []),
    ...(unrecorded > 0 ? [['not recorded', `${unrecorded} messages that passed`] as const] : []),
  ]
}

const REFUSALS: Readonly<Record<(typeof TAP_REFUSALS)[number], string>> = {
  stranger: 'that address may not connect',
  in_use: 'the connection was taken',
}

/** What somebody has to change who has just tapped equipment; nothing where it is not tapped. */
export function tapNotes({ name, tap, mode, port, ip_address }: Equipment): readonly string[] {
  if (!tap) return []
  const listens = `port ${tapPort({ mode, port, tap })} of the gateway`
  return mode === 'passive'
    ? [
        `Next: have the host ${tap.host_address} dial ${listens} instead of ${ip_address}:${port}.`,
        `If ${name} accepts connections only from the address of its host, set the address of the gateway there.`,
      ]
    : [
        `Next: have ${name} dial ${listens}; the gateway then dials the host at ${tap.host_address}:${tap.host_port}.`,
        `If the host accepts connections only from the address of ${name}, set the address of the gateway there.`,
      ]
}
