import type { TSchema } from 'typebox'

/** The members of a schema that are used to read a query. */
interface Shape {
  readonly type?: string
  readonly items?: Shape
  readonly enum?: readonly unknown[]
  readonly maxLength?: number
}

const INTEGER = /^-?\d{1,16}$/
const NUMBER = /^-?\d{1,32}(\.\d{1,32})?(e[+-]?\d{1,3})?$/i

/** Characters of an id, which has no comma. Names of variables, which are longer, may have some. */
const ID_LENGTH = 64

const isWord = ({ type, enum: values, maxLength }: Shape = {}): boolean =>
  type === 'integer' || values !== undefined || maxLength === ID_LENGTH

/** `text` as the type that the schema wants, or as it is where it is none: the validation then says so. */
function readValue(text: unknown, schema: Shape): unknown {
  if (schema.type === 'array') {
    const given: readonly unknown[] = Array.isArray(text) ? text : [text]
    // Clients that are generated from the document may repeat a parameter or write commas.
    const values = given.flatMap((one) =>
      typeof one === 'string' && isWord(schema.items) ? one.split(',') : [one],
    )
    return values.map((value) => readValue(value, schema.items ?? {}))
  }
  if (typeof text !== 'string') return text
  if (schema.type === 'integer' && INTEGER.test(text)) return Number(text)
  if (schema.type === 'number' && NUMBER.test(text)) return Number(text)
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/**
 * Reads the parameters of a query string as the types that `schema` names. Text is all that a query can hold, so this
 * is the one place where text becomes a number; `0x10`, ` 5` and an empty text do not.
 */
export function queryReader(schema: TSchema): (given: object) => Readonly<Record<string, unknown>> {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, Shape>> }
  const shapes = new Map(Object.entries(properties))
  return (given) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, readValue(value, shapes.get(name) ?? {})]),
    )
}
