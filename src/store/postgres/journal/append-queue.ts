import type pg from 'pg'
import { AwakeClock } from '../../../kit/awake-clock.js'
import { type Cancel, delay, withTimeout } from '../../../kit/clock.js'
import { type Deferred, deferred } from '../../../kit/deferred.js'
import { type Entry, type EntryNumber, type NewEntry, numbered } from '../../entry.js'
import { Overtaken, StoreUnavailable, Unsettled } from '../../failure.js'
import type { Backlog } from '../../journal.js'
import { PATIENCE_MS, patienceOf } from '../../waiting-caller.js'
import { storeProblem } from '../database.js'
import { ownedElsewhere } from '../fence.js'
import {
  appendArguments,
  conditionArguments,
  type EncodedCall,
  encodeCall,
  isDecision,
  refersToNone,
} from './encode-batch.js'
import type { JournalParts } from './journal-parts.js'

interface Call {
  readonly encoded: EncodedCall
  readonly since: number
  /** Its caller does not wait any longer then. */
  readonly due: number
  /** A key of its entries that is an owner's alone to write to, and the epoch of its lease when they were handed over. */
  readonly owned: { readonly key: string; readonly epoch: number } | undefined
  /** It was rejected: its entries are not appended any more, if they have not been. */
  isOver: boolean
  /** The batch that it was in was refused for the sake of one of its calls: it is a batch of its own now. */
  isAlone: boolean
  /** Set where its caller does not wait any longer, and it may be recorded. */
  settled: Deferred<readonly Entry[] | undefined> | undefined
  resolve(entries: readonly Entry[]): void
  reject(error: Error): void
}

interface Appended {
  readonly first: string
  readonly stale: readonly string[] | null
  /** The number of the entry for which the batch was refused. */
  readonly overtaken?: string | null
  readonly mark?: string
  readonly mark_before?: string | null
}

/** A batch that is in the database. */
export interface Committed {
  /** The number of its first entry. */
  readonly first: number
  /** Of its entries, and of the entry before them; undefined where the answer was lost. */
  readonly marks?: { readonly own: string; readonly before: string | null }
}

/** A batch is what one statement appends. */
const MAX_BATCH_ENTRIES = 500
const MAX_BATCH_LENGTH = 1024 * 1024
/** Calls that wait; further ones are refused. */
const MAX_WAITING = 20_000
const RETRY_MS = { first: 50, most: 1000 }

const APPEND = 'SELECT * FROM append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)'
/** For a batch with a decision that another process may have made. */
const APPEND_UNLESS =
  'SELECT * FROM append_unless($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)'

/** What is to be appended, in batches, each of them once, whatever becomes of the connection. */
export class AppendQueue {
  readonly #ending = new AbortController()
  /** A database does not answer while this process stands still, and neither do callers wait. */
  readonly #awake: AwakeClock
  #connection: pg.Client | undefined
  #queue: Call[] = []
  #batch: Call[] = []
  #running: Promise<void> | undefined
  /** Of the last batch that was tried. */
  #number = 0
  #failure: StoreUnavailable | undefined
  #failedAt = 0

  /** `show`: shows what is committed, after all before it. */
  constructor(
    readonly parts: JournalParts,
    private readonly show: (batch: Committed, entries: readonly Entry[]) => Promise<void>,
  ) {
    this.#awake = new AwakeClock(parts.clock)
  }

  get failure(): Error | undefined {
    return this.#failure
  }

  get backlog(): Backlog {
    const since = (this.#batch[0] ?? this.#queue[0])?.since
    return {
      count: this.#batch.length + this.#queue.length,
      ms: since === undefined ? 0 : this.#awake.now() - since,
    }
  }

  /** True while a batch is under way. */
  get isBusy(): boolean {
    return this.#batch.length > 0
  }

  async append(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    if (this.#ending.signal.aborted) throw this.#failure ?? new StoreUnavailable('The journal is closed.')
    const since = this.#awake.now()
    if (this.#failure && since - this.#failedAt > PATIENCE_MS) throw this.#failure
    if (this.#queue.length >= MAX_WAITING)
      throw new StoreUnavailable('Too many entries wait for the database.')
    const encoded = encodeCall(entries)
    const due = since + patienceOf(entries)
    return new Promise((resolve, reject) => {
      const state = { isOver: false, isAlone: false, settled: undefined }
      this.#queue.push({ encoded, since, due, owned: this.#ownedOf(entries), ...state, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  #ownedOf(entries: readonly NewEntry[]): Call['owned'] {
    const { fence } = this.parts
    const entry = entries.find(({ key, byAnyone }) => !byAnyone && fence.isOwned(key))
    return entry && { key: entry.key, epoch: fence.epochOf(entry.key) }
  }

  /** The database is away, or cannot do it now. */
  missed(problem: StoreUnavailable): void {
    if (!this.#failure) this.#failedAt = this.#awake.now()
    this.#failure = problem
  }

  /** The database has answered. */
  answered(): void {
    this.#failure = undefined
  }

  /** Nothing is appended any more. */
  break(cause: Error): void {
    this.missed(new StoreUnavailable(cause.message, { cause }))
    this.#ending.abort()
  }

  /** Resolves when everything that was to be appended is, or was rejected: a database that is away is not waited for. */
  async close(): Promise<void> {
    const running = async (): Promise<void> => this.#running
    await withTimeout(this.#awake, this.#failure ? 0 : PATIENCE_MS, running())
    this.#ending.abort()
    await withTimeout(this.#awake, PATIENCE_MS, running())
    await this.#connection?.end().catch(() => {})
  }

  async #run(): Promise<void> {
    // A turn later, so that what one turn of the event loop appends is one batch.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      this.#batch = this.#takeBatch()
      await this.#commit().catch((error: unknown) => this.#giveUp(error as Error))
      this.#batch = []
    }
    this.#running = undefined
  }

  /** Where the journal is closed before the database answers, what became of the batch stays unknown. */
  #giveUp(error: Error): void {
    if (this.#ending.signal.aborted) for (const call of this.#batch) end(call, error)
    else this.#reject(() => error)
  }

  #takeBatch(): Call[] {
    let [entries, length, count, decisions] = [0, 0, 0, 0]
    for (const { encoded, isAlone } of this.#queue) {
      entries += encoded.entries.length
      length += encoded.length
      if (isDecision(encoded)) decisions += 1
      // Of two decisions in one batch, neither would be looked at by the other.
      if (
        count > 0 &&
        (isAlone ||
          this.#queue[0]?.isAlone ||
          entries > MAX_BATCH_ENTRIES ||
          length > MAX_BATCH_LENGTH ||
          decisions > 1)
      )
        break
      count += 1
    }
    return this.#queue.splice(0, count)
  }

  /** Appends the batch once, or rejects its calls. */
  async #commit(): Promise<void> {
    for (;;) {
      if (this.#ending.signal.aborted) throw this.#failure ?? new StoreUnavailable('The journal is closed.')
      this.#dropOver()
      if (this.#batch.length === 0) return
      const appended = await this.#attempt(++this.#number)
      if (appended === undefined) continue
      if (appended === 'refused') return this.#separate()
      if (appended.overtaken) {
        const overtaken = new Overtaken(Number(appended.overtaken))
        this.#reject(({ encoded }) => (isDecision(encoded) ? overtaken : undefined))
        continue
      }
      if (!appended.stale) return this.#end(appended)
      const stale = new Set(appended.stale)
      this.#reject(({ encoded: { entries } }) => {
        const key = entries.find((entry) => !entry.byAnyone && stale.has(entry.key))?.key
        return key === undefined ? undefined : ownedElsewhere(key)
      })
    }
  }

  /** Appends each call of the batch by itself: only the one that the database refuses is rejected. */
  #separate(): void {
    for (const call of this.#batch) call.isAlone = true
    this.#queue.unshift(...this.#batch)
    this.#batch = []
  }

  /** What became of the batch; 'refused' where one of its entries cannot be stored; undefined where it was not appended, and is not going to be. */
  async #attempt(number: number): Promise<Appended | 'refused' | undefined> {
    const { name, node, fence } = this.parts
    const calls = this.#batch.map(({ encoded }) => encoded)
    const stopWatching = this.#watchPatience()
    try {
      const connection = await this.#connected()
      const values = [name, node, number, ...appendArguments(calls, fence)]
      const conditions = calls.some(isDecision) ? conditionArguments(calls) : []
      const statement =
        conditions.length > 0
          ? { name: 'append_unless', text: APPEND_UNLESS }
          : { name: 'append', text: APPEND }
      const { rows } = await connection.query<Appended>({ ...statement, values: [...values, ...conditions] })
      this.answered()
      return rows[0]
    } catch (error) {
      const isRefused = !(storeProblem(error) instanceof StoreUnavailable)
      if (isRefused && this.#batch.length > 1) return 'refused'
      this.#fail(error)
      return this.#lookUp(number)
    } finally {
      stopWatching()
    }
  }

  /**
   * Looks after the calls of the batch, and after those that come while it is under way. An AbortController would make an
   * error with its stack for each batch.
   */
  #watchPatience(): Cancel {
    const awake = this.#awake
    let cancel: Cancel = () => {}
    const watch = (): void => {
      const oldest = this.#batch.find(isWaiting) ?? this.#queue.find(isWaiting)
      const now = awake.now()
      const late = (oldest?.since ?? now) + PATIENCE_MS
      const due = late > now ? late : this.#nextDue(now)
      cancel = awake.at(Math.max(now + 1, due), () => {
        if (oldest) this.#rejectImpatient()
        watch()
      })
    }
    watch()
    return () => cancel()
  }

  /** Whoever comes meanwhile, and does not wait for long, is looked at in time. */
  #nextDue(now: number): number {
    let next = now + PATIENCE_MS
    for (const call of [...this.#batch, ...this.#queue]) if (isWaiting(call)) next = Math.min(next, call.due)
    return next
  }

  /** Waits until the database says whether the batch was committed. It cannot be committed after that. */
  async #lookUp(number: number): Promise<Appended | undefined> {
    const { clock, name, node } = this.parts
    const { signal } = this.#ending
    for (let wait = RETRY_MS.first; ; wait = Math.min(wait * 2, RETRY_MS.most)) {
      this.#rejectImpatient()
      await delay(clock, wait * (0.5 + Math.random() / 2), signal)
      if (signal.aborted) throw this.#failure ?? new StoreUnavailable('The journal is closed.')
      try {
        const connection = await this.#connected()
        const { rows } = await connection.query<{ readonly first: string | null }>(
          'SELECT look_up($1, $2, $3) AS first',
          [name, node, number],
        )
        this.answered()
        const first = rows[0]?.first ?? null
        return first === null ? undefined : { first, stale: null }
      } catch (error) {
        this.#fail(error)
      }
    }
  }

  async #connected(): Promise<pg.Client> {
    this.#connection ??= await this.parts.database.connect()
    return this.#connection
  }

  /** Throws what does not pass by itself. */
  #fail(error: unknown): void {
    const problem = storeProblem(error)
    void this.#connection?.end().catch(() => {})
    this.#connection = undefined
    if (!(problem instanceof StoreUnavailable)) throw problem
    this.missed(problem)
  }

  async #end({ first, mark, mark_before = null }: Appended): Promise<void> {
    const calls = this.#batch
    let next = Number(first)
    const made = calls.map(({ encoded: { entries } }) => {
      const start = next
      next += entries.length
      for (const [at, { number }] of entries.entries()) if (number) number.seq = start + at
      return entries.map((entry, at) => numbered(entry, start + at))
    })
    const marks = mark === undefined ? {} : { marks: { own: mark, before: mark_before } }
    await this.#showCommitted({ first: Number(first), ...marks }, made.flat())
    const { fence } = this.parts
    for (const [at, call] of calls.entries()) {
      // A key that passed on while its entries were committed: they are recorded, and not acknowledged.
      const lost = call.encoded.entries.find(
        ({ key, byAnyone }) => !byAnyone && fence.isOwned(key) && fence.epochOf(key) === 0,
      )
      call.settled?.resolve(made[at] ?? [])
      if (lost) call.reject(ownedElsewhere(lost.key, made[at]))
      else call.resolve(made[at] ?? [])
    }
  }

  /** Nothing further is appended before it is shown, also where the database goes away meanwhile. */
  async #showCommitted(batch: Committed, entries: readonly Entry[]): Promise<void> {
    const { signal } = this.#ending
    for (let wait = RETRY_MS.first; ; wait = Math.min(wait * 2, RETRY_MS.most)) {
      try {
        return await this.show(batch, entries)
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || signal.aborted) throw error
        this.missed(error)
        this.#rejectImpatient()
        await delay(this.parts.clock, wait, signal)
      }
    }
  }

  /** Callers do not wait for a database that is away. What is committed nevertheless is shown like everybody's. */
  #rejectImpatient(): void {
    const problem = this.#failure ?? new StoreUnavailable('The database does not respond.')
    this.missed(problem)
    const now = this.#awake.now()
    for (const call of this.#batch) {
      if (call.due > now || call.isOver) continue
      call.settled = deferred()
      end(call, new Unsettled(problem, call.settled.promise))
    }
    for (const call of this.#queue) if (call.due <= now) end(call, problem)
    this.#queue = withoutOver(this.#queue)
  }

  /** Rejects calls of the batch, which is not appended, and takes them from it. */
  #reject(why: (call: Call) => Error | undefined): void {
    for (const call of this.#batch) {
      const error = why(call)
      if (error) end(call, error)
    }
    this.#batch = withoutOver(this.#batch)
  }

  /** Also calls whose entries refer to an entry that was not recorded. */
  #dropOver(): void {
    const known = new Set<EntryNumber>()
    const { fence } = this.parts
    this.#reject(({ isOver, owned, encoded: { entries } }) => {
      if (isOver) return undefined
      // Another process may have written to it meanwhile, as one that the equipment told the same again.
      if (owned && owned.epoch !== 0 && fence.epochOf(owned.key) !== owned.epoch)
        return ownedElsewhere(owned.key)
      for (const { number } of entries) if (number) known.add(number)
      return refersToNone(entries, known)
        ? new StoreUnavailable('An entry that it refers to was not recorded.')
        : undefined
    })
  }
}

const isWaiting = ({ isOver }: Call): boolean => !isOver

/** Those that are over are not going to be appended. */
function withoutOver(calls: readonly Call[]): Call[] {
  for (const { isOver, settled } of calls) if (isOver) settled?.resolve(undefined)
  return calls.filter(({ isOver }) => !isOver)
}

function end(call: Call, error: Error): void {
  call.isOver = true
  call.reject(error)
}
