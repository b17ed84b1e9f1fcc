import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Cancel, Clock } from '../../kit/clock.js'
import { Semaphore } from '../../kit/semaphore.js'
import { jsonParts } from '../../kit/text/json-parts.js'
import { chunksOf, nextTurn } from '../../kit/turns.js'

/** Characters of a response that are sent at once, with its length. */
const AT_ONCE = 128 * 1024
/** Long responses that are written at the same time: each keeps its message, of 16 MiB at most, while its client reads. */
const MAX_AT_ONCE = 16
/** Milliseconds after which a client that has read nothing of a long response is disconnected. */
const TAKE_TIMEOUT_MS = 60_000
/** The same while others wait for their turn. */
const SHORT_TAKE_TIMEOUT_MS = 10_000

declare module 'fastify' {
  interface FastifyInstance {
    readonly json: JsonResponses
  }
}

/** Responds with JSON: short documents at once, long ones in chunks, as the caller takes them. */
export class JsonResponses {
  readonly #places = new Semaphore(MAX_AT_ONCE)

  constructor(readonly clock: Clock) {}

  /** The number of long responses that are being written. */
  get size(): number {
    return this.#places.taken
  }

  /** Whether long responses wait for their turn. */
  get awaited(): boolean {
    return this.#places.awaited
  }

  send(body: unknown, reply: FastifyReply): FastifyReply {
    const text = this.text(jsonParts(body), () => reply.raw.destroy())
    // As bytes: Node would join a text to the header, and reserve three bytes for each character of both.
    if (typeof text === 'string') return reply.send(Buffer.from(text))
    const chunks = reply.request.method === 'HEAD' ? [] : text
    return reply.send(Readable.from(chunks, { objectMode: false, highWaterMark: 1 }))
  }

  /**
   * The text that `parts` are: at once where it is short; else in chunks, begun when it is their turn. `tired` is
   * called when no chunk was asked for in a minute, and sooner where others wait for their turn.
   */
  text(parts: Generator<string>, tired: () => void): string | AsyncIterable<Buffer> {
    let begun = ''
    for (let step = parts.next(); !step.done; step = parts.next()) {
      begun += step.value
      // An empty part is work that takes its time.
      if (step.value === '' || begun.length > AT_ONCE) return this.#chunks(prepended(begun, parts), tired)
    }
    return begun
  }

  async *#chunks(parts: Iterable<string>, tired: () => void): AsyncGenerator<Buffer> {
    const giveBack = await this.#places.take()
    try {
      // The first part may be the longest step, such as the text of an item.
      await nextTurn()
      for await (const chunk of chunksOf(parts, this.clock)) {
        const cancel = this.#wait(tired)
        try {
          yield Buffer.from(chunk)
        } finally {
          cancel()
        }
      }
    } finally {
      giveBack()
    }
  }

  #wait(tired: () => void): Cancel {
    const end = this.clock.now() + TAKE_TIMEOUT_MS
    let cancel: Cancel = () => {}
    const later = (): void => {
      cancel = this.clock.at(this.clock.now() + SHORT_TAKE_TIMEOUT_MS, () => {
        if (this.#places.awaited || this.clock.now() >= end) tired()
        else later()
      })
    }
    later()
    return () => cancel()
  }
}

function* prepended(begun: string, rest: Iterable<string>): Generator<string> {
  yield begun
  yield* rest
}
