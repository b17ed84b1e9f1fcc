import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { delay, systemClock } from '../../kit/clock.js'
import { StoreUnavailable } from '../failure.js'

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full`. */
  readonly url: string
  /** In place of one in the URL. */
  readonly password?: string | undefined
  readonly tls?: ConnectionOptions | undefined
  /** What the server's lists of connections show. */
  readonly name: string
}

/** A statement that is not answered after so long, in milliseconds, counts as a connection that is lost. */
const ANSWER_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5000
/** After so long, in milliseconds, the database is asked whether it answers at all, and has the second time to do so. */
const QUIET_MS = 2000
const PROBE_MS = 1000
/** Connections for queries; further ones are for appending, following and leases. */
const MAX_QUERY_CONNECTIONS = 8

/** SQLSTATE classes of what passes by itself: connection, resources, operator intervention, read-only server, I/O, a lock. */
const PASSING = /^(08|53|57|58|25006|40|55P03)/

/** The connections of one process to its database. */
export class Database {
  readonly #pool: pg.Pool
  #probing: Promise<boolean> | undefined

  constructor(readonly options: DatabaseOptions) {
    this.#pool = new pg.Pool({ ...this.#config, max: MAX_QUERY_CONNECTIONS, onConnect: sortByIndex })
    // A connection that is lost while nobody uses it: the next query takes another.
    this.#pool.on('error', () => {})
  }

  /**
   * Rejects with `StoreUnavailable` where the database is away or cannot do it now. A statement with a name is planned
   * once by each connection.
   */
  async query<R extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    name?: string,
  ): Promise<readonly R[]> {
    const client = await this.#client()
    let isLost = true
    try {
      const { rows } = await this.#answered(
        client.query<R>({ text, values: [...values], ...(name && { name }) }),
      )
      isLost = false
      return rows
    } catch (error) {
      const problem = storeProblem(error)
      isLost = problem instanceof StoreUnavailable
      throw problem
    } finally {
      give(client, isLost)
    }
  }

  /** Runs `work` in a transaction, which is rolled back when it throws. */
  async transaction<R>(work: (client: pg.ClientBase) => Promise<R>): Promise<R> {
    const client = await this.#client()
    let isWhole = false
    try {
      await this.#answered(client.query('BEGIN'))
      const result = await work(client)
      await this.#answered(client.query('COMMIT'))
      isWhole = true
      return result
    } catch (error) {
      throw storeProblem(error)
    } finally {
      // A connection with a transaction that is not over is of no more use.
      give(client, !isWhole)
    }
  }

  /** A connection of the caller's own. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config)
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      throw storeProblem(error)
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #client(): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect().then((client) => client.on('error', ignore))
    let isGivenUp = false
    connecting.then(
      (client) => isGivenUp && give(client, false),
      () => {},
    )
    return this.#answered(connecting).catch((error: unknown) => {
      isGivenUp = true
      throw storeProblem(error)
    })
  }

  /** The result of work in the database, however long it takes; rejects within 3 s where the database is silent. */
  #answered<R>(work: Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      let isOver = false
      let cancel = (): void => {}
      const watch = (): void => {
        cancel = systemClock.at(systemClock.now() + QUIET_MS, async () => {
          const isThere = await this.#probe()
          if (isOver) return
          if (isThere) watch()
          else reject(new StoreUnavailable('The database does not respond.'))
        })
      }
      watch()
      void work.then(resolve, reject).finally(() => {
        isOver = true
        cancel()
      })
    })
  }

  /** True where the database answers on a connection of its own. */
  #probe(): Promise<boolean> {
    this.#probing ??= this.#isThere().finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  async #isThere(): Promise<boolean> {
    const client = new pg.Client({
      ...this.#config,
      connectionTimeoutMillis: PROBE_MS,
      query_timeout: PROBE_MS,
    })
    client.on('error', ignore)
    const isThere = client
      .connect()
      .then(() => client.query('SELECT 1'))
      .then(
        () => true,
        () => false,
      )
    const result = await Promise.race([isThere, delay(systemClock, PROBE_MS).then(() => false)])
    void client.end().catch(() => {})
    return result
  }

  get #config(): pg.ClientConfig {
    const { url, password, tls, name } = this.options
    return {
      connectionString: password === undefined ? url : withPassword(url, password),
      ...(tls && { ssl: tls }),
      application_name: `secsctl ${name}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    }
  }
}

/** As a parameter, since the driver takes the URL's own parts before its options, and a URL of a socket has no user. */
function withPassword(text: string, password: string): string {
  const url = new URL(text)
  url.searchParams.set('password', password)
  return url.href
}

const ignore = (): void => {}

/** Gives a connection back, or closes it. */
function give(client: pg.PoolClient, isLost: boolean): void {
  client.off('error', ignore)
  if (isLost) client.on('error', ignore)
  client.release(isLost)
}

/**
 * Pages of entries come in the order of an index. Where the server knows little of the table, it would collect and sort
 * all entries that match, which takes twenty times as long.
 */
async function sortByIndex(client: pg.ClientBase): Promise<void> {
  await client.query('SET enable_bitmapscan = off')
}

/** The server asks for a password, and none is given: the driver says so in the words of the protocol. */
class PasswordMissing extends Error {
  override readonly name = 'PasswordMissing'
  /** As a server says it (SQLSTATE). */
  readonly code = '28000'

  constructor(cause: Error) {
    super('it wants a password, and none is given: --store-password-file names a file that holds it', {
      cause,
    })
  }
}

/** `StoreUnavailable` for what passes by itself; the error itself where the statement is wrong. */
export function storeProblem(error: unknown): Error {
  if (!(error instanceof Error)) return new StoreUnavailable(String(error))
  const { code } = error as { readonly code?: string }
  // An error of this program, thrown amidst the work: those of the driver and of the network have no name of their own.
  if (code === undefined && Object.hasOwn(error, 'name')) return error
  // A file of this machine that cannot be read or written amidst the work.
  if ('path' in error) return error
  if (/client password must be/.test(error.message)) return new PasswordMissing(error)
  // What comes from the network, and from the driver itself, has no SQLSTATE.
  const isSqlState = code !== undefined && /^[0-9A-Z]{5}$/.test(code)
  if (isSqlState && !PASSING.test(code)) return error
  return new StoreUnavailable(`The database cannot be used now: ${error.message}`, { cause: error })
}
