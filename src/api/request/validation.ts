import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { type AnyEndpoint, type Call, Nothing } from '../../contract/endpoint.js'
import { type Fault, faultyRequest } from '../../contract/errors.js'
import { momentOf } from '../../kit/time-text.js'
import { faultsOf } from './faults.js'
import { withoutNulls } from './nulls.js'
import { readQuery } from './query.js'

const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`)

/** Changes nothing that it looks at: no coercion, no defaults, no field dropped. */
const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: true,
  // Where the OpenAPI document describes a schema.
  keywords: ['component'],
  // As the contract is read by others: without the flag `u`.
  unicodeRegExp: false,
  formats: { 'date-time': (text: string) => momentOf(text) !== undefined, ipv4: IPV4 },
})

const compiled = new WeakMap<TSchema, ValidateFunction>()

/** Compiles when first asked: a process that serves one endpoint does not pay for all. */
function validatorOf(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  const validate = ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}

const NO_FAULTS: readonly Fault[] = []

/** What is wrong with a value, one sentence for each place. */
export function faultsIn(value: unknown, schema: TSchema, part: 'body' | 'parameter'): readonly Fault[] {
  const validate = validatorOf(schema)
  return validate(value) ? NO_FAULTS : faultsOf(validate.errors ?? [], part)
}

/** A body that was left out where it may be. */
const LEFT_OUT = Object.freeze({})

function bodyFaults(endpoint: AnyEndpoint, body: unknown): readonly Fault[] {
  if (body === undefined) return [{ pointer: '', detail: 'is required: send a JSON object' }]
  if (body === LEFT_OUT && endpoint.body === Nothing) return NO_FAULTS
  if (endpoint.body === Nothing && JSON.stringify(body) !== '{}') {
    return [{ pointer: '', detail: 'has to be left out, or to be {}: this call takes no body' }]
  }
  return faultsIn(body, endpoint.body, 'body')
}

/** What the caller gave, as the endpoint wants it. Throws `invalid_request` with all that is wrong at once. */
export function readCall<E extends AnyEndpoint>(endpoint: E, request: FastifyRequest): Call<E> {
  const params = request.params as object
  const query = readQuery(request.query as object, endpoint.query)
  const given = withoutNulls(request.body ?? undefined, endpoint.body)
  const body = given === undefined && endpoint.bodyOptional ? LEFT_OUT : given
  const inParams = faultsIn(params, endpoint.params, 'parameter')
  const inQuery = faultsIn(query, endpoint.query, 'parameter')
  const inBody = bodyFaults(endpoint, body)
  if (inParams.length + inQuery.length + inBody.length > 0)
    throw faultyRequest('invalid_request', [...inParams, ...inQuery, ...inBody])
  return { params, query, body } as Call<E>
}
