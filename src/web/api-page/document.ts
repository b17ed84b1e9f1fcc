import { referredPart } from '../../contract/referred-part.js'

/** What this page reads of an OpenAPI document. */
export interface Shape {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly nullable?: boolean
  readonly description?: string
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Shape; readonly example?: unknown }>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Shape
}

interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>
}

interface Reference {
  readonly $ref: string
}

/** As it is in the document: parameters and responses that several calls share are references. */
interface Written extends Omit<Described, 'parameters' | 'responses'> {
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly responses: Readonly<Record<string, Described['responses'][string] | Reference>>
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly servers?: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Written>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> }
}

export interface Operation extends Described {
  readonly method: string
  /** From the root of the gateway, with placeholders. */
  readonly path: string
}

export interface Answer {
  readonly status: string
  readonly description: string
  readonly shape: Shape | undefined
}

/** All operations, in the order of the document. */
export function operationsOf(document: ApiDocument): readonly Operation[] {
  const base = document.servers?.[0]?.url.replace(/^https?:\/\/[^/]+/, '').replace(/\/$/, '') ?? ''
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], responses, ...described }]) => ({
      ...described,
      parameters: parameters.map((each) => referredPart(document, each)),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, each]) => [status, referredPart(document, each)]),
      ),
      method: method.toUpperCase(),
      path: base + path,
    })),
  )
}

/** Those in which each word of a search occurs. */
export function found(operations: readonly Operation[], search: string): readonly Operation[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter(
    ({ method, path, summary, description = '', operationId, tags, parameters = [] }) => {
      const names = parameters.map(({ name }) => name).join(' ')
      const text = [method, path, summary, description, operationId, ...tags, names].join(' ').toLowerCase()
      return terms.every((term) => text.includes(term))
    },
  )
}

export const bodyOf = ({
  requestBody,
}: Operation): { readonly shape?: Shape; readonly example?: unknown } | undefined => {
  const [first] = Object.values(requestBody?.content ?? {})
  return first && { ...(first.schema && { shape: first.schema }), example: first.example }
}

export const responsesOf = ({ responses }: Operation): readonly Answer[] =>
  Object.entries(responses).map(([status, { description, content = {} }]) => ({
    status,
    description,
    shape: Object.values(content)[0]?.schema,
  }))

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** A type in a few words. */
export function typeText({
  $ref,
  type,
  format,
  enum: values,
  items,
  anyOf = [],
  oneOf = anyOf,
  minimum,
  maximum,
  nullable,
}: Shape): string {
  const end = nullable ? ' or null' : ''
  if ($ref) return nameOf($ref) + end
  if (values) return values.map((value) => JSON.stringify(value)).join(', ') + end
  if (oneOf.length > 0) return oneOf.map(typeText).join(' or ') + end
  if (type === 'array') return `array of ${typeText(items ?? {})}${end}`
  const range =
    minimum === undefined && maximum === undefined ? '' : `, ${minimum ?? '…'} to ${maximum ?? '…'}`
  return `${type ?? 'any'}${format ? ` (${format})` : ''}${range}${end}`
}

/** What is sent, as it was filled in. */
export interface Request {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** JSON; undefined for none. */
  readonly body: string | undefined
}

/** A parameter that may be repeated. */
const takesList = ({ type, anyOf = [] }: Shape): boolean =>
  type === 'array' || anyOf.some((one) => one.type === 'array')

/** A request with these values of its parameters; one that is empty is left out of the query. */
export function requestOf(
  { method, path, parameters = [] }: Operation,
  values: Readonly<Record<string, string>>,
  body: string,
): Request {
  const given = (name: string): string => values[name] ?? ''
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given(name)))
  const query = new URLSearchParams()
  for (const { name, in: where, schema } of parameters) {
    if (where !== 'query' || given(name) === '') continue
    // A list is repeated.
    const all = takesList(schema) ? given(name).split(',') : [given(name)]
    for (const one of all) query.append(name, one.trim())
  }
  const target = filled + (query.size === 0 ? '' : `?${query}`)
  return { method, target, body: body.trim() === '' ? undefined : body }
}

/** A word of a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w./:?=&%-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Whether a part of the path is `.` or `..`, which a browser and curl remove: the call would be one about another resource. */
export const isDotted = (target: string): boolean => /\/\.{1,2}(?=\/|\?|$)/.test(target)

/** A request as a command of curl, with the token in a variable. */
export function curlOf({ method, target, body }: Request, origin: string): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${isDotted(target) ? '--path-as-is ' : ''}${quoted(origin + target)}`,
    `-H "Authorization: Bearer $SECSCTL_TOKEN"`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
  ]
  return lines.join(' \\\n  ')
}
