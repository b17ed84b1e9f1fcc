import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Event } from '../../src/contract/topics/events.js'
import { systemClock } from '../../src/kit/clock.js'

/** Milliseconds between two writes of a stream. */
const WRITE_MS = 20

/**
 * A gateway in front of another one, with an event stream of its own: so many events a second, made after `samples`.
 * One page follows it at a time: a new stream silences the one before, so that the newest event is one that the page gets.
 */
export class EventFlood {
  readonly #server: Server
  #timer: NodeJS.Timeout | undefined
  #id = 1_000_000_000
  /** Events a second of the stream; it may be changed at any time. */
  rate = 0

  private constructor(
    readonly gateway: number,
    readonly samples: readonly Event[],
  ) {
    this.#server = createServer((asked, reply) => {
      if (asked.url?.startsWith('/api/v1/events/stream')) this.#stream(reply)
      else this.#forward(asked, reply)
    })
  }

  static async before(gateway: number, samples: readonly Event[]): Promise<EventFlood> {
    const flood = new EventFlood(gateway, samples)
    await new Promise<void>((resolve) => flood.#server.listen(0, '127.0.0.1', resolve))
    return flood
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The id of the last event that was made. */
  get last(): string {
    return String(this.#id)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #stream(reply: ServerResponse): void {
    reply.writeHead(200, { 'content-type': 'text/event-stream', date: new Date().toUTCString() })
    reply.write(':\n\n')
    let [written, began, rate] = [0, systemClock.now(), this.rate]
    clearInterval(this.#timer)
    const timer = setInterval(() => {
      if (rate !== this.rate) [written, began, rate] = [0, systemClock.now(), this.rate]
      const due = Math.floor(((systemClock.now() - began) / 1000) * rate) - written
      written += Math.max(0, due)
      let text = ''
      for (let count = 0; count < due; count++) text += this.#next()
      reply.write(text || ':\n\n')
    }, WRITE_MS)
    this.#timer = timer
    reply.on('close', () => clearInterval(timer))
  }

  #next(): string {
    const id = String(++this.#id)
    const sample = this.samples[this.#id % this.samples.length]
    const event = { ...sample, id, at: systemClock.date().toISOString() }
    return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
  }

  #forward(asked: IncomingMessage, reply: ServerResponse): void {
    const { method, url: path, headers } = asked
    const forwarded = request(
      { host: '127.0.0.1', port: this.gateway, method, path, headers },
      (response) => {
        reply.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(reply)
      },
    )
    forwarded.on('error', () => reply.destroy())
    asked.pipe(forwarded)
  }
}
