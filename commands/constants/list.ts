import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/input/arguments.js'
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

export default class ConstantsList extends GatewayCommand {
  static override summary = 'List the equipment constants of an equipment, with their bounds (S2F29).'
  static override examples = ['secsctl constants list etcher', 'secsctl constants list etcher --json']
  static override args = { equipment: EQUIPMENT_ARGUMENT }
  static override flags = { ...ASKING_FLAGS, ...LIST_OUTPUT_FLAGS }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConstantsList)
    const { items } = await this.ask(endpoints.listConstants, args.equipment, flags)
    await this.printList(items, COLUMNS, 'No constants.')
  }
}
