import {
  acknowledgeAlarms,
  checkCalm,
  checkExport,
  followStream,
  readPages,
  renameTools,
  sendCommands,
} from './actors.js'
import { Disk } from './disk.js'
import { breakThings, supervise } from './faults.js'
import { GatewayMachine } from './gateway-process.js'
import { Network } from './network.js'
import { Observer } from './observer.js'
import { PropertyHistory } from './property-history.js'
import { Reader } from './reader.js'
import { Client, type Site, setUp } from './site.js'
import { takeOver } from './take-over.js'
import { Tool } from './tool.js'
import { WebhookTarget } from './webhook-target.js'
import { Host, World } from './world.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** From the last fault until everything has to be as it should. */
const RECOVERY = 20 * MINUTE

export interface SimulationOptions {
  readonly seed: number
  readonly hours: number
  readonly tools: number
  /** Milliseconds between two reports of a tool, on average. */
  readonly interval: number
  /** Milliseconds between two faults, on average. */
  readonly faults: number
  /** Numbers of faults that are left out. */
  readonly without?: readonly number[]
  /** The run ends after this step. */
  readonly until?: number | undefined
  /** Sentences that are known not to hold. */
  readonly except?: readonly string[]
  readonly log?: (text: string) => void
}

export interface SimulationResult {
  readonly violation: unknown
  readonly steps: number
  readonly time: string
  readonly counts: ReadonlyMap<string, number>
  /** The last faults, with the step and the time at which each began. */
  readonly faults: readonly string[]
  readonly faultCount: number
  /** Time and process of each of the last steps. */
  readonly lastSteps: readonly string[]
  /** How long it was on the made-up clock. */
  readonly hours: number
  /** A digest of the disk at the end: the same for the same seed. */
  readonly disk: string
}

/** Runs a site from a seed. The process is of no other use afterwards. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { seed, hours, log = () => {} } = options
  const world = new World(seed)
  const network = new Network(world)
  takeOver(world, network)
  const disk = new Disk(world, 'gateway')
  const retention = { maxAge: 3 * HOUR, maxBytes: 24 * 1024 * 1024 }
  const machine = new GatewayMachine(world, network, disk, { retention })
  const observer = new Observer(world, new Set(options.except))
  const tools = Array.from(
    { length: options.tools },
    (_, number) => new Tool(world, number, options.interval),
  )
  const names = new PropertyHistory(true)
  const targets = [
    new WebhookTarget(world, network, observer, 'all-alarms', 1, undefined, () => true),
    new WebhookTarget(world, network, observer, 'by-name', 2, ['tool-*'], (id, event) =>
      names.heldAt(id, event),
    ),
  ]
  const site: Site = {
    world,
    machine,
    tools,
    observer,
    targets,
    names,
    ids: new Map(),
    calm: true,
    faults: 0,
  }
  const admin = new Client(site, 'admin')
  const faults: string[] = []
  const around = { site, world, machine, network, disk, host: new Host('fate', '0.0.0.0', world) }
  const note = (text: string): void => {
    faults.push(`step ${world.steps}, ${world.time}: ${text}`)
    if (faults.length > 50) faults.shift()
    log(faults.at(-1) as string)
  }
  process.on('unhandledRejection', (error) => world.fail(error))
  process.on('uncaughtException', (error) => world.fail(error))
  const during = (work: Promise<void>): void => void work.catch((error: unknown) => world.fail(error))
  const streamed = new Reader(site, 'the stream', true)
  const paged = new Reader(site, 'the pages', false)
  streamed.other = paged
  paged.other = streamed
  const without = new Set(options.without)
  let isOver = false
  const play = async (): Promise<void> => {
    for (const tool of tools) tool.start()
    during(supervise({ ...around, chance: world.chance.fork('supervisor') }))
    await setUp(site, admin)
    during(followStream(site, streamed))
    during(readPages(site, paged))
    during(acknowledgeAlarms(site, ['ada', 'bob', 'eve']))
    during(renameTools(site))
    for (const target of targets) during(target.change(() => site.calm))
    for (const name of ['mes-1', 'mes-2']) during(sendCommands(site, name))
    while (world.now < hours * HOUR) {
      site.calm = false
      const left = hours * HOUR - world.now
      const breaking = ['one', 'other'].map((name) =>
        breakThings(around, { name, interval: options.faults, without, log: note }),
      )
      await world.sleep(around.host, Math.min(left, HOUR))
      site.calm = true
      await Promise.all(breaking)
      note('calm')
      for (const tool of tools) tool.isPaused = true
      await world.sleep(around.host, RECOVERY)
      await checkCalm(site, tools)
      await checkExport(site)
      for (const tool of tools) tool.isPaused = false
    }
    isOver = true
  }
  world.after(around.host, 0, () => during(play()))
  let violation: unknown
  const enough = (): boolean => isOver || world.steps >= (options.until ?? Number.POSITIVE_INFINITY)
  try {
    await world.run(100 * 365 * 24 * HOUR, enough)
  } catch (error) {
    violation = error
  }
  for (const tool of tools) observer.count('reports acknowledged', tool.acknowledgedInAll)
  return {
    violation,
    steps: world.steps,
    time: world.time,
    counts: observer.counts,
    faults,
    faultCount: site.faults,
    lastSteps: world.lastSteps(),
    hours: world.now / HOUR,
    disk: disk.digest(),
  }
}
