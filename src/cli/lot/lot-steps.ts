import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { wrapped } from '../output/terminal-text.js'
import type { LeftBehind } from './left-behind.js'
import type { LotPlan, LotView } from './lot-plan.js'
import type { Sources } from './told-states.js'

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
    this.#printLines(at, `${text}${by}`)
  }

  /** For people: the step is in the words of its text, and what has no room goes on below it. */
  #printLines(at: string, text: string, ...more: readonly string[]): void {
    const { stdout } = this.on.environment
    const time = `${this.on.formatTime(at)}  `
    const width = stdout.isTTY ? this.on.sink.width - time.length : Number.POSITIVE_INFINITY
    this.on.print(time + [...wrapped(text, width), ...more].join(`\n${' '.repeat(time.length)}`))
  }

  /** Something that is good to know, and no step of the lot. */
  note(step: string, text: string): void {
    this.done(step, text)
  }

  /** Something that stays at the equipment; the step of what is not of this run is `there`. */
  left({ what, state, command, ofOthers }: LeftBehind): void {
    if (ofOthers !== undefined) return this.done('there', `${what} is ${state}: ${ofOthers}`)
    const at = this.on.clock.date().toISOString()
    if (this.on.format === 'table')
      return this.#printLines(at, `left at the equipment: ${what}, ${state}`, ...(command ? [command] : []))
    if (this.on.format !== 'json')
      return this.done('left', `${what} is ${state}${command === undefined ? '' : `: ${command}`}`)
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
  changes(before: LotView | undefined, after: LotView, plan: LotPlan, sources: Sources): void {
    const { carrier } = after
    const id = carrier?.carrier_id ?? ''
    const isOther = before?.carrier && before.carrier.carrier_id !== id
    const was = isOther ? undefined : before?.carrier
    const { id_status, slot_map_status, accessing_status } = was ?? {}
    const change = (
      name: string,
      what: string,
      from: string | null | undefined,
      to: string | null | undefined,
    ) => {
      if (from === to) return
      const [step = ''] = name.split('.')
      const message_id = sources[name]
      const carried = message_id === undefined ? { message: 'S14F1' } : { message: 'S6F11', message_id }
      if (typeof to === 'string') this.done(step, `${what} is ${to}`, carried)
      else if (typeof from === 'string') this.done(step, `${what} is gone`, carried)
    }
    if (isOther) change('carrier.gone', before.carrier?.carrier_id ?? '', 'there', undefined)
    change('carrier.id_status', `ID of ${id}`, id_status, carrier?.id_status)
    change('carrier.slot_map_status', `slot map of ${id}`, slot_map_status, carrier?.slot_map_status)
    change('job.state', plan.job, before?.job, after.job)
    change('control_job.state', plan.controlJob, before?.controlJob, after.controlJob)
    change('carrier.accessing_status', id, accessing_status, carrier?.accessing_status)
    if (before) change('port.transfer', `port ${plan.port}`, before.port?.transfer, after.port?.transfer)
  }
}
