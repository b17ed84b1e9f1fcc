import { Flags } from '@oclif/core'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/equipment/equipment-argument.js'
import { TRANSACTION_FLAGS, timeoutGiven } from '../../src/cli/messages/transaction-flags.js'
import { RECIPE_ARGUMENT } from '../../src/cli/recipes/recipe-argument.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class RecipesDelete extends ServiceCommand {
  static override summary = 'Delete a recipe in an equipment (S7F17); exit code 8 when it refuses.'
  static override hiddenAliases = ['recipe:delete']
  static override examples = ['<%= config.bin %> recipes delete track KRF-600 --yes']
  static override args = { equipment: EQUIPMENT_ARGUMENT, ppid: RECIPE_ARGUMENT }
  static override flags = {
    ...TRANSACTION_FLAGS,
    yes: Flags.boolean({ char: 'y', summary: 'Do not ask.' }),
  }

  protected override readonly words = { '/ppid': 'PPID' }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RecipesDelete)
    const { id, name } = await this.equipment(args.equipment)
    await this.confirmed(`Delete the recipe ${args.ppid} in ${name}?`, flags.yes)
    const client = await this.client()
    const result = await client.call(
      endpoints.deleteRecipe,
      { params: { id, ppid: args.ppid }, query: timeoutGiven(flags.timeout) },
      { idempotencyKey: flags['idempotency-key'] },
    )
    const { ackc7: code, ackc7_text: text } = result
    this.printVerdict(name, result, { ...result, item: 'ACKC7', code, text }, [['PPID', result.ppid]])
  }
}
