import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.js'
import type { Accounts } from '../../gateway/accounts/accounts.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { networkOf } from '../../kit/network.js'
import { Shares } from '../../kit/shares.js'
import { bearerToken, callerOf } from '../request/authenticate.js'
import { addressOf } from '../request/passed-on.js'

/** Milliseconds between two heartbeats, which keep proxies from closing the connection, and between two checks of the token. */
export const HEARTBEAT = 15_000
/** Milliseconds after which a client that has taken nothing is ended. */
const TAKE_TIMEOUT_MS = 60_000
/** Bytes written at a time: what a client has to take within `TAKE_TIMEOUT_MS`. */
const SLICE_BYTES = 64 * 1024
/** Milliseconds in which a client has to read the rest of a response that has ended. */
const END_TIMEOUT_MS = 5000

/** How many responses are open at once: in all, to the callers of one network, and to one user. */
export interface LongResponseLimits {
  readonly all: number
  readonly ofNetwork: number
  readonly ofUser: number
}

/** Responses that last as long as their clients stay connected, read them, and have a valid token. */
export class LongResponses {
  readonly #open = new Set<AbortController>()
  readonly #networks: Shares
  readonly #users: Shares
  #ended = false

  /** @param what names the responses in an error message */
  constructor(
    readonly accounts: Pick<Accounts, 'authenticate' | 'changed'>,
    readonly clock: Clock,
    readonly limits: LongResponseLimits,
    readonly what: string,
  ) {
    this.#networks = new Shares(limits.ofNetwork)
    this.#users = new Shares(limits.ofUser)
  }

  /** The number of responses that are being written. */
  get size(): number {
    return this.#open.size
  }

  /** Ends all, and gives no more: the server is closing. */
  end(): void {
    this.#ended = true
    for (const response of this.#open) response.abort()
  }

  /** Has `give` write the response. What it throws before it has begun becomes the response. */
  async serve(
    request: FastifyRequest,
    reply: FastifyReply,
    give: (response: LongResponse) => Promise<void>,
  ): Promise<void> {
    const giveBack = this.#takeShare(request)
    const controller = new AbortController()
    const stopWatching = this.#watch(request, controller)
    this.#open.add(controller)
    const response = reply.raw
    response.once('close', () => controller.abort())
    // While its token was looked at the caller may have left, or the server begun to close.
    if (response.closed || this.#ended) controller.abort()
    try {
      await give(new LongResponse(request, reply, this.clock, controller.signal))
    } finally {
      stopWatching()
      controller.abort()
      this.#open.delete(controller)
      giveBack()
      if (response.headersSent) {
        request.raw.socket.setTimeout(END_TIMEOUT_MS)
        response.end()
      }
    }
  }

  /** Throws `quota_exceeded` where the user or the network has its share, `rate_limited` where all are given. */
  #takeShare(request: FastifyRequest): () => void {
    const { id, email } = callerOf(request)
    const network = networkOf(addressOf(request))
    const { all, ofNetwork, ofUser } = this.limits
    const refusal = (code: 'quota_exceeded' | 'rate_limited', detail: string): Problem =>
      new Problem(code, detail, { retry_after: 10 })
    if (this.#users.isUsedUp(id)) {
      const detail = `${email} has ${ofUser} ${this.what} open, the most for one user. Close one first.`
      throw refusal('quota_exceeded', detail)
    }
    if (this.#networks.isUsedUp(network)) {
      const detail = `${addressOf(request)} has ${ofNetwork} ${this.what} open, the most for one address. Close one first.`
      throw refusal('quota_exceeded', detail)
    }
    if (this.#open.size >= all) {
      throw refusal('rate_limited', `The gateway serves ${all} ${this.what} at once. Try again later.`)
    }
    const ends = [this.#users.take(id), this.#networks.take(network)]
    return () => {
      for (const end of ends) end()
    }
  }

  /** Ends a response when its token does: at its time, or when it is revoked or its user changed. */
  #watch(request: FastifyRequest, response: AbortController): Cancel {
    const token = bearerToken(request)
    const check = (): void => void this.accounts.authenticate(token).catch(() => response.abort())
    const left = callerOf(request).tokenExpires - this.clock.date().getTime()
    const cancelExpiry = this.clock.at(this.clock.now() + left, () => response.abort())
    const stopListening = this.accounts.changed.on(check)
    let cancelCheck: Cancel = () => undefined
    const later = (): void => {
      cancelCheck = this.clock.at(this.clock.now() + HEARTBEAT, () => {
        check()
        later()
      })
    }
    later()
    // The token may have been revoked since it was checked.
    check()
    return () => {
      cancelExpiry()
      cancelCheck()
      stopListening()
    }
  }
}

/** One response, written as the caller takes it. */
export class LongResponse {
  readonly #response: ServerResponse
  #writing = false

  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    readonly clock: Clock,
    /** Aborts when the response is over. */
    readonly signal: AbortSignal,
  ) {
    this.#response = reply.raw
  }

  /** True while nothing waits for the caller, and nothing is half written. */
  get idle(): boolean {
    return !this.#writing && !this.#response.writableNeedDrain
  }

  /** Takes the connection from fastify and begins. */
  begin(contentType: string): void {
    this.reply.hijack()
    this.request.raw.socket.setKeepAlive(true, TAKE_TIMEOUT_MS)
    // However long nothing happens, it is this class that ends the response.
    this.request.raw.socket.setTimeout(0)
    this.#response.writeHead(200, {
      ...(this.reply.getHeaders() as Record<string, string>),
      'content-type': contentType,
      'x-accel-buffering': 'no',
    })
    this.#response.flushHeaders()
  }

  /** Closes the connection in the middle of the response. */
  hangUp(): void {
    this.#response.destroy()
  }

  /** Writes a few bytes without waiting. */
  push(text: string): void {
    this.#response.write(text)
  }

  /** Resolves when the caller takes more; false when it takes nothing for too long, or the response is over. */
  async write(content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<boolean> {
    if (typeof content === 'string') return this.#take(Buffer.from(content))
    if (content instanceof Uint8Array) return this.#take(content)
    this.#writing = true
    for await (const bytes of content) if (!(await this.#take(bytes))) return false
    this.#writing = false
    return true
  }

  async #take(bytes: Uint8Array): Promise<boolean> {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      if (this.signal.aborted) return false
      const taken = this.#response.write(bytes.subarray(at, at + SLICE_BYTES))
      if (!taken && !(await this.#drained())) {
        this.hangUp()
        return false
      }
    }
    return true
  }

  #drained(): Promise<boolean> {
    const { promise, resolve } = deferred<boolean>()
    const give = (): void => resolve(false)
    const take = (): void => resolve(true)
    const cancel = this.clock.at(this.clock.now() + TAKE_TIMEOUT_MS, give)
    this.#response.once('drain', take)
    this.signal.addEventListener('abort', give, { once: true })
    if (this.signal.aborted) give()
    return promise.finally(() => {
      cancel()
      this.#response.off('drain', take)
      this.signal.removeEventListener('abort', give)
    })
  }
}
