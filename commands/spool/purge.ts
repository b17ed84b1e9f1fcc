import { CHANGE_FLAGS, TARGET_ARGUMENTS } from '../../src/cli/equipment/equipment-targets.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SpoolPurge extends ServiceCommand {
  static override summary =
    'Delete the spooled messages of an equipment (S6F23); exit code 8 when it refuses.'
  static override description = 'They reach nobody. RSDA 2, nothing is spooled, is no refusal.'
  static override strict = false
  static override examples = ['secsctl spool purge track --yes']
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(SpoolPurge)
    const { id, name } = await this.equipment(args.equipment)
    await this.confirmed(`Delete the spooled messages of ${name}?`, flags.yes)
    this.printVerdict('RSDA', await this.ask(endpoints.purgeSpool, id, flags))
  }
}
