import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
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
/** Connections for queries; further ones are for appending, following and leases. */
const MAX_QUERY_CONNECTIONS = 8

/** SQLSTATE classes of what passes by itself: connection, resources, operator intervention, read-only server, I/O, a lock. */
const PASSING = /^(08|53|57|58|25006|40|55P03)/

/** The connections of one process to its database. */
export class Database {
  readonly #pool: pg.Pool

  constructor(readonly options: DatabaseOptions) {
    this.#pool = new pg.Pool({ ...this.#config, max: MAX_QUERY_CONNECTIONS, onConnect: sortByIndex })
    // A connection that is lost while nobody uses it: the next query takes another.
    this.#pool.on('error', () => {})
  }

  /** Rejects with `StoreUnavailable` where the database is away or cannot do it now. */
  async query<R extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly R[]> {
    try {
      const { rows } = await this.#pool.query<R>(text, [...values])
      return rows
    } catch (error) {
      throw storeProblem(error)
    }
  }

  /** Runs `work` in a transaction, which is rolled back when it throws. */
  async transaction<R>(work: (client: pg.ClientBase) => Promise<R>): Promise<R> {
    const client = await this.#pool.connect().catch((error: unknown) => Promise.reject(storeProblem(error)))
    let isWhole = false
    const ignore = (): void => {}
    client.on('error', ignore)
    try {
      await client.query('BEGIN')
      const result = await work(client)
      await client.query('COMMIT')
      isWhole = true
      return result
    } catch (error) {
      throw storeProblem(error)
    } finally {
      // A connection with a transaction that is not over is of no more use.
      client.release(!isWhole)
      client.off('error', ignore)
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

/**
 * Pages of entries come in the order of an index. Where the server knows little of the table, it would collect and sort
 * all entries that match, which takes twenty times as long.
 */
async function sortByIndex(client: pg.ClientBase): Promise<void> {
  await client.query('SET enable_bitmapscan = off')
}

/** `StoreUnavailable` for what passes by itself; the error itself where the statement is wrong. */
export function storeProblem(error: unknown): Error {
  if (!(error instanceof Error)) return new StoreUnavailable(String(error))
  const { code } = error as { readonly code?: string }
  // What comes from the network, and from the driver itself, has no SQLSTATE.
  const isSqlState = code !== undefined && /^[0-9A-Z]{5}$/.test(code)
  if (isSqlState && !PASSING.test(code)) return error
  return new StoreUnavailable(`The database does not answer: ${error.message}`, { cause: error })
}
