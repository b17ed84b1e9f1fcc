import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import type { Column } from '../../src/cli/output/output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { CollectionEvent } from '../../src/contract/topics/collection-events.js'

const COLUMNS: readonly Column<CollectionEvent>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'ENABLED', text: ({ enabled }) => (enabled === null ? 'unknown' : enabled ? 'yes' : 'no') },
  {
    title: 'REPORTS',
    text: ({ reports }) => (reports?.length === 0 ? 'none' : (reports?.join(' ') ?? 'unknown')),
  },
  {
    title: 'VARIABLES',
    text: ({ variables, variable_names: names }) => variables.map((vid, at) => names[at] ?? vid).join(', '),
    spare: true,
  },
]

export default class CollectionEventsList extends EquipmentCommand {
  static override summary = 'List the collection events of an equipment (S1F23).'
  static override description =
    'GEM cannot read back which events are enabled and which reports they have: both are known where a message about them passed this gateway.'
  static override strict = false
  static override examples = [
    'secsctl collection-events list etcher',
    'secsctl collection-events list etcher --json',
  ]
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...ASKING_FLAGS, ...LIST_OUTPUT_FLAGS, ...TARGET_FLAGS }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(CollectionEventsList)
    const { items } = await this.ask(endpoints.listCollectionEvents, args.equipment, flags)
    await this.printList(items, COLUMNS, 'No collection events.')
  }
}
