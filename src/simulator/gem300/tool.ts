import type { SecsMessage } from '../../gem/conversation.js'
import type { TypedValue } from '../../gem/typed-value.js'
import { buildBody } from '../../gem300/messages/bodies.js'
import type { SlotState } from '../../gem300/slot-map.js'
import type { Gem300View } from '../../gem300/variants.js'
import type { Clock } from '../../kit/clock.js'
import { Schedule } from '../../kit/schedule.js'
import { CommandError } from '../control/arguments.js'
import type { Faults } from '../faults.js'
import type { Carrier } from './carrier.js'
import { CarrierRequests } from './carrier-requests.js'
import { Cluster } from './cluster.js'
import { PORT_VARIABLES } from './definitions.js'
import { JobRequests } from './job-requests.js'
import { type JobMaterial, Jobs } from './jobs.js'
import { LoadPorts } from './load-ports.js'
import type { Notice } from './notice.js'
import type { ProcessJob } from './process-job.js'
import { ERRCODE } from './refusal.js'
import { type ToolSettings, viewOf } from './tool-settings.js'
import type { ToolWorld } from './tool-world.js'
import { Tracker } from './tracker.js'
import { carrierValues, portValues, u1 } from './values.js'

/** How a tool reaches the equipment that it is of. */
export interface ToolOutside {
  readonly clock: Clock
  readonly faults: Faults
  readonly seed: number
  readonly recipes: () => readonly string[]
  readonly time: () => string
  readonly note: (notice: Notice) => void
  /** Nothing further happens now. */
  readonly settled: () => void
  readonly send: (message: SecsMessage) => void
}

/** More steps than this follow from nothing that a host or an operator does. */
const MAX_STEPS = 10_000

/** A GEM 300 tool: two load ports, an aligner, two chambers, and its jobs. It knows no link and no GEM. */
export class Tool {
  readonly view: Gem300View
  readonly ports: LoadPorts
  readonly cluster: Cluster
  readonly jobs: Jobs
  readonly carrierRequests: CarrierRequests
  readonly jobRequests: JobRequests
  readonly trackers: ReadonlyMap<string, Tracker>
  readonly #schedule: Schedule
  #isSettling = false

  constructor(
    readonly settings: ToolSettings,
    private readonly outside: ToolOutside,
    /** Its performance is told under this name. */
    private readonly name: string,
  ) {
    const { clock, faults, seed, recipes, note } = outside
    this.view = viewOf(settings)
    this.#schedule = new Schedule(clock)
    const world: ToolWorld = {
      settings,
      view: this.view,
      clock,
      schedule: this.#schedule,
      faults,
      seed,
      recipes,
      note,
      settle: () => this.settle(),
    }
    const use = {
      verified: (carrier: Carrier) => this.cluster.appear(carrier),
      inUse: (carrier: Carrier) => this.jobs.inUse(carrier),
      leaves: (carrier: Carrier) => this.#leaves(carrier),
    }
    this.ports = new LoadPorts(world, use)
    const material = this.#material()
    this.jobs = new Jobs(world, material)
    this.cluster = new Cluster(world, {
      next: () => this.jobs.next(),
      isGivenUp: (substrate) => this.jobs.isGivenUp(substrate),
      accessed: ({ accessing }) => accessing.can('access_began') && accessing.take('access_began'),
      works: (chamber, substrate) => this.#worksAt(chamber, substrate?.id),
    })
    this.carrierRequests = new CarrierRequests(world, this.ports, use)
    this.jobRequests = new JobRequests(world, this.jobs, material)
    const trackers = [name, ...this.cluster.chambers.map(({ id }) => id)].map((one) => {
      return [
        one,
        new Tracker(one, ({ values }, what) => note({ what, subject: one, port: undefined, values })),
      ] as const
    })
    this.trackers = new Map(trackers)
  }

  /** The tool is switched on. */
  start(): void {
    this.ports.restore()
    for (const tracker of this.trackers.values()) tracker.works(undefined)
  }

  stop(): void {
    this.#schedule.cancel()
    this.cluster.stop()
  }

  /** The operator places a carrier, with the substrates of its seed where no slots are given. Throws `CommandError`. */
  load(port: number, id: string, slots?: readonly SlotState[]) {
    return this.#act(() => this.ports.place(port, id, slots))
  }

  /** The operator takes a carrier away. Throws `CommandError`. */
  unload(port: number) {
    return this.#act(() => this.ports.take(port))
  }

  /** What the operator does with the job that runs. Throws `CommandError`. */
  operate(act: 'pause' | 'resume' | 'abort'): ProcessJob {
    const { running } = this.jobs
    if (!running) throw new CommandError('refused', 'no process job runs')
    const can = act === 'resume' ? running.canResume : running.machine.can(act)
    if (!can) throw new CommandError('refused', `process job ${running.id} is ${running.state}`)
    this.#act(() => {
      if (act === 'pause') running.pause()
      else if (act === 'resume') running.resume()
      else this.jobs.end(running, 'abort')
    })
    return running
  }

  /** Does all that follows from what has happened, and begins what takes time. */
  settle(): void {
    if (this.#isSettling) return
    this.#isSettling = true
    try {
      for (let steps = 0; this.jobs.step() || this.#finishCarrier(); steps++) {
        if (steps > MAX_STEPS) throw new Error('the tool does not come to rest')
      }
      this.cluster.drive()
    } finally {
      this.#isSettling = false
    }
    this.outside.settled()
  }

  /** The value of one of its status variables now, by name; undefined for another. */
  valueOf(name: string): TypedValue | undefined {
    switch (name) {
      case 'PortTransferStateList':
        return { L: this.ports.ports.map((port) => portValues(port).PortTransferState) }
      case 'QueuedCJobs':
        return { L: this.jobs.control.filter(({ isQueued }) => isQueued).map(({ id }) => ({ A: id })) }
      case 'QueueAvailableSpace':
        return u1(this.jobs.space)
      case 'EPTNameList':
        return this.#ofModules('EqpName')
      case 'EPTStateList':
        return this.#ofModules('EPTState')
      case 'EPTTaskNameList':
        return this.#ofModules('TaskName')
      default: {
        const [, number, variable = ''] = /^LP(\d)\/(\w+)$/.exec(name) ?? []
        const port = this.ports.port(Number(number))
        if (!port || !Object.hasOwn(PORT_VARIABLES, variable)) return undefined
        const ofCarrier = port.carrier && carrierValues(port.carrier, this.view)
        const values: Readonly<Record<string, TypedValue>> = { ...ofCarrier, ...portValues(port) }
        return values[variable] ?? (variable === 'SlotMap' ? { L: [] } : u1(255))
      }
    }
  }

  #ofModules(name: 'EqpName' | 'EPTState' | 'TaskName'): TypedValue {
    return { L: [...this.trackers.values()].map(({ values }) => values[name]) }
  }

  #act<Result>(act: () => Result): Result {
    const result = act()
    this.settle()
    return result
  }

  /** A carrier from which nothing more is wanted is complete, and may be taken where the host need not say so. */
  #finishCarrier(): boolean {
    for (const carrier of this.ports.carriers.values()) {
      const { accessing } = carrier
      if (accessing.state !== 'IN_ACCESS' || this.jobs.isWanted(carrier)) continue
      accessing.take(this.jobs.endedEarly(carrier) ? 'stopped' : 'completed')
      const port = this.ports.portOf(carrier)
      if (port && this.settings.release === 'auto') this.ports.release(port)
      return true
    }
    return false
  }

  #leaves(carrier: Carrier): void {
    this.jobs.leave(carrier)
    this.cluster.leave(carrier)
  }

  #worksAt(chamber: string, substrate: string | undefined): void {
    this.trackers.get(chamber)?.works(substrate)
  }

  #material(): JobMaterial {
    return {
      carrier: (id) => this.ports.carriers.get(id),
      isReady: (carrier) => this.ports.isReady(carrier),
      substrate: (id) => this.cluster.substrates.get(id),
      of: (carrier) => this.cluster.of(carrier),
      breakOff: (job) => this.cluster.breakOff((substrate) => job.substrates.includes(substrate)),
      milestone: (job, PRJOBMILESTONE) => {
        if (!this.#sends('S16F7')) return
        const { trouble } = job
        const ERRORS = trouble === undefined ? [] : [{ ERRCODE: ERRCODE.ofSupplier, ERRTEXT: trouble }]
        const RESULT = { ACKA: trouble === undefined, ERRORS }
        const content = { TIMESTAMP: this.outside.time(), PRJOBID: job.id, PRJOBMILESTONE, RESULT }
        this.outside.send({ stream: 16, function: 7, item: buildBody('S16F7', content, this.view) })
      },
      waitsForMaterial: (job) => this.#tell(job, 'WAITING_FOR_MATERIAL'),
      changed: (job) => this.#tell(job, 'JOB_STATE_CHANGE'),
      busy: (job) => this.trackers.get(this.name)?.works(...taskOf(job)),
    }
  }

  /** S16F9. */
  #tell(job: ProcessJob, PREVENTID: 'WAITING_FOR_MATERIAL' | 'JOB_STATE_CHANGE'): void {
    if (!this.#sends('S16F9')) return
    const content = { PREVENTID, TIMESTAMP: this.outside.time(), PRJOBID: job.id, VALUES: [] }
    this.outside.send({ stream: 16, function: 9, item: buildBody('S16F9', content, this.view) })
  }

  #sends(message: 'S16F7' | 'S16F9'): boolean {
    return this.settings.jobMessages === 'both' || this.settings.jobMessages === message
  }
}

/** What the whole tool does while a job is as it is now. */
function taskOf(job: ProcessJob | undefined): Parameters<Tracker['works']> {
  if (!job?.isActive) return [undefined]
  const isPaused = job.state === 'PAUSED'
  return [job.given.RECIPE.RCPSPEC, isPaused ? 'PAUSE' : job.state === 'ABORTING' ? 'ABORT' : 'NOT_BLOCKED']
}
