import { Flags } from '@oclif/core'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
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

export default class VariablesList extends EquipmentCommand {
  static override summary = 'List the variables of an equipment (S1F11, S1F21).'
  static override description =
    'Status variables can be read at any time; data variables have values within reports alone.'
  static override strict = false
  static override examples = ['secsctl variables list etcher', 'secsctl variables list etcher --data']
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = {
    ...LIST_OUTPUT_FLAGS,
    ...ASKING_FLAGS,
    ...TARGET_FLAGS,
    data: Flags.boolean({ summary: 'Data variables instead of status variables.' }),
  }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(VariablesList)
    const { items } = await this.ask(endpoints.listVariables, args.equipment, flags, {
      query: { ...(flags.data && { kind: 'data' as const }) },
    })
    await this.printList(items, COLUMNS, 'No variables.')
  }
}
