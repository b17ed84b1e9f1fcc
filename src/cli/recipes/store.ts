import { createHash } from 'node:crypto'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'
import { BODY_FORMATS, type FormattedProgram, type NewRecipe } from '../../contract/topics/recipes.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { defined } from '../../kit/defined.js'
import { shellWord } from '../../kit/shell-word.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGE_FLAGS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { RECIPE_ARGUMENT, required } from '../input/arguments.js'
import { choiceFlag, switchFlag } from '../input/flags.js'
import { readBytes, textOf } from '../input/standard-input.js'
import { yamlIn } from '../input/yaml-input.js'
import { TRANSACTION_FLAGS } from '../messages/transaction-flags.js'

const MAX_BYTES = 16_777_215

export const recipesStore = equipmentVerb({
  summary: 'Store a recipe in an equipment (S7F1, S7F3, S7F23); exit code 8 when refused.',
  description:
    'The recipe gets exactly the bytes of the file. With --formatted, the file is YAML or JSON: `commands`, each with a `ccode` and `parameters`, as `recipes fetch --formatted` writes it; without `mdln` and `softrev` it takes those of the equipment. With --verify, it reads the recipe back and compares the bytes; exit code 8 if they differ. On a terminal it first reads the recipe that the equipment has under this PPID, and asks before it replaces different content; --yes answers. An empty recipe is refused without --allow-empty.',
  examples: [
    'secsctl recipes store track KRF-600 ./krf-600.txt --verify',
    'secsctl recipes store -l bay=3 KRF-600 ./krf-600.txt --verify --yes',
    'secsctl recipes store furnace DRYOX-900 dryox-900.yaml --formatted --verify',
  ],
  args: {
    ppid: RECIPE_ARGUMENT,
    file: required('The recipe; - is standard input.'),
  },
  flags: {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    verify: switchFlag('Read it back, and compare the bytes.'),
    'allow-empty': switchFlag('Store a recipe without any content, too.'),
    formatted: switchFlag('The file holds commands, not bytes.', { exclusive: ['format'] }),
    format: choiceFlag(
      BODY_FORMATS,
      'SECS-II format of the bytes; by default the one in item_formats of the equipment, or B.',
      { helpValue: 'FORMAT' },
    ),
  },
  words: {
    '/ppid': 'PPID',
    '/body': 'FILE',
    '/formatted/': 'FILE: *',
    '/formatted': 'FILE',
    '/item_format': '--format',
  },
  async one(on, { args, flags }) {
    const bytes = await readBytes(on.environment.stdin, args.file, 'the recipe', MAX_BYTES)
    // What the file holds, the gateway judges.
    const program = () =>
      (yamlIn(textOf(bytes, args.file), args.file).value ?? { commands: [] }) as FormattedProgram
    const body: NewRecipe = flags.formatted
      ? { formatted: program() }
      : { body: bytes.toString('base64'), ...(flags.format && { item_format: flags.format }) }
    if (!flags['allow-empty'] && isEmpty(body))
      throw wrongUsage(
        `${args.file === '-' ? 'standard input' : args.file} has no recipe in it: 0 ${body.formatted ? 'commands' : 'bytes'}`,
        'add --allow-empty to store an empty recipe',
      )
    const equipment = await on.equipment(args.equipment)
    const { name } = equipment
    if (!flags.yes && on.prompts.allowed) await agree(on, equipment, args.ppid, body, flags)
    const params = { ppid: args.ppid }
    const query = defined({
      verify: flags.verify || undefined,
      allow_empty: flags['allow-empty'] || undefined,
    })
    const result = await on.ask(endpoints.storeRecipe, equipment, flags, { params, query, body })
    const { verified } = result
    on.printVerdict(result.ackc7 === null ? 'PPGNT' : 'ACKC7', result, [
      ['PPID', result.ppid],
      ['bytes', String(result.bytes)],
      ['SHA-256', result.sha256],
      ...(verified === null ? [] : [['verified', verified ? 'ok' : 'not ok'] as const]),
    ])
    if (verified !== false) return
    on.environment.exitCode = EXIT_CODES.equipment
    on.note(`${name} accepted the recipe, but does not give the same back: it may have found faults in it`)
    on.note(`Try: secsctl messages list --equipment ${shellWord(name)} --message S7 --limit 5`)
  },
})

/** Shows the recipe that would be replaced by another one, and asks. */
async function agree(
  on: EquipmentCommand,
  equipment: Equipment,
  ppid: string,
  body: NewRecipe,
  { timeout }: { readonly timeout?: string | undefined },
): Promise<void> {
  const form = body.formatted ? ('formatted' as const) : ('unformatted' as const)
  const given = { params: { ppid }, query: { form } }
  const there = await on.during(`reading ${ppid} of ${equipment.name}`, async () => {
    try {
      return await on.ask(endpoints.fetchRecipe, equipment, { timeout }, given)
    } catch (error) {
      if (error instanceof Problem && error.code === 'recipe_not_found') return undefined
      // Equipment that gives no recipe away may take one. Without equipment the error is that of the storing.
      if (error instanceof Problem && error.kind === 'equipment') return error
      throw error
    }
  })
  if (there === undefined) return
  const { name } = equipment
  const bytes = body.body === undefined ? undefined : Buffer.from(body.body, 'base64')
  const sha256 = bytes && createHash('sha256').update(bytes).digest('hex')
  if (there instanceof Problem) {
    on.note(`Whether ${name} has ${ppid} is not known: ${there.message}`)
  } else {
    if (there.sha256 === sha256) return
    on.note(`${name} has ${ppid}: ${sizeText(there.bytes, there.sha256)}`)
  }
  if (bytes && sha256 !== undefined) on.note(`New content: ${sizeText(bytes.length, sha256)}`)
  await on.confirmed(`Replace the recipe ${ppid} in ${name}?`, false)
}

const sizeText = (bytes: number, sha256: string): string => `${bytes} bytes, SHA-256 ${sha256}`

const isEmpty = ({ body, formatted }: NewRecipe): boolean =>
  formatted === undefined
    ? body === ''
    : Array.isArray(formatted?.commands) && formatted.commands.length === 0
