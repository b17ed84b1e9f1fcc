import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { Database } from '../../../src/store/postgres/database.js'
import { migrate } from '../../../src/store/postgres/migrate.js'
import type { Network } from '../network.js'
import type { World } from '../world.js'
import { DatabaseServer, type Done, type Session } from './server.js'
import type { Row } from './statements.js'

// The driver and the timers of this process before they are taken over.
const { Client } = pg
const { setTimeout, clearTimeout } = globalThis

/** Real milliseconds without a response, after which the database is asked whether a statement waits for a lock. */
const QUIET_MS = 2

/** In the server's folder: milliseconds since 1970. */
const TIME_FILE = 'world_time'

/** Its time is in a file, and what waits for a lock waits as long as the world says. */
const PREPARED = `
CREATE OR REPLACE FUNCTION secsctl_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
  $$ SELECT to_timestamp(pg_read_file('${TIME_FILE}')::float8 / 1000) $$;
ALTER FUNCTION add_partition RESET lock_timeout`

const BLOCKED = 'SELECT FROM unnest($1::int[]) AS pid WHERE cardinality(pg_blocking_pids(pid)) > 0'
const HEAD = "SELECT last, first FROM head WHERE journal = 'journal'"
/** What is to be the same for the same seed. */
const CONTENT = [
  'SELECT key, owner, epoch, state, version FROM lease ORDER BY key',
  'SELECT collection, id, record, version, changed_by, added FROM document ORDER BY collection, id',
  'SELECT journal, day::text, seq, key, type, name, topic, at, data, mark FROM entry ORDER BY journal, seq',
]

/** Statements that commit by themselves, and whose commits take time; the locks that they hold meanwhile are real. */
const COMMITTED = /append|look_up|claim_leases|take_turn|change_in_turn|UPDATE lease/
/** What processes look for several times a second, whether something has changed or not. */
const LOOKS = /^\s*SELECT (last, first, mark|key, owner, epoch|collection, id, record)/
/** What changes nothing of that. */
const UNRELATED = /^\s*(SELECT id, name, url|UPDATE node|NOTIFY|SET )/
/** Limits of real time. */
const LIMITS = /^SET (LOCAL )?\w*_timeout/

/** One that the world's session has of its own. */
interface Connection {
  readonly client: pg.Client
  pid: number
  /** A statement runs, waits for a lock, or is committed. */
  isBusy: boolean
  /** The session is over. */
  isOver: boolean
}

interface Result {
  readonly rows: readonly Row[]
  readonly error?: Error
}

interface Asked {
  readonly pid: number
  readonly response: Promise<unknown>
  /** What to do with the response, once it is there. */
  take?: () => void
  hasWaited?: true
}

/** A database for one world, and a connection to look into it. */
export interface RealDatabase {
  readonly url: string
  readonly admin: pg.Client
  /** Where the server has the time of the world from. */
  readonly timeFile: string
}

/** Prepares an empty database for a world. Call it before the world takes over the process. */
export async function prepareReal(url: string): Promise<RealDatabase> {
  const database = new Database({ url, name: 'simulation' })
  await migrate(database)
  await database.close()
  const admin = new Client({ connectionString: url })
  admin.on('error', () => {})
  await admin.connect()
  await admin.query(PREPARED)
  const { rows } = await admin.query('SHOW data_directory')
  return { url, admin, timeFile: join(rows[0].data_directory, TIME_FILE) }
}

/**
 * A database server over a real PostgreSQL. While it works the world stands still: its responses are given in the order
 * of the statements, in the world's time. Only what waits for a lock waits while the world goes on.
 */
export class RealServer extends DatabaseServer {
  last = 0
  first = 1
  readonly #connections = new Map<Session, Connection>()
  readonly #records = new Map<string, string | null>()
  /** What looks have found since the last statement that may have changed it. */
  readonly #found = new Map<string, Result>()
  /** In the order of the statements. */
  #asked: Asked[] = []

  constructor(
    world: World,
    network: Network,
    readonly real: RealDatabase,
  ) {
    super(world, network)
  }

  async digest(): Promise<string> {
    const hash = createHash('sha256')
    for (const text of CONTENT) hash.update(JSON.stringify((await this.real.admin.query(text)).rows))
    return hash.digest('hex').slice(0, 16)
  }

  override crash(): void {
    const pids = [...this.#connections.values()].map(({ pid }) => pid)
    this.#connections.clear()
    const end = 'SELECT pg_terminate_backend(pid, 60000) FROM unnest($1::int[]) AS pid'
    this.#ask(0, this.real.admin.query(end, [pids]), () => {})
    super.crash()
  }

  protected open(session: Session, opened: () => void): void {
    const client = new Client({ connectionString: this.real.url, pipeline: true })
    const connection: Connection = { client, pid: 0, isBusy: false, isOver: false }
    client.on('error', () => {})
    const connected = client.connect().then(() => client.query('SELECT pg_backend_pid() AS pid'))
    this.#connections.set(session, connection)
    this.#ask(0, connected, ({ rows }) => {
      connection.pid = rows[0].pid
      opened()
    })
  }

  protected recordOf(collection: unknown, id: unknown): string | null {
    return this.#records.get(`${collection} ${id}`) ?? null
  }

  protected run(session: Session, text: string, values: readonly unknown[], done: Done): void {
    if (LIMITS.test(text)) return done(undefined, [])
    const connection = this.#connections.get(session) as Connection
    const look = LOOKS.test(text) && !session.isInTransaction ? JSON.stringify([text, values]) : undefined
    const found = look && this.#found.get(look)
    if (found) return done(undefined, found.rows)
    connection.isBusy = true
    const over = (result: Result): void => {
      connection.isBusy = false
      if (look && !result.error) this.#found.set(look, result)
      else if (!UNRELATED.test(text)) this.#found.clear()
      if (connection.isOver) this.#close(session, connection)
      if (text.includes('change_in_turn') && result.rows[0]?.['refused'] === null)
        this.#records.set(`${values[0]} ${values[1]}`, values[2] as string | null)
      done(result.error, result.rows)
    }
    if (text === 'COMMIT') return this.#commit(connection, () => over({ rows: [] }))
    if (text.startsWith('NOTIFY')) return this.#notifyAll(connection, text, over)
    if (session.isInTransaction || !COMMITTED.test(text)) return this.#send(connection, text, values, over)
    void connection.client.query('BEGIN').catch(() => {})
    return this.#send(connection, text, values, (result) => {
      if (result.error) return this.#send(connection, 'ROLLBACK', [], () => over(result))
      return this.#commit(connection, () => over(result))
    })
  }

  protected ended(session: Session): void {
    const connection = this.#connections.get(session)
    if (!connection) return
    connection.isOver = true
    // The database does not look whether a connection is there while it works for it.
    if (!connection.isBusy) this.#close(session, connection)
  }

  #close(session: Session, { client, pid }: Connection): void {
    this.#connections.delete(session)
    this.#ask(pid, client.end(), () => {})
  }

  #send(
    { client, pid }: Connection,
    text: string,
    values: readonly unknown[],
    done: (result: Result) => void,
  ): void {
    this.#tellTime()
    const sent = client.query(text, [...values])
    this.#ask(
      pid,
      sent.then(
        ({ rows }) => ({ rows }),
        (error: Error) => ({ error, rows: [] }),
      ),
      done,
    )
  }

  #commit({ client, pid }: Connection, done: () => void): void {
    this.afterCommit(() => {
      this.#tellTime()
      const committed = Promise.all([client.query('COMMIT'), client.query(HEAD)])
      this.#ask(
        pid,
        committed.catch(() => undefined),
        (results) => {
          const head = results?.[1].rows[0]
          if (head) [this.last, this.first] = [Number(head.last), Number(head.first)]
          done()
        },
      )
    })
  }

  #tellTime(): void {
    writeFileSync(this.real.timeFile, String(this.now))
  }

  /** Resolves once each connection that listens has its notification. */
  #notifyAll(connection: Connection, text: string, done: (result: Result) => void): void {
    const listening = [...this.#connections].filter(([{ isOpen, isListening }]) => isOpen && isListening)
    const told = listening.map(
      ([, { client }]) => new Promise((resolve) => client.once('notification', resolve)),
    )
    const sent = Promise.all([connection.client.query(text), ...told])
    this.#ask(
      connection.pid,
      sent.then(() => undefined),
      () => {
        this.notify()
        done({ rows: [] })
      },
    )
  }

  /** The world stands still until the response is there, or cannot come before another connection goes on. */
  #ask<T>(pid: number, response: Promise<T>, done: (response: T) => void): void {
    const asked: Asked = {
      pid,
      response: response.then(
        (given) => {
          asked.take = () => done(given)
        },
        (error: unknown) => {
          asked.take = () => this.world.fail(error)
        },
      ),
    }
    this.#asked.push(asked)
    this.world.held ??= this.#settled()
  }

  async #settled(): Promise<void> {
    for (;;) {
      const open = this.#asked.filter(({ take }) => !take)
      await within(QUIET_MS, Promise.all(open.map(({ response }) => response)))
      const left = open.filter(({ take }) => !take)
      if (left.length === 0) break
      const { rows } = await this.real.admin.query(BLOCKED, [left.map(({ pid }) => pid)])
      if (rows.length < left.length) continue
      for (const asked of left) {
        if (!asked.hasWaited) this.world.count('statements that waited for a lock in PostgreSQL')
        asked.hasWaited = true
      }
      break
    }
    const { host } = this
    for (const { take } of this.#asked) if (take) this.world.after(host, 0, take)
    this.#asked = this.#asked.filter(({ take }) => !take)
    this.world.held = undefined
  }
}

/** Resolves once the promise does, or after so many real milliseconds. */
function within(ms: number, promise: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined)
    void promise.then((result) => {
      clearTimeout(timer)
      resolve(result)
    })
  })
}
