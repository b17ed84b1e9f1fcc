import { writeFile } from 'node:fs/promises'
import { Flags } from '@oclif/core'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { writeFault } from '../../src/cli/errors/file-fault.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { EQUIPMENT_ARGUMENT, RECIPE_ARGUMENT } from '../../src/cli/input/arguments.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { definitionText } from '../../src/cli/output/definition-text.js'
import { recipeFields } from '../../src/cli/recipes/recipe-output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Recipe } from '../../src/contract/topics/recipes.js'

export default class RecipesFetch extends GatewayCommand {
  static override summary = 'Fetch a recipe from an equipment (S7F5, S7F25).'
  static override description =
    'Without --to, prints its length and SHA-256. With it, the file gets the exact bytes of the recipe; with --formatted, YAML of its commands, as `recipes store --formatted` takes it.'
  static override examples = [
    'secsctl recipes fetch track KRF-550',
    'secsctl recipes fetch track KRF-550 --to krf-550.txt',
    'secsctl recipes fetch track KRF-550 --to - | less',
    'secsctl recipes fetch furnace DRYOX-950 --formatted --to -',
  ]
  static override args = { equipment: EQUIPMENT_ARGUMENT, ppid: RECIPE_ARGUMENT }
  static override flags = {
    ...ASKING_FLAGS,
    to: Flags.string({ helpValue: 'FILE', summary: 'Write it there; - is standard output.' }),
    force: Flags.boolean({ char: 'f', dependsOn: ['to'], summary: 'Replace the file if it is there.' }),
    formatted: Flags.boolean({ summary: 'Its commands, instead of its bytes.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RecipesFetch)
    const form = flags.formatted ? ('formatted' as const) : ('unformatted' as const)
    const given = { params: { ppid: args.ppid }, query: { form } }
    const recipe = await this.ask(endpoints.fetchRecipe, args.equipment, flags, given)
    if (flags.to === undefined) return this.printRecord(recipe, recipeFields(recipe))
    const content = contentOf(recipe)
    if (flags.to === '-') return void this.environment.stdout.write(content)
    await this.#write(flags.to, content, flags.force)
    this.printRecord({ ...recipe, file: flags.to }, [...recipeFields(recipe), ['file', flags.to]])
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
