import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import { BODY_LIMIT, bodyTooLarge } from '../../contract/body-limit.js'
import { Problem } from '../../contract/errors.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { CallerBudget, callerKey } from '../caller-budget.js'

/** A body of so many bytes is always read: how many there are is bounded by the connections. */
const FREE_BYTES = 4 * 1024
/** A longer body is a long one: those wait for each other, and the shorter ones do not wait for them. */
const SHORT_BYTES = 256 * 1024
/**
 * Bytes of all bodies in work, short and long ones. A byte takes up to 20 bytes of memory, as JSON that is made into items
 * of SECS-II. One of the longest fits, and some others: two at once would take no less time, and twice the memory.
 */
const ALL_SHORT_BYTES = 16 * 1024 * 1024
const ALL_LONG_BYTES = 32 * 1024 * 1024
/** The memory that a message takes is at most this part of what the body takes of which it was made. */
const MESSAGE_PART = 8
/** Of a body that others wait for so many bytes have to come in this time: as fast as the longest one comes within the time for a request. */
const SLOW_MS = 5000
const LEAST_BYTES = 1024 * 1024
/** A look that is later than this: the process stood still, and the client is not slow. */
const LATE_MS = 1000

type Payload = Parameters<preParsingHookHandler>[2]

declare module 'fastify' {
  interface FastifyRequest {
    /** What its body holds of the memory for bodies; null where it needs none. */
    bodyShare: BodyShare | null
  }
}

/** What one body holds, until its response is sent and the connection does not need it any more. */
class BodyShare {
  #budget: CallerBudget | undefined
  #bytes = 0
  #isSent = false
  #isClosed = false

  constructor(readonly caller: string) {}

  /** Takes these bytes in the place of what it holds. Throws the refusal of the budget where it is not given them. */
  async take(budget: CallerBudget, bytes: number): Promise<void> {
    if (!(await budget.take(this.caller, bytes))) throw budget.refusal()
    this.shrink(0)
    this.#budget = budget
    this.#bytes = bytes
    this.#end()
  }

  /** Gives back all but these bytes. */
  shrink(bytes: number): void {
    if (bytes >= this.#bytes) return
    this.#budget?.give(this.#bytes - bytes)
    this.#bytes = bytes
  }

  get isLong(): boolean {
    return this.#bytes > SHORT_BYTES
  }

  /** Of the body nothing is left but the message that was made of it. */
  used(): void {
    this.shrink(Math.ceil(this.#bytes / MESSAGE_PART))
  }

  /** The response has been handed over: whoever made it is done with the body. */
  sent(): void {
    this.#isSent = true
    this.#end()
  }

  /** The response has left, or the client is gone: its call may go on. */
  closed(): void {
    this.#isClosed = true
    this.#end()
  }

  #end(): void {
    if (this.#isSent && this.#isClosed) this.shrink(0)
  }
}

const tooSlow = (): Problem =>
  new Problem('request_timeout', 'The body came too slowly while others waited for their turn.')

/** Of the body that is to be read; undefined where it is not said. */
function lengthOf({ method, headers }: FastifyRequest): number | undefined {
  if (method === 'GET' || method === 'HEAD') return 0
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
}

/**
 * Bounds the memory that bodies take, from their arrival until their responses are sent. A body whose turn has not come is not read:
 * what its client sends waits on the network. Added after the hooks that authenticate, and after those that forward.
 */
export class BoundedBodies {
  readonly short: CallerBudget
  readonly long: CallerBudget

  constructor(readonly clock: Clock) {
    this.short = new CallerBudget(clock, ALL_SHORT_BYTES)
    this.long = new CallerBudget(clock, ALL_LONG_BYTES)
  }

  serve(app: FastifyInstance): void {
    app.decorateRequest('bodyShare', null)
    const bound: preParsingHookHandler = (request, reply, payload, done) => {
      const length = lengthOf(request)
      const limit = request.routeOptions.bodyLimit ?? BODY_LIMIT
      // One that is too long is refused before it is read.
      if (length !== undefined && (length <= FREE_BYTES || length > limit)) return done(null, payload)
      const share = new BodyShare(callerKey(request))
      request.bodyShare = share
      reply.raw.once('close', () => share.closed())
      if (length === undefined) return done(null, this.#counted(payload, share, limit, undefined))
      const isLong = length > SHORT_BYTES
      const counted = (): typeof payload => (isLong ? this.#counted(payload, share, limit, length) : payload)
      share.take(isLong ? this.long : this.short, length).then(() => done(null, counted()), done)
    }
    app.addHook('preParsing', bound)
    app.addHook('onSend', (request, _, payload, done) => {
      request.bodyShare?.sent()
      done(null, payload)
    })
  }

  /** Requests that wait for their turn are refused: the gateway is stopping. */
  close(): void {
    for (const budget of [this.short, this.long]) budget.close()
  }

  /** The body as it comes. Of one that does not say how long it is (`length`), more is taken as more comes. */
  #counted(payload: Payload, share: BodyShare, limit: number, length: number | undefined): Payload {
    let arrived = 0
    let room = length ?? FREE_BYTES
    let cancelLook: Cancel = () => {}
    const look = (): void => {
      const [from, due] = [arrived, this.clock.now() + SLOW_MS]
      cancelLook = this.clock.at(due, () => {
        const isSlow = arrived - from < LEAST_BYTES && this.clock.now() <= due + LATE_MS
        if (isSlow && this.long.isAwaited) counted.destroy(tooSlow())
        else look()
      })
    }
    const grow = async (): Promise<void> => {
      const isLong = arrived > SHORT_BYTES
      const bytes = isLong ? limit : Math.min(limit, SHORT_BYTES)
      await share.take(isLong ? this.long : this.short, bytes)
      room = bytes
      if (isLong) look()
    }
    const counted = new Transform({
      transform(chunk: Buffer, _, done) {
        arrived += chunk.length
        if (arrived > limit) return done(new Problem('body_too_large', bodyTooLarge(limit)))
        if (arrived <= room) return done(null, chunk)
        grow().then(() => done(null, chunk), done)
        return undefined
      },
      flush(done) {
        share.shrink(arrived > FREE_BYTES ? arrived : 0)
        done()
      },
      destroy(error, done) {
        cancelLook()
        done(error)
      },
    })
    if (length !== undefined) look()
    payload.on('error', (error) => counted.destroy(error))
    return payload.pipe(counted)
  }
}
