import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class RecipesList extends EquipmentCommand {
  static override summary = 'List the recipes in an equipment (S7F19).'
  static override strict = false
  static override examples = ['secsctl recipes list track']
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...ASKING_FLAGS, ...LIST_OUTPUT_FLAGS, ...TARGET_FLAGS }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(RecipesList)
    const { items } = await this.ask(endpoints.listRecipes, args.equipment, flags)
    await this.printList(items, [{ title: 'PPID', text: ({ ppid }) => ppid }], 'No recipes.')
  }
}
