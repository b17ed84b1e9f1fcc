import { delay } from '../../../kit/clock.js'
import { Mutex } from '../../../kit/mutex.js'
import { Signal } from '../../../kit/signal.js'
import { inTurns } from '../../../kit/turns.js'
import type { Entry, NewEntry, Revive } from '../../entry.js'
import { StoreUnavailable } from '../../failure.js'
import { NUMBERS_LEFT_OUT } from '../../gap.js'
import type { Backlog, Journal, JournalQuery, JournalRead, NumberQuery } from '../../journal.js'
import type { FirstHeld } from '../../retention-policy.js'
import type { View } from '../../view.js'
import { AppendQueue, type Committed } from './append-queue.js'
import { type Head, JournalDays } from './journal-days.js'
import type { JournalParts } from './journal-parts.js'
import { type EntryRow, entryOf, queryEntries, queryNumber, readFollowed } from './journal-query.js'
import { JournalViews } from './journal-views.js'

/** Milliseconds between two looks at snapshots and retention. */
const DUTIES_MS = 60_000

/**
 * A journal in PostgreSQL, which several processes append to. All follow it, and show its entries to views and listeners
 * in the order of their numbers; what this process appends it shows like everybody's.
 */
export class PostgresJournal implements Journal {
  readonly appended = new Signal<Entry>()
  readonly #views: JournalViews
  readonly #days: JournalDays
  readonly #ending = new AbortController()
  /** One at a time reads what others appended, and shows entries. */
  readonly #showing = new Mutex()
  #revive: Revive = (entry) => entry
  #firstHeld: FirstHeld = async () => Number.POSITIVE_INFINITY
  readonly #queue: AppendQueue
  #last = 0
  /** The mark of the last entry. */
  #mark: string | null = null
  #isBroken = false
  #isLooking = false
  /** Since the last look. */
  #hasShown = false

  private constructor(readonly parts: JournalParts) {
    this.#views = new JournalViews(parts)
    this.#days = new JournalDays(parts)
    this.#queue = new AppendQueue(parts, (batch, entries) => this.#show(batch, entries))
  }

  static async open(parts: JournalParts): Promise<PostgresJournal> {
    const journal = new PostgresJournal(parts)
    await journal.#days.makeAhead()
    journal.#begin(await journal.#days.refresh())
    journal.#follows()
    return journal
  }

  get first(): number {
    return this.#days.first
  }

  get last(): number {
    return this.#last
  }

  /** The database looks after its own files. */
  readonly damagedFiles = 0

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
    if (!Number.isSafeInteger(seq) || seq < 1 || seq > this.#last) return undefined
    const [entry] = await this.query({ after: seq - 1, before: seq + 1, order: 'asc', limit: 1 })
    if (entry || seq >= this.first) return entry
    const { database, name } = this.parts
    const [row] = await database.query<EntryRow>('SELECT * FROM pinned WHERE journal = $1 AND seq = $2', [
      name,
      seq,
    ])
    return row && this.#revive(entryOf(row))
  }

  async query(query: JournalQuery): Promise<readonly Entry[]> {
    return (await this.read(query)).entries
  }

  read(query: JournalQuery): Promise<JournalRead> {
    const seen = { last: this.#last, days: this.#days, revive: this.#revive }
    return queryEntries(this.parts.database, this.parts.name, query, seen)
  }

  numberOf(query: NumberQuery): Promise<number | undefined> {
    const { database, name } = this.parts
    return queryNumber(database, name, query, { last: this.#last, days: this.#days })
  }

  attach(views: readonly View[], revive?: Revive, firstHeld?: FirstHeld): Promise<void> {
    if (revive) this.#revive = revive
    if (firstHeld) this.#firstHeld = firstHeld
    return this.#showing.run(async () => {
      this.#begin(await this.#days.refresh())
      await this.#views.attach(views, {
        first: this.first,
        last: this.#last,
        revive: this.#revive,
        query: (query) => this.query(query),
      })
    })
  }

  /** Shows what others have appended until now. */
  catchUp(): Promise<void> {
    return this.#showing.run(() => this.#readToHead())
  }

  async close(): Promise<void> {
    await this.#queue.close()
    this.#ending.abort()
    if (this.parts.hasSiteDuties()) await this.#views.write(this.#last).catch(() => {})
    await this.#showing.run(async () => {})
  }

  /** Not before it is known where the journal ends: a look would read from its beginning, while `#begin` moves the end. */
  #follows(): void {
    const stop = this.parts.changes.noticed.on(() => void this.#look())
    this.#ending.signal.addEventListener('abort', stop)
    void this.#doDuties()
  }

  #begin({ last, mark }: Head): void {
    this.#last = last
    this.#mark = mark
  }

  async #show({ first, marks }: Committed, entries: readonly Entry[]): Promise<void> {
    await this.#showing.run(async () => {
      // It was read already, as others' entries are; or the journal has gone back.
      if (first <= this.#last) return this.#readToHead()
      // What is known of the batch is only that it is there: it is read like everybody's.
      if (!marks) return this.#follow(first - 1 + entries.length)
      if (this.#last < first - 1) await this.#follow(first - 1)
      if (marks.before !== this.#mark) this.#rolledBack(first - 1)
      for (const entry of entries) {
        const reading = this.#readAhead(entry)
        if (reading) await reading
        this.#showOne(entry, marks.own)
      }
    })
    if (this.parts.hasFollowers()) this.parts.changes.notify()
  }

  /** Resolves once a view has read what it reads of an entry before it is shown; undefined where there is nothing. */
  #readAhead(entry: Entry): Promise<void> | undefined {
    const steps = this.#views.ahead(entry)
    return steps && inTurns(steps, 'journal')
  }

  #showOne(entry: Entry, mark: string | null): void {
    try {
      this.#views.apply(entry)
      this.#last = entry.seq
      this.#mark = mark
      this.#hasShown = true
      this.appended.emit(entry)
    } catch (error) {
      this.#break(error)
      throw error
    }
  }

  /**
   * Reads and shows what others appended, up to this number or as far as there is any. After a failover numbers are left
   * out: whoever has seen one of them has seen what is not there any more.
   */
  async #follow(until: number): Promise<void> {
    const { database, name } = this.parts
    while (this.#last < until) {
      const from = this.#last
      // The last entry again: where it is another one, so may be those before it.
      const rows = await readFollowed(database, name, { from, to: until }, this.#days)
      const isThere = rows[0]?.entry.seq === from
      if (isThere && rows[0]?.mark !== this.#mark) this.#rolledBack(from - 1)
      const further = isThere ? rows.slice(1) : rows
      if (isLeap(from, further[0]?.entry.seq ?? until)) {
        if (!isThere && this.#mark !== null) this.#rolledBack(from - 1)
        if (further.length === 0) return
      } else if (further.length === 0) await this.#endsBefore(until)
      for (const { entry: stored, mark } of further) {
        const { seq } = stored
        if (seq !== this.#last + 1 && !isLeap(this.#last, seq)) this.#endsWithout(this.#last + 1, seq)
        const entry = this.#revive(stored)
        const reading = this.#readAhead(entry)
        if (reading) await reading
        this.#showOne(entry, mark)
      }
    }
  }

  /** The process has to end: entries up to this number were committed, and are not in the database any more. */
  async #endsBefore(until: number): Promise<never> {
    await this.#readHead()
    const error = new Error(`entries ${this.#last + 1} to ${until} of the ${this.parts.name} are gone`)
    this.#break(error)
    throw error
  }

  /** The process has to end: what it has to show next is not among the entries that were read, and later ones are. */
  #endsWithout(seq: number, next: number): never {
    const error = new Error(`entry ${seq} of the ${this.parts.name} is gone: ${next} follows ${this.#last}`)
    this.#break(error)
    throw error
  }

  /** Shows what others have appended. While a batch is under way, its end does, unless the database refuses one after the other. */
  async #look(): Promise<void> {
    if (this.#isLooking || this.#isBroken) return
    this.#isLooking = true
    await this.#showing
      .run(async () => {
        if (this.#ending.signal.aborted) return
        const hasShown = this.#hasShown
        this.#hasShown = false
        if (this.#queue.isBusy && hasShown) return
        await this.#readToHead()
        if (!this.#queue.isBusy) this.#queue.answered()
      })
      .catch((error: unknown) => {
        if (error instanceof StoreUnavailable) this.#queue.missed(error)
        else if (!this.#isBroken) this.#break(error)
      })
    this.#isLooking = false
  }

  async #readToHead(): Promise<void> {
    const last = await this.#readHead()
    if (last > this.#last) await this.#follow(last)
  }

  /** The last number of the journal. The process has to end where that is less than it has shown. */
  async #readHead(): Promise<number> {
    const { last, mark } = await this.#days.refresh()
    if (last < this.#last || (last === this.#last && mark !== this.#mark)) this.#rolledBack(last)
    return last
  }

  /** The process has to end: what it has shown is not in the database any more. */
  #rolledBack(last: number): never {
    const { name } = this.parts
    const why =
      last < this.#last
        ? `the ${name} ends with ${last}, and ${this.#last} was read before`
        : `entry ${this.#last} of the ${name} is another one than was read before`
    const error = new Error(why)
    this.#break(error)
    throw error
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
        await this.parts.time.save()
        await this.#days.makeAhead()
        await this.#days.retain(this.#views, () => this.#last, await this.#firstHeld())
        await this.#days.dropRemoved()
      } catch (error) {
        if (!(error instanceof StoreUnavailable))
          warn(`history is not thinned out: ${(error as Error).message}`)
      }
    }
  }
}

/** Where numbers were left out, nobody has given half of them since. */
const isLeap = (from: number, to: number): boolean => to - from > NUMBERS_LEFT_OUT / 2
