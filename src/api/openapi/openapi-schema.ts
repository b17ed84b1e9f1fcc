import { endpoints } from '../../contract/endpoints.js'
import { ProblemBody } from '../../contract/problem-body.js'
import type { Json, JsonObject } from '../../kit/text/json.js'

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

function written(value: unknown): Json {
  if (Array.isArray(value)) return value.map(openApiSchema)
  if (!isNode(value)) return value as Json
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    if (name === 'component') return []
    // OpenAPI 3.0 has no patternProperties; ours are maps from any name.
    if (name !== 'patternProperties') return [[name, openApiSchema(member)]]
    return [['additionalProperties', openApiSchema(Object.values(member as object)[0])]]
  })
  return Object.fromEntries(members)
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
      if (known !== value) throw new Error(`Two schemas are called ${name}.`)
      found.set(name, value)
    }
    for (const member of Object.values(value)) visit(member)
  }
  visit(ProblemBody)
  for (const { params, query, body, reply } of Object.values(endpoints)) visit([params, query, body, reply])
  return Object.fromEntries([...found].map(([name, schema]) => [name, written(schema)]))
}
