import { actorsOf, changeRefused, checkCalm, checkExport, type Refuse } from './actors.js'
import { reportSteps } from './applied-reports.js'
import { CertificateFiles } from './certificate-files.js'
import { firstCertificate, renewCertificates } from './certificates.js'
import { Disk } from './disk.js'
import {
  breakThings,
  crashAmid,
  FAULTS,
  type Faults,
  faultsOfDatabase,
  faultsOfDisk,
  faultsOfStandby,
  supervise,
} from './faults.js'
import { GatewayMachine } from './gateway-process.js'
import { Network } from './network.js'
import { Observer } from './observer.js'
import { OwnHost } from './own-host.js'
import { watchOwners } from './owners.js'
import { takeOverDriver } from './postgres/client.js'
import { ModelServer } from './postgres/model-server.js'
import { prepareReal, type RealDatabase, RealServer } from './postgres/real-server.js'
import { PropertyHistory } from './property-history.js'
import { AREA } from './restricted.js'
import { goneAfter, watchRetention } from './retention.js'
import { Client, Site, setUp, stretchOf } from './site.js'
import { type ClusterSettings, databaseOn, type FileSettings, folderOn } from './storage.js'
import { takeOver } from './take-over.js'
import { Tool } from './tool.js'
import { type Product, Versions } from './versions.js'
import { WebhookTarget } from './webhook-target.js'
import { Host, World } from './world.js'

const KIB = 1024
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Tools go on so long after the last fault at least, and until each has reported; then they are still. */
const LAST_REPORTS = 10 * MINUTE
/** From then until everything has to be as it should. */
const RECOVERY = 20 * MINUTE
/** A wrong clock is doubted for so long. */
const DOUBTED = 24 * HOUR

export interface SimulationOptions {
  readonly seed: number
  readonly hours: number
  readonly tools: number
  /** How many gateways share a database; one gateway on a disk when left out. */
  readonly gateways?: number | undefined
  /** The URL of an empty database in PostgreSQL that they share; the model of one when left out. */
  readonly postgres?: string | undefined
  /** Milliseconds between two reports of a tool, on average. */
  readonly interval: number
  /** Milliseconds between two faults, on average. */
  readonly faults: number
  /** How many of the calls that change something are the last of their process, 0 to 1; by the seed when left out. */
  readonly crashes?: number | undefined
  /** How many times as rarely as usual tools report and people do something. */
  readonly pace?: number
  /** When it begins, in milliseconds since 1970; by the seed when left out. */
  readonly from?: number | undefined
  /** After one of so many hours the site rests for longer than a day; never when left out. */
  readonly nights?: number | undefined
  /** Numbers of faults that are left out. */
  readonly without?: readonly number[]
  /** The code with which the site begins, until it is upgraded; that of now when left out. */
  readonly older?: Product | undefined
  /** Words that the names of faults have; all faults when left out. */
  readonly only?: string
  /** The run ends after this step. */
  readonly until?: number | undefined
  /** The run ends where it is once this is aborted. */
  readonly signal?: AbortSignal
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
  /** How long it was on the made-up clock, but for the nights. */
  readonly hours: number
  /** A digest of the disk at the end: the same for the same seed. */
  readonly disk: string
}

/** Reports of tools in a second at a small site: those of eight tools. */
const FEW_REPORTS = 8 / 30

/** What is read again is read from the disk. */
const LITTLE_MEMORY = { indexBytes: 1, entryBytes: 1 }

/**
 * How much a gateway keeps: all of an hour, or less than that by time or size, or with more of it for sinks. `load`: how
 * many times as much is reported as at a small site. What is kept by size lasts as long at a large one, which would seal a
 * segment every few seconds.
 */
const keptAt = (load: number): readonly FileSettings[] => [
  { segmentBytes: 512 * KIB, retention: { maxAge: 3 * HOUR, maxBytes: 24 * 1024 * KIB } },
  {
    segmentBytes: 128 * KIB,
    retention: { maxAge: 20 * MINUTE, maxBytes: 24 * 1024 * KIB },
    ...LITTLE_MEMORY,
    openFiles: 0,
  },
  {
    segmentBytes: Math.ceil(32 * KIB * load),
    retention: { maxAge: 3 * HOUR, maxBytes: Math.ceil(1024 * KIB * load) },
    ...LITTLE_MEMORY,
  },
  {
    segmentBytes: Math.ceil(16 * KIB * load),
    retention: {
      maxAge: 3 * HOUR,
      maxBytes: Math.ceil(256 * KIB * load),
      held: { maxAge: HOUR, maxBytes: Math.ceil(2048 * KIB * load) },
    },
    ...LITTLE_MEMORY,
  },
]

const loadOf = ({ tools, interval, pace = 1 }: SimulationOptions): number =>
  Math.max(1, tools / ((interval * pace) / 1000) / FEW_REPORTS)

/** Where less happens, history is kept for longer. */
const stretched = ({ retention, ...others }: FileSettings, stretch: number): FileSettings => ({
  ...others,
  retention: {
    ...retention,
    maxAge: stretch * retention.maxAge,
    ...(retention.held && { held: { ...retention.held, maxAge: stretch * retention.held.maxAge } }),
  },
})

/** The same for gateways on a database, of which whole days go. */
const SHARED: readonly ClusterSettings[] = [
  { leaseMs: 10_000, retention: { maxAge: 24 * HOUR, maxBytes: 1024 ** 3 } },
  { leaseMs: 1500, retention: { maxAge: 3 * HOUR, maxBytes: 1024 ** 3 } },
  { leaseMs: 5000, retention: { maxAge: 24 * HOUR, maxBytes: 200 * KIB } },
]

/** The gateways of a site, and what may happen to them alone. */
interface Gateways {
  readonly machines: readonly GatewayMachine[]
  readonly lastEntry: () => number | undefined
  readonly firstEntry: () => number | undefined
  readonly faults: Faults
  /** Whether a gateway runs, and its records can be read there now. */
  readonly reaches: Site['reaches']
  /** Whether a start may be refused for this error; `isSpoilt`: a file is not what was written. */
  readonly mayRefuse: (error: unknown, isSpoilt: boolean) => boolean
  /** Makes the store refuse what is written, or go away amid a change, and take it again, while no process ends. A disk cannot. */
  readonly refuse?: Refuse
  /** Of all that is stored. */
  readonly digest: () => string | Promise<string>
}

function oneOnDisk(world: World, network: Network, versions: Versions, options: SimulationOptions): Gateways {
  const disk = new Disk(world, 'gateway')
  const kept = world.chance.fork('kept').pick(keptAt(loadOf(options)))
  const settings = stretched(kept, stretchOf(options.pace ?? 1))
  const certificate = new CertificateFiles(disk, firstCertificate(world.timeOf(world.current)))
  const storage = folderOn(disk, versions, settings, certificate)
  const machine = new GatewayMachine(world, network, storage, versions)
  return {
    machines: [machine],
    lastEntry: () => machine.gateway?.events.last,
    firstEntry: () => machine.journal?.first,
    faults: faultsOfDisk(disk),
    reaches: () => true,
    mayRefuse: (error, isSpoilt) =>
      disk.isFull ||
      (isSpoilt && versions.isDamage(error)) ||
      (certificate.mayBeNoPair && isOfCertificate(error)),
    digest: () => disk.digest(),
  }
}

const isOfCertificate = (error: unknown): boolean =>
  String((error as { readonly code?: unknown } | undefined)?.code).startsWith('ERR_OSSL')

function severalOnDatabase(
  world: World,
  network: Network,
  versions: Versions,
  count: number,
  real?: RealDatabase,
): Gateways {
  const server = real
    ? new RealServer(world, network, real)
    : new ModelServer(world, network, versions.first.MIGRATIONS.length)
  takeOverDriver(world, server)
  const settings = world.chance.fork('kept').pick(SHARED)
  return {
    machines: Array.from({ length: count }, (_, at) => {
      const storage = databaseOn(server, `node-${at + 1}`, versions, settings)
      return new GatewayMachine(world, network, storage, versions, at + 1)
    }),
    lastEntry: () => server.last,
    firstEntry: () => server.first,
    faults: { ...faultsOfDatabase(server), ...(server instanceof ModelServer && faultsOfStandby(server)) },
    reaches: ({ host }) =>
      host.alive &&
      host.frozenUntil <= world.now &&
      server.isUp &&
      server.slowness === 1 &&
      !server.delays.has(host.name) &&
      !network.isBlocked(host, server.host),
    mayRefuse: (error) => versions.isAbsence(error),
    refuse: (what) => {
      server.leavesAt = typeof what === 'object' ? { ...what, cut: 'before' } : undefined
      if (what === 'everything') server.leave()
      else if (what === undefined) server.isUp = true
    },
    digest: () => server.digest(),
  }
}

/** A site with its machines, of which nothing runs yet. */
function builtSite(
  world: World,
  network: Network,
  versions: Versions,
  options: SimulationOptions,
  real?: RealDatabase,
) {
  const { pace = 1 } = options
  const { machines, lastEntry, firstEntry, faults, reaches, mayRefuse, refuse, digest } =
    options.gateways === undefined
      ? oneOnDisk(world, network, versions, options)
      : severalOnDatabase(world, network, versions, options.gateways, real)
  const observer = new Observer(world, new Set(options.except))
  const names = new PropertyHistory(true)
  const targets = [
    new WebhookTarget(world, network, observer, 'all-alarms', 1, { batch: 4 }, () => true),
    new WebhookTarget(world, network, observer, 'by-name', 2, { equipment: ['tool-*'] }, (id, event) =>
      names.heldAt(id, event),
    ),
    new WebhookTarget(
      world,
      network,
      observer,
      'by-label',
      3,
      { label_selector: `area=${AREA}` },
      (id, event) => site.areasAtEvents.heldAt(id, event),
    ),
  ]
  const tools = Array.from(
    { length: options.tools },
    (_, number) => new Tool(world, number, options.interval, pace),
  )
  const site: Site = new Site(world, machines, lastEntry, tools, observer, targets, names, pace)
  site.reaches = reaches
  site.firstEntry = firstEntry
  return {
    site,
    world,
    network,
    refuse,
    digest,
    faults: Object.fromEntries(
      Object.entries({ ...FAULTS, ...faults }).filter(([name]) => name.includes(options.only ?? '')),
    ),
    mayRefuse: (error: unknown) => mayRefuse(error, site.isSpoilt),
    host: new Host('fate', '0.0.0.0', world),
  }
}

type Around = ReturnType<typeof builtSite>

/** Those of the tools that had one before there was a gateway. */
function hostsOf({ site, world, network }: Around): void {
  const addresses = site.machines.map(({ host }) => host.ip)
  for (const tool of site.tools) {
    if (tool.ownHost) new OwnHost(world, network, site.observer, tool, addresses, site.pace)
    tool.countTapped()
  }
  for (const machine of site.machines)
    machine.tapsLost = () => {
      for (const tool of site.tools) tool.tapLost()
    }
}

/** Tools are disconnected, unless they report rarely anyway, and people away for days. */
async function rest({ site, world, host }: Around): Promise<void> {
  const client = new Client(site, 'caretaker')
  site.isNight = true
  if (site.pace > 1) for (const tool of site.tools) tool.isPaused = false
  else for (const id of site.ids.values()) await client.insist('POST', `/equipment/${id}/disconnect`)
  // Longer than a wrong clock is doubted, and than history is kept after that.
  const kept = Math.max(...site.machines.map(({ storage }) => goneAfter(storage)))
  await world.sleep(host, DOUBTED + 2 * HOUR + 1.1 * kept)
  site.isNight = false
  await site.register(client)
  for (const tool of site.tools) tool.isPaused = true
  reportSteps(site)
  await world.sleep(host, RECOVERY)
  site.observer.count('nights')
}

/** Hour after hour: an hour of faults, then all has to be as it should be. */
async function play(around: Around, options: SimulationOptions, breaking: () => Promise<unknown>) {
  const { hours, nights } = options
  const { site, world, host, refuse } = around
  const chance = world.chance.fork('nights')
  const left = (): number => hours * HOUR - (world.now - site.rested)
  while (left() > 0) {
    site.calm = false
    const broken = breaking()
    await world.sleep(host, Math.min(left(), HOUR * site.stretch))
    site.calm = true
    await broken
    // Without it sinks would be removed that have not delivered what they should.
    if (refuse) await changeRefused(site, refuse)
    // A tool whose peer has lost its power learns that its connection is gone when it sends something.
    await world.sleep(host, Math.max(LAST_REPORTS, ...site.tools.map(({ interval }) => 2 * interval)))
    for (const tool of site.tools) tool.isPaused = true
    reportSteps(site)
    await world.sleep(host, RECOVERY)
    await checkCalm(site, site.tools)
    await checkExport(site)
    if (nights !== undefined && chance.is(1 / nights)) {
      const began = world.now
      await rest(around)
      // Where little happens anyway it is time like any other.
      if (site.pace === 1) site.rested += world.now - began
      await checkCalm(site, site.tools)
      await checkExport(site)
    }
    for (const tool of site.tools) tool.isPaused = false
  }
}

/** Runs a site from a seed. The process is of no other use afterwards. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { seed, log = () => {} } = options
  const world = new World(seed, options.from)
  const network = new Network(world)
  const real = options.postgres === undefined ? undefined : await prepareReal(options.postgres)
  const versions = new Versions(options.older)
  takeOver(world, network, versions.products)
  const around = builtSite(world, network, versions, options, real)
  const { site, host, faults: possible, digest } = around
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
  const without = new Set(options.without)
  const { crashes } = options
  const breaking = { interval: options.faults, crashes, without, log: note, faults: possible }
  let isOver = false
  const begin = async (): Promise<void> => {
    for (const tool of tools) tool.start()
    hostsOf(around)
    for (const machine of site.machines)
      during(supervise({ ...around, machine, chance: world.chance.fork(`supervisor ${machine.number}`) }))
    if (options.gateways !== undefined) during(watchOwners(site))
    during(watchRetention(site))
    await setUp(site, new Client(site, 'admin'))
    for (const actor of [...actorsOf(site), ...renewCertificates(site, network)]) during(actor)
    site.beforeChange = crashAmid(around, { name: 'amid', ...breaking })
    await play(around, options, () =>
      Promise.all(['one', 'other'].map((name) => breakThings(around, { name, ...breaking }))),
    )
    isOver = true
  }
  world.after(host, 0, () => during(begin()))
  let violation: unknown
  const { until = Number.POSITIVE_INFINITY, signal } = options
  const enough = (): boolean => isOver || signal?.aborted === true || world.steps >= until
  try {
    await world.run(100 * 365 * 24 * HOUR, enough)
  } catch (error) {
    violation = error
  }
  for (const tool of tools) observer.count('reports acknowledged', tool.acknowledgedInAll)
  observer.count('midnights', world.midnights)
  return {
    violation,
    steps: world.steps,
    time: world.time,
    counts: world.counts,
    faults,
    faultCount: site.faults,
    lastSteps: world.lastSteps(),
    hours: (world.now - site.rested) / HOUR,
    disk: await digest(),
  }
}
