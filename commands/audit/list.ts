import { AUDIT_FLAGS } from '../../src/cli/audit/audit-flags.js'
import { auditColumns } from '../../src/cli/audit/audit-output.js'
import { DEFAULT_AMOUNT, LIST_FLAGS } from '../../src/cli/input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ListCommand } from '../../src/cli/list-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class AuditList extends ListCommand {
  static override summary = 'List who did what, newest first.'
  static override description =
    'One entry for each call that may change something, each login, and each call that a role does not allow. Needs the role admin. Entries are kept for one year, whatever --keep of the daemon is.'
  static override examples = [
    'secsctl audit list --equipment etch-17 --since 1h',
    'secsctl audit list -l bay=3 --action sendCommand',
    'secsctl audit list --key mes --since 1h',
    'secsctl audit list --user ada@example.com --action sendCommand',
    'secsctl audit list --action login --since yesterday --json',
  ]
  static override flags = { ...LIST_FLAGS, ...AUDIT_FLAGS, ...LIST_OUTPUT_FLAGS }

  async run(): Promise<void> {
    const { flags } = await this.parse(AuditList)
    const { user, key, action } = flags
    await this.printRecords(
      endpoints.listAudit,
      { ...DEFAULT_AMOUNT, ...flags },
      { user, api_key: key, action },
      { columns: auditColumns, none: 'No entries.' },
    )
  }
}
