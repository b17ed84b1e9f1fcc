import type { AnyEndpoint, Call, Reply } from '../contract/endpoint.js'
import type { Caller } from './accounts/caller.js'
import type { Gateway } from './open-gateway.js'
import type { Revisions } from './records/revision.js'
import type { SendOptions } from './services/asking.js'

/** A call whose parts have been checked against the schemas of its endpoint. */
export interface ReceivedCall<E extends AnyEndpoint> extends Call<E> {
  /** Throws `unauthenticated` where the call has no token. */
  readonly caller: Caller
  /** The client's IP address. */
  readonly address: string
  /** The trace context of the call, if it has a valid one. */
  readonly traceparent: string | undefined
  /** From `If-Match`. */
  readonly revisions: Revisions
  /** How its messages are sent. */
  readonly send: SendOptions
}

export interface ReceivedStreamCall<E extends AnyEndpoint> extends ReceivedCall<E> {
  /** The media type of the response. */
  readonly media: E['media'][number]
  readonly lastEventId: string | undefined
  /** Name and version of this program, for files that name their writer. */
  readonly program: string
  /** Aborts when the response ends. */
  readonly signal: AbortSignal
}

/** A reply with the status 202: the request was accepted, and is not finished. */
export class Accepted<T> {
  constructor(readonly body: T) {}
}

/** The response of an endpoint whose media type is not JSON. */
export interface RecordStream<T> {
  /** Groups of records, or text or bytes to send as they are. Read only as fast as the client takes them. */
  readonly parts: AsyncIterable<readonly T[] | string | Uint8Array>
  /** Of server-sent events: the id of the event after which they start. */
  readonly after?: string
  /** True: the stream ends by itself. A response that is cut off breaks the connection, so that no part is taken for all. */
  readonly finite?: boolean
}

/**
 * Carries out a call. Anything that it throws but a `Problem` is a bug. What an endpoint with a stream throws before
 * the first part is the response.
 */
export type Handler<E extends AnyEndpoint> = 'application/json' extends E['media'][number]
  ? (
      call: ReceivedCall<E>,
      gateway: Gateway,
    ) => Promise<keyof Reply<E> extends never ? void : Reply<E> | Accepted<Reply<E>>>
  : (call: ReceivedStreamCall<E>, gateway: Gateway) => Promise<RecordStream<Reply<E>>>

/** One handler for each of these endpoints. */
export type Handlers<Rows extends Readonly<Record<string, AnyEndpoint>>> = {
  readonly [Name in keyof Rows]: Handler<Rows[Name]>
}
