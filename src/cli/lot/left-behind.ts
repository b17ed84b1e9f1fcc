import { shellWord } from '../../kit/shell-word.js'
import { isCarrierDone, isEnd, type LotPlan, type LotView } from './lot-plan.js'

/** Something that a run which ended early has left at the equipment. */
export interface LeftBehind {
  readonly what: string
  readonly state: string
  /** Removes it; undefined where nothing does now. */
  readonly command?: string
}

/** What is left of a lot, in the order in which it is removed: jobs before their carrier. */
export function leftBehind(plan: LotPlan, view: LotView): readonly LeftBehind[] {
  return [...jobsLeft(plan, view), ...carrierLeft(plan, view)]
}

export function jobsLeft(
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

function carrierLeft({ equipment, port: number }: LotPlan, view: LotView): readonly LeftBehind[] {
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
  const named = (verb: string) => `${at.replace('VERB', verb)} ${shellWord(id)} --port ${number}`
  if (isCarrierDone(view)) return [{ what, state: String(accessing_status), command: named('release') }]
  if (accessing_status === 'IN_ACCESS') return [{ what, state: accessing_status }]
  const waits = id_status === 'WAITING_FOR_HOST' ? `ID ${id_status}` : `slot map ${slot_map_status}`
  return [{ what, state: waits, command: `${named('cancel')} --yes` }]
}
