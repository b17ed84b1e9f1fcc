import { Ajv, type ValidateFunction } from 'ajv'
import { openApiDocument } from '../../src/api/openapi/openapi.js'
import { PAGE_PATHS } from '../../src/api/web-page.js'
import { referredPart } from '../../src/contract/referred-part.js'
import type { Event } from '../../src/contract/topics/events.js'
import { momentOf } from '../../src/kit/time-text.js'

/** A schema as OpenAPI 3.0 writes it. */
export interface ApiSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly nullable?: boolean
  readonly anyOf?: readonly ApiSchema[]
  readonly oneOf?: readonly ApiSchema[]
  readonly discriminator?: { readonly mapping: Readonly<Record<string, string>> }
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly items?: ApiSchema
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | ApiSchema
}
export interface ApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: ApiSchema
}
interface ApiContent {
  readonly content?: Readonly<Record<string, { readonly schema: ApiSchema; readonly example?: unknown }>>
}
export interface ApiOperation {
  readonly operationId: string
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: ApiContent & { readonly required: boolean }
  readonly responses: Readonly<
    Record<string, ApiContent & { readonly description: string; readonly headers?: object }>
  >
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> }
}

/** An answer as it came. */
export interface SeenAnswer {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly body: string
}

/** The same response with the example that it shares in its place. */
function withExamples(written: object, response: { readonly content?: object }): object {
  const content = Object.entries(response.content ?? {}).map(([type, media]) => {
    const { examples, ...rest } = media as {
      readonly examples?: { readonly example: { readonly $ref: string } }
    }
    return [
      type,
      examples
        ? { ...rest, example: referredPart<{ value: unknown }>(written, examples.example).value }
        : media,
    ]
  })
  return response.content ? { ...response, content: Object.fromEntries(content) } : response
}

/** The document with the parameters, responses and examples that several calls share in their places. */
export function withPartsInPlace(written: object): ApiDocument {
  const { paths } = written as ApiDocument
  const inPlace = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        {
          ...operation,
          ...(operation.parameters && {
            parameters: operation.parameters.map((each) => referredPart(written, each)),
          }),
          responses: Object.fromEntries(
            Object.entries(operation.responses).map(([status, each]) => [
              status,
              withExamples(written, referredPart(written, each)),
            ]),
          ),
        },
      ]),
    ),
  ])
  return { ...(written as ApiDocument), paths: Object.fromEntries(inPlace) }
}

const written = openApiDocument('1.2.3')
const document = withPartsInPlace(written)
const ajv = new Ajv({
  allErrors: true,
  strictTypes: false,
  formats: {
    ipv4: true,
    int32: { type: 'number', validate: (value: number) => Math.abs(value) < 2 ** 31 },
    int64: { type: 'number', validate: Number.isSafeInteger },
    'date-time': (text: string) => /^\d{4}-.*\.\d{3}Z$/.test(text) && momentOf(text) !== undefined,
  },
})
ajv.addVocabulary([
  'openapi',
  'info',
  'servers',
  'security',
  'tags',
  'paths',
  'components',
  'example',
  'discriminator',
])
ajv.addSchema(document as object, 'openapi.json')
const validators = new Map<string, ValidateFunction>()

const step = (name: string | number): string => String(name).replaceAll('~', '~0').replaceAll('/', '~1')

/** What of `value` is not as the schema at this place of the document says; null when all is. */
export function faultsAt(place: readonly (string | number)[], value: unknown): unknown {
  const pointer = place.map((name) => `/${step(name)}`).join('')
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi.json#${encodeURI(pointer)}` })
  validators.set(pointer, validate)
  return validate(value) ? null : validate.errors
}

/** Throws unless the document has such an event, with the data that its name says. */
export function requireDocumentedEvent(event: Event): void {
  const { mapping = {} } = document.components.schemas['Event']?.discriminator ?? {}
  const faults = faultsAt((mapping[event.name] ?? '#/components/schemas/Event').split('/').slice(1), event)
  if (faults) throw new Error(`${JSON.stringify(event)} is not as documented: ${JSON.stringify(faults)}`)
}

const patterns = Object.keys(document.paths)
  .map((path) => ({ path, form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  // `/users/me` before `/users/{id}`
  .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))

const WEB_PAGE = new RegExp(`^(${[...PAGE_PATHS, '/assets/:name'].join('|').replace(/:\w+/g, '[^/]+')})$`)

/** Throws unless the document has such an answer: its status, its type, its headers and its body. */
export function requireDocumented({ method, url, status, header, body }: SeenAnswer): void {
  // Slashes that are too many mean nothing.
  const path = (url.split('?', 1)[0] ?? '').replace(/\/+/g, '/').replace(/(?<=.)\/$/, '')
  const template = patterns.find(({ form }) => form.test(path))?.path
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const operation = template === undefined ? undefined : document.paths[template]?.[verb]
  const refuse = (why: string): never => {
    throw new Error(`${method} ${url} answered ${status}, ${why}: ${body.slice(0, 500)}`)
  }
  if (!header('x-request-id')) refuse('without X-Request-Id')
  if (method === 'OPTIONS' && status === 204) return
  const type = header('content-type')?.split(';', 1)[0] ?? ''
  // The web page is no part of the API.
  if (WEB_PAGE.test(path) && verb === 'get' && [200, 304].includes(status)) return
  if (template === undefined || !operation) {
    // Nothing is there, or not for this method: that much every path may say.
    if (![400, 401, 404, 405, 503].includes(status)) refuse('which only a path of the document may')
    // The page says it to a browser, outside of the API.
    if (type === 'text/html' && status === 404 && !path.startsWith('/api/')) return
    if (method !== 'HEAD' && faultsAt(['components', 'schemas', 'Problem'], JSON.parse(body)))
      refuse('no problem')
    return
  }
  const own = operation.responses[status]
  const answer = own ?? operation.responses['default'] ?? refuse('which the document has not')
  if (!own && method !== 'HEAD' && !answer.description.includes(`\`${JSON.parse(body).code}\` (${status})`))
    refuse('which the document has not for this call')
  for (const name of Object.keys(answer.headers ?? {})) {
    const always = !['idempotency-replayed', 'link', 'retry-after'].includes(name.toLowerCase())
    if (always && !header(name)) refuse(`without ${name}`)
  }
  if (!answer.content) return body === '' ? undefined : refuse('with a body')
  if (!(type in answer.content)) refuse(`as ${type}`)
  if (method === 'HEAD' || !type.endsWith('json') || type.endsWith('ndjson')) return
  // What several calls answer with is compiled once.
  const shared = answer.content[type]?.schema.$ref?.split('/').slice(1)
  const place = ['paths', template, verb, 'responses', own ? status : 'default', 'content', type, 'schema']
  const faults = faultsAt(shared ?? place, JSON.parse(body))
  if (faults) refuse(`with a body that is not as documented (${JSON.stringify(faults)})`)
}

/** A part of the document with its references filled in. */
export function filledIn<T>(part: T): T {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(filledIn) as T
  if ('$ref' in part) {
    return filledIn(referredPart(written, part)) as T
  }
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, filledIn(member)])) as T
}
