import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENT, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { optional } from '../../src/cli/input/arguments.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import type { Column } from '../../src/cli/output/output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { VariableLimits } from '../../src/contract/topics/limits.js'

const limitsText = ({ limits }: VariableLimits): string => {
  if (limits === null) return 'cannot have limits'
  return limits.map(({ limit_id, lower, upper }) => `${limit_id}=${lower}..${upper}`).join(' ')
}

const COLUMNS: readonly Column<VariableLimits>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name ?? '' },
  { title: 'UNIT', text: ({ unit }) => unit ?? '' },
  { title: 'MINIMUM', text: ({ minimum }) => minimum ?? '' },
  { title: 'MAXIMUM', text: ({ maximum }) => maximum ?? '' },
  { title: 'LIMITS', text: limitsText },
]

export default class LimitsList extends EquipmentCommand {
  static override summary = 'List the limits of variables, all or those that are named (S2F47).'
  static override description =
    'A limit is printed as ID=LOWER..UPPER, as `limits set` takes it. Minimum and maximum are the bounds that the equipment has for limits.'
  static override strict = false
  static override usage = 'limits list EQUIPMENT [VARIABLE...]'
  static override examples = [
    'secsctl limits list furnace',
    'secsctl limits list furnace CenterTemperature --json',
  ]
  static override args = {
    equipment: TARGET_ARGUMENT,
    variable: optional('Ids or names; all that can have limits when left out.'),
  }
  static override flags = { ...LIST_OUTPUT_FLAGS, ...ASKING_FLAGS, ...TARGET_FLAGS }

  protected override readonly words = { '/id': 'VARIABLE' }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(LimitsList)
    const given = argv.slice(1).map(String)
    const { items } = await this.ask(endpoints.listLimits, args.equipment, flags, {
      query: { ...(given.length > 0 && { id: given }) },
    })
    await this.printList(items, COLUMNS, 'No variable can have limits.')
  }
}
