import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import type { Column } from '../../src/cli/output/output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Constant } from '../../src/contract/topics/variables.js'

const COLUMNS: readonly Column<Constant>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'UNIT', text: ({ unit }) => unit },
  { title: 'MINIMUM', text: ({ minimum }) => minimum ?? '' },
  { title: 'MAXIMUM', text: ({ maximum }) => maximum ?? '' },
  { title: 'DEFAULT', text: (constant) => constant.default ?? '' },
]

export default class ConstantsList extends EquipmentCommand {
  static override summary = 'List the equipment constants of an equipment, with their bounds (S2F29).'
  static override strict = false
  static override examples = ['secsctl constants list etcher', 'secsctl constants list etcher --json']
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...ASKING_FLAGS, ...LIST_OUTPUT_FLAGS, ...TARGET_FLAGS }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(ConstantsList)
    const { items } = await this.ask(endpoints.listConstants, args.equipment, flags)
    await this.printList(items, COLUMNS, 'No constants.')
  }
}
