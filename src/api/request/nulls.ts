import type { TSchema } from 'typebox'

/** The members of a schema that looking for nulls goes by. */
interface Shape {
  readonly nullable?: boolean
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/**
 * A body without the members that are null where the schema knows no null: many clients send null for what they
 * leave out. Members that the schema does not name stay, and so does what is below a value of any kind.
 */
export function withoutNulls(body: unknown, schema: TSchema): unknown {
  return cleared(body, schema as Shape)
}

function cleared(value: unknown, shape: Shape): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const { items } = shape
    return items?.properties ? value.map((one) => cleared(one, items)) : value
  }
  const { properties = {}, patternProperties = {} } = shape
  const [any] = Object.values(patternProperties)
  if (!any && !shape.properties) return value
  const kept: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : any
    if (member === null && own && !own.nullable) continue
    kept[name] = own ? cleared(member, own) : member
  }
  return kept
}
