import { actorsOf, checkCalm, checkExport } from './actors.js'
import { Disk } from './disk.js'
import { breakThings, crashAmid, supervise } from './faults.js'
import { GatewayMachine, type GatewaySettings } from './gateway-process.js'
import { Network } from './network.js'
import { Observer } from './observer.js'
import { PropertyHistory } from './property-history.js'
import { Client, Site, setUp } from './site.js'
import { takeOver } from './take-over.js'
import { Tool } from './tool.js'
import { WebhookTarget } from './webhook-target.js'
import { Host, World } from './world.js'

const KIB = 1024
const MINUTE = 60_000
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
  /** People who change records at the same time, and a restricted one, are there as well. */
  readonly people?: boolean
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

/** How much a gateway keeps: all of an hour, or less than that by time or size. */
const KEPT: readonly GatewaySettings[] = [
  { segmentBytes: 512 * KIB, retention: { maxAge: 3 * HOUR, maxBytes: 24 * 1024 * KIB } },
  { segmentBytes: 128 * KIB, retention: { maxAge: 20 * MINUTE, maxBytes: 24 * 1024 * KIB } },
  { segmentBytes: 32 * KIB, retention: { maxAge: 3 * HOUR, maxBytes: 1024 * KIB } },
]

/** A site with its machines, of which nothing runs yet. */
function builtSite(world: World, network: Network, options: SimulationOptions) {
  const disk = new Disk(world, 'gateway')
  const machine = new GatewayMachine(world, network, disk, world.chance.fork('kept').pick(KEPT))
  const observer = new Observer(world, new Set(options.except))
  const names = new PropertyHistory(true)
  const targets = [
    new WebhookTarget(world, network, observer, 'all-alarms', 1, undefined, () => true),
    new WebhookTarget(world, network, observer, 'by-name', 2, ['tool-*'], (id, event) =>
      names.heldAt(id, event),
    ),
  ]
  const tools = Array.from(
    { length: options.tools },
    (_, number) => new Tool(world, number, options.interval),
  )
  const site = new Site(world, machine, tools, observer, targets, names)
  return { site, world, machine, network, disk, host: new Host('fate', '0.0.0.0', world) }
}

type Around = ReturnType<typeof builtSite>

/** Hour after hour: an hour of faults, then all has to be as it should be. */
async function play({ site, world, host }: Around, hours: number, breaking: () => Promise<unknown>) {
  while (world.now < hours * HOUR) {
    site.calm = false
    const broken = breaking()
    await world.sleep(host, Math.min(hours * HOUR - world.now, HOUR))
    site.calm = true
    await broken
    for (const tool of site.tools) tool.isPaused = true
    await world.sleep(host, RECOVERY)
    await checkCalm(site, site.tools)
    await checkExport(site)
    for (const tool of site.tools) tool.isPaused = false
  }
}

/** Runs a site from a seed. The process is of no other use afterwards. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { seed, hours, log = () => {} } = options
  const world = new World(seed)
  const network = new Network(world)
  takeOver(world, network)
  const around = builtSite(world, network, options)
  const { site, host, disk } = around
  const { observer, tools } = site
  const faults: string[] = []
  const note = (text: string): void => {
    faults.push(`step ${world.steps}, ${world.time}: ${text}`)
    if (faults.length > 50) faults.shift()
    log(faults.at(-1) as string)
  }
  process.on('unhandledRejection', (error) => world.fail(error))
  process.on('uncaughtException', (error) => world.fail(error))
  const during = (work: Promise<void>): void => void work.catch((error: unknown) => world.fail(error))
  const breaking = { interval: options.faults, without: new Set(options.without), log: note }
  let isOver = false
  const begin = async (): Promise<void> => {
    for (const tool of tools) tool.start()
    during(supervise({ ...around, chance: world.chance.fork('supervisor') }))
    await setUp(site, new Client(site, 'admin'), options.people ?? false)
    for (const actor of actorsOf(site, options.people ?? false)) during(actor)
    site.beforeChange = crashAmid(around, { name: 'amid', ...breaking })
    await play(around, hours, () =>
      Promise.all(['one', 'other'].map((name) => breakThings(around, { name, ...breaking }))),
    )
    isOver = true
  }
  world.after(host, 0, () => during(begin()))
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
