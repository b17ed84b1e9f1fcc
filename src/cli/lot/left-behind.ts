import type { Carrier } from '../../contract/topics/gem300/carriers.js'
import { shellWord } from '../../kit/shell-word.js'
import { type Act, isCarrierDone, isEnd, type LotPlan, type LotRecord, type LotView } from './lot-plan.js'

/** Something that is at the equipment when a run has ended early. */
export interface LeftBehind {
  readonly what: string
  readonly state: string
  /** Removes it; undefined where nothing does now, and for what is somebody else's. */
  readonly command?: string
  /** Somebody else has put it there, or made it: why that is known, as a clause. */
  readonly ofOthers?: string
}

/** What a run has done until its end. */
export interface Made extends Pick<LotRecord, 'done'> {
  /** It has sent something for the lot, also what was refused. */
  readonly hasSent: boolean
  /** What the equipment has refused. */
  readonly refused: Act | undefined
  /** A job of somebody else has the carrier. */
  readonly isTaken?: boolean
}

/** What is there, in the order in which it is removed: jobs before their carrier. */
export function leftBehind(plan: LotPlan, view: LotView, made: Made): readonly LeftBehind[] {
  const left = [...jobsLeft(plan, view, made), ...carrierLeft(plan, view, made)]
  if (!isOvertaken(view, made)) return left
  return left.map(({ what, state, ofOthers = OVERTAKEN }) => ({ what, state, ofOthers }))
}

/** Why it is somebody else's, where somebody else drives the lot. */
export const OVERTAKEN = 'another run, or somebody else, drives this lot'

/** What this run was refused is done all the same: somebody else has done it meanwhile. */
function isOvertaken({ job, controlJob, carrier }: LotView, { refused, isTaken, done }: Made): boolean {
  if (isTaken) return typeof job === 'string' && !done.has('create_job')
  switch (refused) {
    case 'accept_id':
      return carrier?.id_status === 'ID_VERIFICATION_OK'
    case 'accept_slot_map':
      return carrier?.slot_map_status === 'SLOT_MAP_VERIFICATION_OK'
    case 'create_job':
      return typeof job === 'string'
    case 'create_control_job':
      return typeof controlJob === 'string'
    case 'start_job':
      return hasStarted(job)
    case 'start_control_job':
      return hasStarted(controlJob)
    default:
      return false
  }
}

const NOT_STARTED: readonly unknown[] = [
  'QUEUED_POOLED',
  'SETTING_UP',
  'WAITING_FOR_START',
  'QUEUED',
  'SELECTED',
]

const hasStarted = (state: string | null | undefined): boolean =>
  typeof state === 'string' && !NOT_STARTED.includes(state)

const NOT_MADE = 'this run has not created it'

function jobsLeft(plan: LotPlan, view: LotView, { done }: Made): readonly LeftBehind[] {
  const isOwn = plan.resumes || done.has('create_job') || done.has('create_control_job')
  const left = openJobs(plan, view)
  return isOwn ? left : left.map(({ what, state }) => ({ what, state, ofOthers: NOT_MADE }))
}

function openJobs(
  { equipment, job: id, controlJob: controlId }: LotPlan,
  { job, controlJob }: LotView,
): readonly LeftBehind[] {
  const of = (words: string, one: string) => `secsctl ${words} ${shellWord(equipment)} ${shellWord(one)}`
  const hasControl = typeof controlJob === 'string' && controlJob !== 'COMPLETED'
  const isOpen = typeof job === 'string' && !isEnd(job)
  const control: readonly LeftBehind[] = hasControl
    ? [
        {
          what: `control job ${controlId}${isOpen ? ` with process job ${id}` : ''}`,
          state: controlJob,
          command: `${of(`control-jobs ${controlJob === 'QUEUED' ? 'cancel' : 'stop'}`, controlId)} --jobs remove --yes`,
        },
      ]
    : []
  if (!isOpen || hasControl) return control
  const verb = job === 'QUEUED_POOLED' ? 'cancel' : 'stop'
  return [{ what: `process job ${id}`, state: job, command: `${of(`jobs ${verb}`, id)} --yes` }]
}

const ACCEPTED = 'somebody else has accepted it meanwhile'

/** Why a carrier is none of the run; undefined for one that was meant, or that it has led. */
function othersCarrier(
  plan: LotPlan,
  { carrier_id: id, id_status, slot_map_status }: Carrier,
  { hasSent, refused, isTaken }: Made,
): string | undefined {
  if (isTaken) return 'a job of somebody else has it'
  // What was refused is so all the same.
  if (refused === 'accept_id' && id_status === 'ID_VERIFICATION_OK') return ACCEPTED
  if (refused === 'accept_slot_map' && slot_map_status === 'SLOT_MAP_VERIFICATION_OK') return ACCEPTED
  if (plan.carrier !== undefined)
    return plan.carrier === id ? undefined : `${plan.carrier} was meant, and nothing was sent for this one`
  return plan.resumes || hasSent ? undefined : 'this run has sent nothing for it'
}

function carrierLeft(plan: LotPlan, view: LotView, made: Made): readonly LeftBehind[] {
  const { equipment, port: number } = plan
  const { port, carrier } = view
  const transfer = port?.transfer ?? null
  if (transfer === 'READY_TO_UNLOAD' || transfer === 'READY_TO_LOAD') return []
  const at = `secsctl carriers VERB ${shellWord(equipment)}`
  if (!carrier) {
    if (transfer !== 'TRANSFER_BLOCKED') return []
    const command = `${at.replace('VERB', 'cancel')} --port ${number} --yes`
    return [{ what: `a carrier at port ${number} whose ID is not known`, state: transfer, command }]
  }
  const { carrier_id: id, accessing_status, id_status, slot_map_status } = carrier
  const what = `carrier ${id} at port ${number}`
  const waits = id_status === 'WAITING_FOR_HOST' ? `ID ${id_status}` : `slot map ${slot_map_status}`
  const ofOthers = othersCarrier(plan, carrier, made)
  if (ofOthers !== undefined)
    return [{ what, state: isCarrierDone(view) ? String(accessing_status) : waits, ofOthers }]
  const named = (verb: string) => `${at.replace('VERB', verb)} ${shellWord(id)} --port ${number}`
  if (isCarrierDone(view)) return [{ what, state: String(accessing_status), command: named('release') }]
  if (accessing_status === 'IN_ACCESS') return [{ what, state: accessing_status }]
  return [{ what, state: waits, command: `${named('cancel')} --yes` }]
}
