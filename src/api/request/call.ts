import type { FastifyRequest } from 'fastify'
import type { AnyEndpoint, Call } from '../../contract/endpoint.js'
import { Problem } from '../../contract/errors.js'
import type { Caller } from '../../gateway/accounts/caller.js'
import type { SentCall } from '../../gateway/audit/sent-call.js'
import type { ReceivedCall } from '../../gateway/handler.js'
import type { KeyedRequest } from '../../gateway/idempotency/idempotency.js'
import type { Revisions } from '../../gateway/records/revision.js'
import type { SendOptions } from '../../gateway/services/asking.js'
import { traceparentOf } from '../../kit/text/traceparent.js'
import { callerOf } from './authenticate.js'
import { addressOf } from './passed-on.js'
import { revisionsWanted } from './revision.js'

const EVENT_ID = /^\d{1,15}$/

/** Takes from a body the members that may be long. */
function empty(body: unknown): void {
  const members = Object(body) as Record<string, unknown>
  for (const [name, value] of Object.entries(members))
    if (typeof value === 'object' || typeof value === 'string') delete members[name]
}

/** The parts of a request that a handler receives. */
export class RequestCall implements ReceivedCall<AnyEndpoint> {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly revisions: Revisions
  readonly #request: FastifyRequest

  constructor(
    { params, query, body }: Call<AnyEndpoint>,
    request: FastifyRequest,
    row: AnyEndpoint,
    private readonly keyed?: KeyedRequest,
    private readonly sentCall?: SentCall,
  ) {
    this.params = params
    this.query = query
    this.body = body
    this.revisions = revisionsWanted(request, row)
    this.#request = request
  }

  get caller(): Caller {
    return callerOf(this.#request)
  }

  get send(): SendOptions {
    const { timeout } = this.query as { readonly timeout?: number }
    const { keyed, sentCall, traceparent } = this
    const onSent = (): void => this.#bodyIsUsed()
    return { timeout, request: keyed, sentBy: this.caller.email, traceparent, call: sentCall, onSent }
  }

  /** A long body gives its memory back, also where somebody still refers to it: equipment may reply after minutes. */
  #bodyIsUsed(): void {
    const { bodyShare, body } = this.#request
    if (!bodyShare?.isLong) return
    for (const one of [body, this.body]) empty(one)
    bodyShare.used()
  }

  get traceparent(): string | undefined {
    return traceparentOf(this.#request.headers['traceparent'])
  }

  get address(): string {
    return addressOf(this.#request)
  }
}

/** The call of a stream, which lasts until `signal` aborts. */
export class StreamCall extends RequestCall {
  constructor(
    call: Call<AnyEndpoint>,
    request: FastifyRequest,
    row: AnyEndpoint,
    readonly media: string,
    readonly program: string,
    readonly signal: AbortSignal,
  ) {
    super(call, request, row)
    this.lastEventId = lastEventIdOf(request)
  }

  readonly lastEventId: string | undefined
}

/** Throws `invalid_request` for what is no id of an event. */
function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const given = headers['last-event-id']
  if (given === undefined || given === '') return undefined
  if (typeof given === 'string' && EVENT_ID.test(given)) return given
  throw new Problem('invalid_request', 'Last-Event-ID has to be the id of an event.', {
    errors: [{ pointer: 'Last-Event-ID', detail: 'must be the id of an event' }],
  })
}
