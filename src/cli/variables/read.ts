import { endpoints } from '../../contract/endpoints.js'
import type { NamedValue } from '../../contract/values.js'
import { outputFlag } from '../base-command.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { optional } from '../input/arguments.js'
import { numberFlag, textFlag } from '../input/flags.js'
import { repeatedly, watchInterval } from '../input/repetition.js'
import { ASKING_FLAGS, timeoutGiven } from '../messages/transaction-flags.js'
import type { Column } from '../output/output.js'
import { requireValues, VALUE_COLUMNS } from '../output/value-output.js'

interface Read {
  readonly at: string
  readonly items: readonly NamedValue[]
}

export const variablesShow = equipmentVerb({
  summary: 'Read status variables, all or those that are named (S1F3).',
  description:
    'Exit code 3 if the equipment does not have one of them. If it is a name, nothing is read; if it is an id, the others are printed. With --watch and --json, one object a line for each time; of several, for each equipment. After the first time, --watch waits for a gateway or equipment that is away, and says so.',
  usage: 'variables show EQUIPMENT [VARIABLE...]',
  examples: [
    'secsctl variables show etcher',
    'secsctl variables show etcher ChamberPressure 1011',
    "secsctl variables show 'etch-*' ChamberPressure",
    'secsctl variables show -l area=etch,bay!=3 ChamberPressure',
    'secsctl variables show etcher RFPower --watch 1s --count 60',
    'secsctl variables show etcher RFPower --watch 1s -o csv > rf.csv',
  ],
  args: {
    variable: optional('Ids or names; all when left out.'),
  },
  flags: {
    ...ASKING_FLAGS,
    ...TARGET_FLAGS,
    output: outputFlag(['table', 'wide', 'tsv', 'csv', 'json']),
    watch: textFlag('DURATION', 'Read again after each such time.', { char: 'w' }),
    count: numberFlag('End after N.', { char: 'n', min: 1, dependsOn: ['watch'] }),
  },
  words: { '/id': 'VARIABLE' },
  async one(on, { args, words, flags }) {
    const given = words.slice(1)
    const watch = flags.watch === undefined ? undefined : watchInterval(flags.watch)
    const { id, name } = await on.equipment(args.equipment)
    const query = { ...timeoutGiven(flags.timeout), ...(given.length > 0 && { id: given }) }
    const read = async (): Promise<Read> => {
      const { items } = await on.call(endpoints.readVariables, { params: { id }, query })
      return { at: on.clock.date().toISOString(), items }
    }
    if (watch !== undefined) return readAgain(on, read, watch, flags.count)
    const { items } = await read()
    await on.printList(items, VALUE_COLUMNS, 'No status variables.')
    requireValues(name, 'status variable', items)
  },
})

async function readAgain(
  on: EquipmentCommand,
  read: () => Promise<Read>,
  interval: number,
  count: number | undefined,
): Promise<void> {
  await repeatedly(on.repetition(interval, count), async (done, isAgain) => {
    if (isAgain) await on.renewedClient()
    const { at, items } = await read()
    if (on.format === 'json') on.printLine({ at, items })
    else if (done > 0) await on.printFurther(items, [atColumn(on, at), ...VALUE_COLUMNS])
    else await on.printList(items, [atColumn(on, at), ...VALUE_COLUMNS], 'No status variables.')
  })
}

function atColumn(on: EquipmentCommand, at: string): Column<NamedValue> {
  return { title: 'AT', text: () => on.formatTime(at) }
}
