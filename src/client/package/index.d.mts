import type { components, operations } from './operations.mjs'

/** The objects of the API by name, such as `Schemas['Equipment']`. */
export type Schemas = components['schemas']
export type Equipment = Schemas['Equipment']
export type Event = Schemas['Event']

/** Names of the calls: the `operationId`s of the OpenAPI document. */
export type Operation = keyof operations

type Parameters<O> = O extends { parameters: infer P } ? P : never
type Part<O, Where extends string> = Parameters<O> extends { [W in Where]: infer P } ? P : never
type OptionalPart<O, Where extends string> = Parameters<O> extends { [W in Where]?: infer P } ? P : never
type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B : never
type OptionalBody<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never

type Params<O> = [Part<O, 'path'>] extends [never] ? { params?: undefined } : { params: Part<O, 'path'> }
type Query<O> = [OptionalPart<O, 'query'>] extends [never | undefined]
  ? { query?: undefined }
  : { query?: OptionalPart<O, 'query'> }
type BodyPart<O> = [Body<O>] extends [never]
  ? [OptionalBody<O>] extends [never]
    ? { body?: undefined }
    : { body?: OptionalBody<O> }
  : { body: Body<O> }

/** What a call is given: `params` of its path, `query` and `body`, each where the operation has it. */
export type Given<Name extends Operation> = Params<operations[Name]> &
  Query<operations[Name]> &
  BodyPart<operations[Name]>

type Content<R> = R extends { content: { 'application/json': infer B } } ? B : undefined
type Successes<O> = O extends { responses: infer R } ? R[keyof R & (200 | 201 | 202 | 204)] : never

/** What a call answers. */
export type Reply<Name extends Operation> = Content<Successes<operations[Name]>>

export interface ConnectOptions {
  /** Of the gateway, such as `http://127.0.0.1:7327`, without `/api/v1`. */
  url: string
  /** A token of a session, or an API key. */
  token?: string
  /** Milliseconds after which a call is given up; 150,000 when left out. */
  timeout?: number
  /** In place of the global `fetch`, for example one with a dispatcher that trusts a certificate authority. */
  fetch?: typeof fetch
}

export interface CallOptions {
  signal?: AbortSignal
  /** Milliseconds. */
  timeout?: number
  /** A repeat with the same key does nothing, and is given the first answer. */
  idempotencyKey?: string
  /** The `ETag` that the record must still have. */
  ifMatch?: string
}

/** A gateway. It keeps no connection open but those of its streams. */
export declare class Gateway {
  private constructor()
  token: string | undefined
  /** Logs in, and calls with the token of the session from now on. */
  logIn(email: string, password: string): Promise<Reply<'login'>>
  /**
   * Calls an operation by its name. Throws `GatewayError` for what the gateway refuses, `GatewayUnreachable` where
   * none answers, and the reason of a signal that aborts.
   */
  call<Name extends Operation>(
    operation: Name,
    ...given: object extends Given<Name>
      ? [given?: Given<Name>, options?: CallOptions]
      : [given: Given<Name>, options?: CallOptions]
  ): Promise<Reply<Name>>
  /**
   * Events as they happen, until `signal` aborts or the loop ends. After a loss it connects again and continues after
   * the last event, without a gap or a repeat. Throws when the first attempt fails, and what the gateway refuses.
   */
  events(
    query?: OptionalPart<operations['streamEvents'], 'query'>,
    options?: { signal?: AbortSignal },
  ): AsyncGenerator<Event, void>
}

/** Nothing is sent before the first call. Throws `TypeError` for a URL that is none. */
export declare function connect(options: ConnectOptions): Gateway

/** The gateway refused a call, or failed: the problem that it answered (RFC 9457). */
export declare class GatewayError extends Error {
  private constructor()
  readonly name: 'GatewayError'
  /** HTTP status. */
  readonly status: number
  /** Such as `equipment_not_connected`. Undefined where no gateway answered. */
  readonly code: string | undefined
  /** The whole problem, with members such as `errors` and `message_id`. */
  readonly problem: Readonly<Record<string, unknown>>
  /** Seconds after which the call may be repeated. */
  readonly retryAfter: number | undefined
}

/** No gateway answers at the URL. A call that sends a message may have been carried out. */
export declare class GatewayUnreachable extends Error {
  private constructor()
  readonly name: 'GatewayUnreachable'
  readonly url: string
}
