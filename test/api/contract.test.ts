import { Ajv, type ValidateFunction } from 'ajv'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorsByStatus } from '../../src/api/openapi-errors.js'
import { queryText } from '../../src/client/client.js'
import { type AnyEndpoint, BASE_PATH, endpoints, Nothing } from '../../src/contract/endpoints.js'
import { ProblemBody } from '../../src/contract/errors.js'
import { any, valid } from '../support/schema-arbitrary.js'
import { TestGateway } from '../support/test-gateway.js'

const gateway = new TestGateway()
const ajv = new Ajv({
  allErrors: true,
  strict: true,
  formats: { ipv4: true, 'date-time': (text) => text.endsWith('Z') },
})
const validators = new Map<TSchema, ValidateFunction>()
let app: FastifyInstance
let token: string

beforeAll(async () => {
  app = await gateway.app()
  token = await gateway.tokenOf('admin')
})
afterAll(() => app.close())

function faultsOf(schema: TSchema, value: unknown): unknown {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate(value) ? null : validate.errors
}

const call = (endpoint: AnyEndpoint, id: string, query: object, body: unknown) =>
  app.inject({
    method: endpoint.method,
    url: BASE_PATH + endpoint.path.replace('{id}', encodeURIComponent(id)) + queryText(query),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(endpoint.method !== 'GET' && body !== undefined && { payload: JSON.stringify(body) }),
  })

type Answer = Awaited<ReturnType<typeof call>>

/** Every answer is one that the contract has: a status of the table, with the body of the table. */
function expectDocumented(endpoint: AnyEndpoint, answer: Answer): void {
  const { statusCode } = answer
  expect(statusCode).not.toBe(500)
  if (statusCode === 204) return expect(answer.body).toBe('')
  if (endpoint.status.includes(statusCode)) return expect(faultsOf(endpoint.reply, answer.json())).toBeNull()
  const codes = errorsByStatus(endpoint).get(statusCode)
  expect(codes, `status ${statusCode}`).toContain(answer.json().code)
  expect(faultsOf(ProblemBody, answer.json())).toBeNull()
}

// A logout would end the token that the others use, and a stream has no end.
const callable = Object.entries(endpoints).filter(([name]) => name !== 'logout' && name !== 'streamEvents')
const ids = fc.constantFrom('eq_1', '1', '7', 'nobody', '__proto__', 'a/b', '...', '%00', 'é')

describe.each(callable as [string, AnyEndpoint][])('%s', (_, endpoint) => {
  const numRuns = 25

  test('answers a valid call as the contract says, and never that it is not valid', async () => {
    const body = endpoint.body === Nothing ? fc.constant(undefined) : valid(endpoint.body)
    await fc.assert(
      fc.asyncProperty(ids, valid(endpoint.query), body, async (id, query, given) => {
        // Real positions are what a list gave; these are noise, and are refused as such.
        const answer = await call(endpoint, id, query as object, given)
        expectDocumented(endpoint, answer)
        if (answer.statusCode === 400) expect(answer.json().code).toBe('invalid_cursor')
      }),
      { numRuns },
    )
  })

  test('answers whatever it is given as the contract says', async () => {
    const noise = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.string({ maxLength: 8 }), {
      maxKeys: 2,
    })
    const query = fc.oneof(valid(endpoint.query), noise) as fc.Arbitrary<object>
    await fc.assert(
      fc.asyncProperty(
        ids,
        query,
        fc.option(any(endpoint.body), { nil: undefined }),
        async (id, given, body) => {
          expectDocumented(endpoint, await call(endpoint, id, given, body))
        },
      ),
      { numRuns },
    )
  })
})
