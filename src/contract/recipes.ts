import { type Static, Type } from 'typebox'
import { Timeout } from './messages.js'
import { allIgnored, Id, nullable, oneOf } from './schema.js'
import { Code, Recorded } from './values.js'

/** A PPID: any characters, percent-encoded in a path; a slash is %2F. */
const Ppid = Type.String({ minLength: 1, maxLength: 256, description: 'PPID.' })

export const ByRecipe = Type.Object({ id: Id, ppid: Ppid })

export const ListedRecipe = Type.Object({ ppid: Ppid })
export type ListedRecipe = Static<typeof ListedRecipe>

export const RECIPE_FORMS = ['unformatted', 'formatted'] as const
export type RecipeForm = (typeof RECIPE_FORMS)[number]

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

const Command = Type.Object(
  {
    ccode: Type.Unsafe<string | number>({
      anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }],
      description: 'Code of the process command (CCODE): text, or a number.',
    }),
    parameters: Type.Array(Type.Unknown(), {
      description:
        'Its parameters (PPARM): typed items such as `{"U4":[1]}`; a string, number or boolean is taken as well.',
    }),
  },
  { additionalProperties: false },
)

/** A formatted process program: commands that both sides can read. */
export const FormattedProgram = Type.Object(
  {
    mdln: Type.Optional(
      Type.String({ maxLength: 20, description: 'MDLN; what the equipment calls itself when left out.' }),
    ),
    softrev: Type.Optional(Type.String({ maxLength: 20, description: 'SOFTREV; likewise.' })),
    commands: Type.Array(Command),
  },
  { additionalProperties: false },
)
export type FormattedProgram = Static<typeof FormattedProgram>

/** What the bytes of a recipe are counted and summed over. */
const Sum = {
  bytes: Type.Integer({
    minimum: 0,
    description: 'Bytes of PPBODY; of a formatted recipe, of its list of commands as SECS-II.',
  }),
  sha256: Type.String({ description: 'SHA-256 of these bytes, in lower-case hex.' }),
}

export const Recipe = Type.Object({
  ppid: Ppid,
  ...Sum,
  item_format: nullable(
    oneOf(BODY_FORMATS, 'SECS-II format of PPBODY; numbers are big-endian. Null where it is formatted.'),
  ),
  body: nullable(Type.String({ description: 'The bytes of PPBODY in Base64; null where it is formatted.' })),
  formatted: nullable(FormattedProgram),
  ...Recorded,
})
export type Recipe = Static<typeof Recipe>

export const RecipeQuery = Type.Object(
  {
    form: Type.Optional(oneOf(RECIPE_FORMS, '`unformatted` (S7F5) unless given; `formatted` is S7F25.')),
    ...Timeout,
  },
  { additionalProperties: false },
)
export type RecipeQuery = Static<typeof RecipeQuery>

export const NewRecipe = Type.Object(
  {
    body: Type.Optional(
      Type.String({ description: 'The bytes of PPBODY in Base64, up to 16 MiB of them. Or `formatted`.' }),
    ),
    item_format: Type.Optional(
      oneOf(
        BODY_FORMATS,
        'SECS-II format of PPBODY. When left out, the one in the equipment’s `item_formats`, else `B`.',
      ),
    ),
    formatted: Type.Optional(FormattedProgram),
    ...allIgnored({ ppid: Ppid, ...Sum, ...Recorded }),
  },
  { additionalProperties: false },
)
export type NewRecipe = Static<typeof NewRecipe>

export const StoreQuery = Type.Object(
  {
    verify: Type.Optional(
      Type.Boolean({ description: 'Reads the recipe back afterwards, and compares the bytes.' }),
    ),
    ...Timeout,
  },
  { additionalProperties: false },
)
export type StoreQuery = Static<typeof StoreQuery>

export const RecipeStored = Type.Object({
  ppid: Ppid,
  ...Sum,
  accepted: Type.Boolean({ description: 'True for ACKC7 0.' }),
  ppgnt: nullable(Code('PPGNT; null where the equipment does not know S7F1, which HSMS can do without.')),
  ppgnt_text: nullable(Type.String()),
  ackc7: nullable(Code('ACKC7; null where PPGNT refused, and nothing was sent.')),
  ackc7_text: nullable(Type.String()),
  verified: nullable(
    Type.Boolean({
      description: 'Whether the equipment gave the same bytes back; null where it was not asked to.',
    }),
  ),
  ...Recorded,
})
export type RecipeStored = Static<typeof RecipeStored>

export const RecipeDeleted = Type.Object({
  ppid: Ppid,
  accepted: Type.Boolean({ description: 'True for ACKC7 0.' }),
  ackc7: Code('ACKC7.'),
  ackc7_text: Type.String(),
  ...Recorded,
})
export type RecipeDeleted = Static<typeof RecipeDeleted>

export const RecipeSelection = Type.Object(
  {
    command: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'RCMD; PP-SELECT unless given.' }),
    ),
    parameter: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'CPNAME that the PPID goes with; PPID unless given.',
      }),
    ),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Further parameters, by name.' }),
    ),
  },
  { additionalProperties: false },
)
export type RecipeSelection = Static<typeof RecipeSelection>
