import type pg from 'pg'
import { type Clock, delay } from '../../../kit/clock.js'
import { Mutex } from '../../../kit/mutex.js'
import { Signal } from '../../../kit/signal.js'
import { type Entry, type EntryNumber, type NewEntry, numbered, type Revive } from '../../entry.js'
import { NotOwner, StoreUnavailable } from '../../failure.js'
import type { Backlog, Journal, JournalQuery } from '../../journal.js'
import type { RetentionPolicy } from '../../retention-policy.js'
import type { View } from '../../view.js'
import type { Changes } from '../changes.js'
import { type Database, storeProblem } from '../database.js'
import type { Fence } from '../fence.js'
import { appendArguments, type EncodedCall, encodeCall, refersToNone } from './encode-batch.js'
import { type EntryRow, entryOf, queryEntries } from './journal-query.js'
import { JournalViews } from './journal-views.js'
import { Portions } from './portions.js'

export interface JournalParts {
  readonly database: Database
  readonly name: 'journal' | 'audit'
  /** The id of this process. */
  readonly node: string
  readonly fence: Fence
  readonly changes: Changes
  readonly clock: Clock
  readonly retention: RetentionPolicy
  /** True while this process does what one does for all: snapshots and retention. */
  hasSiteDuties(): boolean
  /** True while another process may follow. */
  hasFollowers(): boolean
  /** Called with what cannot pass by itself: the process has to end. */
  onBroken(error: Error): void
  /** Called with warnings for the operator. */
  warn(text: string): void
}

interface Call {
  readonly encoded: EncodedCall
  readonly since: number
  resolve(entries: readonly Entry[]): void
  reject(error: Error): void
}

/** A batch is what one statement appends. */
const MAX_BATCH_ENTRIES = 500
const MAX_BATCH_LENGTH = 1024 * 1024
/** Calls that wait; further ones are refused. */
const MAX_WAITING = 20_000
/** Milliseconds for which a call waits while the database is away. */
const PATIENCE_MS = 3000
const RETRY_MS = { first: 50, most: 1000 }
const FOLLOW_PAGE = { limit: 1000, bytes: 4 * 1024 * 1024 }
/** Milliseconds between two looks at snapshots and retention. */
const DUTIES_MS = 60_000

const APPEND = 'SELECT * FROM append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)'

/**
 * A journal in PostgreSQL, which several processes append to. All follow it, and show its entries to views and listeners
 * in the order of their numbers; what this process appends it shows like everybody's.
 */
export class PostgresJournal implements Journal {
  readonly appended = new Signal<Entry>()
  readonly #views: JournalViews
  readonly #portions: Portions
  readonly #ending = new AbortController()
  /** One at a time reads what others appended, and shows entries. */
  readonly #showing = new Mutex()
  #revive: Revive = (entry) => entry
  #writer: pg.Client | undefined
  #queue: Call[] = []
  #batch: Call[] = []
  #running: Promise<void> | undefined
  #number = 0
  #last = 0
  #failure: StoreUnavailable | undefined
  #failedAt = 0
  #isBroken = false
  #isLooking = false

  private constructor(readonly parts: JournalParts) {
    this.#views = new JournalViews(parts)
    this.#portions = new Portions(parts)
    const stop = parts.changes.noticed.on(() => void this.#look())
    this.#ending.signal.addEventListener('abort', stop)
    void this.#doDuties()
  }

  static async open(parts: JournalParts): Promise<PostgresJournal> {
    const journal = new PostgresJournal(parts)
    journal.#last = await journal.#portions.refresh()
    return journal
  }

  get first(): number {
    return this.#portions.first
  }

  get last(): number {
    return this.#last
  }

  get failure(): Error | undefined {
    return this.#failure
  }

  get backlog(): Backlog {
    const since = (this.#batch[0] ?? this.#queue[0])?.since
    return {
      count: this.#batch.length + this.#queue.length,
      ms: since === undefined ? 0 : this.parts.clock.now() - since,
    }
  }

  async append(entry: NewEntry): Promise<Entry> {
    const [appended] = await this.appendAll([entry])
    return appended as Entry
  }

  async appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    if (entries.length === 0) return []
    if (this.#ending.signal.aborted) throw new Error('The journal is closed.')
    const since = this.parts.clock.now()
    if (this.#failure && (this.#isBroken || since - this.#failedAt > PATIENCE_MS)) throw this.#failure
    if (this.#queue.length >= MAX_WAITING)
      throw new StoreUnavailable('Too many entries wait for the database.')
    const encoded = encodeCall(entries)
    return new Promise((resolve, reject) => {
      this.#queue.push({ encoded, since, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async get(seq: number): Promise<Entry | undefined> {
    if (seq < 1 || seq > this.#last) return undefined
    const [entry] = await this.query({ after: seq - 1, before: seq + 1, order: 'asc', limit: 1 })
    if (entry || seq >= this.first) return entry
    const { database, name } = this.parts
    const [row] = await database.query<EntryRow>('SELECT * FROM pinned WHERE journal = $1 AND seq = $2', [
      name,
      seq,
    ])
    return row && this.#revive(entryOf(row))
  }

  query(query: JournalQuery): Promise<readonly Entry[]> {
    const seen = { last: this.#last, days: this.#portions, revive: this.#revive }
    return queryEntries(this.parts.database, this.parts.name, query, seen)
  }

  attach(views: readonly View[], revive?: Revive): Promise<void> {
    if (revive) this.#revive = revive
    return this.#showing.run(async () => {
      this.#last = await this.#portions.refresh()
      await this.#views.attach(views, {
        first: this.first,
        last: this.#last,
        revive: this.#revive,
        query: (query) => this.query(query),
      })
    })
  }

  async close(): Promise<void> {
    await this.#running
    this.#ending.abort()
    if (this.parts.hasSiteDuties()) await this.#views.write(this.#last).catch(() => {})
    await this.#showing.run(async () => {})
    await this.#writer?.end().catch(() => {})
  }

  async #run(): Promise<void> {
    // A turn later, so that what one turn of the event loop appends is one batch.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      this.#batch = this.#takeBatch()
      await this.#commit().catch((error: unknown) => {
        for (const call of this.#batch) call.reject(error as Error)
      })
      this.#batch = []
    }
    this.#running = undefined
  }

  #takeBatch(): Call[] {
    let [entries, length, count] = [0, 0, 0]
    for (const { encoded } of this.#queue) {
      entries += encoded.entries.length
      length += encoded.length
      if (count > 0 && (entries > MAX_BATCH_ENTRIES || length > MAX_BATCH_LENGTH)) break
      count += 1
    }
    return this.#queue.splice(0, count)
  }

  /** Appends the batch once, or rejects its calls. */
  async #commit(): Promise<void> {
    for (;;) {
      this.#rejectUnreadable()
      if (this.#batch.length === 0) return
      const { name, node, fence } = this.parts
      const calls = this.#batch.map(({ encoded }) => encoded)
      const number = ++this.#number
      const appended = await this.#answered(number, () => [
        name,
        node,
        number,
        ...appendArguments(calls, fence),
      ])
      if (appended === undefined) continue
      if (appended.stale) this.#rejectStale(new Set(appended.stale))
      else return this.#show(Number(appended.first))
    }
  }

  /** What became of the batch; undefined where it was not appended and may be tried again. */
  async #answered(number: number, values: () => readonly unknown[]): Promise<Appended | undefined> {
    const { clock } = this.parts
    const cancel = clock.at(clock.now() + PATIENCE_MS, () => this.#rejectImpatient())
    try {
      const writer = await this.#connected()
      const { rows } = await writer.query<Appended>({ name: 'append', text: APPEND, values: [...values()] })
      this.#failure = undefined
      return rows[0]
    } catch (error) {
      this.#fail(error)
      return this.#lookUp(number)
    } finally {
      cancel()
    }
  }

  /** Waits until the database says whether the batch was committed. It cannot be committed after that. */
  async #lookUp(number: number): Promise<Appended | undefined> {
    const { clock, name, node } = this.parts
    for (let wait = RETRY_MS.first; ; wait = Math.min(wait * 2, RETRY_MS.most)) {
      this.#rejectImpatient()
      await delay(clock, wait * (0.5 + Math.random() / 2), this.#ending.signal)
      if (this.#isBroken || this.#ending.signal.aborted)
        throw this.#failure ?? new StoreUnavailable('The journal is closed.')
      try {
        const writer = await this.#connected()
        const { rows } = await writer.query<{ readonly first: string | null }>(
          'SELECT look_up($1, $2, $3) AS first',
          [name, node, number],
        )
        this.#failure = undefined
        const first = rows[0]?.first ?? null
        return first === null ? undefined : { first, stale: null }
      } catch (error) {
        this.#fail(error)
      }
    }
  }

  async #connected(): Promise<pg.Client> {
    this.#writer ??= await this.parts.database.connect()
    return this.#writer
  }

  /** The entries of the batch, from this number on, are shown after all before them; then its calls are answered. */
  async #show(first: number): Promise<void> {
    const calls = this.#batch
    let next = first
    const shown = calls.map(({ encoded: { entries } }) => {
      for (const [at, { number }] of entries.entries()) if (number) number.seq = next + at
      const made = entries.map((entry, at) => numbered(entry, next + at))
      next += made.length
      return made
    })
    await this.#showing.run(async () => {
      if (this.#last < first - 1) await this.#follow(first - 1)
      for (const entry of shown.flat()) this.#showOne(entry)
    })
    if (this.parts.hasFollowers()) this.parts.changes.notify()
    for (const [at, call] of calls.entries()) {
      const lost = this.#lostKey(call)
      if (lost === undefined) call.resolve(shown[at] ?? [])
      else call.reject(new NotOwner(lost))
    }
  }

  /** A key that passed on while its entries were committed: they are recorded, and not acknowledged. */
  #lostKey({ encoded: { entries } }: Call): string | undefined {
    const { fence } = this.parts
    return entries.find(({ key, byAnyone }) => !byAnyone && fence.isOwned(key) && fence.epochOf(key) === 0)
      ?.key
  }

  #showOne(entry: Entry): void {
    if (entry.seq <= this.#last) return
    try {
      this.#views.apply(entry)
      this.#last = entry.seq
      this.appended.emit(entry)
    } catch (error) {
      this.#break(error)
      throw error
    }
  }

  /** Reads and shows what others appended, up to this number or as far as there is any. */
  async #follow(until: number): Promise<void> {
    while (this.#last < until) {
      const { database, name } = this.parts
      const range = { after: this.#last, before: until + 1, order: 'asc', ...FOLLOW_PAGE } as const
      const seen = { last: until, days: this.#portions, revive: this.#revive }
      const entries = await queryEntries(database, name, range, seen)
      if (entries.length === 0) throw new StoreUnavailable(`Entries after ${this.#last} cannot be read.`)
      for (const entry of entries) {
        if (entry.seq !== this.#last + 1)
          return this.#break(new Error(`entry ${this.#last + 1} of the journal is gone`))
        this.#showOne(entry)
      }
    }
  }

  /** Shows what others have appended. While a batch is under way, its end does. */
  async #look(): Promise<void> {
    if (this.#isLooking || this.#isBroken) return
    this.#isLooking = true
    await this.#showing
      .run(async () => {
        if (this.#batch.length > 0 || this.#ending.signal.aborted) return
        const last = await this.#portions.refresh()
        if (last < this.#last)
          this.#break(new Error(`the journal ends with ${last}, and ${this.#last} was read before`))
        if (last > this.#last) await this.#follow(last)
        if (this.#batch.length === 0) this.#failure = undefined
      })
      .catch((error: unknown) => {
        if (error instanceof StoreUnavailable) this.#miss(error)
        else this.#break(error)
      })
    this.#isLooking = false
  }

  /** Throws what does not pass by itself. */
  #fail(error: unknown): void {
    const problem = storeProblem(error)
    void this.#writer?.end().catch(() => {})
    this.#writer = undefined
    if (!(problem instanceof StoreUnavailable)) throw problem
    this.#miss(problem)
  }

  /** The database is away, or cannot do it now. */
  #miss(problem: StoreUnavailable): void {
    if (!this.#failure) this.#failedAt = this.parts.clock.now()
    this.#failure = problem
  }

  #break(error: unknown): void {
    const cause = error instanceof Error ? error : new Error(String(error))
    this.#isBroken = true
    this.#failure ??= new StoreUnavailable(cause.message, { cause })
    this.parts.onBroken(cause)
  }

  /** Callers do not wait for a database that is away. What is committed nevertheless is shown like everybody's. */
  #rejectImpatient(): void {
    const problem = this.#failure ?? new StoreUnavailable('The database does not answer.')
    this.#miss(problem)
    const oldest = this.parts.clock.now() - PATIENCE_MS
    const leave = (calls: readonly Call[]): Call[] => {
      for (const call of calls) if (call.since < oldest) call.reject(problem)
      return calls.filter(({ since }) => since >= oldest)
    }
    // Those of the batch stay in it: their entries may be committed. A call is answered once.
    for (const call of this.#batch) if (call.since < oldest) call.reject(problem)
    this.#queue = leave(this.#queue)
  }

  /** Calls whose entries refer to an entry that was refused, and those that were rejected meanwhile. */
  #rejectUnreadable(): void {
    const known = new Set<EntryNumber>()
    this.#batch = this.#batch.filter((call) => {
      const { entries } = call.encoded
      for (const { number } of entries) if (number) known.add(number)
      const isLost = refersToNone(entries, known)
      if (isLost) call.reject(new StoreUnavailable('An entry that it refers to was not recorded.'))
      return !isLost
    })
  }

  #rejectStale(stale: ReadonlySet<string>): void {
    this.#batch = this.#batch.filter((call) => {
      const key = call.encoded.entries.find((entry) => !entry.byAnyone && stale.has(entry.key))?.key
      if (key !== undefined) call.reject(new NotOwner(key))
      return key === undefined
    })
  }

  async #doDuties(): Promise<void> {
    const { clock, warn } = this.parts
    while (!this.#ending.signal.aborted) {
      await delay(clock, DUTIES_MS, this.#ending.signal)
      if (this.#ending.signal.aborted || !this.parts.hasSiteDuties() || this.#isBroken) continue
      try {
        await this.#views.write(this.#last)
        await this.#portions.retain(this.#views, () => this.#last)
      } catch (error) {
        if (!(error instanceof StoreUnavailable))
          warn(`history is not thinned out: ${(error as Error).message}`)
      }
    }
  }
}

interface Appended {
  readonly first: string
  readonly stale: readonly string[] | null
}
