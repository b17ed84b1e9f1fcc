import {
  type Static,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TStringOptions,
  Type,
} from 'typebox'

/** An object that the OpenAPI document describes once, under `component`, and refers to elsewhere. */
export const named = <Properties extends TProperties>(
  component: string,
  properties: Properties,
  options: TObjectOptions = {},
) => Type.Object(properties, { ...options, component })

/** One of several objects that `named` has made; `discriminator`: the member by whose value they differ. */
export const namedUnion = <Members extends TSchema[]>(
  component: string,
  discriminator: string,
  members: [...Members],
) => Type.Union(members, { component, discriminator })

/** What a client sends: a member that it does not have is refused. */
export const input = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** The same, described once in the OpenAPI document. */
export const namedInput = <Properties extends TProperties>(component: string, properties: Properties) =>
  named(component, properties, { additionalProperties: false })

/** A string that is one of `values`. (A union of literals would become an `anyOf` that is hard to read.) */
export const oneOf = <const Values extends readonly string[]>(values: Values, description?: string) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...(description && { description }) })

/** Any schema that the OpenAPI document describes once, under `component`. */
export const described = <Schema extends TSchema>(component: string, schema: Schema) =>
  Type.Unsafe<Static<Schema>>({ ...schema, component })

/** A value or null, as OpenAPI 3.0 writes it. One of several words is left out instead: null is none of an `enum`. */
export const nullable = <Schema extends TSchema>(schema: Schema) => {
  const { component } = schema as { readonly component?: string }
  const name = component && { component: `Nullable${component}` }
  return Type.Unsafe<Static<Schema> | null>({ ...schema, ...name, nullable: true })
}

type Range = readonly [minimum: number, maximum: number]

// Members that have a description, with limits where they are inputs.
export const Text = (description: string) => Type.String({ description })
export const OptionalText = (description: string, limits: TStringOptions = {}) =>
  Type.Optional(Type.String({ ...limits, description }))
export const OptionalInteger = ([minimum, maximum]: Range, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))
export const OptionalNumber = ([minimum, maximum]: Range, description: string) =>
  Type.Optional(Type.Number({ minimum, maximum, description }))
export const NullableText = (description: string) => nullable(Text(description))
export const Flag = (description: string) => Type.Boolean({ description })
export const OptionalFlag = (description: string) => Type.Optional(Flag(description))
export const NullableFlag = (description: string) => nullable(Flag(description))

/** An integer of one byte, of two, and the system bytes of a message. */
export const Byte = (description?: string) =>
  Type.Integer({ minimum: 0, maximum: 255, ...(description && { description }) })
export const Word = Type.Integer({ minimum: 0, maximum: 65535 })
export const SystemBytes = Type.Integer({ minimum: 0, maximum: 4294967295 })

/** RFC 3339 with an offset on input; UTC with milliseconds on output. */
export const Time = (description: string) => Type.String({ format: 'date-time', description })

/** A member of a record that cannot be set. It may be sent, as it was read, and is ignored. */
export const ignored = () => Type.Optional(Type.Unknown({ description: IGNORED }))
export const IGNORED = 'Read-only; ignored in a request.'

/** The same for all members of `known`. */
export const allIgnored = <Known extends object>(known: Known) =>
  Object.fromEntries(Object.keys(known).map((name) => [name, ignored()])) as {
    [Name in keyof Known]: ReturnType<typeof ignored>
  }

// Patterns are read by others as OpenAPI 3.0 has them, in the dialect of ECMA-262 without its flag `u`: no property
// of characters, and a character beyond U+FFFF is two.

/** Control, format and private characters, what is no character, and halves of one. */
export const UNPRINTABLE =
  '\\x00-\\x1f\\x7f-\\x9f\\xad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f' +
  '\\u202a-\\u202e\\u2060-\\u206f\\ud800-\\uf8ff\\ufdd0-\\ufdef\\ufeff\\ufff0-\\ufffb\\ufffe\\uffff'
const LINE_ENDS = '\\u2028\\u2029'
const BLANKS = ` \\xa0\\u1680\\u2000-\\u200a${LINE_ENDS}\\u202f\\u205f\\u3000`
/** A character beyond U+FFFF that is printable. */
export const PAIR = '[\\ud800-\\udb3f][\\udc00-\\udfff]'
const VISIBLE = `(?:[^${UNPRINTABLE}${BLANKS}]|${PAIR})`

/** A name on one line: printable characters, no blank at either end. */
export const PLAIN_NAME = `^${VISIBLE}(?:(?:[^${UNPRINTABLE}${LINE_ENDS}]|${PAIR})*${VISIBLE})?$`

/** Beside an `equipment_id`. */
export const EquipmentName = described(
  'CurrentEquipmentName',
  NullableText(
    'Current name of the equipment, or the last one of equipment that was deleted; null where none is known.',
  ),
)

export const Id = Type.String({ minLength: 1, maxLength: 64 })
/** Ids of equipment begin so, and names of equipment do not: the path of a call has either. */
export const EQUIPMENT_ID_PREFIX = 'eq_'
/** Names that equipment does not have, since they would stand for something else in the path of a call. */
export const NO_EQUIPMENT_NAMES = ['apply', '.', '..'] as const
/** A text that has more than blanks. */
export const NOT_BLANK = '\\S'
export const ById = Type.Object({ id: Id })

/** A query parameter that narrows to equipment: one, or several. On the server it is always an array. */
export const EquipmentIds = Type.Optional(
  Type.Unsafe<string | readonly string[]>({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[^,]{1,64}$' },
    maxItems: 400,
    description:
      'Id or name of an equipment; may be repeated, up to 400 times. A name that has a comma is replaced by the id. The name of equipment that was deleted is accepted where no other equipment has it now. A name that no equipment has or had is refused; an id is not, since equipment that was deleted has records. Default: all equipment.',
  }),
)

const NextCursor = described(
  'NextCursor',
  NullableText('Pass it as `cursor` to read the next page; null on the last page.'),
)

/** One page of a list, and the cursor of the next page. */
export const Page = <Schema extends TSchema>(item: Schema) =>
  Type.Object({
    items: Type.Array(item),
    next_cursor: NextCursor,
  })

export interface Page<T> {
  readonly items: T[]
  readonly next_cursor: string | null
}

/** A list that is whole on one page. */
export const onePage = <T>(items: T[]): Page<T> => ({ items, next_cursor: null })

/** Records in one page of a list if the call has no `limit`. */
export const DEFAULT_LIMIT = 100

/** The query parameters that every list takes. */
export const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: DEFAULT_LIMIT })),
  cursor: OptionalText('The `next_cursor` of the previous page.'),
  order: Type.Optional(oneOf(['asc', 'desc'], 'Order by time. Default: `desc`, the newest first.')),
}

export const TimeRange = {
  from: Type.Optional(Time('Only records at or after this time.')),
  to: Type.Optional(Time('Only records before this time.')),
}
