import { connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP relay on a port of its own, which is cut like a cable: `silent` keeps connections open and passes nothing. */
export class CutOff {
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #silent = false

  private constructor(
    readonly server: Server,
    readonly port: number,
  ) {}

  static async before(port: number): Promise<CutOff> {
    let relay: CutOff | undefined
    const server = createServer((near) => relay?.join(near, connect(port, '127.0.0.1')))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    relay = new CutOff(server, (server.address() as { readonly port: number }).port)
    return relay
  }

  /** Ends every connection. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
  }

  /** From now on nothing passes, and nobody is told; false: what waits passes again. */
  silence(isSilent: boolean): void {
    this.#silent = isSilent
    for (const pair of this.#pairs)
      for (const socket of pair) {
        if (isSilent) socket.unpipe().pause()
        else socket.resume()
      }
  }

  close(): void {
    this.cut()
    this.server.close()
  }

  private join(near: Socket, far: Socket): void {
    const pair = [near, far] as const
    this.#pairs.add(pair)
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on('error', () => to.destroy())
      from.on('close', () => {
        to.destroy()
        this.#pairs.delete(pair)
      })
      from.pipe(to)
      if (this.#silent) from.pause()
    }
  }
}
