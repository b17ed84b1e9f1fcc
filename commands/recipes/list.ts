import { EQUIPMENT_ARGUMENT } from '../../src/cli/equipment/equipment-argument.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { ASKING_FLAGS, timeoutGiven } from '../../src/cli/messages/transaction-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class RecipesList extends GatewayCommand {
  static override summary = 'List the recipes in an equipment (S7F19).'
  static override hiddenAliases = ['recipe:list']
  static override examples = ['<%= config.bin %> recipes list track']
  static override args = { equipment: EQUIPMENT_ARGUMENT }
  static override flags = ASKING_FLAGS

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RecipesList)
    const { id } = await this.equipment(args.equipment)
    const client = await this.client()
    const query = timeoutGiven(flags.timeout)
    const { items } = await client.call(endpoints.listRecipes, { params: { id }, query })
    await this.printList(items, [{ title: 'PPID', text: ({ ppid }) => ppid }], 'No recipes.')
  }
}
