import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../../contract/endpoint.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import { upToDate } from '../../gateway/up-to-date.js'

type Position = ReturnType<NonNullable<Gateway['position']>>
type Known = Pick<Gateway, 'catchUp' | 'position' | 'clock'>

/**
 * In a forwarded request: how far the daemon that gets it has to have read. In its response: how far that daemon has read.
 * Numbers of a position, with dots between them.
 */
export const POSITION_HEADER = 'secsctl-position'

/** Of a daemon of an earlier version, which does not say it: all that there is now is read. */
const NOT_SAID: Position = [Number.POSITIVE_INFINITY]

/**
 * How far the changes go that were confirmed to callers of this daemon, whichever daemon has made them. What is read at
 * this daemon afterwards shows them: it is read first what others have written so far.
 */
export class ConfirmedChanges {
  #position: Position = []

  constructor(private readonly gateway: Known) {}

  /** Before a call is authenticated this daemon knows the records, and before it reads here, all entries, too. */
  serve(app: FastifyInstance): void {
    if (!this.gateway.position) return
    app.addHook('onRequest', (request, _, done) => {
      const { endpoint } = request.routeOptions.config
      if (!endpoint) return done()
      this.#read(request.passedOn ? sentIn(request) : this.#position.slice(0, 1), done)
    })
    app.addHook('onSend', (request, reply, _, done) => {
      const own = this.gateway.position?.() ?? []
      if (!mayChange(request.routeOptions.config.endpoint)) return done()
      this.#note(own)
      if (request.passedOn) reply.header(POSITION_HEADER, own.join('.'))
      done()
    })
  }

  /** Added after forwarding. */
  serveReads(app: FastifyInstance): void {
    if (!this.gateway.position) return
    app.addHook('onRequest', (request, _, done) => {
      const { endpoint } = request.routeOptions.config
      if (!endpoint?.isSafe || request.passedOn) return done()
      this.#read(this.#position, done)
    })
  }

  /** What is sent with a forwarded call. One that changes something needs no entries: who decides by them asks the store. */
  headers({ isSafe }: AnyEndpoint): Record<string, string> {
    const sent = isSafe ? this.#position : this.#position.slice(0, 1)
    return sent.length > 0 ? { [POSITION_HEADER]: sent.join('.') } : {}
  }

  /** The response to a forwarded call leaves. */
  forwarded(endpoint: AnyEndpoint, said: string | string[] | undefined): void {
    if (mayChange(endpoint)) this.#note(said === undefined ? NOT_SAID : positionOf(said))
  }

  #note(position: Position): void {
    const known = this.#position
    const length = Math.max(known.length, position.length)
    this.#position = Array.from({ length }, (_, at) => Math.max(known[at] ?? 0, position[at] ?? 0))
  }

  /** Calls `done` at once where so much is read. */
  #read(wanted: Position, done: (error?: Error) => void): void {
    if (this.#hasRead(wanted)) done()
    else this.#readOn(wanted).then(() => done(), done)
  }

  #hasRead(wanted: Position): boolean {
    if (wanted.length === 0) return true
    const own = this.gateway.position?.() ?? []
    return wanted.every((number, at) => number <= (own[at] ?? 0))
  }

  async #readOn(wanted: Position): Promise<void> {
    const before = this.#position
    await upToDate(this.gateway)
    // There is no more: a failover of the database has lost it, or it was not said how much there is.
    if (this.#position === before && !this.#hasRead(wanted)) this.#position = this.gateway.position?.() ?? []
  }
}

const mayChange = (endpoint: AnyEndpoint | undefined): boolean => endpoint?.isSafe === false

const sentIn = ({ headers }: FastifyRequest): Position => positionOf(headers[POSITION_HEADER] ?? '')

const positionOf = (said: string | string[]): Position =>
  String(said)
    .split('.')
    .map((number) => (/^\d{1,16}$/.test(number) ? Number(number) : 0))
