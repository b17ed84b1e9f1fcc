import { connect, createServer, type Server, type Socket } from 'node:net'

/** What a cut does with bytes: drops those to the server, so that nothing is committed, or its answers, so that nobody hears of it. */
export type Cut = 'before' | 'after' | 'now'

/** Stands between one daemon and the database. */
export class DatabaseProxy {
  readonly #pairs = new Set<{ readonly daemon: Socket; readonly database: Socket }>()
  #dropped: 'before' | 'after' | undefined
  #isOpen = true
  /** Bytes that the database was sent. */
  carried = 0

  private constructor(
    readonly server: Server,
    readonly port: number,
    /** Where new connections go. */
    public databasePort: number,
  ) {}

  static async start(databasePort: number): Promise<DatabaseProxy> {
    const server = createServer({ noDelay: true })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const proxy = new DatabaseProxy(
      server,
      (server.address() as { readonly port: number }).port,
      databasePort,
    )
    server.on('connection', (daemon) => proxy.#pair(daemon))
    return proxy
  }

  /** Cuts all connections, for `before` and `after` once bytes have been dropped for so many milliseconds. */
  async cut(how: Cut, milliseconds = 150): Promise<void> {
    if (how !== 'now') {
      this.#dropped = how
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      this.#dropped = undefined
    }
    for (const { daemon, database } of this.#pairs) {
      daemon.destroy()
      // What was sent is carried out still: only its sender is gone.
      database.end()
    }
  }

  /** Cuts all connections and takes no others for so many milliseconds, or until this has resolved. */
  async away(until: number | Promise<unknown>): Promise<void> {
    this.#isOpen = false
    await this.cut('now')
    await (typeof until === 'number' ? new Promise((resolve) => setTimeout(resolve, until)) : until)
    this.#isOpen = true
  }

  async close(): Promise<void> {
    await this.cut('now')
    this.server.close()
  }

  #pair(daemon: Socket): void {
    if (!this.#isOpen) return void daemon.destroy()
    const database = connect({ host: '127.0.0.1', port: this.databasePort, noDelay: true })
    const pair = { daemon, database }
    this.#pairs.add(pair)
    daemon.on('data', (bytes) => {
      if (this.#dropped === 'before') return
      this.carried += bytes.length
      database.write(bytes)
    })
    database.on('data', (bytes) => this.#dropped !== 'after' && daemon.write(bytes))
    const end = (): void => {
      this.#pairs.delete(pair)
      daemon.destroy()
      database.destroy()
    }
    for (const socket of [daemon, database]) socket.on('error', end).on('close', end)
  }
}
