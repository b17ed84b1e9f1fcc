import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type pg from 'pg'
import type { Host, World } from '../world.js'
import type { Client, DatabaseServer, Session } from './server.js'
import type { Row } from './statements.js'

interface Statement {
  readonly text: string
  readonly values?: readonly unknown[]
}

/** In the place of `pg.Client`: the same over the made-up network, with the made-up server. */
export function clientOf(world: World, server: DatabaseServer) {
  return class MadeUpClient extends EventEmitter implements Client {
    readonly host: Host = world.current
    /** By it the pool decides whether a connection that is given back is used again. */
    _queryable = true
    #session: Session | undefined
    #isEnded = false
    #fail: ((error: Error) => void) | undefined
    readonly #config: pg.ClientConfig

    constructor(config: pg.ClientConfig) {
      super()
      this.#config = config
    }

    isConnected(): boolean {
      return this.#session !== undefined
    }

    connect(done?: (error?: Error) => void): Promise<void> {
      const connected = new Promise<void>((resolve, reject) => {
        this.#fail = reject
        const { connectionTimeoutMillis = 0 } = this.#config
        const cancel =
          connectionTimeoutMillis > 0
            ? world.after(this.host, connectionTimeoutMillis, () => reject(new Error('timeout expired')))
            : () => {}
        server.connect(this, (error, session) => {
          cancel()
          this.#fail = undefined
          if (error) return reject(error)
          if (this.#isEnded && session) return server.end(session)
          this.#session = session
          return resolve()
        })
      })
      if (done) connected.then(() => done(), done)
      return done ? Promise.resolve() : connected
    }

    query(
      given: string | Statement,
      values?: readonly unknown[],
    ): Promise<{ readonly rows: readonly Row[] }> {
      const text = typeof given === 'string' ? given : given.text
      const sent = (typeof given === 'string' ? values : (given.values ?? values)) ?? []
      return new Promise((resolve, reject) => {
        const session = this.#session
        if (!session || this.#isEnded) return reject(new Error('Client was closed and is not queryable'))
        const { query_timeout = 0 } = this.#config
        const cancel =
          Number(query_timeout) > 0
            ? world.after(this.host, Number(query_timeout), () => fail(new Error('Query read timeout')))
            : () => {}
        const fail = (error: Error): void => {
          cancel()
          this.#fail = undefined
          reject(error)
        }
        this.#fail = fail
        server.query(session, text, sent, (error, rows) => {
          if (error) return fail(error)
          cancel()
          this.#fail = undefined
          return resolve({ rows })
        })
      })
    }

    end(done?: () => void): Promise<void> {
      if (this.#session && !this.#isEnded) server.end(this.#session)
      this.#isEnded = true
      const over = new Promise<void>((resolve) => {
        world.after(this.host, 0, () => {
          this.emit('end')
          resolve()
        })
      })
      if (done) void over.then(done)
      return over
    }

    lost(error: Error): void {
      if (this.#isEnded) return
      const wasConnected = this.#session !== undefined
      this.#isEnded = true
      this.#session = undefined
      this._queryable = false
      this.#fail?.(error)
      // Who still connects learns it from that call alone.
      if (!wasConnected) return
      this.emit('error', error)
      this.emit('end')
    }

    notified(): void {
      if (!this.#isEnded) this.emit('notification')
    }

    ref(): void {}
    unref(): void {}
  }
}

/** The driver of all processes talks to the made-up server from now on. */
export function takeOverDriver(world: World, server: DatabaseServer): void {
  const driver = createRequire(import.meta.url)('pg') as { Client: unknown; Pool: unknown }
  const MadeUpClient = clientOf(world, server)
  const Pool = createRequire(import.meta.url)('pg-pool') as new (options: object, Client: unknown) => object
  Object.assign(driver, {
    Client: MadeUpClient,
    Pool: class extends (Pool as new (options: object, Client: unknown) => EventEmitter) {
      constructor(options: object) {
        super(options, MadeUpClient)
      }
    },
  })
}
