import type { Reply } from '../../contract/endpoint.js'
import type { endpoints } from '../../contract/endpoints.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { GatewayCommand } from '../gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../input/arguments.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { ASKING_FLAGS } from '../messages/transaction-flags.js'
import { verdictOf, verdictWord } from '../messages/verdict.js'
import type { Column } from '../output/output.js'
import { callsAtOnce } from './calls-at-once.js'
import { CHANGE_FLAGS } from './equipment-targets.js'

type ControlEndpoint = typeof endpoints.goOnline | typeof endpoints.goOffline
type Answer = Reply<ControlEndpoint> & { readonly equipment: string }

/** Has equipment go online or offline. */
export abstract class ControlCommand extends GatewayCommand {
  // oclif looks for these no further up than to the first class without statics.
  static override baseFlags = GatewayCommand.baseFlags
  static override strict = false
  static override args = { equipment: SEVERAL_EQUIPMENT }
  static override flags = {
    ...ASKING_FLAGS,
    ...REASON_FLAG,
    ...CHANGE_FLAGS,
  }

  protected abstract readonly endpoint: ControlEndpoint
  protected abstract readonly item: 'ONLACK' | 'OFLACK'

  /** What to do after an acknowledge code. */
  protected advice(_code: number): string | undefined {
    return undefined
  }

  /** Prints each answer; a refusal is the exit code, and failures are printed after the answers of the others. */
  async run(): Promise<void> {
    const { argv, flags } = await this.parse(ControlCommand)
    const chosen = await this.chosen(argv.map(String), flags.all, flags.selector)
    if (!(await this.goesOn(chosen, flags, chosen.length > 1))) return
    const answers: Answer[] = []
    const failed: { readonly name: string; readonly reason: unknown }[] = []
    const ends = await callsAtOnce(chosen, async (equipment) => {
      const [end] = await Promise.allSettled([this.ask(this.endpoint, equipment, flags)])
      return { ...equipment, end }
    })
    for (const { id, name, end } of ends) {
      if (end.status === 'rejected') failed.push({ name, reason: end.reason })
      else answers.push({ ...{ equipment_id: id, equipment: name }, ...end.value })
    }
    const codeOf = (answer: Answer) => verdictOf(this.item, answer)
    const columns: readonly Column<Answer>[] = [
      { title: 'NAME', text: ({ equipment }) => equipment },
      { title: 'RESULT', text: verdictWord },
      { title: 'CONTROL', text: ({ control_state }) => control_state },
      { title: 'SAID', text: (answer) => `${this.item} ${codeOf(answer).code}, ${codeOf(answer).text}` },
    ]
    if (answers.length > 0 || failed.length === 0) await this.printList(answers, columns, 'No equipment.')
    for (const answer of answers) {
      const text = this.advice(codeOf(answer).code)
      if (text !== undefined) this.note(`${answer.equipment}: ${text}`)
    }
    if (answers.some(({ accepted }) => !accepted)) this.environment.exitCode = EXIT_CODES.equipment
    const last = failed.pop()
    for (const { reason, name } of failed)
      this.note(reason instanceof Error ? reason.message : `${name}: ${reason}`)
    if (!last) return
    this.subject.equipment = last.name
    throw last.reason
  }
}
