import { type Static, Type } from 'typebox'
import type { Fault } from '../../errors.js'
import { Flag, NullableText, named, nullable, oneOf, Time } from '../../schema.js'

/** What the gateway may ask tapped equipment: short questions, or everything that only reads. */
export const TAP_READS = ['short', 'all'] as const

/** Seconds between the end of a pair and the next dial: many tools need a pause. */
const DEFAULT_PAUSE = 2

const Port = (component: string, description: string) =>
  nullable(Type.Integer({ component, minimum: 1, maximum: 65535, description }))

const MEMBERS = {
  listen_port: Port(
    'TapListenPort',
    'Port of the gateway that the host dials in place of the equipment; only where `mode` is `passive`, else null.',
  ),
  host_address: Type.String({
    component: 'TapHostAddress',
    format: 'ipv4',
    description:
      'IPv4 address of the host that the equipment already has. Connections to `listen_port` are accepted from this address alone.',
  }),
  host_port: Port(
    'TapHostPort',
    'Port of the host, which the gateway dials when the equipment has connected; only where `mode` is `active`, else null.',
  ),
  pause_seconds: Type.Number({
    minimum: 0,
    maximum: 600,
    description: `Pause between the end of a connection and the next one, which many tools need. In seconds; default ${DEFAULT_PAUSE}.`,
  }),
  reads: oneOf(
    TAP_READS,
    'What clients may ask the equipment. `short` (default): S1F1, S2F17, S5F7, S16F19, and S1F3 and S2F13 with 1 to 20 ids. `all`: every message that only reads.',
  ),
  writes: Flag(
    'Whether clients may also send messages that change the equipment; default false. Its host does not know of them.',
  ),
}

export const Tap = named('Tap', MEMBERS)
/** Equipment is shared with the host that it already has. */
export type Tap = Static<typeof Tap>

export const TapChange = Type.Object(Type.Partial(Tap).properties, {
  component: 'TapChange',
  additionalProperties: false,
  description:
    'Shares the equipment with the host that it already has: the gateway stands between the two, forwards everything unchanged, records it, and sends nothing by itself. Only for `hsms`. Members that are left out keep their value, or get the default; null removes the tap, and the gateway is then the host.',
})
export type TapChange = Static<typeof TapChange>

const TAP_STATES = ['closed', 'waiting', 'unreached', 'connected'] as const
export const TAP_REFUSALS = ['stranger', 'in_use'] as const

const TapRefusal = Type.Object({
  address: Type.String(),
  reason: oneOf(
    TAP_REFUSALS,
    '`stranger`: a tap accepts connections from one address, and this is another one. `in_use`: the connection of a tap is taken.',
  ),
  at: Time('When it was refused.'),
})

export const TapLink = named('TapLink', {
  state: oneOf(
    TAP_STATES,
    '`closed`: the tap does not listen. `waiting`: it listens, and nobody is connected. `unreached`: as `waiting`, but the last that connected was broken off, since the other side could not be dialled; `last_error` says why. `connected`: host and equipment are both connected.',
  ),
  since: nullable(Time('When this state began; null while the tap was never open.')),
  host: NullableText('Address and port from or to which the host is connected.'),
  refused: Type.Integer({
    minimum: 0,
    description: 'Connections to the tap that were refused since the gateway was started.',
  }),
  last_refused: nullable(TapRefusal),
  unrecorded: Type.Integer({
    minimum: 0,
    description: 'Messages that passed and were not recorded since the gateway was started.',
  }),
})
/** How the connection of tapped equipment with its host stands. */
export type TapLink = Static<typeof TapLink>

const INITIAL = {
  listen_port: null,
  host_address: '',
  host_port: null,
  pause_seconds: DEFAULT_PAUSE,
  reads: 'short',
  writes: false,
} as const satisfies Tap

/** The tap after a change; left out, it stays as it is. */
export function tapAfter(before: Tap | null, change: TapChange | null | undefined): Tap | null {
  if (change === undefined) return before
  return change && { ...INITIAL, ...before, ...change }
}

/** Whether a connection with the tap of one is a connection with that of the other, too. */
export const isSameTapWire = (one: Tap | null, other: Tap | null): boolean =>
  one === other ||
  (one !== null &&
    other !== null &&
    one.listen_port === other.listen_port &&
    one.host_address === other.host_address &&
    one.host_port === other.host_port &&
    one.pause_seconds === other.pause_seconds)

interface Tapped {
  readonly transport: string
  readonly mode: string
  readonly tap: Tap | null
}

/** Why equipment cannot be tapped so. */
export function tapFaults({ transport, mode, tap }: Tapped): readonly Fault[] {
  if (!tap) return []
  if (transport !== 'hsms')
    return [{ pointer: '/tap', detail: `belongs to transport hsms, not to ${transport}` }]
  const [needed, other] =
    mode === 'passive' ? (['listen_port', 'host_port'] as const) : (['host_port', 'listen_port'] as const)
  return [
    ...(tap.host_address === '' ? [{ pointer: '/tap/host_address', detail: 'is required' }] : []),
    ...(tap[needed] === null
      ? [{ pointer: `/tap/${needed}`, detail: `is required where mode is ${mode}` }]
      : []),
    ...(tap[other] === null
      ? []
      : [{ pointer: `/tap/${other}`, detail: `does not go with mode ${mode}: leave it out` }]),
  ]
}
