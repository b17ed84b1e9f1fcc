import { randomUUID } from 'node:crypto'
import { isPassing } from '../../client/persistent.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { ErrorKind, Problem } from '../../contract/errors.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { reasonsOf } from '../gem300/object-result.js'
import { ACT_ROWS, type ActResult } from './acts.js'
import type { Doorbell } from './doorbell.js'
import { jobAlert } from './job-alert.js'
import { type LeftBehind, leftBehind } from './left-behind.js'
import { isNotKnown } from './look.js'
import { type Act, isCarrierDone, type LotPlan, type LotRecord, type LotView } from './lot-plan.js'
import type { LotStates } from './lot-states.js'
import type { LotSteps } from './lot-steps.js'
import { type NextStep, nextStep } from './next-step.js'

export interface LotLimits {
  /** Milliseconds between two looks where nothing rings. */
  readonly interval: number
  /** Milliseconds that one step may take. */
  readonly step: number
  /** And what takes as long as the lot: until the carrier comes, and until the jobs are over. */
  readonly long: number
}

/** How a run ended. */
export interface LotEnd {
  readonly text: string
  /** Undefined for a lot that is complete. */
  readonly failure?: ErrorKind | 'interrupted'
  readonly hint?: string
}

/** Nothing was sent, or nothing is known of it yet: the same may be sent again with the same key. */
const REPEATED: readonly unknown[] = [
  'equipment_not_connected',
  'equipment_not_communicating',
  'equipment_busy',
  'idempotency_in_progress',
]
/** It was sent, and whether it took effect only the states tell. */
const UNKNOWN: readonly unknown[] = ['reply_timeout', 'connection_lost', 'outcome_unknown']

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code

/** Such as a reply that cannot be read: with a message of stream 9 the equipment has not acted. */
function isUnknown(error: unknown): boolean {
  const { code, extra } = error as Partial<Problem>
  return UNKNOWN.includes(code) || (code === 'equipment_error' && extra?.s9 === undefined)
}

/** Some equipment has only the other message that creates a process job. */
function rejected(act: Act, { message: text }: Error, { message = 'S16F15' }: LotPlan): LotEnd {
  const other = message === 'S16F15' ? 'S16F11' : 'S16F15'
  const hint = `equipment that has ${other} instead takes --with ${other}, or \`job_creation: ${other}\` in the settings of its mapping`
  return { failure: 'equipment', text, ...(act === 'create_job' && { hint }) }
}

/**
 * Leads a lot from its carrier on a port until the carrier may be taken.
 *
 * The loop is here, and not in the gateway: what it knows can be read from the equipment again, so a run that was lost is
 * begun again with --resume and goes on where the lot is; a gateway would need to store runs, show and end them, and move
 * them to another daemon for the same. While the network or the gateway is away the equipment goes on by itself, and
 * waits for the host at most with its carrier. Questions are repeated until the limit of the step, and so is what is
 * sent, with a key by which the gateway sends it once.
 */
export class LotRun {
  readonly #done = new Set<Act>()
  readonly #key = randomUUID()
  #seenJob = false
  #seenControlJob = false
  #carrierDoneAt: number | undefined
  #waiting: { readonly name: string; readonly since: number } | undefined
  #isAway = false
  /** What was due could not be sent: it is due again after the interval. */
  #isPutOff = false
  #hasSent = false
  #refused: Act | undefined
  #isTaken = false
  /** The message that created the process job; undefined where this run has not. */
  #createdBy: string | undefined
  view: LotView | undefined

  constructor(
    private readonly on: EquipmentCommand,
    private readonly equipment: Equipment,
    private readonly plan: LotPlan,
    private readonly limits: LotLimits,
    private readonly states: LotStates,
    private readonly steps: LotSteps,
  ) {}

  /** What is at the equipment now, with the commands that remove what is of this run; undefined where that cannot be asked. */
  async left(): Promise<{ readonly view: LotView; readonly left: readonly LeftBehind[] } | undefined> {
    const view = await this.lookAtAll()
    const [done, hasSent, refused, isTaken] = [this.#done, this.#hasSent, this.#refused, this.#isTaken]
    return view && { view, left: leftBehind(this.plan, view, { done, hasSent, refused, isTaken }) }
  }

  get record(): LotRecord {
    return {
      done: this.#done,
      seenJob: this.#seenJob,
      seenControlJob: this.#seenControlJob,
      carrierDoneAt: this.#carrierDoneAt,
    }
  }

  /** To the end, or until `signal` aborts. */
  async run(doorbell: Doorbell, signal: AbortSignal): Promise<LotEnd> {
    await doorbell.open()
    await this.#look()
    const found = this.#foundJobs()
    if (found) return found
    for (;;) {
      if (signal.aborted) return { text: 'interrupted', failure: 'interrupted' }
      const { view } = this
      if (!view) throw new Error('nothing was looked at')
      const step = nextStep(this.plan, view, this.record, this.on.clock.now())
      if (step.kind === 'end') return this.#withReason(step)
      const ended = step.kind === 'act' ? await this.#act(step.act, view) : this.#overdue(step)
      if (ended) return step.kind === 'act' ? ended : this.#withReason(ended)
      if (step.kind === 'wait' || this.#isPutOff) await doorbell.wait(this.#pause(step), signal)
      this.#isPutOff = false
      if (!signal.aborted) await this.#look()
    }
  }

  /** Everything as it is now; undefined where that cannot be asked. */
  async lookAtAll(): Promise<LotView | undefined> {
    return this.states.whole(this.record).catch(() => undefined)
  }

  /** A failure with what the equipment says is wrong with the job. */
  async #withReason(end: LotEnd): Promise<LotEnd> {
    if (end.failure !== 'equipment' && end.failure !== 'timeout') return end
    const { on, equipment, plan } = this
    const reason = this.states.jobError ?? (await jobAlert(on, equipment, plan.job, this.#createdBy))
    return reason === undefined ? end : { ...end, text: `${end.text}; ${plan.job}: ${reason}` }
  }

  /** Jobs with these IDs that are there before this run has created any. */
  #foundJobs(): LotEnd | undefined {
    const { plan, view } = this
    const job = typeof view?.job === 'string' ? plan.job : undefined
    const control = typeof view?.controlJob === 'string' ? plan.controlJob : undefined
    const there = job ?? control
    if (plan.resumes && there === undefined)
      this.steps.note('resume', `there is no ${plan.job} yet: it is created`)
    if (plan.resumes || there === undefined) return undefined
    return {
      failure: 'state',
      text: `${plan.equipment} has ${there} already: choose another ID, or go on with it by --resume`,
    }
  }

  /** Milliseconds until the next look. */
  #pause(step: NextStep): number {
    const { interval } = this.limits
    const until = step.kind === 'wait' ? step.until : undefined
    return until === undefined ? interval : Math.max(1, Math.min(interval, until - this.on.clock.now()))
  }

  #overdue({ name, text, state, isLong, hint }: Extract<NextStep, { kind: 'wait' }>): LotEnd | undefined {
    const now = this.on.clock.now()
    if (this.#waiting?.name !== name) {
      this.#waiting = { name, since: now }
      this.steps.waiting(text)
    }
    const limit = isLong ? this.limits.long : this.limits.step
    if (now - this.#waiting.since < limit) return undefined
    const flag = isLong ? '--timeout' : '--step-timeout'
    return {
      failure: 'timeout',
      text: `it took longer than ${limit / 1000} s (${flag}) until ${text}${state === undefined ? '' : `: ${state}`}`,
      ...(hint !== undefined && { hint }),
    }
  }

  /** Sends what is due; an end where the equipment refuses. */
  async #act(act: Act, view: LotView): Promise<LotEnd | undefined> {
    const { on, equipment, plan } = this
    const { text, message, send } = ACT_ROWS[act]
    let result: ActResult
    try {
      result = await send(on, equipment, plan, view, `${this.#key}-${act}`)
    } catch (error) {
      return this.#actFailed(act, error)
    }
    this.#hasSent = true
    const { message_id, reply_id } = result
    const carried = {
      message: act === 'create_job' ? await this.#nameOf(message_id) : message,
      message_id,
      reply_id,
    }
    if (result.accepted) {
      if (act === 'create_job') this.#createdBy = message_id
      this.#done.add(act)
      this.steps.done(act, text(plan, view), carried)
      return undefined
    }
    // Equipment that became ready by itself in the meantime refuses the release.
    if (act === 'release') {
      await this.#look()
      if (this.view?.port?.transfer === 'READY_TO_UNLOAD') return undefined
    }
    this.#refused = act
    const reasons = reasonsOf(result).join('; ')
    this.steps.done(`${act}_refused`, reasons, carried)
    return { failure: 'equipment', text: `${plan.equipment} refused ${carried.message}: ${reasons}` }
  }

  async #actFailed(act: Act, error: unknown): Promise<LotEnd | undefined> {
    const code = codeOf(error)
    const { message } = ACT_ROWS[act]
    if (isUnknown(error)) {
      this.#hasSent = true
      this.#done.add(act)
      this.steps.note(
        act,
        `${message} was sent, and whether it took effect is not known: ${(error as Error).message}`,
      )
      return undefined
    }
    // The same key would give the same result again.
    if (isNotKnown(error)) return rejected(act, error as Error, this.plan)
    if (code === 'carrier_in_job') {
      this.#isTaken = true
      return { failure: 'state', text: (error as Error).message }
    }
    if (!isPassing(error) && !REPEATED.includes(code)) throw error
    this.#away(error as Error)
    this.#isPutOff = true
    const ended = this.#overdue({ kind: 'wait', name: act, text: `${message} can be sent` })
    if (ended) return { ...ended, text: `${ended.text}: ${(error as Error).message}` }
    return undefined
  }

  /** The message that created the job: equipment has one or another. */
  async #nameOf(message_id: string): Promise<string> {
    const { stream, function: fn } = await this.on.call(endpoints.getMessage, { params: { id: message_id } })
    return `S${stream}F${fn}`
  }

  /** Asks for the states; keeps those from before while the gateway or the equipment is away. */
  async #look(): Promise<void> {
    const before = this.view
    try {
      this.view = await this.states.now(this.record)
    } catch (error) {
      const isAway = isPassing(error) || REPEATED.includes(codeOf(error)) || UNKNOWN.includes(codeOf(error))
      if (!before || !isAway) throw error
      return this.#away(error as Error)
    }
    this.#isAway = false
    this.#seenJob ||= typeof this.view.job === 'string'
    this.#seenControlJob ||= typeof this.view.controlJob === 'string'
    if (isCarrierDone(this.view)) this.#carrierDoneAt ??= this.on.clock.now()
    this.steps.changes(before, this.view, this.plan, this.states.sources)
  }

  #away({ message }: Error): void {
    if (!this.#isAway) this.steps.note('away', `${message} The run goes on when it is back.`)
    this.#isAway = true
  }
}
