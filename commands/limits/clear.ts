import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../../src/cli/equipment/equipment-targets.js'
import { optional } from '../../src/cli/input/arguments.js'
import { limitId } from '../../src/cli/limits/limit-words.js'
import { LimitsCommand } from '../../src/cli/limits/limits-command.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class LimitsClear extends LimitsCommand {
  static override summary =
    'Delete limits of variables (S2F45): one, those of a variable, or all; exit code 8 when refused.'
  static override usage = 'limits clear EQUIPMENT [VARIABLE [LIMIT]]'
  static override examples = [
    'secsctl limits clear furnace CenterTemperature 1',
    'secsctl limits clear furnace CenterTemperature',
    'secsctl limits clear furnace --yes',
  ]
  static override args = {
    equipment: TARGET_ARGUMENT,
    variable: optional('Id or name of a variable; the limits of all when left out.'),
    limit: optional('LIMITID; all limits of the variable when left out.'),
  }
  static override flags = { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS }

  protected override readonly words = { '/id': 'VARIABLE', '/limit_id': 'LIMIT' }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(LimitsClear)
    const { id, name } = await this.equipment(args.equipment)
    const { variable, limit } = args
    if (variable === undefined)
      await this.confirmed(`Delete all limits of all variables of ${name}?`, flags.yes)
    const query = {
      ...(variable !== undefined && { id: [variable] }),
      ...(limit !== undefined && { limit_id: limitId(limit) }),
    }
    this.printLimitsChange(await this.ask(endpoints.clearLimits, id, flags, { query }))
  }
}
