import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** An HTTP proxy that makes tunnels (CONNECT), as one between offices and the internet does. */
export class HttpProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Hosts and ports to which it has made tunnels. */
  readonly targets: string[] = []
  /** A status with which it responds to all; 0: it never responds. */
  refusal: number | undefined

  private constructor() {
    this.#server = createServer((_, response) => response.writeHead(405).end())
    this.#server.on('connection', (socket) => this.#keep(socket))
    this.#server.on('connect', ({ url = '' }, socket: Socket, head: Buffer) => {
      if (this.refusal === 0) return
      if (this.refusal !== undefined) {
        socket.end(`HTTP/1.1 ${this.refusal} No\r\n\r\n`)
        return
      }
      const { hostname, port } = new URL(`http://${url}`)
      this.targets.push(url)
      const target = connect(Number(port || 80), hostname, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        target.write(head)
        socket.pipe(target).pipe(socket)
      })
      this.#keep(target)
    })
  }

  static async listen(): Promise<HttpProxy> {
    const proxy = new HttpProxy()
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => {})
  }
}
