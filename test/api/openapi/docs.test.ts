import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type AnyEndpoint, Nothing } from '../../../src/contract/endpoint.js'
import { BASE_PATH, endpoints } from '../../../src/contract/endpoints.js'
import { ERRORS } from '../../../src/contract/errors.js'
import { referredPart } from '../../../src/contract/referred-part.js'
import { BACKCHANNEL_PATH, CALLBACK_PATH } from '../../../src/contract/topics/accounts/sign-on.js'
import { faultsAt, withPartsInPlace } from '../../support/api-document.js'
import { ServedGateway } from '../../support/served-gateway.js'

// biome-ignore lint/suspicious/noExplicitAny: a document as a stranger reads it
type Document = any

let app: FastifyInstance
let document: Document
/** With the parameters and responses that calls share in their places. */
let inPlace: Document

beforeAll(async () => {
  app = await new ServedGateway().app()
  document = (await app.inject('/api/docs')).json()
  inPlace = withPartsInPlace(document)
})
afterAll(() => app.close())

const operationOf = (endpoint: AnyEndpoint): Document =>
  inPlace.paths[BASE_PATH + endpoint.path]?.[endpoint.method.toLowerCase()]

/** Every object in the document, with where it is. */
function* objects(value: unknown, path = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>]
  for (const [name, member] of Object.entries(value)) yield* objects(member, `${path}/${name}`)
}

test('the document is OpenAPI 3.0 with its program, its licence and a bearer token for all that needs one', () => {
  expect(document).toMatchObject({
    openapi: '3.0.3',
    info: { title: 'secsctl', version: '1.2.3', license: { name: 'MIT' } },
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
  })
})

test('the linter that others use has nothing to say', async () => {
  const config = await createConfig('extends: [recommended]')
  const lint = (source: string) => lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(await lint(JSON.stringify(document))).toEqual([])
  const wrong = { ...document, paths: {}, security: [{ nothing: [] }] }
  const rules = (await lint(JSON.stringify(wrong))).map(({ ruleId }) => ruleId)
  expect(rules).toContain('security-defined')
})

describe.each(Object.entries(endpoints) as [string, AnyEndpoint][])('%s', (name, endpoint) => {
  test('is described under its own name and tag', () => {
    expect(operationOf(endpoint)).toMatchObject({
      operationId: name,
      tags: [endpoint.tag],
      summary: endpoint.summary,
    })
    expect(operationOf(endpoint).security).toEqual(endpoint.access === 'anyone' ? [] : undefined)
  })

  test('has every status it can answer with, and its problems as problems', () => {
    const { responses } = operationOf(endpoint)
    for (const status of endpoint.status) expect(responses[status]).toBeDefined()
    for (const code of endpoint.errors) {
      const { description } = responses[ERRORS[code].status] ?? responses.default
      expect(description).toContain(`\`${code}\``)
    }
    if (endpoint.access !== 'anyone') expect(responses[401].description).toContain('`token_revoked`')
    const failures = Object.entries<Document>(responses).filter(([status]) => !/^[23]/.test(status))
    expect(failures.map(([status]) => status)).toContain('default')
    for (const [, { content }] of failures) {
      expect(content['application/problem+json'].schema).toEqual({ $ref: '#/components/schemas/Problem' })
    }
  })

  test('has its parameters, and a body with an example where it takes one', () => {
    const { parameters = [], requestBody } = operationOf(endpoint)
    const properties = (schema: object) => Object.keys((schema as { properties: object }).properties)
    const named = (where: string) =>
      parameters.filter((each: Document) => each.in === where).map((each: Document) => each.name)
    expect(named('path')).toEqual(properties(endpoint.params))
    expect(named('query')).toEqual(properties(endpoint.query))
    expect(named('header').includes('Idempotency-Key')).toBe(endpoint.idempotent)
    if (endpoint.body === Nothing) return expect(requestBody).toBeUndefined()
    expect(requestBody.required).toBe(!endpoint.bodyOptional)
    expect(requestBody.content['application/json'].example).toBeTypeOf('object')
  })
})

test('every body has an example, and every example is what its schema says', () => {
  let found = 0
  const look = (value: unknown, place: (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return
    const { schema, example } = value as { schema?: object; example?: unknown }
    if (schema && example !== undefined) {
      found++
      expect(faultsAt([...place, 'schema'], example), place.join(' ')).toBeNull()
    }
    for (const [name, member] of Object.entries(value)) look(member, [...place, name])
  }
  look(inPlace.paths, ['paths'])
  expect(found).toBeGreaterThan(100)
  for (const endpoint of Object.values(endpoints) as AnyEndpoint[]) {
    const { responses } = operationOf(endpoint)
    for (const [status, { content = {} }] of Object.entries<Document>(responses)) {
      for (const [type, { example }] of Object.entries<Document>(content)) {
        if (!/pcapng|problem/.test(type)) expect(example, `${endpoint.path} ${status}`).toBeDefined()
      }
    }
  }
})

test('nothing is described that the contract has not', () => {
  const described = Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = Object.values(endpoints).map(({ method, path }) => `${method} ${BASE_PATH}${path}`)
  const around = ['/api/docs', '/healthz', '/readyz', '/metrics'].map((path) => `GET ${path}`)
  const signOn = [`GET ${CALLBACK_PATH}`, `POST ${BACKCHANNEL_PATH}`]
  expect(described.sort()).toEqual([...served, ...around, ...signOn].sort())
})

test('parts that calls share are written once, and the whole stays small', () => {
  const { responses, parameters, headers, examples } = document.components
  expect(Object.keys(responses).length).toBeLessThan(80)
  expect(Object.keys(parameters)).toContain('Idempotency-Key')
  expect(Object.keys(headers)).toContain('Idempotency-Replayed')
  expect(Object.keys(examples)).toContain('Equipment')
  expect(document.info.description).toContain('X-Request-Id')
  expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(470_000)
})

describe('the compact document', () => {
  let compact: Document
  beforeAll(async () => {
    compact = (await app.inject('/api/docs?compact')).json()
  })

  test('has the same calls, parameters and schemas, without what is for people', () => {
    expect(Object.keys(compact.paths)).toEqual(Object.keys(document.paths))
    expect(Object.keys(compact.components.schemas)).toEqual(Object.keys(document.components.schemas))
    expect(compact.components.schemas.Message.properties).toHaveProperty('direction')
    for (const [path, object] of objects(compact.components.schemas)) {
      if (/^#$|\/properties$/.test(path)) continue
      expect(object, path).not.toHaveProperty('description')
      expect(object, path).not.toHaveProperty('example')
    }
    expect(JSON.stringify(compact).length).toBeLessThan(226_000)
  })

  test('has one response for all errors', () => {
    for (const methods of Object.values<Document>(compact.paths)) {
      for (const { operationId, responses } of Object.values<Document>(methods)) {
        const statuses = Object.keys(responses).filter((status) => !/^[23]/.test(status))
        expect(statuses, operationId).toEqual(['4XX', 'default'])
        expect(responses['4XX']).toEqual(responses.default)
      }
    }
  })

  test('is OpenAPI for the linter that others use, and has a tag of its own', async () => {
    const config = await createConfig('extends: [recommended]')
    const source = JSON.stringify(compact)
    expect(await lintFromString({ source, absoluteRef: 'openapi.json', config })).toEqual([])
    const { etag } = (await app.inject('/api/docs')).headers
    expect((await app.inject('/api/docs?compact')).headers.etag).not.toBe(etag)
  })
})

test('every integer says how many bits it needs, and null is no value of an enum', () => {
  for (const [path, object] of objects(document)) {
    if (object['type'] === 'integer' && !path.endsWith('/properties'))
      expect(['int32', 'int64'], path).toContain(object['format'])
    if (Array.isArray(object['enum'])) expect(object['enum'], path).not.toContain(null)
  }
  const { Message, NullableTcpPort } = document.components.schemas
  expect(Message.properties.system_bytes.format).toBe('int64')
  expect(NullableTcpPort.format).toBe('int32')
})

test('every call has a description, and the document a contact', () => {
  expect(document.info.contact.name).toMatch(/./)
  for (const methods of Object.values<Document>(document.paths))
    for (const { operationId, description } of Object.values<Document>(methods))
      expect(description, operationId).toMatch(/./)
})

test('every reference leads somewhere, and no word is used that OpenAPI 3.0 has not', () => {
  const unknown = [
    'patternProperties',
    'const',
    '$defs',
    '$schema',
    'unevaluatedProperties',
    'prefixItems',
    'if',
  ]
  const faults: string[] = []
  for (const [path, object] of objects(document)) {
    if (typeof object['$ref'] === 'string') {
      if (referredPart(document, { $ref: object['$ref'] }) === undefined) faults.push(`${path} leads nowhere`)
    }
    if (path.endsWith('/properties')) continue
    for (const word of unknown) if (Object.hasOwn(object, word)) faults.push(`${path} has ${word}`)
    if (Array.isArray(object['type'])) faults.push(`${path} has several types`)
    if (typeof object['exclusiveMinimum'] === 'number') faults.push(`${path} has a number as its bound`)
  }
  expect(faults).toEqual([])
})

test.each(['application/yaml', 'application/vnd.oai.openapi+json'])(
  '%s is the same document',
  async (accept) => {
    const { body } = await app.inject({ url: '/api/docs', headers: { accept } })
    expect(body.includes('&a1')).toBe(false)
    expect(parse(body)).toEqual(document)
  },
)

/** The document with its references filled in, and what has been filled in around a place. */
const filled = (value: Document): Document => {
  if (Array.isArray(value)) return value.map(filled)
  if (typeof value !== 'object' || value === null) return value
  if (typeof value.$ref === 'string') return filled(referredPart(document, value))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member)]))
}

test('no member of a request body has a default: generated types would require it, and validators send it', () => {
  for (const [path, methods] of Object.entries<Document>(document.paths)) {
    for (const { requestBody } of Object.values<Document>(methods)) {
      for (const [place, schema] of objects(filled(requestBody ?? {}), path)) {
        if (!place.endsWith('/properties')) expect(schema, place).not.toHaveProperty('default')
      }
    }
  }
})

test('a parameter has no default where it means more than a value to leave it out', () => {
  const limitOf = (endpoint: AnyEndpoint) =>
    operationOf(endpoint).parameters.find((each: Document) => each.name === 'limit')
  expect(limitOf(endpoints.listEquipment).schema).not.toHaveProperty('default')
  expect(limitOf(endpoints.listAlarms).schema).toEqual(limitOf(endpoints.listEvents).schema)
})

test('every pattern is one of ECMA-262 without its flag u, and takes the same with it', () => {
  const { EquipmentName: name, Email: email } = document.components.schemas
  for (const [, { pattern }] of objects(document)) {
    if (typeof pattern === 'string') expect(pattern).not.toMatch(/\\[pPu]\{/)
  }
  for (const flag of ['', 'u']) {
    const [isName, isEmail] = [new RegExp(name.pattern, flag), new RegExp(email.pattern, flag)]
    for (const good of ['Etch Tool 1', 'x', 'エッチャー 3', 'naïve', 'Tool 🚀', '🚀', '𠮷野'])
      expect(isName.test(good), good).toBe(true)
    const bad = [
      '',
      ' x',
      'x ',
      'x\u3000',
      'a\nb',
      'a\u2028b',
      'a\u0000b',
      'a\u200bb',
      'a\u202eb',
      '\ud83d',
      'a\ud83db',
      'a\ue000',
    ]
    for (const each of bad) expect(isName.test(each), JSON.stringify(each)).toBe(false)
    for (const good of ['ann@fab.example', 'ä@b', '🚀@x']) expect(isEmail.test(good), good).toBe(true)
    for (const each of ['ann', 'a@b@c', 'a b@c', '@c', 'a@', 'a\u0007@c'])
      expect(isEmail.test(each)).toBe(false)
  }
})

test('a name has no invisible character beyond U+FFFF either', () => {
  const isName = new RegExp(document.components.schemas.EquipmentName.pattern)
  for (const bad of ['\u{e0041}x', 'x\u{e0041}x', '\u{f0000}']) expect(isName.test(bad)).toBe(false)
})

test('the type of events is one word, or several of them', () => {
  for (const endpoint of [endpoints.listEvents, endpoints.streamEvents]) {
    const { schema } = operationOf(endpoint).parameters.find((each: Document) => each.name === 'type')
    expect(schema.anyOf).toMatchObject([{ type: 'string' }, { type: 'array', items: { type: 'string' } }])
  }
})

test('the document says who dials', () => {
  const { description } = document.components.schemas.EquipmentMode
  expect(description).toContain('the gateway connects to it')
  expect(operationOf(endpoints.connectEquipment).description).toContain('the equipment connects')
})

test('a browser is sent to the page that shows the API, where there is one', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const files = new Map([['index.html', Buffer.from('<p>page</p>')]])
  const withPage = await new ServedGateway().app({ page: files })
  const sent = await withPage.inject({ url: '/api/docs', headers: { accept } })
  expect([sent.statusCode, sent.headers.location]).toEqual([302, '/api'])
  expect(sent.headers.vary).toMatch(/accept/i)
  expect((await withPage.inject({ url: '/api', headers: { accept } })).body).toContain('page')
  await withPage.close()
  expect((await app.inject({ url: '/api/docs', headers: { accept } })).json()).toEqual(document)
})

test.each([
  [undefined, 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
  ['application/json, text/html;q=0.5', 'application/json; charset=utf-8'],
  ['text/html', 'application/json; charset=utf-8'],
  ['application/vnd.oai.openapi+json', 'application/vnd.oai.openapi+json; charset=utf-8'],
  ['application/vnd.oai.openapi+json;version=3.0', 'application/vnd.oai.openapi+json; charset=utf-8'],
  ['application/yaml', 'application/yaml; charset=utf-8'],
  ['application/yaml, application/json;q=0.9', 'application/yaml; charset=utf-8'],
  ['application/vnd.oai.openapi', 'application/vnd.oai.openapi; charset=utf-8'],
  ['image/png', 'application/problem+json; charset=utf-8'],
])('Accept: %s is answered with %s', async (accept, type) => {
  const answer = await app.inject({ url: '/api/docs', headers: accept === undefined ? {} : { accept } })
  expect(answer.headers['content-type']).toBe(type)
})
