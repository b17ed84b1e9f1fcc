import { createHash } from 'node:crypto'
import { MIGRATIONS } from '../../../src/store/postgres/migrations.js'
import type { Network } from '../network.js'
import type { World } from '../world.js'
import { DatabaseServer, type Done, type Session } from './server.js'
import { DatabaseError, statementOf } from './statements.js'
import { copyOf, emptyTables, replaceTables, type Tables } from './tables.js'
import { Transaction } from './transaction.js'

/** Who holds a lock, and who waits for it. */
interface Lock {
  holder: Session | undefined
  readonly waiting: { readonly session: Session; readonly proceed: () => void }[]
}

/** A database server over the model of its tables, with locks. */
export class ModelServer extends DatabaseServer {
  readonly tables: Tables
  readonly #locks = new Map<string, Lock>()
  /** The locks of each session. */
  readonly #held = new WeakMap<Session, Set<string>>()
  readonly #transactions = new Map<Session, Transaction>()
  #histories = 1
  #standby: Tables | undefined

  constructor(
    world: World,
    network: Network,
    /** The version of the tables. */
    schema = MIGRATIONS.length,
  ) {
    super(world, network)
    this.tables = emptyTables('history 1', schema)
  }

  get last(): number {
    return this.tables.journals.get('journal')?.last ?? 0
  }

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

  override crash(): void {
    this.#locks.clear()
    super.crash()
  }

  protected open(_: Session, opened: () => void): void {
    opened()
  }

  protected recordOf(collection: unknown, id: unknown): string | null {
    return this.tables.documents.get(`${collection} ${id}`)?.record ?? null
  }

  protected run(session: Session, text: string, values: readonly unknown[], done: Done): void {
    if (text === 'BEGIN') {
      this.#transactions.set(session, new Transaction(this.tables))
      return done(undefined, [])
    }
    if (text === 'COMMIT') return this.#commit(session, () => done(undefined, []))
    if (text.startsWith('NOTIFY')) this.notify()
    const statement = statementOf(text)
    const locks = statement.locks?.(values) ?? []
    const transaction = this.#transactions.get(session)
    this.#lock(session, locks, () => {
      // It was rolled back while it waited.
      if (transaction && this.#transactions.get(session) !== transaction) return this.#unlock(session)
      try {
        if (transaction) return done(undefined, transaction.execute(text, values, this.now))
        if (locks.length === 0) return done(undefined, statement.run(this.tables, values, this.now))
      } catch (error) {
        return done(error as Error, [])
      }
      return this.afterCommit(() => {
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
    const transaction = this.#transactions.get(session)
    this.#transactions.delete(session)
    this.afterCommit(() => {
      transaction?.commit(this.now)
      this.#unlock(session)
      done()
    })
  }

  /** A single statement that is under way ends by itself; a transaction is rolled back. */
  protected ended(session: Session): void {
    if (this.#transactions.delete(session)) this.#unlock(session)
  }

  /** In a later step, unless the server crashes before. */
  #afterwards(run: () => void): void {
    const { crashes } = this
    this.world.after(this.host, 0, () => this.crashes === crashes && run())
  }

  /** A statement that waits for a lock goes on when its turn comes, also where its connection is gone: the server does not look. */
  #lock(session: Session, names: readonly string[], proceed: () => void): void {
    const locks = this.#held.get(session) ?? new Set()
    this.#held.set(session, locks)
    const missing = names.find((name) => !locks.has(name))
    if (missing === undefined) return proceed()
    const lock = this.#locks.get(missing) ?? { holder: undefined, waiting: [] }
    this.#locks.set(missing, lock)
    const taken = (): void => {
      lock.holder = session
      locks.add(missing)
      this.#lock(session, names, proceed)
    }
    if (lock.holder) lock.waiting.push({ session, proceed: taken })
    else taken()
  }

  #unlock(session: Session): void {
    for (const name of this.#held.get(session) ?? []) {
      const lock = this.#locks.get(name)
      if (lock?.holder !== session) continue
      lock.holder = undefined
      const next = lock.waiting.shift()
      // Until its turn has come nobody else takes it.
      if (next) lock.holder = next.session
      if (next) this.#afterwards(next.proceed)
    }
    this.#held.get(session)?.clear()
  }
}
