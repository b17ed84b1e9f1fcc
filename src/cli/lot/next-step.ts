import type { ErrorKind } from '../../contract/errors.js'
import {
  type Act,
  areJobsOver,
  isCarrierDone,
  isEnd,
  type LotPlan,
  type LotRecord,
  type LotView,
} from './lot-plan.js'
import { slotFault } from './lot-slots.js'

/** What follows from the states. */
export type NextStep = { readonly kind: 'act'; readonly act: Act } | Waiting | Ending

interface Waiting {
  readonly kind: 'wait'
  /** The same name as long as the same is waited for: the limit of time counts from its first. */
  readonly name: string
  readonly text: string
  /** What is instead. */
  readonly state?: string
  /** It takes as long as the lot, and not as one step. */
  readonly isLong?: true
  /** Looks again then, on the clock's `now`. */
  readonly until?: number
  /** What to look at when the time is over. */
  readonly hint?: string
}

interface Ending {
  readonly kind: 'end'
  readonly text: string
  /** Why it is a failure; undefined for a lot that is complete. */
  readonly failure?: ErrorKind
}

const act = (one: Act): NextStep => ({ kind: 'act', act: one })
const wait = (name: string, text: string, more: Omit<Waiting, 'kind' | 'name' | 'text'> = {}): Waiting => ({
  kind: 'wait',
  name,
  text,
  ...more,
})
const fail = (failure: ErrorKind, text: string): Ending => ({ kind: 'end', failure, text })

/**
 * The next step of a lot. States alone decide, never how many events came or in which order: equipment differs in both,
 * and a run may begin in the middle.
 */
export function nextStep(plan: LotPlan, view: LotView, record: LotRecord, now: number): NextStep {
  if (view.port?.transfer === 'OUT_OF_SERVICE') return fail('state', `port ${plan.port} is OUT_OF_SERVICE`)
  if (areJobsOver(view, record)) return unloading(plan, view, record, now)
  const create = creation(view, record)
  const id = view.carrier?.carrier_id
  // Before a job is created, too: nothing is for a carrier that nobody meant.
  if (
    plan.carrier !== undefined &&
    id !== undefined &&
    id !== plan.carrier &&
    view.port?.transfer !== 'READY_TO_LOAD'
  )
    return fail('state', `${id} is at port ${plan.port}, and not ${plan.carrier}`)
  return (
    (plan.jobsFirst ? create : undefined) ??
    arrival(plan, view, record) ??
    create ??
    processing(plan, view, record)
  )
}

/** The carrier until its slots may be used; undefined from then on. */
function arrival(plan: LotPlan, view: LotView, record: LotRecord): NextStep | undefined {
  const { port, carrier, job } = view
  const transfer = port?.transfer
  const at = `port ${plan.port}`
  if (transfer === 'READY_TO_LOAD' || (!carrier && port === null))
    return wait('arrival', `a carrier arrives at ${at}`, { isLong: true })
  if (!carrier) {
    if (transfer === 'READY_TO_UNLOAD') return fail('state', `the carrier at ${at} is ready to be taken`)
    const hint = `If the ID cannot be read, say which carrier it is: secsctl carriers proceed ${plan.equipment} CARRIER --port ${plan.port}`
    return wait('carrier_id', `the ID of the carrier at ${at} is read`, { hint })
  }
  const { carrier_id: id, id_status, slot_map_status, accessing_status } = carrier
  const hasBegun = job !== undefined && job !== 'QUEUED_POOLED'
  if (!hasBegun && (isCarrierDone(view) || transfer === 'READY_TO_UNLOAD'))
    return fail('state', `${id} at ${at} is ${accessing_status ?? transfer}: it cannot be processed any more`)
  return (
    verified(id_status, 'ID', `the ID of ${id}`, record.done.has('accept_id') ? undefined : 'accept_id') ??
    slots(plan, carrier, slot_map_status, record)
  )
}

function slots(
  plan: LotPlan,
  carrier: NonNullable<LotView['carrier']>,
  status: string | null,
  { done }: LotRecord,
): NextStep | undefined {
  const isRead = status !== 'SLOT_MAP_NOT_READ'
  const fault = isRead && !done.has('accept_slot_map') ? slotFault(plan, carrier) : undefined
  if (fault !== undefined) return fail('state', fault)
  const what = `the slot map of ${carrier.carrier_id}`
  return verified(status, 'SLOT_MAP', what, done.has('accept_slot_map') ? undefined : 'accept_slot_map')
}

/** Undefined where it is accepted, or the equipment does not say. */
function verified(
  status: string | null,
  prefix: 'ID' | 'SLOT_MAP',
  what: string,
  accept: Act | undefined,
): NextStep | undefined {
  switch (status) {
    case null:
    case `${prefix}_VERIFICATION_OK`:
      return undefined
    case `${prefix}_VERIFICATION_FAILED`:
      return fail('equipment', `${what} is ${status}`)
    case 'WAITING_FOR_HOST':
      return accept ? act(accept) : wait(`${prefix}_accepted`, `${what} is accepted`)
    default:
      return wait(`${prefix}_read`, `${what} is read`, { state: `it is ${status}` })
  }
}

function creation(
  { job, controlJob }: LotView,
  { done, seenJob, seenControlJob }: LotRecord,
): NextStep | undefined {
  if ((job ?? undefined) === undefined && !seenJob && !done.has('create_job')) return act('create_job')
  if ((controlJob ?? undefined) === undefined && !seenControlJob && !done.has('create_control_job'))
    return isEnd(job) ? undefined : act('create_control_job')
  return undefined
}

function processing(
  plan: LotPlan,
  { job, controlJob }: LotView,
  { done, seenControlJob }: LotRecord,
): NextStep {
  if (controlJob === 'WAITING_FOR_START' && !done.has('start_control_job')) return act('start_control_job')
  if (job === 'WAITING_FOR_START' && !done.has('start_job')) return act('start_job')
  const isUnled = controlJob === 'COMPLETED' || (controlJob === undefined && seenControlJob)
  if (isUnled && job === 'QUEUED_POOLED')
    return fail('equipment', `${plan.controlJob} is ${controlJob ?? 'gone'}, and ${plan.job} is still ${job}`)
  const text = (id: string, state: string | null | undefined) =>
    state === null ? [] : [`${id} is ${state ?? 'not there'}`]
  const state = [...text(plan.job, job), ...text(plan.controlJob, controlJob)].join(', ')
  return wait('processing', 'the jobs are over', { state, isLong: true })
}

/** After the jobs, until the carrier may be taken. */
function unloading(plan: LotPlan, view: LotView, { done, carrierDoneAt }: LotRecord, now: number): NextStep {
  const { port, carrier, job } = view
  const accessing = carrier?.accessing_status ?? null
  const isComplete =
    job === 'PROCESS_COMPLETE' || ((job ?? undefined) === undefined && accessing === 'CARRIER_COMPLETE')
  const ended = isEnd(job) ? `${plan.job} is ${job}` : `how ${plan.job} ended is not known`
  const over = (text: string): Ending =>
    isComplete ? { kind: 'end', text } : fail('equipment', `${ended}; ${text}`)
  const id = carrier?.carrier_id ?? 'the carrier'
  const transfer = port?.transfer ?? null
  if (transfer === 'READY_TO_UNLOAD') return over(`${id} is ready to be taken from port ${plan.port}`)
  if (!carrier && transfer !== 'TRANSFER_BLOCKED') return over(`${id} is not at port ${plan.port} any more`)
  // A job that ended before it began has left the carrier as it was.
  if (accessing === 'NOT_ACCESSED' && isEnd(job) && !isComplete) return over(`${id} was not accessed`)
  if (accessing !== null && !isCarrierDone(view))
    return wait('carrier_complete', `${id} is complete`, { state: `it is ${accessing}` })
  if (transfer === null) return over(`${id} is ${accessing ?? 'done'}`)
  const patience = (carrierDoneAt ?? now) + plan.releaseAfter
  if (now < patience)
    return wait('ready_to_unload', `port ${plan.port} becomes ready to unload`, { until: patience })
  if (plan.release === 'never') return over(`${id} waits for its release`)
  return done.has('release')
    ? wait('released', `port ${plan.port} is ready to unload after the release`, {
        state: `it is ${transfer}`,
      })
    : act('release')
}
