import { Flags } from '@oclif/core'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/input/arguments.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import type { Column } from '../../src/cli/output/output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Variable } from '../../src/contract/topics/variables.js'

const COLUMNS: readonly Column<Variable>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'UNIT', text: ({ unit }) => unit },
]

export default class VariablesList extends GatewayCommand {
  static override summary = 'List the variables of an equipment (S1F11, S1F21).'
  static override description =
    'Status variables can be read at any time; data variables have values within reports alone.'
  static override examples = ['secsctl variables list etcher', 'secsctl variables list etcher --data']
  static override args = { equipment: EQUIPMENT_ARGUMENT }
  static override flags = {
    ...LIST_OUTPUT_FLAGS,
    ...ASKING_FLAGS,
    data: Flags.boolean({ summary: 'Data variables instead of status variables.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(VariablesList)
    const { items } = await this.ask(endpoints.listVariables, args.equipment, flags, {
      query: { ...(flags.data && { kind: 'data' as const }) },
    })
    await this.printList(items, COLUMNS, 'No variables.')
  }
}
