import { STATUS_CODES } from 'node:http'
import type { Json, JsonObject } from '../../kit/text/json.js'

type Parts = Readonly<Record<string, JsonObject>>
type Media = JsonObject & { readonly schema?: JsonObject; readonly example?: Json }
type Response = JsonObject & { readonly headers?: Parts; readonly content?: Readonly<Record<string, Media>> }
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

/** An example that is shorter than this is not shared: its reference would be longer. */
const MIN_EXAMPLE = 100

/** Media types with references to the examples that several responses share. */
function sharingExamples(responses: readonly Response[]) {
  const all = responses.flatMap(({ content = {} }) => Object.values(content))
  const long = all.filter(({ example }) => example && JSON.stringify(example).length >= MIN_EXAMPLE)
  const examples = new Shared(
    'examples',
    long.map(({ example }) => ({ value: example ?? null })),
  )
  const of = ({ example, ...media }: Media): JsonObject => {
    if (example === undefined) return media
    const shared = examples.of(String(media.schema?.['$ref'] ?? 'Example').replace(/.*\//, ''), {
      value: example,
    })
    return { ...media, ...('$ref' in shared ? { examples: { example: shared } } : { example }) }
  }
  return { of, components: examples.components }
}

const mapOperations = (paths: Paths, map: (operation: Operation) => Operation): Paths =>
  mapped(paths, (methods) => mapped(methods, map))

/** The paths with references to the parameters, responses, headers and examples that several calls share. */
export function sharingParts(paths: Paths): { readonly paths: Paths; readonly components: JsonObject } {
  const headers = new Shared(
    'headers',
    responsesOf(paths).flatMap((response) => Object.values(response.headers ?? {})),
  )
  const examples = sharingExamples(responsesOf(paths))
  const withHeaders = mapOperations(paths, (operation) => ({
    ...operation,
    responses: mapped(operation.responses, (response) => ({
      ...response,
      ...(response.content && { content: mapped(response.content, examples.of) }),
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
      ...(Object.keys(examples.components).length > 0 && { examples: examples.components }),
    },
  }
}
