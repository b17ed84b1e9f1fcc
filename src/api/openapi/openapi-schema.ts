import { endpoints } from '../../contract/endpoints.js'
import { ProblemBody } from '../../contract/problem-body.js'
import type { Json, JsonObject } from '../../kit/text/json.js'

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

const INT32_MAX = 2 ** 31 - 1

/** What generators make a number of 64 bits of: all integers but those that are known to be smaller. */
function integerFormat({ maximum, enum: values = [] }: Node): string {
  const known = maximum === undefined ? (values as readonly number[]) : [maximum as number]
  return known.length > 0 && Math.max(...known) <= INT32_MAX ? 'int32' : 'int64'
}

/** The member of `anyOf` that a value of `discriminator` names, for all its values. */
function discriminatorOf({ discriminator, anyOf }: Node): JsonObject {
  const mapping = (anyOf as readonly Node[]).flatMap(({ component, properties }) => {
    const { enum: values } = (properties as Record<string, Node>)[discriminator as string] as Node
    return (values as readonly string[]).map((value) => [value, `#/components/schemas/${component}`])
  })
  return { propertyName: discriminator as string, mapping: Object.fromEntries(mapping) }
}

function member(node: Node, name: string, value: unknown): readonly [string, Json][] {
  switch (name) {
    case 'component':
      return []
    // OpenAPI 3.0 has no patternProperties; ours are maps from any name.
    case 'patternProperties':
      return [['additionalProperties', openApiSchema(Object.values(value as object)[0])]]
    case 'discriminator':
      if (typeof value === 'string') return [['discriminator', discriminatorOf(node)]]
      break
    case 'anyOf':
      if (typeof node['discriminator'] === 'string') return [['oneOf', openApiSchema(value)]]
      break
  }
  return [[name, openApiSchema(value)]]
}

function written(value: unknown): Json {
  if (Array.isArray(value)) return value.map(openApiSchema)
  if (!isNode(value)) return value as Json
  const members = Object.entries(value).flatMap(([name, each]) => member(value, name, each))
  const isInteger = value['type'] === 'integer' && value['format'] === undefined
  return { ...Object.fromEntries(members), ...(isInteger && { format: integerFormat(value) }) }
}

/** A schema of the contract as OpenAPI 3.0 writes it; a component is referred to by its name. */
export const openApiSchema = (schema: unknown): Json =>
  isNode(schema) && typeof schema['component'] === 'string'
    ? { $ref: `#/components/schemas/${schema['component']}` }
    : written(schema)

/** The components that the endpoints use, by name. */
export function components(): JsonObject {
  const found = new Map<string, Node>()
  const visit = (value: unknown): void => {
    if (!isNode(value)) return
    const name = value['component']
    if (typeof name === 'string') {
      const known = found.get(name) ?? value
      // A member that `Partial` has copied is another object.
      if (known !== value && JSON.stringify(known) !== JSON.stringify(value))
        throw new Error(`Two schemas are called ${name}.`)
      found.set(name, value)
    }
    for (const member of Object.values(value)) visit(member)
  }
  visit(ProblemBody)
  for (const { params, query, body, reply } of Object.values(endpoints)) visit([params, query, body, reply])
  return Object.fromEntries([...found].map(([name, schema]) => [name, written(schema)]))
}
