import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../../src/cli/equipment/equipment-targets.js'
import { required } from '../../src/cli/input/arguments.js'
import { limitGiven } from '../../src/cli/limits/limit-words.js'
import { LimitsCommand } from '../../src/cli/limits/limits-command.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class LimitsSet extends LimitsCommand {
  static override summary = 'Define limits of a variable (S2F45); exit code 8 when the equipment refuses.'
  static override description =
    'LOWER..UPPER is the dead band: the equipment reports when the value reaches UPPER, and when it then reaches LOWER. All or none of the limits are defined, and the others stay. Values are sent in the format that the equipment gives for the maximum (asked with S2F47).'
  static override strict = false
  static override usage = 'limits set EQUIPMENT VARIABLE LIMIT...'
  static override examples = [
    'secsctl limits set furnace CenterTemperature 1=890..900',
    'secsctl limits set furnace CenterTemperature 1=890..900 2=-20..-10',
  ]
  static override args = {
    equipment: TARGET_ARGUMENT,
    variable: required('Id or name of a variable.'),
    limit: required('LIMITID=LOWER..UPPER, such as 1=75..80; any number of them.'),
  }
  static override flags = { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS }

  protected override readonly words = { '/limits/0/variable': 'VARIABLE', '/limits/': 'LIMIT: *' }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(LimitsSet)
    const { variable } = args
    const limits = argv.slice(2).map((text) => ({ variable, ...limitGiven(String(text)) }))
    this.printLimitsChange(await this.ask(endpoints.setLimits, args.equipment, flags, { body: { limits } }))
  }
}
