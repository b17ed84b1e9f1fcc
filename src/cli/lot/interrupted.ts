import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { reasonsOf } from '../gem300/object-result.js'
import type { ActResult } from './acts.js'
import { isEnd, type LotPlan, type LotView } from './lot-plan.js'
import type { LotRun } from './lot-run.js'
import type { LotSteps } from './lot-steps.js'

const ANSWERS = ['leave', 'stop', 'abort'] as const

/** Asks what becomes of the jobs, and does it. Where nobody can be asked they stay. */
export async function interrupted(
  on: EquipmentCommand,
  equipment: Equipment,
  plan: LotPlan,
  steps: LotSteps,
  lot: LotRun,
): Promise<void> {
  const view = await lot.lookAtAll()
  if (!view || !hasJobs(view) || !on.prompts.allowed) return
  const question = `What becomes of the jobs of ${equipment.name}? leave: they go on; stop: substrates in process are finished; abort: at once`
  for (;;) {
    const typed = (await on.prompts.text(question, '', 'leave')).trim().toLowerCase()
    const answer = ANSWERS.find((one) => one === typed)
    if (answer === 'leave') return
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
): Promise<void> {
  const done = (message: string, result: ActResult) => {
    const { accepted, message_id, reply_id } = result
    const text = accepted
      ? `${command} is accepted`
      : `${command} is refused: ${reasonsOf(result).join('; ')}`
    steps.done(command, text, { message, message_id, reply_id })
  }
  if (isOpen(view.controlJob)) {
    const given = { params: { job: controlJob }, body: { command, jobs: 'remove' as const } }
    return done('S16F27', await on.ask(endpoints.commandControlJob, id, {}, given))
  }
  const given = {
    params: { job },
    body: { command: view.job === 'QUEUED_POOLED' ? ('cancel' as const) : command },
  }
  done('S16F5', await on.ask(endpoints.commandProcessJob, id, {}, given))
}
