import { Flags } from '@oclif/core'
import { CHANGE_FLAGS, TARGET_ARGUMENTS } from '../../src/cli/equipment/equipment-targets.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ReportsCommand } from '../../src/cli/reports/reports-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class ReportsClear extends ReportsCommand {
  static override summary = 'Disable every event and delete every report; exit code 8 when refused.'
  static override description =
    'Where the definition that was applied last has `others: keep`, only what it names. The gateway forgets the definition: `reports show EQ -o yaml` saves it.'
  static override strict = false
  static override examples = ['secsctl reports clear etcher --dry-run', 'secsctl reports clear etcher --yes']
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    'dry-run': Flags.boolean({ summary: 'Print what would be sent, and send nothing.' }),
  }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(ReportsClear)
    const { id, name } = await this.equipment(args.equipment)
    const dryRun = flags['dry-run']
    await this.confirmed(`Delete the event reports of ${name}?`, flags.yes || dryRun)
    const query = dryRun ? { dry_run: true } : {}
    const result = await this.ask(endpoints.clearReports, id, flags, { query })
    await this.printResult(name, result, 'steps')
  }
}
