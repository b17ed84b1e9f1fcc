import { endpoints } from '../../contract/endpoints.js'
import type { Constant } from '../../contract/topics/variables.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES, READS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { optional, required } from '../input/arguments.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { parseParameters } from '../input/parameters.js'
import type { Column } from '../output/output.js'
import { requireValues, VALUE_COLUMNS } from '../output/value-output.js'

const COLUMNS: readonly Column<Constant>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'UNIT', text: ({ unit }) => unit },
  { title: 'MINIMUM', text: ({ minimum }) => minimum ?? '' },
  { title: 'MAXIMUM', text: ({ maximum }) => maximum ?? '' },
  { title: 'DEFAULT', text: (constant) => constant.default ?? '' },
]

function valuesGiven(texts: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const [first = '', second] = texts
  const example = second === undefined || /=/.test(first + second) ? '2002=1300' : `${first}=${second}`
  for (const text of texts) {
    for (const [name, value] of Object.entries(parseParameters([text], undefined, example))) {
      if (Object.hasOwn(values, name)) throw wrongUsage(`${name} takes one value`)
      values[name] = value
    }
  }
  return values
}

export const constantsList = equipmentVerb({
  summary: 'List the equipment constants of an equipment, with their bounds (S2F29).',
  examples: ['secsctl constants list etcher', 'secsctl constants list etcher --json'],
  flags: { ...READS, ...LIST_OUTPUT_FLAGS },
  async one(on, { args, flags }) {
    const { items } = await on.ask(endpoints.listConstants, args.equipment, flags)
    await on.printList(items, COLUMNS, 'No constants.')
  },
})

export const constantsShow = equipmentVerb({
  summary: 'Read equipment constants, all or those that are named (S2F13).',
  description:
    'Exit code 3 if the equipment does not have one of them. If it is a name, nothing is read; if it is an id, the others are printed.',
  usage: 'constants show EQUIPMENT [CONSTANT...]',
  examples: ['secsctl constants show etcher', 'secsctl constants show etcher RFPowerLimit'],
  args: { constant: optional('Ids or names; all when left out.') },
  flags: READS,
  words: { '/id': 'CONSTANT' },
  async one(on, { args, flags, words: [, ...given] }) {
    const { id, name } = await on.equipment(args.equipment)
    const query = given.length > 0 ? { id: given } : {}
    const { items } = await on.ask(endpoints.readConstants, id, flags, { query })
    await on.printList(items, VALUE_COLUMNS, 'No constants.')
    requireValues(name, 'constant', items)
  },
})

export const constantsSet = equipmentVerb({
  summary: 'Change equipment constants (S2F15); exit code 8 when the equipment refuses.',
  description:
    'Changes all of them or none. Sends a value in the format that the constant has now (asked with S2F13). Write several bytes as 0x01ff. NAME:=JSON gives several values, such as [1,2], or a typed item, such as {"U2":1200}.',
  usage: 'constants set EQUIPMENT CONSTANT=VALUE...',
  examples: [
    'secsctl constants set etcher RFPowerLimit=1200',
    "secsctl constants set etcher 2002=1300 OperatorMessage='CHECK GAS'",
  ],
  args: { constant: required('NAME=VALUE or ID=VALUE, any number of them.') },
  flags: CHANGES,
  words: { '/values/': '*' },
  async one(on, { args, flags, words }) {
    const body = { values: valuesGiven(words.slice(1)) }
    on.printVerdict('EAC', await on.ask(endpoints.writeConstants, args.equipment, flags, { body }))
  },
})
