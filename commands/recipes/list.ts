import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/input/arguments.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class RecipesList extends GatewayCommand {
  static override summary = 'List the recipes in an equipment (S7F19).'
  static override examples = ['secsctl recipes list track']
  static override args = { equipment: EQUIPMENT_ARGUMENT }
  static override flags = { ...ASKING_FLAGS, ...LIST_OUTPUT_FLAGS }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RecipesList)
    const { items } = await this.ask(endpoints.listRecipes, args.equipment, flags)
    await this.printList(items, [{ title: 'PPID', text: ({ ppid }) => ppid }], 'No recipes.')
  }
}
