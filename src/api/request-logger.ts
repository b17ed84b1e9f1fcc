import type { FastifyBaseLogger } from 'fastify'

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** A log of its own for a request, made at its first line: hardly any request has one. */
class RequestLogger {
  #made: FastifyBaseLogger | undefined

  constructor(
    readonly log: FastifyBaseLogger,
    readonly bindings: object,
  ) {}

  get made(): FastifyBaseLogger {
    this.#made ??= this.log.child(this.bindings)
    return this.#made
  }

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.made.child(...given)
  }
}

for (const level of LEVELS) {
  const write = function (this: RequestLogger, ...given: unknown[]): void {
    ;(this.made[level] as (...given: unknown[]) => void)(...given)
  }
  Object.defineProperty(RequestLogger.prototype, level, { value: write })
}

/** The log of one request, whose lines have its id. */
export const requestLogger = (log: FastifyBaseLogger, bindings: object): FastifyBaseLogger =>
  new RequestLogger(log, bindings) as unknown as FastifyBaseLogger
