import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Cancel, Clock } from '../kit/clock.js'
import { networkOf } from '../kit/network.js'
import { addressOf } from './request/passed-on.js'

/** Milliseconds in which lines are counted. */
const WINDOW = 60_000
/** Lines in a window about callers without a valid token: of one network, and of all networks. */
const MAX_OF_NETWORK = 60
const MAX_OF_ALL = 600
/** Characters of a path that are logged. */
const MAX_PATH = 512

/**
 * One line a request. Of callers without a valid token only so many a minute, so that nobody without a token can
 * fill the log; one line at the end of the minute says how many more there were.
 */
export class RequestLog {
  /** Requests without a line since the start. */
  suppressed = 0
  #perNetwork = new Map<string, number>()
  #admitted = 0
  #left = 0
  #cancel: Cancel | undefined

  constructor(
    readonly clock: Clock,
    readonly logger?: FastifyBaseLogger,
  ) {}

  /** True when a line about a caller without a valid token may be written; otherwise it is counted. */
  admits(address: string | undefined): boolean {
    this.#cancel ??= this.clock.at(this.clock.now() + WINDOW, () => this.#end())
    const network = networkOf(address ?? '')
    const before = this.#perNetwork.get(network) ?? 0
    if (this.#admitted >= MAX_OF_ALL || before >= MAX_OF_NETWORK) {
      this.suppressed++
      this.#left++
      return false
    }
    this.#perNetwork.set(network, before + 1)
    this.#admitted++
    return true
  }

  close(): void {
    this.#cancel?.()
    this.#end()
  }

  #end(): void {
    this.#cancel = undefined
    if (this.#left > 0)
      this.logger?.warn({ requests: this.#left }, 'requests without a valid token not logged')
    this.#perNetwork = new Map()
    this.#admitted = 0
    this.#left = 0
  }
}

/** A login that succeeded has no caller yet, and is no stranger's. */
const isKnown = (request: FastifyRequest, status: number): boolean =>
  request.caller !== null || (status === 200 && request.routeOptions.config.endpoint?.access === 'anyone')

export function logRequests(app: FastifyInstance, log: RequestLog): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (isKnown(request, reply.statusCode) || log.admits(addressOf(request))) {
      // By the log of the server: to make one for the request takes as long as the line.
      app.log.info(
        {
          request_id: request.id,
          method: request.method,
          path: request.url.split('?', 1)[0]?.slice(0, MAX_PATH),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
          from: addressOf(request),
          user: request.caller?.email,
        },
        'request',
      )
    }
    done()
  })
  app.addHook('onClose', async () => log.close())
}
