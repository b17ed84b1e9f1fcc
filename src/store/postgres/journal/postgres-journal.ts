import { delay } from '../../../kit/clock.js'
import { Mutex } from '../../../kit/mutex.js'
import { Signal } from '../../../kit/signal.js'
import type { Entry, NewEntry, Revive } from '../../entry.js'
import { StoreUnavailable } from '../../failure.js'
import type { Backlog, Journal, JournalQuery } from '../../journal.js'
import type { FirstHeld } from '../../retention-policy.js'
import type { View } from '../../view.js'
import { AppendQueue } from './append-queue.js'
import type { JournalParts } from './journal-parts.js'
import { type EntryRow, entryOf, queryEntries } from './journal-query.js'
import { JournalViews } from './journal-views.js'
import { Portions } from './portions.js'

const FOLLOW_PAGE = { limit: 1000, bytes: 4 * 1024 * 1024 }
/** Milliseconds between two looks at snapshots and retention. */
const DUTIES_MS = 60_000

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
  #firstHeld: FirstHeld = async () => Number.POSITIVE_INFINITY
  readonly #queue: AppendQueue
  #last = 0
  #isBroken = false
  #isLooking = false

  private constructor(readonly parts: JournalParts) {
    this.#views = new JournalViews(parts)
    this.#portions = new Portions(parts)
    this.#queue = new AppendQueue(parts, (first, entries) => this.#show(first, entries))
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
    return this.#queue.failure
  }

  get backlog(): Backlog {
    return this.#queue.backlog
  }

  async append(entry: NewEntry): Promise<Entry> {
    const [appended] = await this.appendAll([entry])
    return appended as Entry
  }

  async appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    if (entries.length === 0) return []
    return this.#queue.append(entries)
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

  attach(views: readonly View[], revive?: Revive, firstHeld?: FirstHeld): Promise<void> {
    if (revive) this.#revive = revive
    if (firstHeld) this.#firstHeld = firstHeld
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
    await this.#queue.close()
    this.#ending.abort()
    if (this.parts.hasSiteDuties()) await this.#views.write(this.#last).catch(() => {})
    await this.#showing.run(async () => {})
  }

  async #show(first: number, entries: readonly Entry[]): Promise<void> {
    await this.#showing.run(async () => {
      if (this.#last < first - 1) await this.#follow(first - 1)
      for (const entry of entries) this.#showOne(entry)
    })
    if (this.parts.hasFollowers()) this.parts.changes.notify()
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
        if (this.#queue.isBusy || this.#ending.signal.aborted) return
        const last = await this.#portions.refresh()
        if (last < this.#last)
          this.#break(new Error(`the journal ends with ${last}, and ${this.#last} was read before`))
        if (last > this.#last) await this.#follow(last)
        if (!this.#queue.isBusy) this.#queue.answered()
      })
      .catch((error: unknown) => {
        if (error instanceof StoreUnavailable) this.#queue.missed(error)
        else this.#break(error)
      })
    this.#isLooking = false
  }

  #break(error: unknown): void {
    const cause = error instanceof Error ? error : new Error(String(error))
    this.#isBroken = true
    this.#queue.break(cause)
    this.parts.onBroken(cause)
  }

  async #doDuties(): Promise<void> {
    const { clock, warn } = this.parts
    while (!this.#ending.signal.aborted) {
      await delay(clock, DUTIES_MS, this.#ending.signal)
      if (this.#ending.signal.aborted || !this.parts.hasSiteDuties() || this.#isBroken) continue
      try {
        await this.#views.write(this.#last)
        await this.#portions.retain(this.#views, () => this.#last, await this.#firstHeld())
      } catch (error) {
        if (!(error instanceof StoreUnavailable))
          warn(`history is not thinned out: ${(error as Error).message}`)
      }
    }
  }
}
