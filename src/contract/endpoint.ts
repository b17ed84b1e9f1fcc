import { type Static, type TSchema, Type } from 'typebox'
import type { ErrorCode } from './errors.js'
import type { Role } from './users.js'

/** The largest body a call may have unless it says otherwise, in bytes. */
export const BODY_LIMIT = 1024 * 1024

/** One call of the REST interface, as data. */
export interface Endpoint<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Reply extends TSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
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
  readonly bodyLimit: number
  readonly reply: Reply
  /** Media types of a success, the default first. If the first is not JSON, the answer is a stream of replies. */
  readonly media: readonly [string, ...string[]]
  /** HTTP status codes of a success, the default first. */
  readonly status: readonly [number, ...number[]]
  /** The lowest role that may make the call; `anyone` needs no token. */
  readonly access: Role | 'anyone'
  /** Whether the call accepts an `Idempotency-Key`. */
  readonly idempotent: boolean
  /** Error codes of this call, besides those that every call can have. */
  readonly errors: readonly ErrorCode[]
}

export type AnyEndpoint = Endpoint<TSchema, TSchema, TSchema, TSchema>

/** The parts of a request that a handler receives. */
export interface Call<E extends AnyEndpoint> {
  readonly params: Static<E['params']>
  readonly query: Static<E['query']>
  readonly body: Static<E['body']>
}

/** The schema of a part of a request or answer that an endpoint does not have. */
export const Nothing = Type.Object({}, { additionalProperties: false })

interface Given<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly description?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly bodyOptional?: boolean
  readonly bodyLimit?: number
  readonly media?: readonly [string, ...string[]]
  readonly status?: readonly [number, ...number[]]
  readonly access: Role | 'anyone'
  readonly idempotent?: boolean
  readonly errors?: readonly ErrorCode[]
}

export const endpoint = <
  Reply extends TSchema,
  Params extends TSchema = typeof Nothing,
  Query extends TSchema = typeof Nothing,
  Body extends TSchema = typeof Nothing,
>(
  request: `${AnyEndpoint['method']} /${string}`,
  tag: string,
  summary: string,
  reply: Reply,
  given: Given<Params, Query, Body>,
): Endpoint<Params, Query, Body, Reply> => {
  const [method, path] = request.split(' ') as [AnyEndpoint['method'], string]
  return {
    method,
    path,
    tag,
    summary,
    reply,
    description: given.description ?? '',
    params: given.params ?? (Nothing as unknown as Params),
    query: given.query ?? (Nothing as unknown as Query),
    body: given.body ?? (Nothing as unknown as Body),
    bodyOptional: given.bodyOptional ?? given.body === undefined,
    bodyLimit: given.bodyLimit ?? BODY_LIMIT,
    media: given.media ?? ['application/json'],
    status: given.status ?? [200],
    access: given.access,
    idempotent: given.idempotent ?? false,
    errors: given.errors ?? [],
  }
}
