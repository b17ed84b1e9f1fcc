import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.js'
import type { Event, StreamQuery } from '../../contract/events.js'
import type { EventLog } from '../../gateway/gateway.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { jsonParts } from '../../kit/text/json-parts.js'
import { problemBody, problemFor } from './errors.js'
import type { JsonAnswers } from './json-answers.js'
import { HEARTBEAT, type LongAnswer, type LongAnswers } from './long-answers.js'

const EVENT_ID = /^\d{1,15}$/

/** Events as they are pushed, in parts. */
export function* eventLines(events: readonly Event[]): Generator<string> {
  for (const event of events) {
    yield `id: ${event.id}\nevent: ${event.type}\ndata: `
    yield* jsonParts(event)
    yield '\n\n'
  }
}

/** The position to resume after. `Last-Event-ID`, which a browser sends by itself, takes precedence over `after`. */
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

/** Follows the event log for callers, as server-sent events. */
export class EventStreams {
  constructor(
    readonly events: EventLog,
    readonly answers: LongAnswers,
    readonly json: JsonAnswers,
    readonly clock: Clock,
  ) {}

  /** Answers with events until the caller leaves, stops taking them, or may no longer have them. */
  serve(query: StreamQuery, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.answers.serve(request, reply, (answer) => this.#run(query, request, answer))
  }

  async #run(query: StreamQuery, request: FastifyRequest, answer: LongAnswer): Promise<void> {
    const { signal } = answer
    const start = await this.#startOf(resumeAfter(query, request))
    const events = this.events.follow(start, signal)[Symbol.asyncIterator]()
    let next = events.next()
    // A follower that cannot begin says so at once: as long as nothing is sent it can be a problem's answer.
    await Promise.race([next, new Promise((resolve) => setImmediate(resolve))])
    answer.begin('text/event-stream; charset=utf-8')
    answer.push(`id: ${start.after}\n\n`)
    const stopBeating = this.#beat(answer)
    try {
      for (let step = await next; !step.done && !signal.aborted; step = await next) {
        if (!(await answer.write(this.json.text(eventLines(step.value), () => answer.hangUp())))) break
        next = events.next()
      }
    } catch (error) {
      const problem = problemFor(error, request.id)
      if (problem.code === 'internal_error') request.log.error({ err: error }, 'stream failed')
      answer.push(
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
   * that the first loss can be resumed. Where retention has removed every event, it begins at the newest number.
   */
  async #startOf(query: StreamQuery): Promise<StreamQuery> {
    const { last } = this.events
    const { items } = await this.events.list({ limit: 1 })
    const newest = items[0]?.id ?? String(last)
    if (query.after === undefined) return { ...query, after: (await this.#before(query.from)) ?? newest }
    // After an id that does not exist yet, the client would miss all events before that id without notice.
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

  #beat(answer: LongAnswer): Cancel {
    let cancel: Cancel = () => undefined
    const next = (): void => {
      cancel = this.clock.at(this.clock.now() + HEARTBEAT, () => {
        if (answer.idle) answer.push(': \n\n')
        next()
      })
    }
    next()
    return () => cancel()
  }
}
