import type { ObjectAttribute } from '../../gem300/carrier-attributes.js'
import {
  CONTROL_JOB_TRANSITIONS,
  type ControlJobState,
  type ControlJobTrigger,
} from '../../gem300/control-job.js'
import type { NewControlJob } from '../../gem300/control-job-attributes.js'
import { Machine, type Move } from './machine.js'
import type { ProcessJob } from './process-job.js'

/** A control job (SEMI E94). */
export class ControlJob {
  readonly id: string
  readonly machine: Machine<ControlJobState, ControlJobTrigger>
  /** The command that ends it, as soon as its process jobs have. */
  ending: 'stop' | 'abort' | undefined
  /** The host was told that it waits for material. */
  isWaitTold = false

  constructor(
    readonly given: NewControlJob,
    readonly attributes: ObjectAttribute[],
    /** In the order of processing; those that were saved or removed are no longer there. */
    public jobs: readonly ProcessJob[],
    moved: (job: ControlJob, move: Move) => void,
  ) {
    this.id = given.id
    this.machine = new Machine('control_job', CONTROL_JOB_TRANSITIONS, (move) => moved(this, move))
  }

  get state(): Machine<ControlJobState, ControlJobTrigger>['state'] {
    return this.machine.state
  }

  get isQueued(): boolean {
    return this.state === 'QUEUED'
  }

  get isOver(): boolean {
    return this.state === 'COMPLETED' || this.state === 'NO_STATE'
  }

  get isActive(): boolean {
    return !this.isQueued && !this.isOver
  }

  /** The carriers that it needs. */
  get carriers(): readonly string[] {
    return [...new Set([...this.given.carriers, ...this.jobs.flatMap(({ carriers }) => carriers)])]
  }
}
