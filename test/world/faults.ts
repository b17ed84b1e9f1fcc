import type { Chance } from './chance.js'
import type { Disk } from './disk.js'
import { type GatewayMachine, Killed } from './gateway-process.js'
import type { Network } from './network.js'
import type { Site } from './site.js'
import type { Host, World } from './world.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** What is done to a site. */
export interface Surroundings {
  readonly site: Site
  readonly world: World
  readonly machine: GatewayMachine
  readonly network: Network
  readonly disk: Disk
  readonly host: Host
  /** What this fault draws from, so that a fault that is left out changes nothing of the others. */
  readonly chance: Chance
}

type Fault = (around: Surroundings) => Promise<void>

const pause = ({ world, host, chance }: Surroundings, low: number, high: number): Promise<void> =>
  world.sleep(host, chance.between(low, high))

/** Starts the gateway whenever it is down, as a service manager does. */
export async function supervise({ world, machine, disk, site, host, chance }: Surroundings): Promise<void> {
  for (;;) {
    await world.sleep(host, chance.between(100, 20 * SECOND))
    if (!machine.isDown) continue
    const refused = await machine.start()
    const text = refused instanceof Error ? (refused.stack ?? refused.message) : String(refused)
    const isExcused = refused === undefined || disk.isFull || refused instanceof Killed
    site.observer.require(isExcused, 'After any crash the gateway starts on its folder.', () => text)
  }
}

/** By name. Each is over when its promise resolves. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'the process is killed': async ({ machine }) => machine.kill(false),
  'the machine loses its power': async ({ machine }) => machine.kill(true),
  'the process stops in order': ({ machine }) => machine.stop(),
  'the process is killed soon after its start': async (around) => {
    const { machine, chance } = around
    machine.kill(chance.is(0.5))
    for (let wait = 0; wait < 100 && machine.isDown; wait++) await pause(around, 0, 500)
    await pause(around, 0, 50)
    machine.kill(chance.is(0.5))
  },
  'a tool loses its connection': async ({ network, site, chance }) => {
    network.breakAll(chance.pick(site.tools).host)
  },
  'a tool is out of reach': async (around) => {
    const { host } = around.chance.pick(around.site.tools)
    around.network.unreachable.add(host.name)
    await pause(around, 5 * SECOND, 10 * MINUTE)
    around.network.unreachable.delete(host.name)
  },
  'all connections break': async ({ network, machine }) => {
    network.breakAll(machine.host)
  },
  'the disk is slow': async (around) => {
    around.disk.slowness = around.chance.between(10, 500)
    await pause(around, SECOND, 2 * MINUTE)
    around.disk.slowness = 1
  },
  'the disk is full': async (around) => {
    around.disk.isFull = true
    await pause(around, SECOND, 5 * MINUTE)
    around.disk.isFull = false
  },
  'the clock is 40 days ahead': async (around) => {
    around.machine.skew = 40 * 24 * 60 * MINUTE
    await pause(around, SECOND, 10 * MINUTE)
    around.machine.skew = 0
  },
  'the clock is set': async (around) => {
    const { machine, chance } = around
    machine.skew = chance.between(-90, 90) * MINUTE
    await pause(around, SECOND, 30 * MINUTE)
    machine.skew = 0
  },
}

/** Does one fault after the other until it is calm. Several of these may break things at once. */
export async function breakThings(
  around: Omit<Surroundings, 'chance'>,
  { name, interval, without, log }: BreakingOptions,
): Promise<void> {
  const { world, site, host } = around
  const order = world.chance.fork(`${name} ${world.now}`)
  const names = Object.keys(FAULTS)
  while (!site.calm) {
    await world.sleep(host, order.between(0.1, 1.9) * interval)
    if (site.calm) return
    const fault = order.pick(names)
    const number = site.faults++
    if (without.has(number)) continue
    log(`fault ${number}: ${fault}`)
    site.observer.count(`fault: ${fault}`)
    await (FAULTS[fault] as Fault)({ ...around, chance: world.chance.fork(`fault ${number}`) })
  }
}

export interface BreakingOptions {
  readonly name: string
  /** Milliseconds between two faults, on average. */
  readonly interval: number
  /** Numbers of faults that are left out. */
  readonly without: ReadonlySet<number>
  readonly log: (text: string) => void
}
