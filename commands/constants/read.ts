import { Args } from '@oclif/core'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/equipment-argument.js'
import { EXIT_CODES } from '../../src/cli/exit-codes.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { ASKING_FLAGS, timeoutGiven } from '../../src/cli/transaction-flags.js'
import { missingValues, VALUE_COLUMNS } from '../../src/cli/value-output.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class ConstantsRead extends GatewayCommand {
  static override summary = 'Read equipment constants, all or those that are named (S2F13).'
  static override description = 'Exit code 3 when the equipment does not have one of them.'
  static override hiddenAliases = ['constant:read']
  static override strict = false
  static override usage = 'constants read EQ [ID|NAME...]'
  static override examples = [
    '<%= config.bin %> constants read etcher',
    '<%= config.bin %> constants read etcher RFPowerLimit',
  ]
  static override args = {
    equipment: EQUIPMENT_ARGUMENT,
    constant: Args.string({ ignoreStdin: true, description: 'Ids or names; all when left out.' }),
  }
  static override flags = ASKING_FLAGS

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(ConstantsRead)
    const given = argv.slice(1).map(String)
    const { id, name } = await this.equipment(args.equipment)
    const client = await this.client()
    const query = { ...timeoutGiven(flags.timeout), ...(given.length > 0 && { id: given }) }
    const { items } = await client.call(endpoints.readConstants, { params: { id }, query })
    await this.printList(items, VALUE_COLUMNS, 'No constants.')
    const missing = missingValues(name, 'constant', items)
    if (missing === undefined) return
    process.exitCode = EXIT_CODES.missing
    this.note(missing)
  }
}
