import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../../src/cli/equipment/equipment-targets.js'
import { RECIPE_ARGUMENT } from '../../src/cli/input/arguments.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class RecipesDelete extends ServiceCommand {
  static override summary = 'Delete a recipe in an equipment (S7F17); exit code 8 when it refuses.'
  static override examples = ['secsctl recipes delete track KRF-600 --yes']
  static override args = { equipment: TARGET_ARGUMENT, ppid: RECIPE_ARGUMENT }
  static override flags = { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(RecipesDelete)
    const { id, name } = await this.equipment(args.equipment)
    await this.confirmed(`Delete the recipe ${args.ppid} in ${name}?`, flags.yes)
    const result = await this.ask(endpoints.deleteRecipe, id, flags, { params: { ppid: args.ppid } })
    this.printVerdict('ACKC7', result, [['PPID', result.ppid]])
  }
}
