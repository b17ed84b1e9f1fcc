import { dirname } from 'node:path'
import { backUp } from '../../src/store/files/backup/backup.js'
import type { Chance } from './chance.js'
import { type Disk, filesOf } from './disk.js'
import { type GatewayMachine, Killed } from './gateway-process.js'
import { readOldest } from './history.js'
import { followOldest } from './narrow-streams.js'
import type { Network } from './network.js'
import type { ModelServer } from './postgres/model-server.js'
import type { Cut, DatabaseServer, RecordChange } from './postgres/server.js'
import { sinkOf } from './sinks.js'
import { Client, once, type Site } from './site.js'
import { isOlder, tryOlder, upgrade } from './upgrades.js'
import type { Host, World } from './world.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** What is done to a site. */
export interface Surroundings {
  readonly site: Site
  readonly world: World
  /** The gateway that it is done to. */
  readonly machine: GatewayMachine
  readonly network: Network
  readonly host: Host
  /** Whether a start may be refused for this error now. */
  readonly mayRefuse: (error: unknown) => boolean
  /** What this fault draws from, so that a fault that is left out changes nothing of the others. */
  readonly chance: Chance
}

type Fault = (around: Surroundings) => Promise<void>
export type Faults = Readonly<Record<string, Fault>>

const pause = ({ world, host, chance }: Surroundings, low: number, high: number): Promise<void> =>
  world.sleep(host, chance.between(low, high))

/** Starts the gateway. Resolves with true once it serves. */
async function startGateway({ machine, site, mayRefuse }: Surroundings): Promise<boolean> {
  const refused = await machine.start()
  const text = refused instanceof Error ? (refused.stack ?? refused.message) : String(refused)
  const isExcused =
    refused === undefined ||
    refused instanceof Killed ||
    mayRefuse(refused) ||
    isOlder(machine, site, refused)
  site.observer.require(isExcused, 'After any crash the gateway starts again.', () => text)
  if (refused === undefined) site.served = Math.max(site.served, machine.version)
  return refused === undefined
}

/** Starts the gateway whenever it is down, as a service manager does. */
export async function supervise(around: Surroundings): Promise<void> {
  const { world, machine, host, chance } = around
  for (;;) {
    await machine.whenDown()
    await world.sleep(host, chance.between(100, 20 * SECOND))
    if (machine.isDown && !machine.isHeld) await startGateway(around)
  }
}

/** Changes of the journal's newest segments that a kill leaves unsynced, or not noted yet, may be lost: the docs say so. */
const isNewestSegment = (path: string, paths: readonly string[]): boolean =>
  /\/\d+\.ndjson$/.test(path) &&
  !paths.some((other) => dirname(other) === dirname(path) && other > path && /\/\d+\.ndjson$/.test(other))

/** A bit of a file is another one after a stop. The gateway notices before it serves it, and all is well with the file as it was. */
async function flipBit(disk: Disk, around: Surroundings): Promise<void> {
  const { machine, chance, site } = around
  if (machine.isDown || machine.isHeld) return
  machine.isHeld = true
  // After an orderly stop the checkpoint knows every entry.
  const isClean = chance.is(0.5) && !disk.isFull && (await machine.stop())
  if (!machine.isDown) machine.kill(false)
  const all = disk.paths().filter((path) => path.startsWith('/data/'))
  const paths = isClean ? all : all.filter((path) => !isNewestSegment(path, all))
  const path = chance.pick(paths)
  const inode = disk.inode(path)
  if (inode?.flipBit(chance)) {
    site.isSpoilt = true
    const serves = await startGateway(around)
    site.observer.count(`bits flipped: ${serves ? 'it starts' : 'it refuses'}`)
    if (serves) await pause(around, SECOND, 5 * MINUTE)
    if (!machine.isDown) machine.kill(false)
    inode.flipBack()
    site.isSpoilt = false
  }
  machine.isHeld = false
}

/** A backup is made while the gateway works, and some time later it takes the place of the folder. */
async function restoreBackup(disk: Disk, around: Surroundings): Promise<void> {
  const { machine, world, host, site } = around
  disk.replace('/backup', new Map())
  const wasSpoilt = site.isSpoilt
  try {
    await backUp(filesOf(disk, host), '/data', '/backup')
  } catch (error) {
    site.observer.require(disk.isFull, 'A backup can be made at any time.', () => String(error))
    return
  }
  // What is spoilt in it would be noticed when it is verified.
  if (wasSpoilt || site.isSpoilt) return
  await pause(around, MINUTE, 15 * MINUTE)
  if (machine.isHeld) return
  machine.isHeld = true
  if (!machine.isDown) machine.kill(false)
  disk.replace('/data', disk.copyOf('/backup'))
  // A gateway delivers as soon as it has started.
  site.forgetRecords()
  const rolledBack = site.targets.map((target) => target.rollingBack())
  disk.isFull = false
  machine.lowestAtOpening = Number.POSITIVE_INFINITY
  while (!(await startGateway(around))) await world.sleep(host, SECOND)
  // Who registers tools again may see it killed once more.
  machine.isHeld = false
  for (const end of rolledBack) end(machine.lowestAtOpening)
  site.observer.count('backups restored')
  await site.restored(machine.lowestAtOpening)
}

/** Milliseconds that the fault waits for retention to remove segments; after each removal it waits as long again. */
const RETENTION_MS = 10 * MINUTE
/** Reads that a list and a stream begin, and those of a sink that is resumed: for what it delivers, and for what is shown of it. */
const READS = { list: 1, stream: 1, sink: 2 }

/** A list, a stream, and a sink that was paused, read what retention removes just then: it goes on once they have begun to. */
async function readWhatGoes(disk: Disk, around: Surroundings): Promise<void> {
  const { site, world, chance } = around
  const free = site.targets.filter(({ held }) => !held)
  if (free.length === 0) return
  const target = chance.pick(free)
  const { epoch } = site
  const reader = new Client(site, `reader of fault ${site.faults}`)
  const plumber = new Client(site, `plumber of fault ${site.faults}`)
  let until = world.now + RETENTION_MS * site.stretch
  const isOver = (): boolean => site.calm || site.epoch !== epoch || world.now > until
  // It stops right before an event that it has to deliver.
  target.held = 'refuses'
  while (!isOver() && target.next === undefined) await pause(around, 100, SECOND)
  const path = `/sinks/${(await sinkOf(plumber, target))?.id}`
  await once(plumber, 'POST', `${path}/pause`)
  target.held = 'accepts'
  let isResumed = false
  const read = async (resumes: boolean): Promise<void> => {
    // Then the index of the oldest segment, which retention has just read, is not in memory any more.
    if (chance.is(0.5)) await once(reader, 'GET', '/events?limit=100')
    await Promise.all([
      readOldest(reader),
      followOldest(reader),
      resumes && plumber.insist('POST', `${path}/resume`),
    ])
  }
  const begin = (floor: number): number => {
    until = world.now + RETENTION_MS * site.stretch
    const { next = floor } = target
    const resumes = !isResumed && next < floor
    isResumed ||= resumes
    site.observer.count('sinks resumed while retention removes what they read', Number(resumes))
    read(resumes).catch((error: unknown) => world.fail(error))
    return READS.list + READS.stream + (resumes ? READS.sink : 0)
  }
  disk.beforeRemoval.add(begin)
  while (!isOver() && !isResumed) await pause(around, SECOND, MINUTE)
  await pause(around, SECOND, MINUTE)
  disk.beforeRemoval.delete(begin)
  target.held = undefined
  await plumber.insist('POST', `${path}/resume`)
}

/** Of every site, by name. Each is over when its promise resolves. */
export const FAULTS: Faults = {
  'the process is killed': async ({ machine }) => machine.kill(false),
  'the machine loses its power': async ({ machine }) => machine.kill(true),
  'the process stops in order': async ({ machine }) => void (await machine.stop()),
  'the process is killed soon after its start': async (around) => {
    const { machine, chance } = around
    machine.kill(chance.is(0.5))
    for (let wait = 0; wait < 100 && machine.isDown; wait++) await pause(around, 0, 500)
    await pause(around, 0, 50)
    machine.kill(chance.is(0.5))
  },
  'the process is killed while it starts': async (around) => {
    const { machine, world, chance } = around
    if (machine.isHeld) return
    machine.kill(chance.is(0.5))
    const started = startGateway(around)
    const withPower = chance.is(0.5)
    world.interrupt(machine.host, chance.below(chance.pick([20, 200, 1000])), () => machine.kill(withPower))
    await started
  },
  'the process is frozen for a while': async ({ machine, world, chance }) => {
    world.freeze(machine.host, chance.pick([1, 10, 100]) * chance.between(100, SECOND))
  },
  'all gateways are upgraded, one after the other': upgrade,
  'an older version is started after an upgrade': tryOlder,
  'a tool loses its connection': async ({ network, site, chance }) => {
    network.breakAll(chance.pick(site.tools).host)
  },
  'a tool is out of reach': async (around) => {
    const tool = around.chance.pick(around.site.tools)
    const { host } = tool
    around.network.unreachable.add(host.name)
    if (around.chance.is(0.5)) around.network.breakAll(host)
    await pause(around, 5 * SECOND, 5 * MINUTE)
    around.world.after(host, 0, () => void tool.changeAlarm())
    await pause(around, 0, 5 * MINUTE)
    around.network.unreachable.delete(host.name)
  },
  'another host defines a report anew while a tool is out of reach': async (around) => {
    const { network, site, chance } = around
    const tool = chance.pick(site.tools)
    if (tool.ownHost) return
    network.unreachable.add(tool.host.name)
    network.breakAll(tool.host)
    await pause(around, SECOND, MINUTE)
    tool.redefine()
    network.unreachable.delete(tool.host.name)
    site.observer.count('reports defined by another host')
  },
  'the line of a tool is noisy': async (around) => {
    const { chance, site } = around
    const lines = site.tools.filter(({ master }) => master !== undefined)
    if (lines.length === 0) return
    const { faults } = chance.pick(lines).simulator
    // Two kinds in one block may leave its checksum as it is, and so may many changes.
    const oneIn = Math.round(chance.between(1000, 5000))
    faults.noise = { [chance.pick(['drop', 'double', 'corrupt'])]: oneIn, delay: chance.pick([0, 5, 200]) }
    await pause(around, 5 * SECOND, 10 * MINUTE)
    delete faults.noise
  },
  'the process of the taps is killed': async ({ machine }) => machine.killTaps(false),
  'the process of the taps is frozen for a while': async ({ machine, world, chance }) => {
    const { host } = machine.taps
    if (host?.alive) world.freeze(host, chance.pick([1, 10]) * chance.between(100, SECOND))
  },
  'all connections break': async ({ network, machine }) => {
    network.breakAll(machine.host)
  },
  'the clock is 40 days ahead': async (around) => {
    around.machine.skew = 40 * 24 * 60 * MINUTE
    await pause(around, SECOND, 10 * MINUTE)
    around.machine.skew = 0
  },
  'a process starts while the clock is ahead': async (around) => {
    const { machine, chance } = around
    machine.kill(false)
    machine.skew = chance.between(1, 400) * 24 * 60 * MINUTE
    await pause(around, 30 * SECOND, 10 * MINUTE)
    machine.skew = 0
  },
  'the clock is far behind': async (around) => {
    around.machine.skew = -around.chance.between(1, 400) * 24 * 60 * MINUTE
    await pause(around, SECOND, 10 * MINUTE)
    around.machine.skew = 0
  },
  'the clock is set in small steps': async (around) => {
    const { machine, chance } = around
    for (let steps = chance.below(40); steps > 0; steps--) {
      machine.skew = chance.between(-2, 2) * SECOND
      await pause(around, 0, 10 * SECOND)
    }
    machine.skew = 0
  },
  'the clock is set': async (around) => {
    const { machine, chance } = around
    machine.skew = chance.between(-90, 90) * MINUTE
    await pause(around, SECOND, 30 * MINUTE)
    machine.skew = 0
  },
}

/** Of a site whose gateway has its records on this disk. */
export const faultsOfDisk = (disk: Disk): Faults => ({
  'a bit flips at rest': (around) => flipBit(disk, around),
  'an older backup is restored': (around) => restoreBackup(disk, around),
  'retention removes history while it is read': (around) => readWhatGoes(disk, around),
  'the disk is slow': async (around) => {
    disk.slowness = around.chance.between(10, 500)
    await pause(around, SECOND, 2 * MINUTE)
    disk.slowness = 1
  },
  'the disk is full': async (around) => {
    disk.isFull = true
    await pause(around, SECOND, 5 * MINUTE)
    disk.isFull = false
  },
})

/** Milliseconds with a database that responds, within which a gateway notices that what it has shown is gone. */
const NOTICED_MS = 20 * SECOND

/** The gateways that have shown entries after this one have to end once they work with the database. */
async function requireEnds(server: DatabaseServer, last: number, around: Surroundings): Promise<void> {
  const { site, world, host, network } = around
  const isAhead = ({ gateway }: GatewayMachine): boolean =>
    gateway !== undefined && gateway.events.last > last
  const ahead = new Map(site.machines.filter(isAhead).map((machine): [Host, number] => [machine.host, 0]))
  const until = world.now + around.chance.between(30 * SECOND, MINUTE)
  while (world.now < until) {
    await world.sleep(host, SECOND)
    for (const [process, ms] of ahead) {
      const isHeldUp = !server.isUp || server.slowness > 1 || server.delays.has(process.name)
      const isAlone = network.isBlocked(process, server.host) || process.frozenUntil > world.now
      // A call that is under way to a database that was silent ends first.
      ahead.set(process, isHeldUp || isAlone ? -NOTICED_MS : ms + SECOND)
      site.observer.requireNow(
        !process.alive || ms < NOTICED_MS,
        'A gateway ends when the database has gone back in time.',
        () => `${process.name} has shown more than ${last}`,
      )
    }
  }
  site.observer.count('gateways ahead of a standby', ahead.size)
}

/** The standby was behind when it became the primary: what it does not have is gone. */
async function failOver(server: ModelServer, around: Surroundings): Promise<void> {
  const { site } = around
  server.leaveStandbyBehind()
  await pause(around, 10, 5 * SECOND)
  const { observer } = site
  observer.isSuspended = true
  const last = server.promote()
  observer.count('standbys promoted')
  // New events are delivered before all gateways have noticed.
  for (const target of site.targets) target.rolledBack(last)
  // Gateways that have shown what is gone end, and start again.
  await requireEnds(server, last, around)
  // Those who follow begin anew.
  for (const machine of site.machines) machine.breakCalls()
  await site.restored(last)
  observer.isSuspended = false
}

/** How many times as long as usual commits take: about a millisecond. */
const SLOW_COMMITS: readonly (readonly [number, number])[] = [
  [100, 20_000],
  [2500, 6000],
]

const RECORD_CHANGES: readonly RecordChange['kind'][] = ['added', 'changed', 'removed']

/** The database goes away when a record of a collection is changed: whoever did it does not learn what became of it. */
async function leaveAmid(server: DatabaseServer, collection: string, around: Surroundings): Promise<void> {
  const { chance } = around
  const cut = chance.pick<Cut>(['before', 'after', 'after'])
  const leaves = { collection, kind: chance.pick(RECORD_CHANGES), cut }
  server.leavesAt = leaves
  for (let wait = 0; wait < 20 && server.leavesAt === leaves; wait++) await pause(around, 0, 30 * SECOND)
  if (server.leavesAt === leaves) server.leavesAt = undefined
  await pause(around, 50, chance.pick([SECOND, 5 * SECOND, 20 * SECOND]))
  server.isUp = true
}

/** Of a site whose gateways share a database. */
export const faultsOfDatabase = (server: DatabaseServer): Faults => ({
  'the database is away': async (around) => {
    server.leave()
    await pause(around, 50, around.chance.pick([SECOND, 20 * SECOND, 2 * MINUTE]))
    server.isUp = true
  },
  'the database goes away amid a change of sinks': (around) => leaveAmid(server, 'sinks', around),
  'the database goes away amid a change of equipment': (around) => leaveAmid(server, 'equipment', around),
  'the database is silent': async (around) => {
    around.network.unreachable.add(server.host.name)
    await pause(around, 50, around.chance.pick([SECOND, 20 * SECOND, 2 * MINUTE]))
    around.network.unreachable.delete(server.host.name)
  },
  'a gateway is cut off the database before a commit': async ({ machine }) => {
    server.cuts.set(machine.host.name, 'before')
  },
  'a gateway is cut off the database after a commit': async ({ machine }) => {
    server.cuts.set(machine.host.name, 'after')
  },
  'a gateway is cut off everything for a while': async (around) => {
    const { name } = around.machine.host
    around.network.unreachable.add(name)
    await pause(around, 50, around.chance.pick([SECOND, 20 * SECOND, 2 * MINUTE]))
    around.network.unreachable.delete(name)
  },
  'responses of the database are late before a gateway is cut off': async (around) => {
    const { name } = around.machine.host
    // Less than after which it counts as silent, and longer away than the longest lease.
    server.delays.set(name, around.chance.between(500, 2000))
    await pause(around, SECOND, MINUTE)
    around.network.unreachable.add(name)
    server.delays.delete(name)
    await pause(around, 5 * SECOND, 30 * SECOND)
    around.network.unreachable.delete(name)
  },
  'commits are slow': async (around) => {
    // Some take longer than callers wait, and not so long that leases end.
    server.slowness = around.chance.between(...around.chance.pick(SLOW_COMMITS))
    await pause(around, SECOND, MINUTE)
    server.slowness = 1
  },
  'the clock of the database is set': async (around) => {
    const { chance } = around
    server.skew = chance.pick([1, 60, 40 * 24 * 60]) * chance.between(-1, 1) * MINUTE
    await pause(around, SECOND, 20 * MINUTE)
    server.skew = 0
  },
})

/** Of a database that has a standby. */
export const faultsOfStandby = (server: ModelServer): Faults => ({
  'a standby that is behind is promoted': (around) => failOver(server, around),
})

/** Resolves after so many milliseconds, or soon after it has become calm. */
async function pauseUnlessCalm(
  { world, host, site }: Pick<Surroundings, 'world' | 'host' | 'site'>,
  ms: number,
): Promise<void> {
  const until = world.now + ms
  while (world.now < until && !site.calm) await world.sleep(host, Math.min(until - world.now, MINUTE))
}

/** Does one fault after the other until it is calm. Several of these may break things at once. */
export async function breakThings(
  around: Omit<Surroundings, 'chance' | 'machine'>,
  { name, interval, without, log, faults }: BreakingOptions,
): Promise<void> {
  const { world, site } = around
  const order = world.chance.fork(`${name} ${world.now}`)
  const names = Object.keys(faults)
  while (!site.calm) {
    await pauseUnlessCalm(around, order.between(0.1, 1.9) * interval)
    if (site.calm) return
    const fault = order.pick(names)
    const number = site.faults++
    if (without.has(number)) continue
    log(`fault ${number}: ${fault}`)
    site.observer.count(`fault: ${fault}`)
    const chance = world.chance.fork(`fault ${number}`)
    const machine = chance.pick(site.machines)
    await (faults[fault] as Fault)({ ...around, machine, chance })
  }
}

/** Kills the process in the middle of a call, after a number of its steps that the seed decides. */
export function crashAmid(
  { world, site }: Pick<Surroundings, 'world' | 'site'>,
  { name, without, log, crashes }: BreakingOptions,
): () => void {
  const order = world.chance.fork(name)
  const picked = order.pick(CRASHES_AMID_CALLS)
  const often = crashes ?? picked * Math.min(1, FEW_TOOLS / site.tools.length)
  return () => {
    const machine = order.pick(site.machines)
    if (site.calm || !order.is(often)) return
    const number = site.faults++
    const steps = order.below(order.pick([10, 50, 200]))
    const withPower = order.is(0.5)
    if (without.has(number)) return
    log(`fault ${number}: the process is killed after ${steps} more steps`)
    site.observer.count('fault: the process is killed amid a call')
    world.interrupt(machine.host, steps, () => machine.kill(withPower))
  }
}

/** How many of the calls that change something are the last of their process: a start hides what a process does not know. */
const CRASHES_AMID_CALLS: readonly number[] = [0.02, 0.02, 0]
/** Of a site with more tools than these fewer: to connect them again is most of what such a site does otherwise. */
const FEW_TOOLS = 8

export interface BreakingOptions {
  readonly name: string
  /** Milliseconds between two faults, on average. */
  readonly interval: number
  /** How many of the calls that change something are the last of their process; by the seed when left out. */
  readonly crashes?: number | undefined
  /** Numbers of faults that are left out. */
  readonly without: ReadonlySet<number>
  readonly log: (text: string) => void
  readonly faults: Faults
}
