import { type Static, Type } from 'typebox'
import { FORMATS, type Format } from '../../secs2/format.js'

// Descriptions are noun phrases, for `X is not DESCRIPTION`.

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({
    type: 'string',
    enum: values,
    description: `one of ${values.join(', ')}`,
  })

const words = (maxLength: number, minLength = 1) =>
  Type.String({ minLength, maxLength, description: `text of ${minLength} to ${maxLength} characters` })

const closed = { additionalProperties: false }

const Structure = Type.String({ maxLength: 4096, description: 'a structure, such as <L <SITEID> <TEXT>>' })

const SiteMessage = Type.Object(
  {
    stream: Type.Integer({ minimum: 0, maximum: 127, description: 'an integer from 0 to 127' }),
    function: Type.Integer({ minimum: 1, maximum: 255, description: 'an integer from 1 to 255' }),
    name: words(80),
    direction: oneOf(['host', 'equipment', 'both']),
    w_bit: Type.Optional(oneOf(['required', 'optional', 'forbidden'])),
    structure: Structure,
    also_read: Type.Optional(Type.Array(Structure, { maxItems: 8, description: 'up to 8 structures' })),
    answer: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        description: 'an object of named items for the secondary, such as {"ACKC5": "0"}',
      }),
    ),
    source: Type.Optional(words(200)),
  },
  { ...closed, description: 'a message: an object' },
)

/** Lists are part of structures, not of items. */
const ITEM_FORMATS = FORMATS.filter((format): format is Exclude<Format, 'L'> => format !== 'L')

const SiteItem = Type.Object(
  {
    name: Type.String({
      pattern: '^(?!L$)[A-Z][A-Z0-9_]*$',
      maxLength: 40,
      description: 'a name in capitals, digits and underscores that is not L',
    }),
    formats: Type.Unsafe<'any' | readonly Exclude<Format, 'L'>[]>({
      anyOf: [
        { const: 'any' },
        { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: ITEM_FORMATS } },
      ],
      description: `"any", or an array of formats, the one to build first: ${ITEM_FORMATS.join(', ')}`,
    }),
    several: Type.Optional(Type.Boolean({ description: 'true or false' })),
    meaning: words(200),
    values: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        propertyNames: { pattern: '^-?[0-9]{1,10}$', description: 'a code: an integer in quotes' },
        additionalProperties: { ...words(200) },
        description: 'an object of codes and what each means, such as {"0": "done"}',
      }),
    ),
    accepts: Type.Optional(
      Type.Array(Type.Integer({ description: 'an integer' }), {
        minItems: 1,
        description: 'an array of the codes that mean accepted',
      }),
    ),
    open: Type.Optional(Type.Boolean({ description: 'true or false' })),
    source: Type.Optional(words(200)),
  },
  { ...closed, description: 'an item: an object' },
)

/** A site's own messages and items, as a JSON file holds them. */
export const SiteFile = Type.Object(
  {
    $schema: Type.Optional(words(500)),
    messages: Type.Optional(Type.Array(SiteMessage, { description: 'an array of messages' })),
    items: Type.Optional(Type.Array(SiteItem, { description: 'an array of items' })),
  },
  { ...closed, description: 'an object with messages and items' },
)

export type SiteFile = Static<typeof SiteFile>
export type SiteMessage = Static<typeof SiteMessage>
export type SiteItem = Static<typeof SiteItem>
