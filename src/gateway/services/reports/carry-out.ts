import { Problem } from '../../../contract/errors.js'
import type { ReportStep } from '../../../contract/topics/reports.js'
import type { Acknowledged, Asking, SendOptions } from '../asking.js'
import { isUnknownMessage } from '../unknown-message.js'
import type { PlannedStep } from './report-plan.js'

/** The result of sending a plan. */
export interface SentPlan {
  /** All steps of the plan, also those that were not sent. */
  readonly steps: readonly ReportStep[]
  /** Undefined when every step was accepted. */
  readonly failed?: FailedStep
}

export interface FailedStep {
  readonly purpose: ReportStep['purpose']
  /** Such as `S2F35 was refused: LRACK 4, no such event`. */
  readonly detail: string
  /** Why there was no usable answer; undefined where the equipment refused the step. */
  readonly problem?: Problem
  /** Whether a step before it was accepted, or this one may have been. */
  readonly changed: boolean
}

/** A step that has not been sent. */
export const unsent = ({ message, purpose, count }: PlannedStep): ReportStep => ({
  ...{ message, purpose, count },
  ...{ accepted: null, code: null, text: null, message_id: null, reply_id: null },
})

/** Sends the steps of a plan in order, until one is not accepted; steps that are only precautions may fail. */
export async function carryOut(
  plan: readonly PlannedStep[],
  asking: Asking,
  equipmentId: string,
  options: SendOptions,
): Promise<SentPlan> {
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
      const failed = { purpose: step.purpose, detail: problem.message, problem }
      return { steps: [...done, ...rest()], failed: { ...failed, changed: changed || mayHaveActed(problem) } }
    }
    const { accepted, code, text, message_id, reply_id, item } = said
    done.push({ ...unsent(step), accepted, code, text, message_id, reply_id })
    if (!accepted && !isPrecaution(step)) {
      const detail = `${step.message} was refused: ${item} ${code}, ${text}`
      return { steps: [...done, ...rest()], failed: { purpose: step.purpose, detail, changed } }
    }
    if (accepted && step.purpose !== 'inquire') changed = true
  }
  return { steps: done }
}

/**
 * Some equipment refuses to disable an event that has no report yet. Such a refusal can be ignored: an event that the
 * equipment does not have is refused when it is linked or enabled.
 */
const isPrecaution = ({ purpose, count }: PlannedStep): boolean => purpose === 'disable' && count > 0

/** False where the problem means that nothing was done, or that nothing was sent. */
const mayHaveActed = ({ code, extra }: Problem): boolean =>
  extra.message_id !== undefined && code !== 'transaction_aborted' && code !== 'message_rejected'

function send(
  { message, data }: PlannedStep,
  asking: Asking,
  equipmentId: string,
  options: SendOptions,
): Promise<Acknowledged> {
  const item = asking.bodyOf(equipmentId, message, { ...data })
  return asking.acknowledgeBody(equipmentId, message, item, options)
}
