import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Cancel, Clock } from '../../kit/clock.js'
import { heldBy, jsonParts } from '../../kit/text/json-parts.js'
import { chunksOf, nextTurn } from '../../kit/turns.js'
import { CallerBudget, callerKey } from '../caller-budget.js'

/** Characters of a response that are sent at once, with its length. */
const AT_ONCE = 128 * 1024
/** A response whose messages keep more memory than this, in bytes, needs a place. */
const FREE_BYTES = 1024 * 1024
/** Places. A response keeps up to 20 MiB while its client reads, and its items several times as much. */
const PLACES = 4
/** Milliseconds after which a client that has read nothing of a long response is disconnected. */
const TAKE_TIMEOUT_MS = 60_000
/** While others wait for a place, a client has so many milliseconds to read so many bytes of its response. */
const SLOW_MS = 10_000
const LEAST_BYTES = 1024 * 1024
/** A look that is later than this: the process stood still, and the client is not slow. */
const LATE_MS = 1000

declare module 'fastify' {
  interface FastifyInstance {
    readonly json: JsonResponses
  }
}

/**
 * Responds with JSON: short documents at once, long ones in chunks, as the caller takes them. Those that keep much memory
 * have a place each.
 */
export class JsonResponses {
  readonly places: CallerBudget
  readonly #placed = new WeakSet<FastifyReply>()

  constructor(readonly clock: Clock) {
    this.places = new CallerBudget(clock, PLACES)
  }

  /** Whether a response with this body can begin at once: it keeps little memory, or it has a place. */
  admits(body: unknown, reply: FastifyReply): boolean {
    if (this.#placed.has(reply) || heldBy(body) <= FREE_BYTES) return true
    if (!this.places.takeNow(1)) return false
    this.#place(reply)
    return true
  }

  /** Resolves once the response has its place, which it keeps until it has ended. Throws the refusal where it gets none. */
  async waitForPlace(reply: FastifyReply): Promise<void> {
    if (!(await this.places.take(callerKey(reply.request), 1))) throw this.places.refusal()
    this.#place(reply)
  }

  #place(reply: FastifyReply): void {
    this.#placed.add(reply)
    // The client may have left while its response waited.
    if (reply.raw.closed) this.places.give(1)
    else reply.raw.once('close', () => this.places.give(1))
  }

  send(body: unknown, reply: FastifyReply): FastifyReply {
    const text = textOf(jsonParts(body))
    // As bytes: Node would join a text to the header, and reserve three bytes for each character of both.
    if (typeof text === 'string') return reply.send(Buffer.from(text))
    const chunks = reply.request.method === 'HEAD' ? [] : this.#chunks(text, reply)
    return reply.send(Readable.from(chunks, { objectMode: false, highWaterMark: 1 }))
  }

  async *#chunks(parts: Iterable<string>, reply: FastifyReply): AsyncGenerator<Buffer> {
    let [bytes, waited] = [0, 0]
    for await (const chunk of chunksInTurns(parts, this.clock)) {
      const since = this.clock.now()
      const stopWatching = this.#watch(reply, SLOW_MS - waited)
      try {
        yield Buffer.from(chunk)
      } finally {
        stopWatching()
      }
      bytes += chunk.length
      waited += this.clock.now() - since
      if (bytes >= LEAST_BYTES || waited >= SLOW_MS) [bytes, waited] = [0, 0]
    }
  }

  /** Disconnects a client that takes too long: `left` is the time that it has while others wait for its place. */
  #watch(reply: FastifyReply, left: number): Cancel {
    const end = this.clock.now() + TAKE_TIMEOUT_MS
    const isWaitedFor = (): boolean => this.#placed.has(reply) && this.places.isAwaited
    let cancel: Cancel = () => {}
    const look = (ms: number): void => {
      const due = this.clock.now() + ms
      cancel = this.clock.at(due, () => {
        const isLate = this.clock.now() > due + LATE_MS
        if (!isLate && (isWaitedFor() || due >= end)) reply.raw.destroy()
        else look(SLOW_MS)
      })
    }
    look(left)
    return () => cancel()
  }
}

/** What `parts` are: the text where it is short, else parts. */
export function textOf(parts: Generator<string>): string | Iterable<string> {
  let begun = ''
  for (let step = parts.next(); !step.done; step = parts.next()) {
    begun += step.value
    // An empty part is work that takes its time.
    if (step.value === '' || begun.length > AT_ONCE) return prepended(begun, parts)
  }
  return begun
}

/** In chunks, made when they are asked for. */
export async function* chunksInTurns(parts: Iterable<string>, clock: Clock): AsyncGenerator<string> {
  // The first part may be the longest step, such as the text of an item.
  await nextTurn()
  yield* chunksOf(parts, clock)
}

function* prepended(begun: string, rest: Iterable<string>): Generator<string> {
  yield begun
  yield* rest
}
