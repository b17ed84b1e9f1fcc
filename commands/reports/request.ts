import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENT, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { VALUE_COLUMNS } from '../../src/cli/output/value-output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { argumentWord } from '../../src/kit/shell-word.js'

export default class ReportsRequest extends EquipmentCommand {
  static override summary = 'Ask for the values of one report (S6F19).'
  static override description =
    'Exit code 3 when the equipment has no such report. Values have ids and names where the definition of the report passed this gateway (S2F33).'
  static override examples = ['secsctl reports request etcher 1001']
  static override args = { equipment: TARGET_ARGUMENT, report: required('RPTID.') }
  static override flags = { ...ASKING_FLAGS, ...TARGET_FLAGS }

  protected override readonly words = { '/rptid': 'REPORT', '/RPTID': 'REPORT' }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(ReportsRequest)
    const { id, name } = await this.equipment(args.equipment)
    const report = await this.ask(endpoints.requestReport, id, flags, { params: { rptid: args.report } })
    if (this.format === 'json') this.printJson(report)
    else if (report.values.length > 0) return this.printList(report.values, VALUE_COLUMNS, '')
    if (report.values.length > 0) return
    throw new Failure(
      'missing',
      `${name} has no report ${report.rptid}`,
      `secsctl reports show ${argumentWord(name)}`,
    )
  }
}
