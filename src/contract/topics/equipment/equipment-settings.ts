import { type Static, type TSchema, Type } from 'typebox'
import { described, Flag, oneOf } from '../../schema.js'
import { BAUD_RATES, LINE_ENDS, TRANSPORTS } from './equipment-line.js'

export const MODES = ['passive', 'active'] as const
export const COMMUNICATIONS = ['gem', 'none'] as const
export const LINKTEST_MODES = ['always', 'idle'] as const

/** One setting of equipment: a change replaces its value. */
interface Setting<Schema extends TSchema> {
  readonly schema: Schema
  /** Its value in a new record. */
  readonly initial: Static<Schema>
  /** A connection uses it: it cannot change while there is one. */
  readonly isOfWire: boolean
  /** Records of the first version do not have it. */
  readonly isLater: boolean
}

const setting = <Schema extends TSchema>(
  schema: Schema,
  initial: Static<Schema>,
  { isOfWire = false, isLater = false } = {},
): Setting<Schema> => ({ schema, initial, isOfWire, isLater })

const WIRE = { isOfWire: true }
const LATER = { isLater: true }

/** What can be set of equipment besides its name, place, timers and labels. */
const SETTINGS = {
  mode: setting(
    oneOf(
      MODES,
      "The equipment's own HSMS connect mode. `passive`: the equipment listens at `ip_address`:`port`, and the gateway connects to it. `active`: the gateway listens on `port`, and the equipment connects to it; the gateway accepts connections only from `ip_address`.",
    ),
    'passive',
    WIRE,
  ),
  transport: setting(
    oneOf(
      TRANSPORTS,
      'How messages are transported. `hsms` (default): HSMS over TCP (SEMI E37). `secs1-tcp`: SECS-I (SEMI E4) over TCP, as through a terminal server in raw mode; `mode` says who opens the connection. `secs1-serial`: SECS-I over a serial port of the gateway.',
    ),
    'hsms',
    { ...WIRE, ...LATER },
  ),
  baud_rate: setting(
    Type.Integer({
      enum: [...BAUD_RATES],
      description:
        'Speed of the serial port in bits per second; default 9600. SEMI E4 has eight data bits, no parity and one stop bit.',
    }),
    9600,
    { ...WIRE, ...LATER },
  ),
  rty: setting(
    Type.Integer({
      minimum: 0,
      maximum: 31,
      description: 'SECS-I: how often a block is sent again (RTY); default 3.',
    }),
    3,
    { ...WIRE, ...LATER },
  ),
  master: setting(
    oneOf(
      LINE_ENDS,
      'SECS-I: which end sends first where both ask for the line at once; default `equipment`, as in SEMI E4.',
    ),
    'equipment',
    { ...WIRE, ...LATER },
  ),
  device_id: setting(
    Type.Integer({
      minimum: 0,
      maximum: 32767,
      description:
        'Device ID, in data messages. In a new record it is by default `session_id` where that is given and below 32768, otherwise 0.',
    }),
    0,
    WIRE,
  ),
  session_id: setting(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description: 'Session ID in the header of control messages; 65535 for HSMS-SS.',
    }),
    65535,
    WIRE,
  ),
  linktest_mode: setting(
    oneOf(
      LINKTEST_MODES,
      'How the gateway decides that the connection is alive. `always`: only a Linktest.rsp within T6 counts. `idle`: everything that the equipment sends counts as well, so that equipment that is slow to respond to a linktest is not disconnected while it sends other messages.',
    ),
    'always',
    { ...WIRE, ...LATER },
  ),
  gem_startup: setting(
    Flag(
      'Whether the gateway sends requests to the equipment on its own; default true. After every connect it asks whether the equipment is online, and requests the name lists, the control state, the spooled data and the alarms. Later it requests the control state again, and the content of a report whose definition is not known (S6F21). Set `false` for equipment that cannot handle such requests. Applied event reports do not depend on this setting; see `apply_again`.',
    ),
    true,
    LATER,
  ),
  communication: setting(
    oneOf(
      COMMUNICATIONS,
      '`gem` (default): the gateway establishes communication with S1F13 before it sends any other message. `none`: for equipment that uses HSMS without GEM. The gateway does not send S1F13 or the requests of `gem_startup`, and `communication_state` is COMMUNICATING while the connection is SELECTED. A change takes effect at once, also while connected.',
    ),
    'gem',
    LATER,
  ),
  item_formats: setting(
    Type.Record(Type.String({ minLength: 1, maxLength: 32 }), Type.String({ maxLength: 8 }), {
      maxProperties: 256,
      description:
        'SECS-II formats of named items for this equipment, such as `{"SVID": "U2"}`; every format except L is allowed.',
    }),
    {},
  ),
  text_encoding: setting(
    Type.String({
      minLength: 1,
      maxLength: 32,
      description: 'Encoding of text items, such as `gb18030`, `shift_jis` or `utf-8`; default Latin-1.',
    }),
    'latin1',
  ),
}

type Rows = typeof SETTINGS
type Name = keyof Rows
export type EquipmentSettings = { readonly [Each in Name]: Static<Rows[Each]['schema']> }

const NAMES = Object.keys(SETTINGS) as readonly Name[]
export const LATER_SETTINGS = NAMES.filter((name) => SETTINGS[name].isLater)

const made = (partOf: (name: Name) => unknown): never =>
  Object.fromEntries(NAMES.map((name) => [name, partOf(name)])) as never

/** Such as EquipmentBaudRate. */
const componentOf = (name: Name): string =>
  `Equipment${name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`

export const SETTING_SCHEMAS: { readonly [Each in Name]: Rows[Each]['schema'] } = made((name) =>
  described(componentOf(name), SETTINGS[name].schema),
)
export const INITIAL_SETTINGS: EquipmentSettings = made((name) => SETTINGS[name].initial)

/** The settings among the members of a record. */
export const settingsOf = (record: EquipmentSettings): EquipmentSettings => made((name) => record[name])

/** The settings after a change, which has those that are replaced. */
export const settingsAfter = (
  before: EquipmentSettings,
  change: Partial<EquipmentSettings>,
): EquipmentSettings => made((name) => change[name] ?? before[name])

/** Whether a connection with the settings of one is a connection with those of the other, too. */
export const isSameWire = (one: EquipmentSettings, other: EquipmentSettings): boolean =>
  NAMES.every((name) => !SETTINGS[name].isOfWire || one[name] === other[name])

/** The members of a record that can be set. */
export const SETTABLE = [
  ...(['name', 'ip_address', 'port', 'serial_port', 'labels', 'timers', 'tap'] as const),
  ...NAMES,
]
