import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { BODY_LIMIT } from './body-limit.js'
import type { ErrorCode, Fault } from './errors.js'
import type { Role } from './roles.js'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A request header that a call uses, as OpenAPI describes it. */
export interface RequestHeader {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, string | number>>
}

/** A call that changes a record only if it is as the caller read it. */
export const IF_MATCH: RequestHeader = {
  name: 'If-Match',
  schema: { type: 'string' },
  description:
    'The `ETag` of the record as it was read, or several, separated by commas. If the record was changed since, the response is 412 and nothing is changed. What the gateway observes, such as a connection state, is no change of the record.',
}

/** Examples in the documentation. */
interface Examples<Body, Reply> {
  readonly body?: Body
  /** Of a stream, one record. */
  readonly reply?: Reply
  /** The reply with the status 202. */
  readonly accepted?: Reply
}

/** One call of the REST interface, as data. */
export interface Endpoint<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Reply extends TSchema,
  Media extends string,
> {
  readonly method: Method
  /** Below the base path, with parameters in braces. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** Details that the summary does not give; may be empty. */
  readonly description: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The body may be left out. */
  readonly bodyOptional: boolean
  /** Faults of a body that its schema cannot say. They are in one response with those that it says. */
  readonly bodyRules?: (body: unknown) => readonly Fault[]
  readonly bodyLimit: number
  /** Of a stream, one record. */
  readonly reply: Reply
  /** Media types of a success, the default first. If the first is not JSON, the response is a stream of replies. */
  readonly media: readonly [Media, ...Media[]]
  /** HTTP status codes of a success, the default first. */
  readonly status: readonly [number, ...number[]]
  /** The lowest role that may make the call; `anyone` needs no token. */
  readonly access: Role | 'anyone'
  /** The call changes nothing, wherever it is made (RFC 9110, 9.2.1): each GET, and a POST whose body is too long for a query. */
  readonly isSafe: boolean
  /** Whether the call accepts an `Idempotency-Key`. */
  readonly idempotent: boolean
  /** Request headers that only some calls use. */
  readonly headers: readonly RequestHeader[]
  /**
   * Members of the body that the call's entry in the audit repeats. Never a password, a token, or the content of a
   * message or recipe: of members that are not listed, the entry has the names only.
   */
  readonly audited: readonly string[]
  /** Error codes of this call, besides those that every call can have. */
  readonly errors: readonly ErrorCode[]
  readonly examples: Examples<Static<Body>, Static<Reply>>
}

export type AnyEndpoint = Endpoint<TSchema, TSchema, TSchema, TSchema, string>

/** The parts of a request that its schemas describe. */
export interface Call<E extends AnyEndpoint> {
  readonly params: Static<E['params']>
  readonly query: Static<E['query']>
  readonly body: Static<E['body']>
}

export type Reply<E extends AnyEndpoint> = Static<E['reply']>

/** The schema of a part of a request or answer that an endpoint does not have. */
export const Nothing = Type.Object({}, { additionalProperties: false })

/** The query of a call that may change something: the server reads its `reason` for the audit, handlers do not. */
const withReason = (query: TSchema): TSchema => {
  const { properties } = query as unknown as { readonly properties: TProperties }
  const reason = Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Why the call is made, for the audit.' }),
  )
  return Type.Object({ ...properties, reason }, { additionalProperties: false })
}

/** A row of the contract. A part that is left out has its default: no parameters, no body, no reply (204), JSON. */
type Row<E extends AnyEndpoint> = Pick<E, 'tag' | 'summary' | 'access'> &
  Partial<Omit<E, 'method' | 'path' | 'tag' | 'summary' | 'access'>>

/** A call of the REST interface, such as `endpoint('GET /equipment/{id}', { … })`. */
export const endpoint = <
  Reply extends TSchema = typeof Nothing,
  Params extends TSchema = typeof Nothing,
  Query extends TSchema = typeof Nothing,
  Body extends TSchema = typeof Nothing,
  Media extends string = 'application/json',
>(
  request: `${Method} /${string}`,
  row: Row<Endpoint<Params, Query, Body, Reply, Media>>,
): Endpoint<Params, Query, Body, Reply, Media> => {
  const [method, path] = request.split(' ') as [Method, string]
  const query: TSchema = row.query ?? Nothing
  const { isSafe = method === 'GET' } = row
  return {
    method,
    path,
    isSafe,
    description: '',
    params: Nothing as unknown as Params,
    body: Nothing as unknown as Body,
    bodyOptional: row.body === undefined,
    bodyLimit: BODY_LIMIT,
    reply: Nothing as unknown as Reply,
    media: ['application/json' as Media],
    status: [row.reply === undefined ? 204 : 200],
    idempotent: false,
    headers: [],
    audited: [],
    errors: [],
    examples: {},
    ...row,
    query: (isSafe ? query : withReason(query)) as Query,
  }
}
