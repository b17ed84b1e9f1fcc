import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../../contract/endpoint.js'
import type { Event } from '../../contract/topics/events.js'
import type { RecordStream } from '../../gateway/handler.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { jsonParts } from '../../kit/text/json-parts.js'
import { chunksOf } from '../../kit/turns.js'
import { problemBody, problemFor } from './errors.js'
import { chunksInTurns, textOf } from './json-responses.js'
import { HEARTBEAT, type LongResponse, type LongResponses } from './long-responses.js'

const EVENTS = 'text/event-stream'
/** Media types of bytes, not of text. */
const BINARY: readonly string[] = ['application/x-pcapng']

/** Events as they are pushed, in parts. */
export function* eventLines(events: readonly Event[]): Generator<string> {
  for (const event of events) {
    yield `id: ${event.id}\nevent: ${event.type}\ndata: `
    yield* jsonParts(event)
    yield '\n\n'
  }
}

function* jsonLines(records: readonly unknown[]): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}

/** Responds with the records of streams: as server-sent events, as lines of JSON, or as text or bytes. */
export class RecordStreams {
  constructor(
    readonly clock: Clock,
    /** Whether what is recorded is known here: a stream that cannot go on has no heartbeat, so that readers notice. */
    readonly isCurrent: () => boolean,
  ) {}

  /** Writes until the stream ends, or until the caller leaves, stops taking it, or may no longer have it. */
  serve(
    open: (signal: AbortSignal) => Promise<RecordStream<AnyEndpoint['reply']>>,
    media: string,
    responses: LongResponses,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    return responses.serve(request, reply, async (response) => {
      const { parts, after, finite = false } = await open(response.signal)
      const iterator = parts[Symbol.asyncIterator]()
      let next = iterator.next()
      // A stream that fails at once says so: as long as nothing is sent, the response can be a problem.
      await Promise.race([next, new Promise((resolve) => setImmediate(resolve))])
      response.begin(BINARY.includes(media) ? media : `${media}; charset=utf-8`)
      if (after !== undefined) response.push(`id: ${after}\n\n`)
      const stopBeating = media === EVENTS ? this.#beat(response) : undefined
      let isWhole = !finite
      try {
        let step = await next
        for (; !step.done && !response.signal.aborted; step = await next) {
          if (!(await response.write(this.#written(step.value, media)))) return
          next = iterator.next()
        }
        isWhole ||= !response.signal.aborted
      } catch (error) {
        isWhole = media === EVENTS
        this.#fail(error, media, request, response)
      } finally {
        stopBeating?.()
        next.catch(() => undefined)
        await iterator.return?.()
        if (!isWhole) response.hangUp()
      }
    })
  }

  #written(
    part: readonly unknown[] | string | Uint8Array,
    media: string,
  ): Parameters<LongResponse['write']>[0] {
    if (typeof part === 'string' || part instanceof Uint8Array) return part
    if (media !== EVENTS) return bytesOf(chunksOf(jsonLines(part), this.clock))
    const text = textOf(eventLines(part as readonly Event[]))
    return typeof text === 'string' ? text : bytesOf(chunksInTurns(text, this.clock))
  }

  /** Server-sent events end with the problem; other streams have no place for it. */
  #fail(error: unknown, media: string, request: FastifyRequest, response: LongResponse): void {
    const problem = problemFor(error, request)
    if (media !== EVENTS || problem.status === 500) request.log.error({ err: error }, 'stream failed')
    if (media !== EVENTS) return
    response.push(
      `event: problem\ndata: ${JSON.stringify(problemBody(problem, request.url, request.id))}\n\n`,
    )
  }

  #beat(response: LongResponse): Cancel {
    let cancel: Cancel = () => undefined
    const next = (): void => {
      cancel = this.clock.at(this.clock.now() + HEARTBEAT, () => {
        if (response.idle && this.isCurrent()) response.push(': \n\n')
        next()
      })
    }
    next()
    return () => cancel()
  }
}
