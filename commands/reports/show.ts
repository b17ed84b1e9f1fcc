import { outputFlag } from '../../src/cli/base-command.js'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { definitionText } from '../../src/cli/output/definition-text.js'
import { DEFINITION_COLUMNS, definitionRows } from '../../src/cli/reports/reports-output.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class ReportsShow extends EquipmentCommand {
  static override summary = 'Show the event reports that the gateway last applied.'
  static override description =
    'With -o yaml, the file as `reports apply` takes it, to be edited; exit code 3 where nothing was applied. Nothing is asked of the equipment, from which GEM cannot read definitions back; `reports request` asks it for the values of one report.'
  static override examples = [
    'secsctl reports show etcher',
    "secsctl reports show 'etch-*'",
    'secsctl reports show etcher -o yaml > etcher.reports.yaml',
  ]
  static override strict = false
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...TARGET_FLAGS, output: outputFlag(['table', 'tsv', 'json', 'yaml']) }

  protected async one(): Promise<void> {
    const { args } = await this.parse(ReportsShow)
    const { id, name } = await this.equipment(args.equipment)
    const applied = await this.call(endpoints.getReports, { params: { id } })
    const { definition, applied_at, applied_by, state, last_error } = applied
    if (this.format === 'json') return this.printJson(applied)
    const none = `The gateway has applied no reports to ${name}.`
    if (this.format === 'yaml') {
      if (!definition) throw new Failure('missing', none)
      this.print(definitionText(definition))
    } else {
      const rows = definition ? definitionRows(definition) : []
      await this.printList(rows, DEFINITION_COLUMNS, none)
    }
    if (!definition) {
      if (this.format !== 'table') this.note(none)
      return
    }
    this.note(`Applied ${this.formatTime(applied_at)} by ${applied_by}; ${STATES[state]}.`)
    if (last_error) this.note(`${this.formatTime(last_error.at)}: ${last_error.detail}`)
  }
}

const STATES = {
  none: 'none are there',
  present: 'the equipment has them',
  missing: 'the equipment does not have them',
  unknown: 'whether the equipment has them is not known',
} as const
