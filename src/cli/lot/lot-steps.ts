import type { EquipmentCommand } from '../equipment/equipment-command.js'
import type { LeftBehind } from './left-behind.js'
import type { LotPlan, LotView } from './lot-plan.js'

/** The message that carried a step. */
interface Carried {
  readonly message: string
  readonly message_id?: string
  readonly reply_id?: string
}

/** Prints the steps of a run as they happen. */
export class LotSteps {
  constructor(private readonly on: EquipmentCommand) {}

  /** Something that the run has done or checked. */
  done(step: string, text: string, carried?: Carried): void {
    const at = this.on.clock.date().toISOString()
    if (this.on.format === 'json') return this.on.printLine({ at, step, text, ...carried })
    const { message = '', message_id = '' } = carried ?? {}
    if (this.on.format === 'tsv') return this.on.print([at, step, text, message, message_id].join('\t'))
    const by = message === '' ? '' : `  (${message}${message_id === '' ? '' : `, message ${message_id}`})`
    this.on.print(`${this.on.formatTime(at)}  ${step.padEnd(18)}  ${text}${by}`)
  }

  /** Something that is good to know, and no step of the lot. */
  note(step: string, text: string): void {
    this.done(step, text)
  }

  /** Something that stays at the equipment. */
  left({ what, state, command }: LeftBehind): void {
    if (this.on.format !== 'json')
      return this.done('left', `${what} is ${state}${command === undefined ? '' : `: ${command}`}`)
    const at = this.on.clock.date().toISOString()
    this.on.printLine({
      at,
      step: 'left',
      text: `${what} is ${state}`,
      ...(command !== undefined && { command }),
    })
  }

  /** What is waited for from now on: for people alone. */
  waiting(text: string): void {
    this.on.note(`Waiting until ${text}`)
  }

  /** States that were another at the look before, in the order of a lot. The checks have told the first of the port. */
  changes(before: LotView | undefined, after: LotView, plan: LotPlan): void {
    const { carrier } = after
    const id = carrier?.carrier_id ?? ''
    const isOther = before?.carrier && before.carrier.carrier_id !== id
    if (isOther) this.#seen('carrier', `${before.carrier?.carrier_id} is gone`)
    const was = isOther ? undefined : before?.carrier
    this.#change('carrier', `ID of ${id}`, was?.id_status, carrier?.id_status)
    this.#change('carrier', `slot map of ${id}`, was?.slot_map_status, carrier?.slot_map_status)
    this.#change('job', plan.job, before?.job, after.job)
    this.#change('control_job', plan.controlJob, before?.controlJob, after.controlJob)
    this.#change('carrier', id, was?.accessing_status, carrier?.accessing_status)
    if (before) this.#change('port', `port ${plan.port}`, before.port?.transfer, after.port?.transfer)
  }

  #change(step: string, what: string, from: string | null | undefined, to: string | null | undefined): void {
    if (from === to) return
    if (typeof to === 'string') this.#seen(step, `${what} is ${to}`)
    else if (typeof from === 'string') this.#seen(step, `${what} is gone`)
  }

  #seen(step: string, text: string): void {
    this.done(step, text, { message: 'S14F1' })
  }
}
