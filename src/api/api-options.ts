import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../kit/clock.js'
import type { Certificate } from './certificate.js'
import type { DaemonFacts } from './metrics/daemon-metrics.js'

export interface ApiOptions {
  readonly clock: Clock
  /** Version of the program, for the OpenAPI document. */
  readonly version: string
  /** Gets one line a request, and failures with their cause. Silent when left out. */
  readonly logger?: FastifyBaseLogger
  /** Lines of the log that could not be written so far. None when left out. */
  readonly droppedLogLines?: () => number
  /** Clear text when left out. */
  readonly tls?: Certificate
  /** What only the process around the server knows, for `/metrics`. */
  readonly facts?: DaemonFacts
  /** What `/metrics` wants as its bearer token, if it is not that of a user or key. Open when left out. */
  readonly metricsToken?: string
  /** Origins whose pages may call, such as `https://app.example`. None when left out. */
  readonly corsOrigins?: readonly string[]
  /** Addresses or networks (`10.0.0.0/8`) whose `X-Forwarded-For` is believed. None when left out. */
  readonly trustedProxies?: readonly string[]
  /** Connections at once, 4,096 at most and when left out. Half of them may be event streams. */
  readonly maxConnections?: number
  /** The authorities, PEM, that certify the other daemons of the site; those of the system when left out. */
  readonly nodeCa?: string
  /** The files of the built web page, which is served at `/`, by their paths: `index.html`, `assets/...`. */
  readonly page?: ReadonlyMap<string, Buffer>
}
