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

  /** States that were another at the look before. */
  changes(before: LotView | undefined, after: LotView, plan: LotPlan): void {
    const { carrier } = after
    const id = carrier?.carrier_id ?? ''
    const was = before?.carrier?.carrier_id === id ? before.carrier : undefined
    const rows: readonly (readonly [
      step: string,
      what: string,
      from: unknown,
      to: unknown,
      message: string,
    ])[] = [
      ['port', `port ${plan.port}`, before?.port?.transfer, after.port?.transfer, 'S14F1'],
      ['carrier', `ID of ${id}`, was?.id_status, carrier?.id_status, 'S14F1'],
      ['carrier', `slot map of ${id}`, was?.slot_map_status, carrier?.slot_map_status, 'S14F1'],
      ['carrier', id, was?.accessing_status, carrier?.accessing_status, 'S14F1'],
      ['job', plan.job, before?.job, after.job, 'S14F1'],
      ['control_job', plan.controlJob, before?.controlJob, after.controlJob, 'S14F1'],
    ]
    for (const [step, what, from, to, message] of rows) {
      if (from === to || (to === null && from === undefined)) continue
      if (to === undefined || to === null) {
        if (from !== undefined && from !== null && step !== 'carrier')
          this.done(step, `${what} is gone`, { message })
        continue
      }
      this.done(step, `${what} is ${to}`, { message })
    }
    if (before?.carrier && !carrier)
      this.done('carrier', `${before.carrier.carrier_id} is gone`, { message: 'S14F1' })
  }
}
