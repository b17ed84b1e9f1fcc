import type { Interfaces } from '@oclif/core'
import type { NewEquipment, Timers } from '../../contract/equipment.js'
import { LINE_ENDS, TRANSPORTS } from '../../contract/topics/equipment/equipment-line.js'
import { COMMUNICATIONS, LINKTEST_MODES, MODES } from '../../contract/topics/equipment/equipment-settings.js'
import { defined } from '../../kit/defined.js'
import { wrongUsage } from '../errors/failure.js'
import { parseDuration } from '../input/durations.js'
import { choiceFlag, numberFlag, rare, switchFlag, textFlag, textsFlag } from '../input/flags.js'
import { IN_SECONDS } from '../output/member-words.js'
import { TAP_FLAGS, TAP_WORDS, tapGiven } from './tap-flags.js'

/** The flags of an equipment that is added or changed. */
export const EQUIPMENT_FLAGS = {
  mode: choiceFlag(
    MODES,
    "The equipment's own mode: passive listens and the gateway dials it, active dials in.",
  ),
  transport: choiceFlag(
    TRANSPORTS,
    'How messages are transported: HSMS, or SECS-I over TCP or a serial port.',
  ),
  'serial-port': textFlag(
    'PATH',
    'Serial port of the gateway, such as /dev/ttyUSB0; means --transport secs1-serial.',
  ),
  ...rare({
    'baud-rate': numberFlag('Speed of the serial port; 9600 unless given.'),
    rty: numberFlag('SECS-I: how often a block is sent again.', { min: 0, max: 31 }),
    master: choiceFlag(LINE_ENDS, 'SECS-I: the end that sends first where both ask for the line.'),
  }),
  'device-id': numberFlag(
    'Device ID, 0 to 32767; the session ID where only that is given and it is below 32768.',
    { min: 0, max: 32767 },
  ),
  ...rare({
    'session-id': numberFlag('Session ID of control messages; 65535 in HSMS-SS.', { min: 0, max: 65535 }),
  }),
  timer: textsFlag(
    'NAME=DURATION',
    'A timer, such as t3=20s: t3, t5, t6, t7, t8, linktest, establish, slow_reply, presence; for SECS-I t1 to t5. May be repeated.',
  ),
  ...rare({
    'linktest-mode': choiceFlag(
      LINKTEST_MODES,
      'When the link is tested: always, or only while the equipment sends nothing (idle).',
    ),
    'gem-startup': switchFlag(
      'Whether the gateway asks the equipment by itself for its names, state, spool and alarms.',
      { allowNo: true },
    ),
    communication: choiceFlag(
      COMMUNICATIONS,
      'gem: S1F13 comes first. none: it speaks HSMS without GEM, and SELECTED is enough.',
    ),
    format: textsFlag(
      'ITEM=FORMAT',
      'SECS-II format of an item for this equipment, such as SVID=U2. May be repeated.',
    ),
  }),
  label: textsFlag(
    'KEY=VALUE',
    'A label, such as area=etch, by which equipment is selected. May be repeated.',
  ),
  ...rare({
    encoding: textFlag('NAME', 'Encoding of text items if it is not Latin-1, such as shift_jis.'),
  }),
  ...TAP_FLAGS,
}

/** What they are called that are no flag of the same name. */
export const EQUIPMENT_WORDS = {
  '/ip_address': '--address',
  '/port': '--address',
  '/timers/': `--timer *${IN_SECONDS}`,
  '/item_formats/': '--format *',
  '/text_encoding': '--encoding',
  '/labels': '--label',
  '/labels/': '--label *',
  ...TAP_WORDS,
}

const TIMER_NAMES: readonly (keyof Timers)[] = [
  't1',
  't2',
  't3',
  't4',
  't5',
  't6',
  't7',
  't8',
  'linktest',
  'establish',
  'slow_reply',
  'presence',
]

function pairs(texts: readonly string[], flag: string): [string, string][] {
  return texts.map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw wrongUsage(`${flag} takes NAME=VALUE, not "${text}"`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
}

/** Timers in seconds, of texts such as `t3=20s`. */
export function timersOf(texts: readonly string[]): Partial<Timers> {
  const timers: Partial<Record<keyof Timers, number>> = {}
  for (const [given, text] of pairs(texts, '--timer')) {
    const name = TIMER_NAMES.find((known) => known === given.toLowerCase())
    if (!name) throw wrongUsage(`there is no timer "${given}": it is one of ${TIMER_NAMES.join(', ')}`)
    timers[name] = text === '0' ? 0 : parseDuration(text, '--timer') / 1000
  }
  return timers
}

/** A serial port says the transport. */
const lineGiven = (flags: Partial<Interfaces.InferredFlags<typeof EQUIPMENT_FLAGS>>) => ({
  transport: flags.transport ?? (flags['serial-port'] === undefined ? undefined : ('secs1-serial' as const)),
  serial_port: flags['serial-port'],
  baud_rate: flags['baud-rate'] as NewEquipment['baud_rate'],
  rty: flags.rty,
  master: flags.master,
})

/** The flags as the API's members; flags that are not given are left out. */
export const equipmentGiven = (flags: Partial<Interfaces.InferredFlags<typeof EQUIPMENT_FLAGS>>) =>
  defined({
    mode: flags.mode,
    ...lineGiven(flags),
    device_id: flags['device-id'],
    session_id: flags['session-id'],
    timers: flags.timer && timersOf(flags.timer),
    linktest_mode: flags['linktest-mode'],
    gem_startup: flags['gem-startup'],
    communication: flags.communication,
    item_formats: flags.format && Object.fromEntries(pairs(flags.format, '--format')),
    text_encoding: flags.encoding,
    tap: tapGiven(flags),
  })

/** `HOST:PORT` as the API's members. */
export function parseAddress(
  text: string,
  flag: string,
): {
  readonly ip_address: string
  readonly port: number
} {
  const [, host, port] = /^([^:\s]+):(\d{1,5})$/.exec(text) ?? []
  const number = Number(port)
  if (host === undefined || number < 1 || number > 65535)
    throw wrongUsage(`${flag} takes HOST:PORT such as 10.0.0.5:5000, not "${text}"`)
  return { ip_address: host === 'localhost' ? '127.0.0.1' : host, port: number }
}
