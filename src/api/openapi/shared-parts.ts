import { STATUS_CODES } from 'node:http'
import type { JsonObject } from '../../kit/text/json.js'

type Parts = Readonly<Record<string, JsonObject>>
type Response = JsonObject & { readonly headers?: Parts }
type Operation = JsonObject & {
  readonly parameters?: readonly JsonObject[]
  readonly responses: Readonly<Record<string, Response>>
}
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Replaces the parts that are there more than once by references to one that has a name. */
class Shared {
  readonly components: Record<string, JsonObject> = {}
  readonly #repeated = new Set<string>()
  readonly #names = new Map<string, string>()

  constructor(
    readonly folder: string,
    all: readonly JsonObject[],
  ) {
    const seen = new Set<string>()
    for (const text of all.map((part) => JSON.stringify(part))) {
      if (seen.has(text)) this.#repeated.add(text)
      seen.add(text)
    }
  }

  /** `word`: its name where it is the first of this name, followed by a number otherwise. */
  of(word: string, part: JsonObject): JsonObject {
    const text = JSON.stringify(part)
    if (!this.#repeated.has(text)) return part
    let name = this.#names.get(text) ?? word
    for (let number = 2; !this.#names.has(text) && name in this.components; number++) name = word + number
    this.#names.set(text, name)
    this.components[name] = part
    return { $ref: `#/components/${this.folder}/${name}` }
  }
}

const operationsOf = (paths: Paths): readonly Operation[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods))
const responsesOf = (paths: Paths): readonly Response[] =>
  operationsOf(paths).flatMap(({ responses }) => Object.values(responses))

const mapped = <From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From, name: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))

const mapOperations = (paths: Paths, map: (operation: Operation) => Operation): Paths =>
  mapped(paths, (methods) => mapped(methods, map))

/** The paths with references to the parameters, responses and headers that several calls share. */
export function sharingParts(paths: Paths): { readonly paths: Paths; readonly components: JsonObject } {
  const headers = new Shared(
    'headers',
    responsesOf(paths).flatMap((response) => Object.values(response.headers ?? {})),
  )
  const withHeaders = mapOperations(paths, (operation) => ({
    ...operation,
    responses: mapped(operation.responses, (response) => ({
      ...response,
      ...(response.headers && { headers: mapped(response.headers, (each, name) => headers.of(name, each)) }),
    })),
  }))
  const responses = new Shared('responses', responsesOf(withHeaders))
  const parameters = new Shared(
    'parameters',
    operationsOf(paths).flatMap((operation) => operation.parameters ?? []),
  )
  const shared = mapOperations(withHeaders, (operation) => ({
    ...operation,
    ...(operation.parameters && {
      parameters: operation.parameters.map((each) => parameters.of(String(each['name']), each)),
    }),
    responses: mapped(operation.responses, (each, status) =>
      responses.of((STATUS_CODES[status] ?? 'AnyError').replace(/\W/g, ''), each),
    ),
  }))
  return {
    paths: shared,
    components: {
      parameters: parameters.components,
      headers: headers.components,
      responses: responses.components,
    },
  }
}
