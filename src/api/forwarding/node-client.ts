import { Agent, buildConnector, type Dispatcher } from 'undici'

/** Milliseconds to connect to another daemon. */
const CONNECT_TIMEOUT_MS = 2000
/** Milliseconds until a response begins: longer than any call may wait. */
const HEADERS_TIMEOUT_MS = 15 * 60_000
/** Milliseconds in which something more of a response that is no stream has to arrive. */
const BODY_TIMEOUT_MS = 60_000
/** Connections to one daemon at once; further requests wait for one. */
const MAX_CONNECTIONS = 1000

/** There is no connection: the request has not reached the other daemon. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected'
}

export interface NodeRequest {
  /** Scheme, host and port. */
  readonly origin: string
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Record<string, string | string[]>
  /** Null where there is none. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
  /** The response is a stream, in which nothing may happen for long. */
  readonly isStream: boolean
}

/** Connections to the other daemons, which are used again. */
export class NodeClient {
  readonly #agent: Agent

  /** `ca`: the authorities, PEM, that certify the others; those of the system when left out. */
  constructor(ca: string | undefined) {
    const connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...(ca !== undefined && { ca }) })
    this.#agent = new Agent({
      connections: MAX_CONNECTIONS,
      pipelining: 1,
      connect: (options, callback) =>
        connector(options, (...[error, socket]) => {
          if (error) callback(new NotConnected(error.message, { cause: error }), null)
          else callback(null, socket)
        }),
    })
  }

  /** Its errors go to `response`: `NotConnected`; any other may have happened after the request was carried out. */
  send({ isStream, body, ...request }: NodeRequest, response: Dispatcher.DispatchHandler): void {
    this.#agent.dispatch(
      {
        ...request,
        method: request.method as Dispatcher.HttpMethod,
        // An iterable is taken as it comes; the types know streams alone.
        body: body as unknown as Dispatcher.DispatchOptions['body'] as null,
        headersTimeout: HEADERS_TIMEOUT_MS,
        bodyTimeout: isStream ? 0 : BODY_TIMEOUT_MS,
      },
      response,
    )
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}
