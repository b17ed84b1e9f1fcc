import { endpoints } from '../../contract/endpoints.js'
import type { Variable } from '../../contract/topics/variables.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { switchFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { ASKING_FLAGS } from '../messages/transaction-flags.js'
import type { Column } from '../output/output.js'

const COLUMNS: readonly Column<Variable>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'UNIT', text: ({ unit }) => unit },
]

export const variablesList = equipmentVerb({
  summary: 'List the variables of an equipment (S1F11, S1F21).',
  description: 'Status variables can be read at any time; data variables have values only in reports.',
  examples: ['secsctl variables list etcher', 'secsctl variables list etcher --data'],
  flags: {
    ...LIST_OUTPUT_FLAGS,
    ...ASKING_FLAGS,
    ...TARGET_FLAGS,
    data: switchFlag('Data variables instead of status variables.'),
  },
  async one(on, { args, flags }) {
    const { items } = await on.ask(endpoints.listVariables, args.equipment, flags, {
      query: { ...(flags.data && { kind: 'data' as const }) },
    })
    await on.printList(items, COLUMNS, 'No variables.')
  },
})
