import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.js'
import type { Event, StreamQuery } from '../contract/events.js'
import type { Accounts, EventLog } from '../gateway/gateway.js'
import type { Cancel, Clock } from '../kit/clock.js'
import { deferred } from '../kit/deferred.js'
import { bearerToken, callerOf } from './authenticate.js'
import { problemBody, problemFor } from './errors.js'

/** Milliseconds between two comment lines, which keep proxies from hanging up. */
const HEARTBEAT = 15_000
/** Milliseconds after which a client that has taken nothing is ended. */
const PATIENCE = 60_000
/** Bytes written at a time: what a client has to take within `PATIENCE`. */
const SLICE = 64 * 1024
/** Streams served at once. */
const MOST_STREAMS = 2000
const EVENT_ID = /^\d{1,15}$/

/** An event as its lines. */
const linesOf = (event: Event): Buffer =>
  Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)

/** Where to go on: `Last-Event-ID`, which a browser sends by itself, wins over `after`. */
function resumeAfter(query: StreamQuery, request: FastifyRequest): StreamQuery {
  const last = request.headers['last-event-id']
  if (last === undefined || last === '') return query
  if (typeof last !== 'string' || !EVENT_ID.test(last)) {
    throw new Problem('invalid_request', 'Last-Event-ID has to be the id of an event.', {
      errors: [{ pointer: 'Last-Event-ID', detail: 'must be the id of an event' }],
    })
  }
  return { ...query, after: last }
}

/** Resolves once `response` takes more, or with false when it takes nothing for too long or is aborted. */
function drained(response: ServerResponse, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = deferred<boolean>()
  const give = (): void => resolve(false)
  const take = (): void => resolve(true)
  const cancel = clock.at(clock.now() + PATIENCE, give)
  response.once('drain', take)
  signal.addEventListener('abort', give, { once: true })
  if (signal.aborted) give()
  return promise.finally(() => {
    cancel()
    response.off('drain', take)
    signal.removeEventListener('abort', give)
  })
}

/** Follows the event log for callers, as server-sent events. */
export class EventStreams {
  readonly #open = new Set<AbortController>()

  constructor(
    readonly events: EventLog,
    readonly accounts: Accounts,
    readonly clock: Clock,
  ) {}

  /** How many are being served. */
  get size(): number {
    return this.#open.size
  }

  /** Ends all streams: the server is closing. */
  end(): void {
    for (const stream of this.#open) stream.abort()
  }

  /** Answers with events until the caller leaves, stops taking them, or may no longer have them. */
  async serve(query: StreamQuery, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#open.size >= MOST_STREAMS) {
      throw new Problem('rate_limited', `The gateway serves ${MOST_STREAMS} streams at once.`, {
        retry_after: 10,
      })
    }
    const stream = new AbortController()
    this.#open.add(stream)
    const stopWatching = this.#watch(request, stream)
    const response = reply.raw
    response.once('close', () => stream.abort())
    try {
      await this.#run(query, request, reply, stream.signal)
    } finally {
      stopWatching()
      stream.abort()
      this.#open.delete(stream)
      if (response.headersSent) response.end()
    }
  }

  async #run(
    query: StreamQuery,
    request: FastifyRequest,
    reply: FastifyReply,
    signal: AbortSignal,
  ): Promise<void> {
    const start = await this.#startOf(resumeAfter(query, request))
    const events = this.events.follow(start, signal)[Symbol.asyncIterator]()
    // The lines alone are kept while a client takes them: the event they are made of is as large again.
    const ask = async (): Promise<Buffer | undefined> => {
      const step = await events.next()
      return step.done ? undefined : linesOf(step.value)
    }
    let next = ask()
    // A follower that cannot begin says so at once: as long as nothing is sent it can be a problem's answer.
    await Promise.race([next, new Promise((resolve) => setImmediate(resolve))])
    const response = open(request, reply)
    response.write(`id: ${start.after}\n\n`)
    const stopBeating = this.#beat(response)
    try {
      for (let lines = await next; lines && !signal.aborted; lines = await next) {
        if (!(await this.#write(response, lines, signal))) break
        next = ask()
      }
    } catch (error) {
      const problem = problemFor(error, request.id)
      if (problem.code === 'internal_error')
        request.log.error({ err: error, request_id: request.id }, 'stream failed')
      response.write(
        `event: problem\ndata: ${JSON.stringify(problemBody(problem, request.url, request.id))}\n\n`,
      )
    } finally {
      stopBeating()
      next.catch(() => undefined)
      await events.return?.()
    }
  }

  /**
   * With nothing said the stream begins at the newest event, and with `from` at the first since then: named, so
   * that the first loss can be resumed.
   */
  async #startOf(query: StreamQuery): Promise<StreamQuery> {
    const { items } = await this.events.list({ limit: 1 })
    const newest = items[0]?.id ?? '0'
    if (query.after === undefined) return { ...query, after: (await this.#before(query.from)) ?? newest }
    // Behind an id that is not there yet all that happens until then would be missed in silence.
    if (Number(query.after) > Number(newest)) {
      throw new Problem('invalid_cursor', `There is no event ${query.after} yet: the newest is ${newest}.`)
    }
    return query
  }

  /** The id before the first event since `from`; undefined where there is none yet. */
  async #before(from: string | undefined): Promise<string | undefined> {
    if (from === undefined) return undefined
    const { items } = await this.events.list({ from, order: 'asc', limit: 1 })
    return items[0] && String(Number(items[0].id) - 1)
  }

  async #write(response: ServerResponse, lines: Buffer, signal: AbortSignal): Promise<boolean> {
    for (let at = 0; at < lines.length; at += SLICE) {
      const taken = response.write(lines.subarray(at, at + SLICE))
      if (!taken && !(await drained(response, this.clock, signal))) {
        response.destroy()
        return false
      }
    }
    return true
  }

  #beat(response: ServerResponse): Cancel {
    let cancel: Cancel = () => undefined
    const next = (): void => {
      cancel = this.clock.at(this.clock.now() + HEARTBEAT, () => {
        if (!response.writableNeedDrain) response.write(': \n\n')
        next()
      })
    }
    next()
    return () => cancel()
  }

  /** Ends the stream when its token does: at its time, or when it is revoked or its user changed. */
  #watch(request: FastifyRequest, stream: AbortController): Cancel {
    const token = bearerToken(request)
    const check = (): void => void this.accounts.authenticate(token).catch(() => stream.abort())
    const left = callerOf(request).tokenExpires - this.clock.date().getTime()
    const cancelExpiry = this.clock.at(this.clock.now() + left, () => stream.abort())
    const stopListening = this.accounts.changed.on(check)
    let cancelCheck: Cancel = () => undefined
    const later = (): void => {
      cancelCheck = this.clock.at(this.clock.now() + HEARTBEAT, () => {
        check()
        later()
      })
    }
    later()
    return () => {
      cancelExpiry()
      cancelCheck()
      stopListening()
    }
  }
}

/** Takes the connection from fastify and begins the answer. */
function open(request: FastifyRequest, reply: FastifyReply): ServerResponse {
  reply.hijack()
  request.raw.socket.setKeepAlive(true, PATIENCE)
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  return reply.raw
}
