import type { ObjectAttribute } from '../../gem300/carrier-attributes.js'
import { CONTROL_JOB_WORDS } from '../../gem300/control-job.js'
import type { NewControlJob } from '../../gem300/control-job-attributes.js'
import type { NewProcessJob } from '../../gem300/messages/job-bodies.js'
import { type JobMilestone, PROCESS_JOB_WORDS } from '../../gem300/process-job.js'
import type { Carrier } from './carrier.js'
import { ControlJob } from './control-job.js'
import type { Move } from './machine.js'
import { ProcessJob } from './process-job.js'
import type { Substrate } from './substrate.js'
import type { ToolWorld } from './tool-world.js'
import { codeIn, u1 } from './values.js'

/** What jobs see and do of the tool's other parts. */
export interface JobMaterial {
  carrier(id: string): Carrier | undefined
  /** Whether jobs may take from the carrier. */
  isReady(carrier: Carrier): boolean
  /** By its ID. */
  substrate(id: string): Substrate | undefined
  of(carrier: Carrier): readonly Substrate[]
  breakOff(job: ProcessJob): void
  milestone(job: ProcessJob, milestone: JobMilestone): void
  waitsForMaterial(job: ProcessJob): void
  changed(job: ProcessJob): void
  /** The tool works for this job, is held up by its pause, or has nothing to do. */
  busy(job: ProcessJob | undefined): void
}

/** By the number of the transition. */
const MILESTONES: Readonly<Record<number, JobMilestone>> = {
  2: 'SETUP',
  3: 'WAITING_FOR_START',
  4: 'PROCESSING',
  5: 'PROCESSING',
  6: 'PROCESSING_COMPLETE',
  7: 'COMPLETE',
}

/** The number of the transition that ends a job which is aborted. */
const ABORTED = 16

/** The process jobs and control jobs of a tool (SEMI E40, E94): one control job at a time, and of it one process job. */
export class Jobs {
  readonly process = new Map<string, ProcessJob>()
  /** In the order of the queue. */
  control: readonly ControlJob[] = []

  constructor(
    private readonly world: ToolWorld,
    private readonly material: JobMaterial,
  ) {}

  get active(): ControlJob | undefined {
    return this.control.find(({ isActive }) => isActive)
  }

  /** The process job that is set up, processes, or ends. */
  get running(): ProcessJob | undefined {
    return [...this.process.values()].find(({ isActive }) => isActive)
  }

  /** How many further process jobs it takes. */
  get space(): number {
    const open = [...this.process.values()].filter(({ isOver }) => !isOver).length
    return Math.max(0, this.world.settings.queue - open)
  }

  addProcessJob(given: NewProcessJob): void {
    const job = new ProcessJob(given, (one, move) => this.#noteProcessJob(one, move))
    this.process.set(job.id, job)
    job.machine.take('create')
  }

  addControlJob(given: NewControlJob, attributes: ObjectAttribute[], jobs: readonly ProcessJob[]): void {
    const job = new ControlJob(given, attributes, jobs, (one, what) =>
      this.world.note({
        what,
        subject: one.id,
        port: undefined,
        values: { CtrlJobID: { A: one.id }, CtrlJobState: u1(codeIn(CONTROL_JOB_WORDS, one.state)) },
      }),
    )
    for (const one of jobs) one.controlJob = job
    this.control = [...this.control, job]
    job.machine.take('create')
  }

  /** A job that is queued or over is no longer there. */
  removeProcessJob(job: ProcessJob): void {
    job.machine.take(job.isQueued ? 'cancel' : 'removed')
    this.process.delete(job.id)
    if (job.controlJob) job.controlJob.jobs = job.controlJob.jobs.filter((one) => one !== job)
  }

  removeControlJob(job: ControlJob): void {
    for (const one of job.jobs) one.controlJob = undefined
    this.control = this.control.filter((one) => one !== job)
  }

  /** STOP or ABORT, of a job in any state that lets it. */
  end(job: ProcessJob, how: 'stop' | 'abort'): void {
    if (job.isQueued) return this.removeProcessJob(job)
    job.machine.take(how)
    if (how === 'abort') this.material.breakOff(job)
  }

  /** Whether a job that has begun needs the carrier. */
  inUse(carrier: Carrier): boolean {
    const { running } = this
    return running !== undefined && this.#needs(running, carrier)
  }

  /** Whether a job that is not over needs the carrier. */
  isWanted(carrier: Carrier): boolean {
    return [...this.process.values()].some((job) => !job.isOver && this.#needs(job, carrier))
  }

  /** Whether a job of the carrier was stopped or aborted. */
  endedEarly(carrier: Carrier): boolean {
    return [...this.process.values()].some(
      (job) => (job.state === 'STOPPED' || job.state === 'ABORTED') && this.#needs(job, carrier),
    )
  }

  #needs(job: ProcessJob, carrier: Carrier): boolean {
    const named = job.given.MATERIAL.some((material) =>
      'MID' in material ? this.material.substrate(material.MID)?.carrier === carrier : false,
    )
    return named || job.carriers.includes(carrier.id)
  }

  /** The jobs that are over end with their carrier. */
  leave(carrier: Carrier): void {
    const over = [...this.process.values()].filter((job) => job.isOver && this.#needs(job, carrier))
    for (const job of this.control) {
      const isOfCarrier = job.carriers.includes(carrier.id) || job.jobs.some((one) => over.includes(one))
      if (job.state !== 'COMPLETED' || !isOfCarrier) continue
      job.machine.take('removed')
      this.removeControlJob(job)
    }
    for (const job of over) this.removeProcessJob(job)
  }

  /** The substrate that goes into the tool next. */
  next(): Substrate | undefined {
    const { running } = this
    if (!running?.isRunning || running.controlJob?.state === 'PAUSED') return undefined
    return running.substrates.find(({ isWaiting }) => isWaiting)
  }

  isGivenUp(substrate: Substrate): boolean {
    const { running } = this
    return !running || running.isEnding || !running.substrates.includes(substrate)
  }

  /** Does one thing that follows from the states of jobs and material; false where nothing does. */
  step(): boolean {
    const { active, running } = this
    if (running && this.#stepProcessJob(running)) return true
    // Nothing of it is left that could take it along.
    const empty = this.control.find(({ state, jobs }) => state === 'COMPLETED' && jobs.length === 0)
    if (empty) {
      empty.machine.take('removed')
      this.removeControlJob(empty)
      return true
    }
    if (active) return this.#stepControlJob(active)
    const [next] = this.control.filter(({ isQueued }) => isQueued)
    next?.machine.take('select')
    return next !== undefined
  }

  #stepControlJob(job: ControlJob): boolean {
    const { machine, state, jobs, ending } = job
    const isIdle = !jobs.some(({ isActive }) => isActive)
    if (ending) {
      if (isIdle) machine.take(ending)
      return isIdle
    }
    if (state === 'SELECTED') return this.#start(job)
    if (state !== 'EXECUTING' || !isIdle) return false
    const next = jobs.find(({ isOver }) => !isOver)
    if (!next) {
      machine.take('completed')
      return true
    }
    return this.#isMaterialReady(next) && this.#setUp(next)
  }

  /** A control job waits for its first process job's material. */
  #start(job: ControlJob): boolean {
    const [first] = job.jobs
    const isThere = job.given.carriers.every((id) => {
      const carrier = this.material.carrier(id)
      return carrier !== undefined && this.material.isReady(carrier)
    })
    if (first && !(isThere && this.#isMaterialReady(first))) {
      if (!job.isWaitTold) this.material.waitsForMaterial(first)
      job.isWaitTold = true
      return false
    }
    const isAuto = job.given.startsByItself && this.world.settings.start === 'as_requested'
    job.machine.take(isAuto ? 'start' : 'material_ready')
    return true
  }

  #isMaterialReady(job: ProcessJob): boolean {
    return job.given.MATERIAL.every((material) => {
      const carrier =
        'MID' in material
          ? this.material.substrate(material.MID)?.carrier
          : this.material.carrier(material.CARRIERID)
      return carrier !== undefined && this.material.isReady(carrier)
    })
  }

  #setUp(job: ProcessJob): boolean {
    const wanted = job.given.MATERIAL.flatMap((material): readonly Substrate[] => {
      if ('MID' in material) return [this.material.substrate(material.MID) ?? []].flat()
      const carrier = this.material.carrier(material.CARRIERID)
      const all = carrier ? this.material.of(carrier) : []
      const { SLOTID } = material
      if (SLOTID.length === 0) return all
      const missing = SLOTID.find((slot) => !all.some((one) => one.slot === slot))
      if (missing !== undefined) job.trouble = `Slot ${missing} of ${material.CARRIERID} has no substrate`
      return SLOTID.flatMap((slot) => all.find((one) => one.slot === slot) ?? [])
    })
    job.substrates = wanted.filter(({ isWaiting }) => isWaiting)
    job.machine.take('set_up')
    this.world.schedule.after(this.world.settings.setUpTime, () => {
      job.isSetUp = true
      this.world.settle()
    })
    return true
  }

  #stepProcessJob(job: ProcessJob): boolean {
    const { machine, state, isEmpty, substrates } = job
    switch (state) {
      case 'SETTING_UP': {
        if (!job.isSetUp) return false
        const isManual = this.world.settings.start === 'manual' || !job.given.PRPROCESSSTART
        if (job.trouble !== undefined) machine.take('abort')
        else machine.take(isManual ? 'set_up_manual' : 'set_up_auto')
        return true
      }
      case 'PROCESSING': {
        const isDone = isEmpty && !substrates.some(({ isWaiting }) => isWaiting)
        if (isDone) machine.take('completed')
        else this.#breakOffMidway(job)
        return isDone
      }
      case 'PAUSING':
        if (isEmpty) machine.take('paused')
        return isEmpty
      case 'STOPPING':
      case 'ABORTING':
        if (isEmpty) machine.take(state === 'STOPPING' ? 'stopped' : 'aborted')
        return isEmpty
      default:
        return false
    }
  }

  /** The fault `break-off`. */
  #breakOffMidway(job: ProcessJob): void {
    const after = this.world.faults['break-off']
    const done = job.substrates.filter(({ transport }) => transport.state === 'AT_DESTINATION').length
    if (after === undefined || done < after) return
    job.trouble = `Aborted by the equipment after ${done} substrates`
    this.end(job, 'abort')
  }

  #noteProcessJob(job: ProcessJob, what: Move): void {
    const values = {
      PRJobID: { A: job.id },
      PRJobState: u1(codeIn(PROCESS_JOB_WORDS.standard, job.state)),
      RecID: { A: job.given.RECIPE.RCPSPEC },
    }
    this.world.note({ what, subject: job.id, port: undefined, values })
    // Another job may process what this one did not.
    if (job.isOver) job.substrates = job.substrates.filter(({ isWaiting }) => !isWaiting)
    // The alert of a job that was aborted has the reason.
    const isTrouble = what.number === ABORTED && job.trouble !== undefined
    const milestone = isTrouble ? 'COMPLETE' : MILESTONES[what.number]
    if (milestone) this.material.milestone(job, milestone)
    this.material.changed(job)
    this.material.busy(job)
  }
}
