import type { Reply } from '../../contract/endpoint.js'
import { endpoints } from '../../contract/endpoints.js'
import type { VariableLimits } from '../../contract/topics/limits.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES, READS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { optional, required } from '../input/arguments.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import type { Column } from '../output/output.js'

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

/** LIMITID, one byte. */
function limitId(text: string): number {
  if (/^[0-9]{1,3}$/.test(text) && Number(text) <= 255) return Number(text)
  throw wrongUsage(`"${text}" is no LIMITID: it is a number from 0 to 255`)
}

/** `1=75..80`. */
function limitGiven(text: string): { limit_id: number; lower: string; upper: string } {
  const [, id, lower, upper] = /^([^=]*)=(.+?)\.\.(.+)$/.exec(text) ?? []
  if (id === undefined || lower === undefined || upper === undefined)
    throw wrongUsage(`"${text}" is no limit: write LIMITID=LOWER..UPPER, such as 1=75..80`)
  return { limit_id: limitId(id), lower, upper }
}

/** Faults such as `ChamberPressure: LVACK 4, a limit is wrong: limit 1: LIMITACK 2, upper end above the maximum`. */
function printChange(on: EquipmentCommand, result: Reply<typeof endpoints.setLimits>): void {
  on.printVerdict('VLAACK', result)
  for (const { id, name, lvack, lvack_text, limit_id, limitack, limitack_text } of result.faults) {
    const limit = limit_id === null ? '' : `; limit ${limit_id}: LIMITACK ${limitack}, ${limitack_text}`
    on.note(`${name || id}: LVACK ${lvack}, ${lvack_text}${limit}`)
  }
}

export const limitsList = equipmentVerb({
  summary: 'List the limits of variables, all or those that are named (S2F47).',
  description:
    'A limit is printed as ID=LOWER..UPPER, as `limits set` takes it. Minimum and maximum are the bounds that the equipment has for limits.',
  usage: 'limits list EQUIPMENT [VARIABLE...]',
  examples: ['secsctl limits list furnace', 'secsctl limits list furnace CenterTemperature --json'],
  args: { variable: optional('Ids or names; all that can have limits when left out.') },
  flags: { ...LIST_OUTPUT_FLAGS, ...READS },
  words: { '/id': 'VARIABLE' },
  async one(on, { args, flags, words: [, ...id] }) {
    const query = id.length > 0 ? { id } : {}
    const { items } = await on.ask(endpoints.listLimits, args.equipment, flags, { query })
    await on.printList(items, COLUMNS, 'No variable can have limits.')
  },
})

export const limitsSet = equipmentVerb({
  summary: 'Define limits of a variable (S2F45); exit code 8 when the equipment refuses.',
  description:
    'LOWER..UPPER is the dead band: the equipment reports when the value reaches UPPER, and when it then reaches LOWER. Defines all of the limits or none; other limits stay. Sends values in the format that the equipment gives for the maximum (asked with S2F47).',
  usage: 'limits set EQUIPMENT VARIABLE LIMIT...',
  examples: [
    'secsctl limits set furnace CenterTemperature 1=890..900',
    'secsctl limits set furnace CenterTemperature 1=890..900 2=-20..-10',
  ],
  args: {
    variable: required('Id or name of a variable.'),
    limit: required('LIMITID=LOWER..UPPER, such as 1=75..80; any number of them.'),
  },
  flags: CHANGES,
  words: { '/limits/0/variable': 'VARIABLE', '/limits/': 'LIMIT: *' },
  async one(on, { args: { equipment, variable }, flags, words }) {
    const limits = words.slice(2).map((text) => ({ variable, ...limitGiven(text) }))
    printChange(on, await on.ask(endpoints.setLimits, equipment, flags, { body: { limits } }))
  },
})

export const limitsRemove = equipmentVerb({
  summary: 'Delete limits of variables (S2F45): one, those of a variable, or all; exit code 8 when refused.',
  usage: 'limits remove EQUIPMENT [VARIABLE [LIMIT]]',
  examples: [
    'secsctl limits remove furnace CenterTemperature 1',
    'secsctl limits remove furnace CenterTemperature',
    'secsctl limits remove furnace --yes',
  ],
  args: {
    variable: optional('Id or name of a variable; the limits of all when left out.'),
    limit: optional('LIMITID; all limits of the variable when left out.'),
  },
  flags: CHANGES,
  words: { '/id': 'VARIABLE', '/limit_id': 'LIMIT' },
  async one(on, { args: { equipment, variable, limit }, flags }) {
    const { id, name } = await on.equipment(equipment)
    if (variable === undefined)
      await on.confirmed(`Delete all limits of all variables of ${name}?`, flags.yes)
    const query = {
      ...(variable !== undefined && { id: [variable] }),
      ...(limit !== undefined && { limit_id: limitId(limit) }),
    }
    printChange(on, await on.ask(endpoints.clearLimits, id, flags, { query }))
  },
})
