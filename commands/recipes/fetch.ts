import { writeFile } from 'node:fs/promises'
import { Flags } from '@oclif/core'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENT, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { writeFault } from '../../src/cli/errors/file-fault.js'
import { RECIPE_ARGUMENT } from '../../src/cli/input/arguments.js'
import { fileFor, isForEach } from '../../src/cli/input/file-pattern.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { definitionText } from '../../src/cli/output/definition-text.js'
import { recipeFields } from '../../src/cli/recipes/recipe-output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Recipe } from '../../src/contract/topics/recipes.js'

export default class RecipesFetch extends EquipmentCommand {
  static override summary = 'Fetch a recipe from an equipment (S7F5, S7F25).'
  static override description =
    'Without --to, prints its length and SHA-256. With it, the file gets the exact bytes of the recipe; a terminal gets text, with control characters as \\x1b; with --formatted, YAML of its commands, as `recipes store --formatted` takes it. For several equipments, a table of the lengths and hashes shows where a recipe differs, and --to has {equipment} in it: a file for each.'
  static override examples = [
    'secsctl recipes fetch track KRF-550',
    'secsctl recipes fetch track KRF-550 --to krf-550.txt',
    'secsctl recipes fetch track KRF-550 --to - | less',
    "secsctl recipes fetch 'track-*' KRF-550",
    "secsctl recipes fetch --all KRF-550 --to 'recipes/{equipment}/{ppid}'",
    'secsctl recipes fetch furnace DRYOX-950 --formatted --to -',
  ]
  static override args = { equipment: TARGET_ARGUMENT, ppid: RECIPE_ARGUMENT }
  static override flags = {
    ...ASKING_FLAGS,
    ...TARGET_FLAGS,
    to: Flags.string({
      helpValue: 'FILE',
      summary: 'Write it there; - is standard output. {equipment} and {ppid} are replaced, and folders made.',
    }),
    force: Flags.boolean({ char: 'f', dependsOn: ['to'], summary: 'Replace the file if it is there.' }),
    formatted: Flags.boolean({ summary: 'Its commands, instead of its bytes.' }),
  }

  protected override checkSeveral({ to }: { readonly to?: string }): void {
    if (to !== undefined && !isForEach(to))
      throw wrongUsage('--to needs {equipment} in it where several are meant: each gets a file')
  }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(RecipesFetch)
    const form = flags.formatted ? ('formatted' as const) : ('unformatted' as const)
    const given = { params: { ppid: args.ppid }, query: { form } }
    const equipment = await this.equipment(args.equipment)
    const recipe = await this.ask(endpoints.fetchRecipe, equipment, flags, given)
    if (flags.to === undefined) return this.printRecord(recipe, recipeFields(recipe))
    const content = contentOf(recipe)
    if (flags.to === '-') return this.printBytes(content)
    const file = fileFor(flags.to, { equipment: equipment.name, ppid: args.ppid })
    await this.#write(file, content, flags.force)
    this.printRecord({ ...recipe, file }, [...recipeFields(recipe), ['file', file]])
  }

  async #write(file: string, content: Uint8Array, replace: boolean): Promise<void> {
    try {
      await writeFile(file, content, { flag: replace ? 'w' : 'wx' })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') throw wrongUsage(`${file} is there already: add --force to replace it`)
      throw wrongUsage(`${file} cannot be written: ${writeFault(error)}`)
    }
  }
}

const contentOf = ({ body, formatted }: Recipe): Uint8Array =>
  formatted ? Buffer.from(definitionText(formatted)) : Buffer.from(body ?? '', 'base64')
