import { Flags } from '@oclif/core'
import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../../src/cli/equipment/equipment-targets.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { placeWord } from '../../src/cli/errors/file-places.js'
import { required } from '../../src/cli/input/arguments.js'
import { readText } from '../../src/cli/input/standard-input.js'
import { yamlIn } from '../../src/cli/input/yaml-input.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ReportsCommand } from '../../src/cli/reports/reports-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { WantedReports } from '../../src/contract/topics/reports.js'
import { argumentWord } from '../../src/kit/shell-word.js'

export default class ReportsApply extends ReportsCommand {
  static override summary = 'Apply event reports from a file (S2F33, S2F35, S2F37); exit code 8 when refused.'
  static override description =
    'The file is YAML or JSON: `reports`, each with an `id` and `variables`, and `events`, each with an `event`, its `reports` and `enabled`; names or numbers. `others: keep` leaves reports and events alone that are not named; without it they are deleted and disabled. A definition without any report and event is refused unless it has `others: keep`: that is `reports clear`. Prints the difference to what the gateway last applied. Where the equipment refuses a step, the gateway applies again what it applied last. It does so as well when the equipment comes back without its reports, or after an S2F33 of somebody that says otherwise; `apply_again: never` keeps it from that.'
  static override examples = [
    'secsctl reports show etcher -o yaml > etcher.reports.yaml',
    'secsctl reports apply etcher etcher.reports.yaml --dry-run',
    'secsctl reports apply etcher etcher.reports.yaml',
    "secsctl reports apply 'etch-*' etcher.reports.yaml --dry-run",
  ]
  static override args = {
    equipment: TARGET_ARGUMENT,
    file: required('The definition; - is standard input.'),
  }
  static override flags = {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    'dry-run': Flags.boolean({ summary: 'Print the difference and what would be sent, and send nothing.' }),
  }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(ReportsApply)
    const file = args.file === '-' ? 'standard input' : args.file
    const text = await readText(this.environment.stdin, args.file, 'the definition')
    const { value, placeOf } = yamlIn(text, file)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const { line, column } = placeOf('')
      const fault = `${file}:${line}:${column}: must be an object with reports and events`
      throw wrongUsage(`${file} cannot be applied as it is: ${fault}`)
    }
    const { id, name } = await this.equipment(args.equipment)
    if (deletesAll(value)) {
      const fault = `${file} has no report and no event: every event would be disabled and every report deleted`
      throw wrongUsage(fault, `secsctl reports clear ${argumentWord(name)}`)
    }
    const query = flags['dry-run'] ? { dry_run: true } : {}
    // What it is, the gateway judges.
    const body = value as WantedReports
    this.subject.heading = `${file} cannot be applied as it is`
    this.subject.wordOf = placeWord(file, placeOf)
    const result = await this.ask(endpoints.applyReports, id, flags, { query, body })
    await this.printResult(name, result)
  }
}

/** Whether a definition names nothing, and does not keep the others either. */
function deletesAll(definition: object): boolean {
  const { reports, events, others } = definition as Partial<Record<keyof WantedReports, unknown>>
  return isEmpty(reports) && isEmpty(events) && (others === undefined || others === 'delete')
}

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0
