import { isDeepStrictEqual } from 'node:util'
import { type Clock, delay } from '../../kit/clock.js'
import { Mutex } from '../../kit/mutex.js'
import { SharedRun } from '../../kit/shared-run.js'
import { Signal } from '../../kit/signal.js'
import type { Collection } from '../collection.js'
import { ChangedElsewhere, NotBegun, StoreDamaged, StoreUnavailable } from '../failure.js'
import { checkWritten, type RecordCheck } from '../record-check.js'
import { type CollectionForm, type Migration, ofNow } from '../store.js'
import { changedRows, type ReadUntil } from './changed-rows.js'
import type { Database } from './database.js'
import { ownedElsewhere } from './fence.js'

export interface DocumentsParts {
  readonly database: Database
  /** The id of this process. */
  readonly node: string
  readonly clock: Clock
  readonly checks: Readonly<Record<string, RecordCheck>>
  readonly migrations: Readonly<Record<string, readonly Migration[]>>
  /** Others should read soon. */
  notify(): void
  /** Called before an owned record that this process adds is known here, and after one is known to be gone. */
  onOwned(id: string, isThere: boolean, isOwn: boolean): void
}

interface DocumentRow {
  readonly collection: string
  readonly id: string
  readonly record: string | null
  readonly version: string
  readonly changed_by: string
}

type Identified = { readonly id: string }

const COLUMNS = 'collection, id, record, version, changed_by'

/** Milliseconds for which a change is tried again while the database is away. */
const PATIENCE_MS = 3000
const RETRY_MS = 200
/** A process that hangs while it changes a collection exclusively is cut off after so long, in milliseconds. */
const EXCLUSIVE_MS = 10_000

/** Milliseconds for which such a change waits for its turn behind others of this process: then it is refused. */
const TURN_MS = 15_000

/** The collections in the database, each with a replica in memory. */
export class Documents {
  readonly #replicas = new Map<string, Replica<Identified>>()
  readonly #reading = new Mutex()
  readonly #refreshing = new SharedRun(() => this.#reading.run(() => this.#refresh()))
  #until: ReadUntil = { history: undefined, version: 0 }

  constructor(readonly parts: DocumentsParts) {}

  async collection<T extends Identified>(name: string, form: CollectionForm = {}): Promise<Collection<T>> {
    const { database, checks } = this.parts
    const { owned = false, migrations = this.parts.migrations[name] ?? [] } = form
    const replica = new Replica<T>(name, owned, migrations, this)
    await this.#reading.run(async () => {
      await this.#raise(name, migrations.length + 1)
      const rows = await database.query<DocumentRow>(
        'SELECT id, record, version FROM document WHERE collection = $1 AND record IS NOT NULL ORDER BY added, id',
        [name],
      )
      for (const row of rows) replica.load(row)
      const faults = checks[name]?.(await replica.all(), false) ?? []
      const [fault] = faults
      if (fault)
        throw new StoreDamaged(
          `the collection ${name}`,
          undefined,
          `${fault.pointer} ${fault.detail}`,
          'invalid',
        )
      this.#replicas.set(name, replica as unknown as Replica<Identified>)
    })
    await this.refresh()
    return replica
  }

  /** The version of the newest change that has been read. */
  get version(): number {
    return this.#until.version
  }

  /** Which history of the database has been read. */
  get history(): string | undefined {
    return this.#until.history
  }

  /** Applies what this and other processes changed. Those who ask while it is read share the next reading. */
  refresh(): Promise<void> {
    return this.#refreshing.run()
  }

  async #refresh(): Promise<void> {
    const { database } = this.parts
    const { rows, until, isWhole } = await changedRows<DocumentRow>(
      database,
      'document',
      COLUMNS,
      this.#until,
    )
    const before = this.#until
    this.#until = until
    try {
      if (!isWhole) for (const row of rows) this.#replicas.get(row.collection)?.take(row)
      else
        for (const replica of this.#replicas.values())
          replica.replace(rows.filter(({ collection }) => collection === replica.name))
    } catch (error) {
      this.#until = before
      throw error
    }
  }

  /** From now on earlier versions refuse the collection when they start. */
  async #raise(name: string, newest: number): Promise<void> {
    await this.parts.database.transaction(async (client) => {
      await client.query('INSERT INTO collection VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, newest])
      const { rows } = await client.query<{ readonly form: number }>(
        'SELECT form FROM collection WHERE name = $1 FOR UPDATE',
        [name],
      )
      const form = rows[0]?.form ?? newest
      if (form > newest)
        throw new StoreDamaged(
          `the collection ${name}`,
          undefined,
          `version ${form} is of a newer secsctl`,
          'newer',
        )
      if (form < newest) await client.query('UPDATE collection SET form = $2 WHERE name = $1', [name, newest])
    })
  }
}

interface Held<T> {
  readonly record: T
  readonly version: number
}

interface Turn {
  /** The database refuses a change once another turn has begun. */
  readonly number: string | null
  /** Of the database that gave the turn. */
  readonly history: string | undefined
  /** Whether another process may have come between. */
  isOver(): boolean
}

/** One collection: what is in the database, in memory. */
class Replica<T extends Identified> implements Collection<T> {
  readonly changed = new Signal<string>()
  readonly #held = new Map<string, Held<T>>()
  /** Records with a change of this process of which nobody could say whether it was made. */
  readonly #doubted = new Set<string>()
  readonly #exclusive = new Mutex()
  /** Set while `exclusively` runs. */
  #turn: Turn | undefined

  constructor(
    readonly name: string,
    readonly owned: boolean,
    readonly migrations: readonly Migration[],
    readonly documents: Documents,
  ) {}

  async all(): Promise<readonly T[]> {
    return Array.from(this.#held.values(), ({ record }) => record)
  }

  async get(id: string): Promise<T | undefined> {
    return this.#held.get(id)?.record
  }

  async put(record: T): Promise<void> {
    this.#check([record])
    await this.#change(record.id, JSON.stringify(record))
  }

  async delete(...ids: readonly string[]): Promise<boolean> {
    let isChanged = false
    for (const id of ids) {
      if (!this.#held.has(id)) continue
      await this.#change(id, null)
      isChanged = true
    }
    return isChanged
  }

  exclusively<R>(work: () => Promise<R>): Promise<R> {
    const { clock } = this.documents.parts
    return new Promise((resolve, reject) => {
      let isLate = false
      const cancel = clock.at(clock.now() + TURN_MS, () => {
        isLate = true
        reject(new NotBegun())
      })
      void this.#exclusive.run(async () => {
        cancel()
        if (!isLate) await this.#exclusivelyNow(work).then(resolve, reject)
      })
    })
  }

  async #exclusivelyNow<R>(work: () => Promise<R>): Promise<R> {
    const { database } = this.documents.parts
    let isLost = false
    const lose = (): void => {
      isLost = true
    }
    try {
      const end = await database.transaction(async (client) => {
        client.on('error', lose)
        await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${EXCLUSIVE_MS}`)
        const locked = await client.query<{ readonly history: string }>(
          'SELECT secsctl_history() AS history FROM collection WHERE name = $1 FOR NO KEY UPDATE',
          [this.name],
        )
        const history = locked.rows[0]?.history
        // On a connection of its own, so that those who are cut off meet it.
        const [turn] = await database.query<{ readonly number: string }>('SELECT take_turn($1) AS number', [
          this.name,
        ])
        await this.documents.refresh()
        this.#turn = {
          number: turn?.number ?? null,
          history,
          isOver: () => isLost || this.documents.history !== history,
        }
        return settled(work()).finally(() => client.off('error', lose))
      })
      return end()
    } finally {
      this.#turn = undefined
    }
  }

  load({ id, record, version }: DocumentRow): void {
    this.#hold(id, record ?? 'null', Number(version))
    if (this.owned) this.documents.parts.onOwned(id, true, false)
  }

  /** In the form of now: a process of an earlier version may have written it at any time. */
  #ofNow(text: string): T {
    const [record] = ofNow([JSON.parse(text)], this.migrations) as [T]
    return record
  }

  #hold(id: string, text: string, version: number): void {
    this.#held.set(id, { record: this.#ofNow(text), version })
  }

  /** All rows of the collection in another history of the database: what this process itself has changed may be gone, too. */
  replace(rows: readonly DocumentRow[]): void {
    const now = new Set(rows.map(({ id }) => id))
    const gone = [...this.#held.keys()].filter((id) => !now.has(id))
    for (const id of gone) this.#take(id, null, 0, false)
    for (const row of rows) if (!this.#isHeld(row)) this.#take(row.id, row.record, Number(row.version), false)
  }

  #isHeld({ id, record, version }: DocumentRow): boolean {
    const held = this.#held.get(id)
    if (!held || record === null) return !held && record === null
    return held.version === Number(version) && isDeepStrictEqual(held.record, this.#ofNow(record))
  }

  take({ id, record, version: text, changed_by }: DocumentRow): void {
    const version = Number(text)
    if ((this.#held.get(id)?.version ?? 0) >= version) return
    this.#take(id, record, version, changed_by === this.documents.parts.node)
  }

  #take(id: string, record: string | null, version: number, isOwn: boolean): void {
    const wasThere = this.#held.has(id)
    if (record === null) this.#held.delete(id)
    else this.#hold(id, record, version)
    if (this.owned && wasThere !== (record !== null)) this.documents.parts.onOwned(id, record !== null, isOwn)
    // Whoever made a change that failed goes on as if it had not been made.
    if (this.#doubted.delete(id) || !isOwn) this.changed.emit(id)
  }

  #check(records: readonly T[]): void {
    checkWritten(this.name, records, this.documents.parts.checks[this.name])
  }

  /** By what a change is decided: the turn, and the history of the database in which what is known was read. */
  get #decided(): readonly [turn: string | null, history: string | undefined] {
    return [this.#turn?.number ?? null, (this.#turn ?? this.documents).history]
  }

  async #change(id: string, record: string | null): Promise<void> {
    const known = this.#held.get(id)?.version ?? 0
    const decided = this.#decided
    await this.#write(new Map([[id, known]]), ({ database, node }) =>
      database
        .query<Refusal>(CHANGE, [this.name, id, record, known, node, this.owned, ...decided])
        .then(([end]) => {
          refuse(id, end)
        }),
    )
  }

  async putAll(records: readonly T[], elsewhere: ReadonlySet<string> = new Set()): Promise<void> {
    this.#check(records)
    const known = new Map(records.map(({ id }) => [id, this.#held.get(id)?.version ?? 0]))
    const decided = this.#decided
    await this.#write(known, ({ database, node }) =>
      database.transaction(async (client) => {
        for (const record of records) {
          const { id } = record
          const isFenced = this.owned && !elsewhere.has(id)
          const given = [this.name, id, JSON.stringify(record), known.get(id), node, isFenced, ...decided]
          refuse(id, (await client.query<Refusal>(CHANGE, given)).rows[0])
        }
      }),
    )
  }

  /**
   * Writes, and reads what was written. While the database is away, it is tried again for a short time. `known`: the
   * versions before of the records that are written.
   */
  async #write(
    known: ReadonlyMap<string, number>,
    change: (parts: DocumentsParts) => Promise<void>,
  ): Promise<void> {
    const { parts } = this.documents
    const { clock } = parts
    const until = clock.now() + PATIENCE_MS
    let isUnsure = false
    for (;;) {
      try {
        if (this.#turn?.isOver())
          throw new StoreUnavailable('The connection to the database was lost meanwhile.')
        await change(parts)
        parts.notify()
        return await this.documents.refresh()
      } catch (error) {
        // The same change again, should its answer have been lost: it is refused if another came between.
        const mayPass = error instanceof StoreUnavailable && error.cause !== undefined && clock.now() < until
        if (!mayPass) {
          for (const [id, before] of known) this.#doubt(id, before)
          // What came between may be this very change, in another history.
          throw isUnsure && error instanceof ChangedElsewhere ? new StoreUnavailable(UNSURE) : error
        }
        isUnsure = true
        await delay(clock, RETRY_MS)
      }
    }
  }

  /** A change failed that may have been made, now or once the database has carried it out. */
  #doubt(id: string, before: number): void {
    if ((this.#held.get(id)?.version ?? 0) === before) this.#doubted.add(id)
    else this.changed.emit(id)
  }
}

/** A change that was decided in another history of the database is refused: what was read there may be gone. */
const CHANGE = `SELECT CASE WHEN secsctl_history() = $8
  THEN (SELECT refused FROM change_in_turn($1, $2, $3, $4, $5, $6, $7)) ELSE 'changed' END AS refused`

const UNSURE = 'The database has not said whether a change was made, and then refused it.'

interface Refusal {
  readonly refused: string | null
}

function refuse(id: string, end: Refusal | undefined): void {
  if (end?.refused === 'owner') throw ownedElsewhere(id)
  if (end?.refused === 'changed') throw new ChangedElsewhere(id)
}

/** How work ended, as a function: an error of the work does not undo what else is in the transaction. */
const settled = <R>(work: Promise<R>): Promise<() => R> =>
  work.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
