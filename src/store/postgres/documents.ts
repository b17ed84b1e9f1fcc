import { type Clock, delay } from '../../kit/clock.js'
import { Mutex } from '../../kit/mutex.js'
import { SharedRun } from '../../kit/shared-run.js'
import { Signal } from '../../kit/signal.js'
import type { Collection } from '../collection.js'
import { ChangedElsewhere, NotBegun, StoreDamaged, StoreUnavailable } from '../failure.js'
import { checkWritten, type RecordCheck } from '../record-check.js'
import { type CollectionForm, type Migration, ofNow } from '../store.js'
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
  #version = 0

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
    return this.#version
  }

  /** Applies what this and other processes changed. Those who ask while it is read share the next reading. */
  refresh(): Promise<void> {
    return this.#refreshing.run()
  }

  async #refresh(): Promise<void> {
    const rows = await this.parts.database.query<DocumentRow>(
      'SELECT collection, id, record, version, changed_by FROM document WHERE version > $1 ORDER BY version',
      [this.#version],
    )
    for (const row of rows) {
      this.#replicas.get(row.collection)?.take(row)
      this.#version = Math.max(this.#version, Number(row.version))
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

/** One collection: what is in the database, in memory. */
class Replica<T extends Identified> implements Collection<T> {
  readonly changed = new Signal<string>()
  readonly #held = new Map<string, Held<T>>()
  /** Records with a change of this process of which nobody could say whether it was made. */
  readonly #doubted = new Set<string>()
  readonly #exclusive = new Mutex()
  /** Set while `exclusively` runs: throws when another process may have come between. */
  #checkExclusive: (() => void) | undefined
  /** The number of this turn while `exclusively` runs: the database refuses a change once another one has begun. */
  #turn: string | null = null

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
        await client.query('SELECT FROM collection WHERE name = $1 FOR NO KEY UPDATE', [this.name])
        // On a connection of its own, so that those who are cut off meet it.
        const [turn] = await database.query<{ readonly number: string }>('SELECT take_turn($1) AS number', [
          this.name,
        ])
        this.#turn = turn?.number ?? null
        await this.documents.refresh()
        this.#checkExclusive = () => {
          if (isLost) throw new StoreUnavailable('The connection to the database was lost meanwhile.')
        }
        return settled(work()).finally(() => client.off('error', lose))
      })
      return end()
    } finally {
      this.#checkExclusive = undefined
      this.#turn = null
    }
  }

  load({ id, record, version }: DocumentRow): void {
    this.#hold(id, record ?? 'null', Number(version))
    if (this.owned) this.documents.parts.onOwned(id, true, false)
  }

  /** In the form of now: a process of an earlier version may have written it at any time. */
  #hold(id: string, text: string, version: number): void {
    const [record] = ofNow([JSON.parse(text)], this.migrations) as [T]
    this.#held.set(id, { record, version })
  }

  take(row: DocumentRow): void {
    const { id, record } = row
    const version = Number(row.version)
    const isOwn = row.changed_by === this.documents.parts.node
    if ((this.#held.get(id)?.version ?? 0) >= version) return
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

  async #change(id: string, record: string | null): Promise<void> {
    const known = this.#held.get(id)?.version ?? 0
    const turn = this.#turn
    await this.#write(new Map([[id, known]]), ({ database, node }) =>
      database
        .query<Refusal>(CHANGE, [this.name, id, record, known, node, this.owned, turn])
        .then(([end]) => {
          refuse(id, end)
        }),
    )
  }

  async putAll(records: readonly T[], elsewhere: ReadonlySet<string> = new Set()): Promise<void> {
    this.#check(records)
    const known = new Map(records.map(({ id }) => [id, this.#held.get(id)?.version ?? 0]))
    const turn = this.#turn
    await this.#write(known, ({ database, node }) =>
      database.transaction(async (client) => {
        for (const record of records) {
          const { id } = record
          const isFenced = this.owned && !elsewhere.has(id)
          const given = [this.name, id, JSON.stringify(record), known.get(id), node, isFenced, turn]
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
    for (;;) {
      try {
        this.#checkExclusive?.()
        await change(parts)
        parts.notify()
        return await this.documents.refresh()
      } catch (error) {
        // The same change again, should its answer have been lost: it is refused if another came between.
        const mayPass = error instanceof StoreUnavailable && error.cause !== undefined && clock.now() < until
        if (!mayPass) {
          for (const [id, before] of known) this.#doubt(id, before)
          throw error
        }
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

const CHANGE = 'SELECT refused FROM change_in_turn($1, $2, $3, $4, $5, $6, $7)'

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
