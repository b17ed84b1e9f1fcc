import type { Json, JsonObject } from '../../kit/text/json.js'
import type { Paths } from './shared-parts.js'

/** What people read and generators of clients do not. */
const FOR_PEOPLE = new Set(['description', 'example', 'externalDocs'])

/** The same without what is for people. In `properties` all members are names. */
export function withoutTexts(value: Json, isNames = false): Json {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => isNames || !FOR_PEOPLE.has(name))
  return Object.fromEntries(
    kept.map(([name, part]) => [name, withoutTexts(part, !isNames && name === 'properties')]),
  )
}

/** OpenAPI requires a description of each response. */
const response = (written: JsonObject, description: string): JsonObject => ({
  description,
  ...(withoutTexts(written) as JsonObject),
})

function compactResponses(responses: Readonly<Record<string, JsonObject>>) {
  const anyError = response(responses['default'] ?? {}, 'Any error.')
  const good = Object.entries(responses).filter(([status]) => /^[23]/.test(status))
  return {
    ...Object.fromEntries(good.map(([status, each]) => [status, response(each, 'Done.')])),
    '4XX': anyError,
    default: anyError,
  }
}

/** Paths for generators of clients: without texts, and with one response for all errors, which have the same body. */
export const compactPaths = (paths: Paths): Paths =>
  mapped(paths, (methods) =>
    mapped(methods, ({ responses, ...operation }) => ({
      ...(withoutTexts(operation) as JsonObject),
      responses: compactResponses(responses),
    })),
  )

const mapped = <From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
