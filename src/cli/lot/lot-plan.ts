import type { Carrier, CarrierCommand } from '../../contract/topics/gem300/carriers.js'
import type { LoadPort } from '../../contract/topics/gem300/ports.js'
import type { NewProcessJob } from '../../contract/topics/gem300/process-jobs.js'
import type { SlotState } from '../../gem300/slot-map.js'

/** What a run is to do with a lot. */
export interface LotPlan {
  /** The name of the equipment. */
  readonly equipment: string
  readonly port: number
  readonly recipe: string
  /** Empty for all that the carrier has. */
  readonly slots: readonly number[]
  /** The carrier that has to be at the port; any where it is undefined. */
  readonly carrier: string | undefined
  /** The slot map that the carrier has to have. */
  readonly slotMap: readonly SlotState[] | undefined
  readonly contents: CarrierCommand['contents']
  /** Names of attributes that go with the ID and with the slot map, where the mapping says it. */
  readonly attributes: {
    readonly accept_id?: readonly string[]
    readonly accept_slot_map?: readonly string[]
  }
  readonly job: string
  readonly controlJob: string
  readonly jobsFirst: boolean
  /** The jobs may be there already. */
  readonly resumes: boolean
  /** The message that creates the process job; undefined for the usual one of the equipment. */
  readonly message: NewProcessJob['message']
  readonly specifier: string | undefined
  readonly release: 'auto' | 'never'
  /** Milliseconds in which the port may become ready by itself once the carrier is complete. */
  readonly releaseAfter: number
}

/** What the equipment says now. Null: it does not give that; undefined: there is none. */
export interface LotView {
  readonly port: LoadPort | null
  /** At the port, or bound to it. */
  readonly carrier: Carrier | undefined
  /** The state of the process job. */
  readonly job: string | null | undefined
  readonly controlJob: string | null | undefined
  /** False where the equipment does not give its carriers: then it gives no other objects, and events tell them. */
  readonly givesObjects: boolean
}

/** What a run sends. */
const ACTS = [
  'accept_id',
  'accept_slot_map',
  'create_job',
  'create_control_job',
  'start_control_job',
  'start_job',
  'release',
] as const
export type Act = (typeof ACTS)[number]

/** What a run has done and seen so far. */
export interface LotRecord {
  /** Accepted by the equipment, or sent without a reply: nothing is sent twice. */
  readonly done: ReadonlySet<Act>
  /** The job was there at one time. */
  readonly seenJob: boolean
  readonly seenControlJob: boolean
  /** When the carrier was first seen complete or stopped, on the clock's `now`. */
  readonly carrierDoneAt: number | undefined
}

const ENDS: readonly unknown[] = ['PROCESS_COMPLETE', 'STOPPED', 'ABORTED']

export const isEnd = (job: LotView['job']): boolean => ENDS.includes(job)

export const isCarrierDone = ({ carrier }: LotView): boolean =>
  carrier?.accessing_status === 'CARRIER_COMPLETE' || carrier?.accessing_status === 'CARRIER_STOPPED'

/** The process job is over, and so is its control job: ended, or gone after it was there. */
export function areJobsOver(view: LotView, { done, seenJob, seenControlJob }: LotRecord): boolean {
  const { job, controlJob } = view
  const isControlOver = controlJob === 'COMPLETED' || (controlJob === undefined && seenControlJob)
  // Equipment that does not give the state of process jobs gives that of control jobs.
  if (job === null) return isControlOver
  const isGone = job === undefined && (seenJob || (done.has('create_job') && isCarrierDone(view)))
  if (!isEnd(job) && !isGone) return false
  return (
    isControlOver ||
    controlJob === null ||
    (controlJob === undefined && (isGone || done.has('create_control_job')))
  )
}
