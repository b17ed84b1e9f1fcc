import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

type Socket = IncomingMessage['socket']

/** The requests of one connection that have no whole response yet. */
interface Open {
  count: number
  /** The one that came last. */
  last: IncomingMessage | undefined
  /** Called once all that have come whole have their responses. */
  afterwards: (() => void) | undefined
}

const responsesOwed = ({ count, last }: Open): number => count - (last && !last.complete ? 1 : 0)

/** The requests that clients send on one connection without waiting for the responses. */
export class Pipelines {
  readonly #open = new WeakMap<Socket, Open>()

  /**
   * Begins a request once the responses before it on its connection are sent. Node would begin all at once, would keep
   * their responses in memory, and, when the connection closes, would not say so to those whose turn to be sent has not
   * come: what they hold, such as an event stream, would be held for good. What has not begun when the connection closes
   * never begins.
   */
  serve(app: FastifyInstance): void {
    app.server.on('request', (request, response) => this.#count(request, response))
    app.addHook('onRequest', (_, { raw: response }, done) => {
      // Node gives a response the connection when its turn has come.
      if (response.socket) done()
      else response.once('socket', () => done())
    })
  }

  /** Calls `run` once the whole requests so far have their responses; nothing more is read of this connection. */
  afterResponses(socket: Socket, run: () => void): void {
    const open = this.#open.get(socket)
    if (!open || responsesOwed(open) === 0) return run()
    // The socket is closed already where that was the last response that it may carry.
    open.afterwards ??= () => socket.writable && run()
  }

  #count(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const open = this.#open.get(socket) ?? { count: 0, last: undefined, afterwards: undefined }
    this.#open.set(socket, open)
    open.count += 1
    open.last = request
    response.on('close', () => {
      open.count -= 1
      if (open.last === request) open.last = undefined
      if (open.afterwards && responsesOwed(open) === 0) open.afterwards()
    })
  }
}
