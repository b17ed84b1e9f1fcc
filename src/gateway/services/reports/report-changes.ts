import { type ErrorCode, Problem } from '../../../contract/errors.js'
import type { ReportStep } from '../../../contract/topics/reports.js'
import { encodeBody } from '../../../secs2/encode.js'
import type { Item } from '../../../secs2/item.js'
import type { Acknowledged, Asking, SendOptions } from '../asking.js'
import { isUnknownMessage } from '../unknown-message.js'
import { ofOthers, type PlannedStep, planOf } from './report-plan.js'
import { NO_REPORTS, type ReportSetup } from './report-setup.js'

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
  /** Why there was no usable reply; undefined where the equipment refused the step. */
  readonly problem?: Problem
  /** Whether a step before it was accepted, or this one may have been. */
  readonly changed: boolean
}

/** A step that has not been sent. */
export const unsent = ({ message, purpose, count }: PlannedStep): ReportStep => ({
  message,
  purpose,
  count,
  accepted: null,
  code: null,
  text: null,
  message_id: null,
  reply_id: null,
})

/** The result of a change. */
export interface ReportsChanged {
  readonly steps: readonly ReportStep[]
  readonly failed?: FailedStep
  /** After a failure: whether the equipment has again what it had; null where nothing changed, or where it is not known what it had. */
  readonly rolledBack: boolean | null
  /** What state a failure left the equipment in; null without a failure. */
  readonly detail: string | null
}

/** What was applied before a change. */
export interface Applied {
  readonly setup: ReportSetup | undefined
  /** Why the equipment does not have it; undefined as long as nothing shows that. */
  readonly lacks?: string | undefined
}

const unchangedText = (name: string, lacks: string | undefined): string =>
  lacks === undefined
    ? `${name} has what it had before.`
    : `${name} has what it had before, and that is not what the gateway had applied: ${lacks}`

/** Errors after which the equipment cannot be reached, so that going back is not possible. */
const GONE: readonly ErrorCode[] = [
  'connection_lost',
  'equipment_not_connected',
  'equipment_not_communicating',
  'equipment_not_found',
  'equipment_unowned',
  'store_unavailable',
]

/** Changes the reports of equipment by S2F33, S2F35 and S2F37, and reverts the change if it fails. */
export class ReportChanges {
  /** Rises with every plan. */
  #dataId = 0

  constructor(private readonly asking: Asking) {}

  /**
   * `applied`: the setup that the equipment has. Throws `invalid_message` for an identifier that does not fit, before
   * the first step is sent.
   */
  plan(equipmentId: string, wanted: ReportSetup, applied: ReportSetup | undefined): readonly PlannedStep[] {
    const bodyOf = ({ message, data }: PlannedStep): Item | undefined => {
      try {
        return this.asking.bodyOf(equipmentId, message, { ...data })
      } catch (error) {
        throw error instanceof Problem && error.code === 'invalid_message' ? inDefinition(error) : error
      }
    }
    this.#dataId += 1
    const dataId = this.#dataId
    const plan = planOf(wanted, applied, { dataId, sizeOf: (step) => encodeBody(bodyOf(step)).length })
    for (const step of plan) bodyOf(step)
    return plan
  }

  /** Sends a plan, and does not revert it on failure. */
  carryOut(equipmentId: string, plan: readonly PlannedStep[], options: SendOptions): Promise<SentPlan> {
    return carryOut(plan, this.asking, equipmentId, options)
  }

  /** Changes the equipment by `plan` from what was applied (if anything) to `wanted`; after a failure, back. */
  async change(
    equipmentId: string,
    plan: readonly PlannedStep[],
    wanted: ReportSetup,
    { setup: applied, lacks }: Applied,
    options: SendOptions,
  ): Promise<ReportsChanged> {
    const { steps, failed } = await this.carryOut(equipmentId, plan, options)
    if (!failed) return { steps, rolledBack: null, detail: null }
    const name = this.asking.nameOf(equipmentId)
    const withDetail = (rest: string): string => `${failed.detail.replace(/\.$/, '')}. ${rest}`
    const left = { steps, failed }
    if (!failed.changed) return { ...left, rolledBack: null, detail: withDetail(unchangedText(name, lacks)) }
    if (!applied && wanted.others === 'delete') {
      return { ...left, rolledBack: null, detail: withDetail(lostText(name, steps, failed)) }
    }
    if (failed.problem && GONE.includes(failed.problem.code)) {
      const next = applied ? 'When it communicates again, the gateway applies what it applied last.' : ''
      return { ...left, rolledBack: false, detail: withDetail(`${name} has a part of it. ${next}`.trim()) }
    }
    const before = applied ?? NO_REPORTS
    const back = { ...before, others: wanted.others }
    const present = presentAfter(wanted, before, steps, failed)
    const returned = await carryOut(
      this.plan(equipmentId, back, present),
      this.asking,
      equipmentId,
      options,
      true,
    )
    const released = releasedText(present, before)
    return returned.failed
      ? {
          ...left,
          rolledBack: false,
          detail: withDetail(
            `Going back failed as well: ${returned.failed.detail.replace(/\.$/, '')}.${released}`,
          ),
        }
      : {
          ...left,
          rolledBack: true,
          detail: withDetail(
            applied
              ? `${name} has again what the gateway had applied before.${released}`
              : `${name} has none of these reports any more.${released}`,
          ),
        }
  }
}

/** Points a problem with a message's data to the definition that the caller gave. */
function inDefinition({ code, message, extra }: Problem): Problem {
  const errors = (extra.errors ?? []).map(({ pointer, detail }) => {
    const [, at, rest] = /^\/REPORTS\/([0-9]{1,9})(?![0-9])(.*)$/.exec(pointer) ?? []
    const inReport = rest?.replace('/RPTID', '/id').replace('/VID', '/variables')
    return { pointer: at === undefined ? '/events' : `/reports/${at}${inReport}`, detail }
  })
  return new Problem(code, message, { ...extra, errors })
}

/** The part of our setup that the equipment has, or may have, after a plan failed. */
function presentAfter(
  wanted: ReportSetup,
  applied: ReportSetup,
  steps: readonly ReportStep[],
  failed: FailedStep,
): ReportSetup {
  const isDone = (purpose: ReportStep['purpose']): boolean =>
    steps.some((step) => step.purpose === purpose && step.accepted === true) ||
    (failed.purpose === purpose && failed.problem !== undefined)
  const releases = steps.filter(
    ({ purpose, accepted, text }) => purpose === 'disable' && (accepted !== null || text !== null),
  )
  // Where others are kept, those of the gateway are released first.
  const isReleased = wanted.others === 'delete' || releases.length > Math.min(1, applied.events.length)
  return {
    ...wanted,
    reports: [...(isDone('delete') ? [] : applied.reports), ...(isDone('define') ? wanted.reports : [])],
    events: [...applied.events, ...(isReleased ? ofOthers(wanted, applied) : [])],
  }
}

/** What cannot be restored: events that others had set up. */
function releasedText(present: ReportSetup, before: ReportSetup): string {
  const events = present.others === 'keep' ? ofOthers(present, before).map(({ id }) => id) : []
  if (events.length === 0) return ''
  return ` Events that others may have set up are disabled and have no reports: ${events.join(', ')}. What they had is not known.`
}

/** The text about an equipment's own reports, which the gateway cannot restore. */
function lostText(name: string, steps: readonly ReportStep[], { purpose, problem }: FailedStep): string {
  const deleted = steps.some((step) => step.purpose === 'delete' && step.accepted === true)
  if (deleted) {
    return `What ${name} had before is gone, and not known: the gateway had applied nothing, and GEM cannot read definitions back.`
  }
  const perhaps = problem && purpose === 'delete'
  return `The events of ${name} are disabled; its reports ${perhaps ? 'may be gone' : 'are as they were'}. The gateway had applied nothing that it could go back to.`
}

/**
 * Sends the steps of a plan in order, until one is not accepted; steps that are only precautions may fail. With `goesOn`
 * the steps after a refusal are sent as well: what can be given back is given back.
 */
async function carryOut(
  plan: readonly PlannedStep[],
  asking: Asking,
  equipmentId: string,
  options: SendOptions,
  goesOn = false,
): Promise<SentPlan> {
  const done: ReportStep[] = []
  let changed = false
  let refused: FailedStep | undefined
  for (const [at, step] of plan.entries()) {
    const rest = (): ReportStep[] => plan.slice(at + 1).map(unsent)
    let said: Acknowledged
    try {
      const item = asking.bodyOf(equipmentId, step.message, { ...step.data })
      said = await asking.acknowledgeBody(equipmentId, step.message, item, options)
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
      refused ??= { purpose: step.purpose, detail, changed }
      if (!goesOn) return { steps: [...done, ...rest()], failed: refused }
    }
    if (accepted && step.purpose !== 'inquire') changed = true
  }
  return refused ? { steps: done, failed: refused } : { steps: done }
}

/**
 * Some equipment refuses to disable an event that has no report yet. Such a refusal can be ignored: an event that the
 * equipment does not have is refused when it is linked or enabled.
 */
const isPrecaution = ({ purpose, count }: PlannedStep): boolean => purpose === 'disable' && count > 0

/** False where the problem means that nothing was done, or that nothing was sent. */
const mayHaveActed = ({ code, extra }: Problem): boolean =>
  extra.message_id !== undefined && code !== 'transaction_aborted' && code !== 'message_rejected'
