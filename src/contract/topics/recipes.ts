import { type Static, Type } from 'typebox'
import { MESSAGE_BODY_LIMIT } from '../body-limit.js'
import { endpoint } from '../endpoint.js'
import { TRANSACTION_ERRORS } from '../errors.js'
import {
  allIgnored,
  Flag,
  Id,
  input,
  NOT_BLANK,
  NullableFlag,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  OptionalText,
  oneOf,
  onePage,
  Page,
  Text,
} from '../schema.js'
import { Acknowledged, Code, Recorded, recordedAs } from '../values.js'
import { CommandResult } from './commands.js'
import { READS, Timeout, WRITES } from './messages.js'

/** A PPID: any characters, percent-encoded in a path; a slash is %2F. */
export const Ppid = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Process program identifier (PPID).',
})

const ByRecipe = Type.Object({ id: Id, ppid: Type.String({ ...Ppid, pattern: NOT_BLANK }) })

const ListedRecipe = Type.Object({ ppid: Ppid })

const RECIPE_FORMS = ['unformatted', 'formatted'] as const

/** Formats in which a PPBODY is bytes. */
export const BODY_FORMATS = [
  'A',
  'B',
  'J',
  'C',
  'I1',
  'U1',
  'I2',
  'U2',
  'I4',
  'U4',
  'I8',
  'U8',
  'F4',
  'F8',
] as const
export type BodyFormat = (typeof BODY_FORMATS)[number]

const Command = input({
  ccode: Type.Unsafe<string | number>({
    anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }],
    description: 'Code of the process command (CCODE): text, or a number.',
  }),
  parameters: Type.Array(Type.Unknown(), {
    description:
      'Its parameters (PPARM): typed items such as `{"U4":[1]}`; a string, number or boolean is accepted too.',
  }),
})

/** A formatted process program: commands that both sides can read. */
export const FormattedProgram = input({
  mdln: OptionalText('Equipment model (MDLN); default: the MDLN that the equipment reports.', {
    maxLength: 20,
  }),
  softrev: OptionalText('Software revision (SOFTREV); default: the SOFTREV that the equipment reports.', {
    maxLength: 20,
  }),
  commands: Type.Array(Command),
})
export type FormattedProgram = Static<typeof FormattedProgram>

/** Size and checksum of a recipe. */
const Sum = {
  bytes: Type.Integer({
    minimum: 0,
    description:
      'Size in bytes of PPBODY; for a formatted recipe, of its list of commands encoded in SECS-II.',
  }),
  sha256: Text('SHA-256 of these bytes, in lower-case hex.'),
}

export const Recipe = named('Recipe', {
  ppid: Ppid,
  ...Sum,
  item_format: Type.Optional(
    oneOf(BODY_FORMATS, 'SECS-II format of PPBODY; numbers are big-endian. Absent for a formatted recipe.'),
  ),
  body: NullableText('The bytes of PPBODY in Base64; null for a formatted recipe.'),
  formatted: nullable(FormattedProgram),
  ...Recorded,
})
export type Recipe = Static<typeof Recipe>

export const RecipeQuery = input({
  form: Type.Optional(oneOf(RECIPE_FORMS, '`unformatted` (default) uses S7F5, `formatted` uses S7F25.')),
  ...Timeout,
})
export type RecipeQuery = Static<typeof RecipeQuery>

export const NewRecipe = namedInput('NewRecipe', {
  body: OptionalText(
    'The bytes of PPBODY in Base64, at most 16 MiB when decoded. Give either `body` or `formatted`.',
  ),
  item_format: Type.Optional(
    oneOf(
      BODY_FORMATS,
      'SECS-II format of PPBODY. Default: the format in `item_formats` of the equipment, else `B`.',
    ),
  ),
  formatted: Type.Optional(FormattedProgram),
  ...allIgnored({ ppid: Ppid, ...Sum, ...Recorded }),
})
export type NewRecipe = Static<typeof NewRecipe>

const StoreQuery = input({
  verify: OptionalFlag('True: read the recipe back after storing it, and compare the bytes. Default: false.'),
  allow_empty: OptionalFlag(
    'True: store a recipe without any content, too: 0 bytes, or no commands. Default: false.',
  ),
  ...Timeout,
})

export const RecipeStored = named('RecipeStored', {
  ppid: Ppid,
  ...Sum,
  accepted: Flag('True for ACKC7 0.'),
  ppgnt: nullable(Code('PPGNT; null if the equipment does not support S7F1, which HSMS does not need.')),
  ppgnt_text: nullable(Type.String()),
  ackc7: nullable(Code('ACKC7; null if PPGNT denied the transfer, so that the recipe was not sent.')),
  ackc7_text: nullable(Type.String()),
  verified: NullableFlag(
    'Whether the bytes that were read back are identical; null if they were not read back.',
  ),
  ...Recorded,
})
export type RecipeStored = Static<typeof RecipeStored>

const RecipeDeleted = Type.Object({ ppid: Ppid, ...Acknowledged('ackc7') })

const RecipeSelection = input({
  command: OptionalText('Remote command (RCMD); default PP-SELECT.', { minLength: 1, maxLength: 256 }),
  parameter: OptionalText('Name (CPNAME) of the parameter that carries the PPID; default PPID.', {
    minLength: 1,
    maxLength: 256,
  }),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Additional parameters by name (CPNAME).' }),
  ),
})

const PPID = 'OXIDE-ETCH-01'
const BODY = 'U1RFUCAxIFBPV0VSIDgwMAo='
const SUM = { bytes: 17, sha256: '356c3f94c445dc111136b3c3341ab912f0860fd7da7aa2b599429bec154b9c4c' }
const ACCEPTED = { accepted: true, ...recordedAs(71) }
const ACKNOWLEDGED = { ackc7: 0, ackc7_text: 'accepted', ...ACCEPTED }

export const recipeEndpoints = {
  listRecipes: endpoint('GET /equipment/{id}/recipes', {
    ...READS,
    tag: 'recipes',
    summary: 'List the recipes of the equipment',
    description: 'Sends S7F19. The response has all recipes in one page.',
    reply: Page(ListedRecipe),
    examples: { reply: onePage([{ ppid: PPID }]) },
  }),
  fetchRecipe: endpoint('GET /equipment/{id}/recipes/{ppid}', {
    ...READS,
    tag: 'recipes',
    summary: 'Fetch a recipe from the equipment',
    description:
      'Sends S7F5, or S7F25 for the formatted form. The error is `recipe_not_found` if the reply of the equipment is empty.',
    params: ByRecipe,
    query: RecipeQuery,
    reply: Recipe,
    errors: [...TRANSACTION_ERRORS, 'recipe_not_found'],
    examples: {
      reply: { ppid: PPID, ...SUM, item_format: 'B', body: BODY, formatted: null, ...recordedAs(71) },
    },
  }),
  storeRecipe: endpoint('PUT /equipment/{id}/recipes/{ppid}', {
    ...WRITES,
    tag: 'recipes',
    summary: 'Store a recipe in the equipment',
    description:
      'Give exactly one of `body` and `formatted`. For `body` the gateway sends S7F1 (process program load inquire) and S7F3; for `formatted` it sends S7F23. If the equipment refuses, the response is 200 with `accepted` false.',
    params: ByRecipe,
    query: StoreQuery,
    body: NewRecipe,
    bodyLimit: MESSAGE_BODY_LIMIT,
    reply: RecipeStored,
    examples: {
      body: { body: BODY },
      reply: { ppid: PPID, ...SUM, ppgnt: 0, ppgnt_text: 'granted', ...ACKNOWLEDGED, verified: true },
    },
  }),
  deleteRecipe: endpoint('DELETE /equipment/{id}/recipes/{ppid}', {
    ...WRITES,
    tag: 'recipes',
    summary: 'Delete a recipe in the equipment',
    description: 'Sends S7F17. If the equipment refuses, the response is 200 with `accepted` false.',
    params: ByRecipe,
    reply: RecipeDeleted,
    examples: { reply: { ppid: PPID, ...ACKNOWLEDGED } },
  }),
  selectRecipe: endpoint('POST /equipment/{id}/recipes/{ppid}/select', {
    ...WRITES,
    tag: 'recipes',
    summary: 'Select a recipe for the next run',
    description:
      'Sends the remote command PP-SELECT (S2F41). If the equipment refuses, the response is 200 with `accepted` false.',
    access: 'operator',
    params: ByRecipe,
    body: RecipeSelection,
    bodyOptional: true,
    reply: CommandResult,
    audited: ['parameter', 'parameters'],
    examples: {
      body: { parameter: 'PPID', parameters: { LOTID: 'L1' } },
      reply: {
        command: 'PP-SELECT',
        hcack: 0,
        hcack_text: 'done',
        cmda: null,
        cmda_text: null,
        parameters: [],
        sent_by: 'ada@example.com',
        event: null,
        ...ACCEPTED,
      },
    },
  }),
} as const
