import { type Static, type TSchema, Type } from 'typebox'

/** A string that is one of `values`. (A union of literals would become an `anyOf` that nobody can read.) */
export const oneOf = <const Values extends readonly string[]>(values: Values, description?: string) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...(description && { description }) })

/** A value or null, as OpenAPI 3.0 writes it: an `enum` has to name null as well. */
export const nullable = <Schema extends TSchema>(schema: Schema) => {
  const { enum: values } = schema as { readonly enum?: readonly unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    ...(values && { enum: [...values, null] }),
    nullable: true,
  })
}

/** RFC 3339 with an offset on input; UTC with milliseconds on output. */
export const Time = (description: string) => Type.String({ format: 'date-time', description })

/** A name on one line: printable characters, no blank at either end. */
export const PLAIN_NAME = '^[^\\p{C}\\p{Z}]([^\\p{C}\\p{Zl}\\p{Zp}]*[^\\p{C}\\p{Z}])?$'

export const Id = Type.String({ minLength: 1, maxLength: 64 })
export const ById = Type.Object({ id: Id })

/** Records found by a list, and where to go on. */
export const Page = <Schema extends TSchema>(item: Schema) =>
  Type.Object({
    items: Type.Array(item),
    next_cursor: nullable(
      Type.String({ description: 'Give it as `cursor` for the next page; null on the last.' }),
    ),
  })

export interface Page<T> {
  readonly items: T[]
  readonly next_cursor: string | null
}

/** The most a list answers in one page when `limit` is left out. */
export const DEFAULT_LIMIT = 100

/** The query parameters that every list takes. */
export const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: DEFAULT_LIMIT })),
  cursor: Type.Optional(Type.String({ description: 'The `next_cursor` of the page before.' })),
  order: Type.Optional(oneOf(['asc', 'desc'], 'Newest first (`desc`) unless given.')),
}

export const TimeRange = {
  from: Type.Optional(Time('Inclusive.')),
  to: Type.Optional(Time('Exclusive.')),
}
