import type { Disk } from './disk.js'
import type { GatewayMachine } from './gateway-process.js'
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
}

type Fault = (around: Surroundings) => Promise<void>

const pause = ({ world, host }: Surroundings, low: number, high: number): Promise<void> =>
  world.sleep(host, world.chance.between(low, high))

/** Starts the gateway until it runs: a start may be cut short like everything else. */
async function restart(around: Surroundings): Promise<void> {
  const { machine, site } = around
  await pause(around, 100, 30 * SECOND)
  const refused = await machine.start()
  site.observer.require(refused === undefined, 'After any crash the gateway starts on its folder.', () =>
    String(refused instanceof Error ? refused.stack : refused),
  )
}

/** By name. Each is over, and what it broke mended, when its promise resolves. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'the process is killed': async (around) => {
    around.machine.kill(false)
    await restart(around)
  },
  'the machine loses its power': async (around) => {
    around.machine.kill(true)
    await restart(around)
  },
  'the process stops in order': async (around) => {
    await around.machine.stop()
    await restart(around)
  },
  'the process is killed while it starts': async (around) => {
    const { machine, world } = around
    machine.kill(world.chance.is(0.5))
    await pause(around, 100, 5 * SECOND)
    void machine.start()
    await pause(around, 0, 50)
    machine.kill(world.chance.is(0.5))
    await restart(around)
  },
  'a tool loses its connection': async ({ world, network, site }) => {
    network.breakAll(world.chance.pick(site.tools).host)
  },
  'a tool is out of reach': async (around) => {
    const { host } = around.world.chance.pick(around.site.tools)
    around.network.unreachable.add(host.name)
    await pause(around, 5 * SECOND, 10 * MINUTE)
    around.network.unreachable.delete(host.name)
  },
  'all connections break': async ({ network, machine }) => {
    network.breakAll(machine.host)
  },
  'the disk is slow': async (around) => {
    around.disk.slowness = around.world.chance.between(10, 500)
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
    const { world, machine } = around
    machine.skew = world.chance.between(-90, 90) * MINUTE
    await pause(around, SECOND, 30 * MINUTE)
    machine.skew = 0
  },
}

/** Does one fault after the other until it is calm. */
export async function breakThings(
  around: Surroundings,
  interval: number,
  log: (text: string) => void,
): Promise<void> {
  const { world, site, host } = around
  const names = Object.keys(FAULTS)
  while (!site.calm) {
    await world.sleep(host, world.chance.between(0.1, 1.9) * interval)
    if (site.calm) return
    const name = world.chance.pick(names)
    log(name)
    site.observer.count(`fault: ${name}`)
    await (FAULTS[name] as Fault)(around)
    // A process that cannot write ends, and its supervisor starts it again.
    if (!around.machine.isRunning) await restart(around)
  }
}
