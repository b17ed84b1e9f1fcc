import type { NewProcessJob } from '../../gem300/messages/job-bodies.js'
import {
  PROCESS_JOB_TRANSITIONS,
  type ProcessJobState,
  type ProcessJobTrigger,
} from '../../gem300/process-job.js'
import { Machine, type Move } from './machine.js'
import type { Substrate } from './substrate.js'

type State = Exclude<ProcessJobState, 'EXECUTING'>
type Resume = Extract<ProcessJobTrigger, `resume_${string}`>

const RESUMES: Readonly<Partial<Record<State, Resume>>> = {
  SETTING_UP: 'resume_setting_up',
  WAITING_FOR_START: 'resume_waiting_for_start',
  PROCESSING: 'resume_processing',
}

/** The control job of a process job. */
interface OwningJob {
  readonly id: string
  readonly state: string
  jobs: readonly ProcessJob[]
}

/** A process job (SEMI E40). */
export class ProcessJob {
  readonly id: string
  readonly machine: Machine<State, ProcessJobTrigger>
  controlJob: OwningJob | undefined
  /** What it processes, since it was set up. */
  substrates: readonly Substrate[] = []
  isSetUp = false
  /** Why it ended early. */
  trouble: string | undefined
  #resume: Resume = 'resume_processing'

  constructor(
    readonly given: NewProcessJob,
    moved: (job: ProcessJob, move: Move) => void,
  ) {
    this.id = given.PRJOBID
    this.machine = new Machine('process_job', PROCESS_JOB_TRANSITIONS, (move) => moved(this, move))
  }

  get state(): Machine<State, ProcessJobTrigger>['state'] {
    return this.machine.state
  }

  get isQueued(): boolean {
    return this.state === 'QUEUED_POOLED'
  }

  get isOver(): boolean {
    return ['PROCESS_COMPLETE', 'STOPPED', 'ABORTED', 'NO_STATE'].includes(this.state)
  }

  /** It has begun and not ended. */
  get isActive(): boolean {
    return !this.isQueued && !this.isOver
  }

  /** It takes no further substrates, and is over when those in the tool are back. */
  get isEnding(): boolean {
    return this.state === 'STOPPING' || this.state === 'ABORTING'
  }

  get isRunning(): boolean {
    return this.state === 'PROCESSING'
  }

  /** Of its substrates none is in the tool. */
  get isEmpty(): boolean {
    return this.substrates.every(({ transport }) => transport.state !== 'AT_WORK')
  }

  /** The carriers that its material names. */
  get carriers(): readonly string[] {
    return this.given.MATERIAL.flatMap((material) => ('CARRIERID' in material ? [material.CARRIERID] : []))
  }

  pause(): void {
    const resume = this.state === 'NO_STATE' ? undefined : RESUMES[this.state]
    if (resume) this.#resume = resume
    this.machine.take('pause')
  }

  get canResume(): boolean {
    return this.machine.can(this.#resume)
  }

  resume(): void {
    this.machine.take(this.#resume)
  }
}
