import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { reasonsOf } from '../gem300/object-result.js'
import type { ActResult } from './acts.js'
import { isEnd, type LotPlan, type LotView } from './lot-plan.js'
import type { LotRun } from './lot-run.js'
import type { LotSteps } from './lot-steps.js'

const ANSWERS = ['leave', 'stop', 'abort'] as const

/** Asks what becomes of the jobs, and does it. Where nobody can be asked they stay. True where they end now. */
export async function interrupted(
  on: EquipmentCommand,
  equipment: Equipment,
  plan: LotPlan,
  steps: LotSteps,
  lot: LotRun,
): Promise<boolean> {
  const view = await lot.lookAtAll()
  if (!view || !hasJobs(view) || !on.prompts.allowed) return false
  const question = `Jobs of ${equipment.name}: leave, stop (what is in process is finished) or abort?`
  for (;;) {
    // A second Ctrl-C leaves them, too.
    const typed = (await on.prompts.text(question, '', 'leave').catch(() => 'leave')).trim().toLowerCase()
    const answer = ANSWERS.find((one) => one === typed)
    if (answer === 'leave') return false
    if (answer) return end(on, equipment, plan, steps, view, answer)
  }
}

const isOpen = (controlJob: LotView['controlJob']): boolean =>
  typeof controlJob === 'string' && controlJob !== 'COMPLETED'

const hasJobs = ({ job, controlJob }: LotView): boolean =>
  isOpen(controlJob) || (typeof job === 'string' && !isEnd(job))

async function end(
  on: EquipmentCommand,
  { id }: Equipment,
  { job, controlJob }: LotPlan,
  steps: LotSteps,
  view: LotView,
  command: 'stop' | 'abort',
): Promise<boolean> {
  const done = (message: string, result: ActResult): boolean => {
    const { accepted, message_id, reply_id } = result
    const text = accepted
      ? `${command} is accepted`
      : `${command} is refused: ${reasonsOf(result).join('; ')}`
    steps.done(command, text, { message, message_id, reply_id })
    return accepted
  }
  if (isOpen(view.controlJob)) {
    const given = { params: { job: controlJob }, body: { command, jobs: 'remove' as const } }
    return done('S16F27', await on.ask(endpoints.commandControlJob, id, {}, given))
  }
  const given = {
    params: { job },
    body: { command: view.job === 'QUEUED_POOLED' ? ('cancel' as const) : command },
  }
  return done('S16F5', await on.ask(endpoints.commandProcessJob, id, {}, given))
}
