import { createHash } from 'node:crypto'
import { MIGRATIONS } from '../../../src/store/postgres/migrations.js'
import type { Chance } from '../chance.js'
import type { Network } from '../network.js'
import { Host, type World } from '../world.js'
import { DatabaseError, type Row, statementOf } from './statements.js'
import { copyOf, emptyTables, replaceTables, type Tables } from './tables.js'
import { Transaction } from './transaction.js'

/** Milliseconds, typically, of a commit. */
const COMMIT_MS = 1
/** How often it is looked whether a host is reached again. */
const RETRANSMIT_MS = 200

/** Who is told what the server has to say. */
export interface Client {
  readonly host: Host
  /** The connection is gone. */
  lost(error: Error): void
  notified(): void
}

/** A connection, as the server sees it. */
export class Session {
  isOpen = true
  isListening = false
  transaction: Transaction | undefined
  readonly locks = new Set<string>()
  /** Number of the last statement, so that it is known whether another one came. */
  statements = 0

  constructor(readonly client: Client) {}
}

/** When the connection of the next statement that appends is cut: before the statement runs, or after. */
export type Cut = 'before' | 'after'

/** What is done to a record of a collection. */
export interface RecordChange {
  readonly collection: string
  readonly kind: 'added' | 'changed' | 'removed'
}

const updatedAt = (record: unknown): unknown => JSON.parse(String(record)).updated_at

/** Who holds a lock, and who waits for it. */
interface Lock {
  holder: Session | undefined
  readonly waiting: { readonly session: Session; readonly proceed: () => void }[]
}

/** The database server of a site: the model of its tables, with connections, locks, commits that take time, and faults. */
export class DatabaseServer {
  readonly host: Host
  readonly tables: Tables
  readonly #sessions = new Set<Session>()
  readonly #locks = new Map<string, Lock>()
  readonly #chance: Chance
  isUp = true
  /** How often its clock was set. */
  clockChanges = 0
  /** Times of commits are multiplied by it. */
  slowness = 1
  #histories = 1
  #crashes = 0
  #standby: Tables | undefined
  /** Milliseconds by which responses to a host are late, by its name. */
  readonly delays = new Map<string, number>()
  /** By the names of the hosts whose next append is cut. */
  readonly cuts = new Map<string, Cut>()
  /** At which change of a record the server goes away: before it is made, or after. */
  leavesAt: (RecordChange & { readonly cut: Cut }) | undefined

  constructor(
    readonly world: World,
    readonly network: Network,
    /** The version of the tables. */
    schema = MIGRATIONS.length,
  ) {
    this.tables = emptyTables('history 1', schema)
    this.host = new Host('database', '10.4.0.1', world)
    this.#chance = world.chance.fork('database')
  }

  /** Milliseconds by which its clock is wrong. */
  set skew(ms: number) {
    this.clockChanges += 1
    this.host.skew = ms
  }

  /** Milliseconds since 1970, by the clock of the database. */
  get now(): number {
    return this.world.dateOf(this.host).getTime()
  }

  /** The number of the newest entry of the journal. */
  get last(): number {
    return this.tables.journals.get('journal')?.last ?? 0
  }

  /** The number of its oldest entry that is kept. */
  get first(): number {
    return this.tables.journals.get('journal')?.first ?? 1
  }

  digest(): string {
    const { leases, documents, journals } = this.tables
    const all = [
      ...leases.values(),
      ...documents.values(),
      ...[...journals.values()].map(({ entries }) => entries),
    ]
    return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16)
  }

  /** The standby does not follow any more from now on. */
  leaveStandbyBehind(): void {
    this.#standby = copyOf(this.tables)
  }

  /** The standby is the primary from now on. Returns the last number that its journal has. */
  promote(): number {
    this.crash()
    this.#histories += 1
    if (this.#standby) replaceTables(this.tables, this.#standby)
    this.#standby = undefined
    this.tables.history = `history ${this.#histories}`
    return this.last
  }

  /** It is away until `isUp` is set. */
  leave(): void {
    this.isUp = false
    this.crash()
  }

  /** All connections end, and what was not committed is gone. */
  crash(): void {
    this.#crashes += 1
    this.#locks.clear()
    for (const session of [...this.#sessions]) this.cut(session)
  }

  /** Breaks the connections of a host. */
  cutHost(host: Host): void {
    for (const session of [...this.#sessions]) if (session.client.host === host) this.cut(session)
  }

  /** The process of the client is gone. */
  abandon(host: Host): void {
    for (const session of [...this.#sessions]) if (session.client.host === host) this.#end(session)
  }

  cut(session: Session): void {
    this.#end(session)
    const { client } = session
    this.world.after(client.host, this.network.latency(), () =>
      client.lost(Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })),
    )
  }

  connect(client: Client, done: (error: Error | undefined, session?: Session) => void): void {
    const answer = (error: Error | undefined, session?: Session): void =>
      this.#deliver(client.host, client.host, () => done(error, session))
    this.#deliver(client.host, this.host, () => {
      if (!this.isUp)
        return answer(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
      const session = new Session(client)
      this.#sessions.add(session)
      return answer(undefined, session)
    })
  }

  /** `done` is not called where the connection is lost before. */
  query(
    session: Session,
    text: string,
    values: readonly unknown[],
    done: (error: Error | undefined, rows: readonly Row[]) => void,
  ): void {
    const { host } = session.client
    const isAppend = text.includes('append')
    this.#deliver(host, this.host, () => {
      if (!session.isOpen) return
      const leaves = this.#leavesAt(text, values)
      if (leaves === 'before') return this.leave()
      if (isAppend && this.#isCut(host, 'before')) return this.cut(session)
      this.#run(session, text, values, (error, rows) => {
        if (!session.isOpen) return
        if (leaves === 'after') return this.leave()
        if (isAppend && this.#isCut(host, 'after')) return this.cut(session)
        const respond = (): void => this.#deliver(this.host, host, () => session.isOpen && done(error, rows))
        const delay = this.delays.get(host.name)
        if (delay === undefined) respond()
        else this.world.after(this.host, delay, respond)
      })
    })
  }

  end(session: Session): void {
    this.#deliver(session.client.host, this.host, () => this.#end(session))
  }

  #leavesAt(text: string, [collection, id, record]: readonly unknown[]): Cut | undefined {
    const { leavesAt } = this
    if (!leavesAt || !text.includes('change_in_turn')) return undefined
    const before = this.tables.documents.get(`${collection} ${id}`)?.record ?? null
    // The store's own changes, such as positions of sinks, are many.
    const isByCaller = before !== null && record !== null && updatedAt(before) !== updatedAt(record)
    const kind = record === null ? 'removed' : before === null ? 'added' : isByCaller ? 'changed' : undefined
    if (leavesAt.collection !== collection || leavesAt.kind !== kind) return undefined
    this.leavesAt = undefined
    return leavesAt.cut
  }

  #isCut({ name }: Host, cut: Cut): boolean {
    if (this.cuts.get(name) !== cut) return false
    return this.cuts.delete(name)
  }

  /** Runs `arrive` at `to` once the two reach each other. */
  #deliver(from: Host, to: Host, arrive: () => void): void {
    const other = from === this.host || to === this.host ? [from, to] : [from, this.host]
    this.world.after(to, this.network.latency(), () => {
      if (!this.network.isBlocked(other[0] as Host, other[1] as Host)) return arrive()
      this.world.after(to, RETRANSMIT_MS, () => this.#deliver(from, to, arrive))
    })
  }

  #run(
    session: Session,
    text: string,
    values: readonly unknown[],
    done: (error: Error | undefined, rows: readonly Row[]) => void,
  ): void {
    session.statements += 1
    if (text === 'BEGIN') {
      session.transaction ??= new Transaction(this.tables)
      return done(undefined, [])
    }
    if (text === 'COMMIT') return this.#commit(session, () => done(undefined, []))
    if (text.startsWith('LISTEN')) session.isListening = true
    if (text.startsWith('NOTIFY')) this.#notify()
    if (text.startsWith('SET LOCAL idle_in_transaction'))
      this.#endWhenIdle(session, Number(/\d+$/.exec(text)?.[0]))
    const statement = statementOf(text)
    const locks = statement.locks?.(values) ?? []
    const { transaction } = session
    this.#lock(session, locks, () => {
      // It was rolled back while it waited.
      if (transaction && session.transaction !== transaction) return this.#unlock(session)
      try {
        if (transaction) return done(undefined, transaction.execute(text, values, this.now))
        if (locks.length === 0) return done(undefined, statement.run(this.tables, values, this.now))
      } catch (error) {
        return done(error as Error, [])
      }
      return this.#afterCommit(() => {
        try {
          const rows = statement.run(this.tables, values, this.now)
          this.#unlock(session)
          done(undefined, rows)
        } catch (error) {
          this.#unlock(session)
          if (!(error instanceof DatabaseError)) this.world.fail(error)
          done(error as Error, [])
        }
      })
    })
  }

  #commit(session: Session, done: () => void): void {
    const { transaction } = session
    session.transaction = undefined
    this.#afterCommit(() => {
      transaction?.commit(this.now)
      this.#unlock(session)
      done()
    })
  }

  /** In a later step, unless the server crashes before. */
  #afterwards(run: () => void): void {
    const crashes = this.#crashes
    this.world.after(this.host, 0, () => this.#crashes === crashes && run())
  }

  /** A commit that has begun ends, also when its connection is cut. Only a crash of the server stops it. */
  #afterCommit(committed: () => void): void {
    const crashes = this.#crashes
    this.world.after(this.host, this.#chance.around(COMMIT_MS) * this.slowness, () => {
      if (this.#crashes === crashes) committed()
    })
  }

  /** A transaction in which nothing happens for so many milliseconds is ended with its connection. */
  #endWhenIdle(session: Session, ms: number): void {
    const look = (): void => {
      if (!session.isOpen || !session.transaction) return
      const { statements } = session
      this.world.after(this.host, ms, () => {
        if (session.isOpen && session.transaction && session.statements === statements) this.cut(session)
        else look()
      })
    }
    look()
  }

  #notify(): void {
    for (const { isListening, client } of this.#sessions)
      if (isListening) this.#deliver(this.host, client.host, () => client.notified())
  }

  /** A statement that waits for a lock goes on when its turn comes, also where its connection is gone: the server does not look. */
  #lock(session: Session, names: readonly string[], proceed: () => void): void {
    const missing = names.find((name) => !session.locks.has(name))
    if (missing === undefined) return proceed()
    const lock = this.#locks.get(missing) ?? { holder: undefined, waiting: [] }
    this.#locks.set(missing, lock)
    const taken = (): void => {
      lock.holder = session
      session.locks.add(missing)
      this.#lock(session, names, proceed)
    }
    if (lock.holder) lock.waiting.push({ session, proceed: taken })
    else taken()
  }

  #unlock(session: Session): void {
    for (const name of session.locks) {
      const lock = this.#locks.get(name)
      if (lock?.holder !== session) continue
      lock.holder = undefined
      const next = lock.waiting.shift()
      // Until its turn has come nobody else takes it.
      if (next) lock.holder = next.session
      if (next) this.#afterwards(next.proceed)
    }
    session.locks.clear()
  }

  #end(session: Session): void {
    if (!this.#sessions.delete(session)) return
    session.isOpen = false
    // A single statement that is under way ends by itself; a transaction is rolled back.
    if (!session.transaction) return
    session.transaction = undefined
    this.#unlock(session)
  }
}
