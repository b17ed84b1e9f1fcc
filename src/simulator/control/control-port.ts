import { createServer, type Server, type Socket } from 'node:net'
import { listenError } from '../../hsms/tcp/listener.js'
import { deferred } from '../../kit/deferred.js'
import type { ControlDesk } from './control-desk.js'
import { LongLineError, linesOf } from './lines.js'

/** Only this machine may give a simulator commands. */
const LOOPBACK = '127.0.0.1'
const MAX_CONNECTIONS = 16

/** A web page can make a browser send this to any port, followed by lines of its choice: such a connection is closed. */
const HTTP = /^\S+ \S.* HTTP\/\d/

/** Takes commands on a port of this machine: one a line, and for each a reply as JSON on a line. */
export class ControlPort {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(private readonly desk: Pick<ControlDesk, 'run'>) {
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.#take(socket))
    this.#server.maxConnections = MAX_CONNECTIONS
  }

  /** Listens on the loopback; 0 takes a free port. Resolves with the port; rejects with a `ListenError`. */
  listen(port: number): Promise<number> {
    const { promise, resolve, reject } = deferred<number>()
    const refuse = (error: Error): void => reject(listenError(LOOPBACK, port, error))
    this.#server.once('error', refuse)
    this.#server.listen(port, LOOPBACK, () => {
      this.#server.off('error', refuse)
      this.#server.on('error', () => {}) // one connection could not be accepted; the next may
      const address = this.#server.address()
      resolve(address && typeof address === 'object' ? address.port : port)
    })
    return promise
  }

  close(): Promise<void> {
    const { promise, resolve } = deferred<void>()
    this.#server.close(() => resolve())
    for (const socket of this.#sockets) socket.destroy()
    return promise
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {}) // 'close' follows
    socket.on('close', () => this.#sockets.delete(socket))
    void this.#converse(socket)
  }

  /** One command at a time; further ones wait in the socket. */
  async #converse(socket: Socket): Promise<void> {
    try {
      for await (const line of linesOf(socket.iterator({ destroyOnReturn: false }))) {
        if (HTTP.test(line)) return void socket.destroy()
        if (line.trim() === '') continue
        const reply = await this.desk.run(line)
        if (socket.destroyed) return
        socket.write(`${JSON.stringify(reply)}\n`)
      }
      socket.end()
    } catch (error) {
      if (error instanceof LongLineError) {
        socket.end(`${JSON.stringify({ ok: false, error: error.message, code: 'usage' })}\n`)
      } else socket.destroy()
    }
  }
}
