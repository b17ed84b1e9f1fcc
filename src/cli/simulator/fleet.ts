import { Args } from '@oclif/core'
import type { GatewayClient } from '../../client/client.js'
import { Unreachable } from '../../client/failures.js'
import { isPassing } from '../../client/persistent.js'
import { PATIENCE_MS } from '../../client/repeats.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment, NewEquipment } from '../../contract/equipment.js'
import type { Transport } from '../../contract/topics/equipment/equipment-line.js'
import { addressText } from '../../inspection/dialling.js'
import { type Clock, delay } from '../../kit/clock.js'
import { aborted } from '../../kit/deferred.js'
import { ControlPort } from '../../simulator/control/control-port.js'
import { FleetDesk } from '../../simulator/control/fleet-desk.js'
import { Fleet } from '../../simulator/fleet.js'
import type { FleetFigures } from '../../simulator/fleet-count.js'
import { callsAtOnce, type Settled, settledAtOnce } from '../equipment/calls-at-once.js'
import { ACTIVE_FLAG, HOST_FLAG, lineGiven, placeGiven } from '../equipment/equipment-place-flags.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { required } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { choiceFlag, numberFlag, switchFlag, textFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { CONTROL_FLAG } from './control-flag.js'
import { listening, modelNamed } from './simulator-model.js'

const count = (number: number): string => number.toLocaleString('en-US')
const time = (milliseconds: number | null): string => (milliseconds === null ? '-' : `${milliseconds} ms`)

export function fleetLine(figures: FleetFigures): string {
  const { elapsed_s, equipment, selected, sent_per_second, acknowledged_per_second, p50_ms, p99_ms } = figures
  return [
    `${Math.round(elapsed_s)} s`,
    `${count(selected)} of ${count(equipment)} selected`,
    `sent ${sent_per_second}/s`,
    `acknowledged ${acknowledged_per_second}/s`,
    `p50 ${time(p50_ms)}`,
    `p99 ${time(p99_ms)}`,
    `${count(figures.open)} open`,
    `${count(figures.unacknowledged)} not acknowledged`,
  ].join(', ')
}

const fleetSummary = (figures: FleetFigures): readonly (readonly [string, string])[] => [
  ['equipment', count(figures.equipment)],
  ['sent', count(figures.sent)],
  ['acknowledged', count(figures.acknowledged)],
  ['not acknowledged', count(figures.unacknowledged + figures.open)],
  ['median', time(figures.overall_p50_ms)],
  ['99th percentile', time(figures.overall_p99_ms)],
]

/** A fleet's equipment as it is registered at a gateway. */
export type FleetMember = Pick<
  NewEquipment,
  'name' | 'ip_address' | 'port' | 'mode' | 'device_id' | 'transport'
>

/**
 * Registers the members that the gateway does not know, and has it connect to all, or to those whose turn came
 * before `signal` aborts. Resolves with their ids. `connects` takes each of them before, also where a later one fails. A name that stands for another address is a `Failure` of the kind `state`, and nothing is changed then.
 */
export async function connectFleet(
  client: GatewayClient,
  members: readonly FleetMember[],
  signal?: AbortSignal,
  connects: (id: string) => void = () => {},
): Promise<readonly string[]> {
  const { items } = await client.call(endpoints.listEquipment, { query: {} })
  const known = new Map<string, Equipment>(items.map((equipment) => [equipment.name, equipment]))
  for (const { name, ip_address, port, mode, transport = 'hsms' } of members) {
    const other = known.get(name)
    if (!other) continue
    // A gateway of an older version has HSMS alone.
    const spoken = other.transport ?? 'hsms'
    const isSame = other.ip_address === ip_address && other.port === port && other.mode === mode
    if (isSame && spoken === transport) continue
    const means = spoken === 'hsms' ? other.mode : `${other.mode}, ${spoken}`
    throw new Failure(
      'state',
      `${name} is registered already, at ${addressText(other)} (${means})`,
      'another --name for this fleet',
    )
  }
  const connect = async (member: FleetMember): Promise<string> => {
    const { id } =
      known.get(member.name) ?? (await client.call(endpoints.createEquipment, { body: { ...member } }))
    connects(id)
    await client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 0 } })
    return id
  }
  return callsAtOnce(members, connect, signal)
}

/** Milliseconds between two attempts to disconnect equipment. */
const PAUSE_MS = 1000

/** True where a gateway is there, and may do it the next time. One that is gone has no connections. */
const mayDisconnect = (error: unknown): boolean =>
  isPassing(error) && !(error instanceof Unreachable && !error.asked)

/** Disconnects them, as far as it can be done. What the gateway could not do is repeated for a while: nothing else ends these connections. */
export function disconnectFleet(
  client: GatewayClient,
  ids: readonly string[],
  clock: Clock,
): Promise<Settled<Equipment>> {
  const due = clock.now() + PATIENCE_MS
  const disconnect = async (id: string): Promise<Equipment> => {
    try {
      return await client.call(endpoints.disconnectEquipment, { params: { id } })
    } catch (error) {
      if (!mayDisconnect(error) || clock.now() >= due) throw error
    }
    await delay(clock, PAUSE_MS)
    return disconnect(id)
  }
  return settledAtOnce(ids, disconnect)
}

export const simulatorFleet = verb(GatewayCommand, {
  summary: 'Run many simulated equipments in one process.',
  description:
    'The equipments are named etcher-001, etcher-002 and so on, each with its own seed. They send events (S6F11) and sometimes an alarm (S5F1) at an even rate. They listen on consecutive ports; with --active they dial a gateway of this machine. A gateway identifies equipment that dials in by its address, so each then has its own address, 127.0.1.1 and so on; Linux has these addresses, other systems may not. --register registers all at the gateway of the profile, which connects to them; at the end it disconnects them, and they stay registered. With --control, "simulator tell" gives faults to any of them: its command begins with the name of the equipment, or a pattern. It prints figures on standard error every few seconds, with --json on standard output. With --for, exit code 8 means that a report was not acknowledged.',
  examples: [
    'secsctl simulator fleet 20 etcher --register',
    'secsctl simulator fleet 1000 etcher --register --rate 1000 --for 60s',
    'secsctl simulator fleet 50 furnace --active 127.0.0.1:5001 --register',
    'secsctl simulator fleet 3 minimal --port 0',
    'secsctl simulator fleet 200 etcher --register --control 5999',
  ],
  args: {
    count: required('How many, 1 to 10000.'),
    model: Args.string({ default: 'etcher', ignoreStdin: true, description: 'A model by name, or a file.' }),
  },
  flags: {
    host: HOST_FLAG,
    port: numberFlag('The first of the consecutive ports; 0 takes any that are free.', {
      default: 15_000,
      min: 0,
      max: 65535,
    }),
    active: ACTIVE_FLAG,
    transport: choiceFlag(
      ['hsms', 'secs1-tcp'] as const,
      'How messages are transported: HSMS, or SECS-I over TCP.',
    ),
    name: textFlag('NAME', "The beginning of their names; the model's name when left out."),
    'device-id': numberFlag('Device ID.', { default: 0, min: 0, max: 32767 }),
    seed: numberFlag('Seed of noise and chance of the first; each other has the next number.', {
      default: 0,
      min: 0,
      max: 4_294_967_295,
    }),
    rate: numberFlag('Reports per second of all together; 0 for none.', {
      default: 10,
      min: 0,
      max: 100_000,
    }),
    control: CONTROL_FLAG,
    register: switchFlag('Register them at the gateway, and connect them.'),
    for: textFlag('DURATION', 'End after so long, with a summary.'),
    every: textFlag('DURATION', 'Interval of the figures.', { default: '5s' }),
  },
  async run(on, { args, flags }) {
    const count = amount(args.count)
    const { url, profile } = on.globals
    if (!flags.register && (url !== undefined || profile !== undefined))
      throw wrongUsage('--url and --profile name the gateway for --register: without it they have no effect')
    const every = parseDuration(flags.every, '--every')
    if (every < 100) throw wrongUsage('--every takes 100ms or more')
    const length = flags.for === undefined ? undefined : parseDuration(flags.for, '--for')
    const model = await modelNamed(on.environment.stdin, args.model)
    const place = placeGiven(flags)
    const dials = place.role === 'active'
    if (!dials && flags.port > 0 && flags.port + count > 65_536)
      throw wrongUsage(`there are no ${count} ports from ${flags.port} on: choose a lower one, or 0`)
    if (dials && !place.host.startsWith('127.') && count > 1)
      throw wrongUsage(
        'each equipment that dials in needs its own address: only this machine (127.0.0.1) has them',
      )
    if (flags.register && !dials && flags.host === '0.0.0.0')
      throw wrongUsage('the gateway needs an address to dial: --host ADDRESS')
    const fleet = new Fleet(
      model,
      {
        ...place,
        deviceId: flags['device-id'],
        count,
        name: flags.name ?? model.name,
        rate: flags.rate,
        seed: flags.seed,
        line: lineGiven(flags),
      },
      on.clock,
    )
    const signal = on.environment.interruption.hold()
    const port = flags.control === undefined ? undefined : new ControlPort(new FleetDesk(fleet.members))
    const control =
      port && (await listening(port.listen(flags.control ?? 0), 'another --control, or 0 for a free one'))
    const ids: string[] = []
    try {
      // Equipment that dials before it is registered tries again only after T5.
      if (!dials) await listening(fleet.start(), 'another --port, or 0 for free ones')
      const { transport = 'hsms' } = flags
      const members = membersOf(fleet, flags['device-id'], transport)
      if (flags.register) await register(on, members, signal, ids)
      if (dials) await fleet.start()
      printMembers(on, members, control)
      fleet.report()
      await watch(on, fleet, every, length, signal)
      if (!signal.aborted) await Promise.race([fleet.quiet(), aborted(signal)])
      summary(on, fleet)
      const { unacknowledged, open } = fleet.figures
      if (length !== undefined && unacknowledged + open > 0)
        throw new Failure('equipment', `${unacknowledged + open} reports were not acknowledged`)
    } finally {
      await disconnect(on, ids)
      await port?.close()
      await fleet.stop()
    }
  },
})

/** `ids` gets those that the gateway is told to connect, also where another one fails. */
async function register(
  on: GatewayCommand,
  members: readonly FleetMember[],
  signal: AbortSignal,
  ids: string[],
): Promise<void> {
  const client = await on.client()
  on.note(`registering ${members.length} at ${client.options.url}`)
  await connectFleet(client, members, signal, (id) => ids.push(id))
}

function membersOf({ members }: Fleet, device_id: number, transport: Transport): FleetMember[] {
  return members.map(({ name, simulator, address }) => ({
    name,
    ip_address: address ?? '127.0.0.1',
    port: simulator.port,
    mode: simulator.dials ? 'active' : 'passive',
    device_id,
    transport,
  }))
}

function printMembers(
  on: GatewayCommand,
  members: readonly FleetMember[],
  control: number | undefined,
): void {
  if (on.format === 'json') return on.printLine({ fleet: members, ...(control !== undefined && { control }) })
  if (control !== undefined)
    on.note(
      `commands are taken on 127.0.0.1:${control}: secsctl simulator tell ${control} ${members[0]?.name} status`,
    )
  if (on.format === 'tsv') {
    for (const { name, ip_address, port } of members) on.print(`${name}\t${ip_address}\t${port}`)
    return
  }
  const [first, last] = [members[0], members.at(-1)]
  on.print(
    `${first?.name} (${first?.ip_address}:${first?.port}) to ${last?.name} (${last?.ip_address}:${last?.port})`,
  )
}

async function watch(
  on: GatewayCommand,
  fleet: Fleet,
  every: number,
  length = Infinity,
  signal: AbortSignal,
): Promise<void> {
  const end = on.clock.now() + length
  while (!signal.aborted && on.clock.now() < end) {
    await delay(on.clock, Math.min(every, end - on.clock.now()), signal)
    if (signal.aborted) return
    const { figures } = fleet
    if (on.format === 'json') on.printLine(figures)
    else on.note(fleetLine(figures))
  }
}

function summary(on: GatewayCommand, { figures }: Fleet): void {
  if (on.format === 'json') on.printLine({ summary: figures })
  else
    on.note(
      fleetSummary(figures)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    )
}

/** A gateway that is gone cannot be asked. */
async function disconnect(on: GatewayCommand, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const said = (left: number, error: unknown): void =>
    on.notice(
      `${left} of ${ids.length} equipment could not be disconnected at the gateway: ${(error as Error).message}`,
    )
  try {
    const { done, failure } = await disconnectFleet(await on.renewedClient(), ids, on.clock)
    if (failure !== undefined) said(ids.length - done.length, failure)
  } catch (error) {
    said(ids.length, error)
  }
}

function amount(given: string): number {
  const count = Number(given)
  if (/^[0-9]+$/.test(given) && count >= 1 && count <= 10_000) return count
  throw wrongUsage(`COUNT is a whole number, 1 to 10000, not "${given}"`)
}
