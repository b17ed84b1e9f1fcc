import { Problem } from '../../../contract/errors.js'
import type { ReportStep } from '../../../contract/reports.js'
import type { Acknowledged, Asking, AskOptions } from '../asking.js'
import { isUnknownMessage } from '../unknown-message.js'
import type { PlannedStep } from './report-plan.js'

/** How far a plan came. */
export interface CarriedOut {
  /** All of the plan, those that were not sent as well. */
  readonly steps: readonly ReportStep[]
  /** Undefined when every step was accepted. */
  readonly failed?: FailedStep
}

export interface FailedStep {
  readonly purpose: ReportStep['purpose']
  /** Such as `S2F35: LRACK 4, no such event`. */
  readonly told: string
  /** Why there was no answer to judge by; undefined for a refusal. */
  readonly problem?: Problem
  /** Whether a step before it was accepted, or this one may have been. */
  readonly changed: boolean
}

/** What a step is before it is sent. */
export const unsent = ({ message, purpose, count }: PlannedStep): ReportStep => ({
  ...{ message, purpose, count },
  ...{ accepted: null, code: null, text: null, message_id: null, reply_id: null },
})

/** Sends the steps of a plan one after the other until one that counts is not accepted. */
export async function carryOut(
  plan: readonly PlannedStep[],
  asking: Asking,
  equipmentId: string,
  options: AskOptions,
): Promise<CarriedOut> {
  const done: ReportStep[] = []
  let changed = false
  for (const [at, step] of plan.entries()) {
    const rest = (): ReportStep[] => plan.slice(at + 1).map(unsent)
    let said: Acknowledged
    try {
      said = await send(step, asking, equipmentId, options)
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      const { message_id = null, reply_id = null } = problem.extra
      done.push({ ...unsent(step), text: problem.message, message_id, reply_id })
      if (step.purpose === 'inquire' && isUnknownMessage(problem)) continue
      const failed = { purpose: step.purpose, told: problem.message, problem }
      return { steps: [...done, ...rest()], failed: { ...failed, changed: changed || mayHaveActed(problem) } }
    }
    const { accepted, code, text, message_id, reply_id, item } = said
    done.push({ ...unsent(step), accepted, code, text, message_id, reply_id })
    if (!accepted && !isPrecaution(step)) {
      const told = `${step.message} was refused: ${item} ${code}, ${text}`
      return { steps: [...done, ...rest()], failed: { purpose: step.purpose, told, changed } }
    }
    if (accepted && step.purpose !== 'inquire') changed = true
  }
  return { steps: done }
}

/**
 * Some equipment refuses to switch an event that has no report yet. Why it matters, linking and enabling will tell:
 * an event that it does not have is refused there.
 */
const isPrecaution = ({ purpose, count }: PlannedStep): boolean => purpose === 'disable' && count > 0

/** False where the problem says that nothing was done, or that nothing left. */
const mayHaveActed = ({ code, extra }: Problem): boolean =>
  extra.message_id !== undefined && code !== 'transaction_aborted' && code !== 'message_rejected'

function send(
  step: PlannedStep,
  asking: Asking,
  equipmentId: string,
  options: AskOptions,
): Promise<Acknowledged> {
  switch (step.message) {
    case 'S2F33':
      return asking.acknowledge(equipmentId, step.message, step.data, options)
    case 'S2F35':
      return asking.acknowledge(equipmentId, step.message, step.data, options)
    case 'S2F37':
      return asking.acknowledge(equipmentId, step.message, step.data, options)
    case 'S2F39':
      return asking.acknowledge(equipmentId, step.message, step.data, options)
  }
}
