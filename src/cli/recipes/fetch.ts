import { writeFile } from 'node:fs/promises'
import { endpoints } from '../../contract/endpoints.js'
import type { Recipe } from '../../contract/topics/recipes.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { writeFault } from '../errors/file-fault.js'
import { RECIPE_ARGUMENT } from '../input/arguments.js'
import { fileFor, isForEach } from '../input/file-pattern.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { ASKING_FLAGS } from '../messages/transaction-flags.js'
import { definitionText } from '../output/definition-text.js'
import { recipeFields } from './recipes-verbs.js'

export const recipesFetch = equipmentVerb({
  summary: 'Fetch a recipe from an equipment (S7F5, S7F25).',
  description:
    'Without --to, prints its length and SHA-256. With --to FILE, the file gets the exact bytes of the recipe. --to - prints them; a terminal gets text, with control characters as \\x1b. With --formatted it writes YAML of the commands, which `recipes store --formatted` takes. For several equipments, a table of the lengths and hashes shows where a recipe differs, and --to needs {equipment} in the name: one file for each.',
  examples: [
    'secsctl recipes fetch track KRF-550',
    'secsctl recipes fetch track KRF-550 --to krf-550.txt',
    'secsctl recipes fetch track KRF-550 --to - | less',
    "secsctl recipes fetch 'track-*' KRF-550",
    "secsctl recipes fetch --all KRF-550 --to 'recipes/{equipment}/{ppid}'",
    'secsctl recipes fetch furnace DRYOX-950 --formatted --to -',
  ],
  args: { ppid: RECIPE_ARGUMENT },
  flags: {
    ...ASKING_FLAGS,
    ...TARGET_FLAGS,
    to: textFlag(
      'FILE',
      'Write the recipe to FILE; - is standard output. {equipment} and {ppid} are replaced, and folders are created.',
    ),
    force: switchFlag('Replace the file if it is there.', { dependsOn: ['to'] }),
    formatted: switchFlag('Fetch the commands of the recipe instead of its bytes.'),
  },
  checkSeveral({ to }) {
    if (to !== undefined && !isForEach(to))
      throw wrongUsage('--to needs {equipment} in it where several are meant: each gets a file')
  },
  async one(on, { args, flags }) {
    const form = flags.formatted ? ('formatted' as const) : ('unformatted' as const)
    const given = { params: { ppid: args.ppid }, query: { form } }
    const equipment = await on.equipment(args.equipment)
    const recipe = await on.ask(endpoints.fetchRecipe, equipment, flags, given)
    if (flags.to === undefined) return on.printRecord(recipe, recipeFields(recipe))
    const content = contentOf(recipe)
    if (flags.to === '-') return on.printBytes(content)
    const file = fileFor(flags.to, { equipment: equipment.name, ppid: args.ppid })
    await write(file, content, flags.force)
    on.printRecord({ ...recipe, file }, [...recipeFields(recipe), ['file', file]])
    const { item_format: format } = recipe
    const usual = equipment.item_formats?.['PPBODY'] ?? 'B'
    if (format !== undefined && format !== usual)
      on.note(
        `To store it in this format, add --format ${format} to \`recipes store\`: without it, it is stored as ${usual}.`,
      )
  },
})

async function write(file: string, content: Uint8Array, replace: boolean): Promise<void> {
  try {
    await writeFile(file, content, { flag: replace ? 'w' : 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw wrongUsage(`${file} is there already: add --force to replace it`)
    throw wrongUsage(`${file} cannot be written: ${writeFault(error)}`)
  }
}

const contentOf = ({ body, formatted }: Recipe): Uint8Array =>
  formatted ? Buffer.from(definitionText(formatted)) : Buffer.from(body ?? '', 'base64')
