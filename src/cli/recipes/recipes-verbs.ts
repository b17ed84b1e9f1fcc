import { endpoints } from '../../contract/endpoints.js'
import type { Recipe } from '../../contract/topics/recipes.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGE_FLAGS, TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { RECIPE_ARGUMENT } from '../input/arguments.js'
import { textFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { parseParameters } from '../input/parameters.js'
import { ASKING_FLAGS, TRANSACTION_FLAGS } from '../messages/transaction-flags.js'

/** What a recipe is, a field a line. */
export const recipeFields = ({
  ppid,
  bytes,
  sha256,
  item_format,
  formatted,
}: Recipe): (readonly [string, string])[] => [
  ['PPID', ppid],
  ['bytes', String(bytes)],
  ['SHA-256', sha256],
  ...(item_format === undefined ? [] : [['format', item_format] as const]),
  ...(formatted === null ? [] : [['commands', String(formatted.commands.length)] as const]),
]

export const recipesList = equipmentVerb({
  summary: 'List the recipes in an equipment (S7F19).',
  examples: ['secsctl recipes list track'],
  flags: { ...ASKING_FLAGS, ...LIST_OUTPUT_FLAGS, ...TARGET_FLAGS },
  async one(on, { args, flags }) {
    const { items } = await on.ask(endpoints.listRecipes, args.equipment, flags)
    await on.printList(items, [{ title: 'PPID', text: ({ ppid }) => ppid }], 'No recipes.')
  },
})

export const recipesSelect = equipmentVerb({
  summary: 'Select a recipe for the next run (PP-SELECT); exit code 8 when refused.',
  description:
    'Sends a remote command (S2F41) with the PPID as its parameter; some equipment has other names for the command or the parameter. Further parameters follow the PPID.',
  usage: 'recipes select EQUIPMENT PPID [KEY=VALUE...]',
  examples: [
    'secsctl recipes select track KRF-550',
    'secsctl recipes select track KRF-550 --command PP-SELECT --parameter PPID',
  ],
  args: { ppid: RECIPE_ARGUMENT },
  flags: {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    command: textFlag('RCMD', 'The command; PP-SELECT unless given.'),
    parameter: textFlag('CPNAME', 'The parameter that has the PPID; PPID unless given.'),
  },
  words: { '/ppid': 'PPID', '/parameters/': '*', '/command': '--command' },
  async one(on, { args, words, flags }) {
    const { id, name } = await on.equipment(args.equipment)
    const body = {
      ...(flags.command !== undefined && { command: flags.command }),
      ...(flags.parameter !== undefined && { parameter: flags.parameter }),
      ...(words.length > 2 && { parameters: parseParameters(words.slice(2)) }),
    }
    const params = { ppid: args.ppid }
    const result = await on.ask(endpoints.selectRecipe, id, flags, { params, body })
    const { hcack, hcack_text, message_id, reply_id } = result
    const accepted = result.accepted === true
    const fields = [
      ['command', result.command],
      ['PPID', args.ppid],
      ...result.parameters.map((one) => [one.name, `${one.cpack} ${one.cpack_text}`] as const),
    ] as const
    if (hcack !== null && reply_id !== null) {
      const verdict = { ...result, accepted, message_id, reply_id, hcack, hcack_text: hcack_text ?? '' }
      return on.printVerdict('HCACK', verdict, fields, result)
    }
    on.printRecord(result, [...fields, ['result', 'not known'], ['message', message_id]])
    on.environment.exitCode = EXIT_CODES.equipment
    on.note(`the reply cannot be read: whether ${name} acted is not known`)
    on.note(`Try: secsctl messages show ${reply_id ?? message_id}`)
  },
})

export const recipesDelete = equipmentVerb({
  summary: 'Delete a recipe in an equipment (S7F17); exit code 8 when it refuses.',
  examples: ['secsctl recipes delete track KRF-600 --yes'],
  args: { ppid: RECIPE_ARGUMENT },
  flags: { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS },
  async one(on, { args, flags }) {
    const { id, name } = await on.equipment(args.equipment)
    await on.confirmed(`Delete the recipe ${args.ppid} in ${name}?`, flags.yes)
    const result = await on.ask(endpoints.deleteRecipe, id, flags, { params: { ppid: args.ppid } })
    on.printVerdict('ACKC7', result, [['PPID', result.ppid]])
  },
})
