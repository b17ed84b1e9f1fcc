import { type Clock, systemClock, withTimeout } from '../../src/kit/clock.js'
import { type Deferred, deferred } from '../../src/kit/deferred.js'
import { Mutex } from '../../src/kit/mutex.js'
import { Signal } from '../../src/kit/signal.js'
import type { Collection } from '../../src/store/collection.js'
import { type Entry, type NewEntry, numbered, type Revive } from '../../src/store/entry.js'
import { StoreUnavailable, Unsettled } from '../../src/store/failure.js'
import {
  type Journal,
  type JournalQuery,
  type JournalRead,
  type NumberQuery,
  readTo,
} from '../../src/store/journal.js'
import type { Ownership } from '../../src/store/ownership.js'
import { SoleOwnership } from '../../src/store/sole-ownership.js'
import type { Store } from '../../src/store/store.js'
import type { View } from '../../src/store/view.js'
import { patienceOf } from '../../src/store/waiting-caller.js'

/** A journal that lasts as long as the test: the interface's words, carried out in the plainest way. */
export class MemoryJournal implements Journal {
  readonly appended = new Signal<Entry>()
  readonly entries: Entry[] = []
  readonly first: number = 1
  readonly backlog = { count: 0, ms: 0 }
  readonly damagedFiles: number = 0
  failure: Error | undefined

  get last(): number {
    return this.entries.at(-1)?.seq ?? 0
  }

  async append(entry: NewEntry): Promise<Entry> {
    const [made] = await this.appendAll([entry])
    if (!made) throw new Error('nothing was appended')
    return made
  }

  async appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    await Promise.resolve()
    if (this.failure) throw this.failure
    const first = this.last + 1
    const made = madeFrom(entries, first)
    this.entries.push(...made)
    for (const entry of made) this.appended.emit(entry)
    return made
  }

  async get(seq: number): Promise<Entry | undefined> {
    const entry = this.entries[seq - 1]
    return entry?.seq === seq ? entry : this.entries.find((one) => one.seq === seq)
  }

  async query(query: JournalQuery): Promise<readonly Entry[]> {
    return firstBytes(this.#matching(query).slice(0, query.limit), query.bytes)
  }

  async read(query: JournalQuery): Promise<JournalRead> {
    const before = Math.min(query.before ?? Number.POSITIVE_INFINITY, this.last + 1)
    const entries = await this.query({ ...query, before })
    const isCut = entries.length < Math.min(query.limit, this.#matching({ ...query, before }).length)
    return { entries, isCut, readTo: readTo({ ...query, before }, { entries, isCut }), first: this.first }
  }

  #matching(query: JournalQuery): readonly Entry[] {
    const { kinds, key, topics, from, to, after = 0, before = Number.POSITIVE_INFINITY, where } = query
    const found = this.entries.filter(
      (entry) =>
        (!kinds || kinds.some(({ type, name }) => type === entry.type && (!name || name === entry.name))) &&
        (key === undefined || (typeof key === 'string' ? key === entry.key : key.has(entry.key))) &&
        (!topics || topics.has(entry.topic ?? '')) &&
        (from === undefined || entry.at >= from) &&
        (to === undefined || entry.at < to) &&
        entry.seq > after &&
        entry.seq < before &&
        (!where || where(entry)),
    )
    return query.order === 'asc' ? found : found.reverse()
  }

  async numberOf(query: NumberQuery): Promise<number | undefined> {
    return (await this.query({ ...query, limit: 1 }))[0]?.seq
  }

  async attach(views: readonly View[], revive: Revive = (entry) => entry): Promise<void> {
    for (const [at, entry] of this.entries.entries()) {
      if (!('toJSON' in entry.data)) this.entries[at] = revive(entry)
    }
    const show = (entry: Entry): void => {
      for (const view of views) {
        const isOfKind = view.kinds.some(
          ({ type, name }) => type === entry.type && (!name || name === entry.name),
        )
        if (isOfKind && (view.topics?.has(entry.topic ?? '') ?? true)) view.apply(entry)
      }
    }
    for (const entry of this.entries) show(entry)
    this.appended.on(show)
  }

  async close(): Promise<void> {}
}

/** The entries with their numbers. */
export function madeFrom(entries: readonly NewEntry[], first: number): Entry[] {
  for (const [at, { number }] of entries.entries()) if (number) number.seq = first + at
  return entries.map((entry, at) => numbered({ ...entry, data: copied(entry.data) }, first + at))
}

/** Data as it is when it is appended. A value of its owner's does not change. */
const copied = (data: NewEntry['data']): NewEntry['data'] => ('toJSON' in data ? data : structuredClone(data))

/** The entries as far as the one that brings them to so many bytes. */
function firstBytes(entries: readonly Entry[], bytes: number | undefined): readonly Entry[] {
  if (bytes === undefined) return entries
  let held = 0
  const enough = entries.findIndex((entry) => {
    held += JSON.stringify(entry).length
    return held >= bytes
  })
  return enough < 0 ? entries : entries.slice(0, enough + 1)
}

/** A journal whose oldest entries retention removes. */
export class RetainedJournal extends MemoryJournal {
  override first = 1

  removeBefore(first: number): void {
    this.first = first
    while ((this.entries[0]?.seq ?? first) < first) this.entries.shift()
  }
}

/** A journal whose database is away for a time: it does not take what nobody waits for that long. */
export class AwayJournal extends MemoryJournal {
  #back: Deferred<void> | undefined

  constructor(readonly clock: Clock) {
    super()
  }

  leave(): void {
    this.#back = deferred()
  }

  comeBack(): void {
    this.#back?.resolve()
    this.#back = undefined
  }

  override async appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    const back = this.#back?.promise.then(() => true)
    if (back && !(await withTimeout(this.clock, patienceOf(entries), back)))
      throw new StoreUnavailable('The database is away.')
    return super.appendAll(entries)
  }
}

/** A journal whose disk stops and goes on, or fails, when the test says so. Numbers are given at once, as on disk. */
export class HeldJournal extends MemoryJournal {
  #next: number
  #held: Deferred<void> | undefined
  #waiting = 0
  #patience = deferred<void>()

  /** `kept`: what a process that died left on disk. */
  constructor(kept: readonly Entry[] = []) {
    super()
    this.entries.push(...kept)
    this.#next = this.last + 1
  }

  /** Entries that were handed over and are not on disk yet. */
  get waiting(): number {
    return this.#waiting
  }

  /** From now on nothing reaches the disk. */
  hold(): void {
    this.#held ??= deferred()
  }

  /** What waits reaches the disk, in its order. */
  release(): void {
    this.#held?.resolve()
    this.#held = undefined
  }

  /** Whoever waits is told that the store takes too long: what they handed over is recorded at `release`, or not if it fails. */
  losePatience(): void {
    this.#patience.resolve()
    this.#patience = deferred()
  }

  /** The disk fails, for what waits and for all that follows. */
  fail(failure: Error): void {
    this.failure = failure
    this.release()
  }

  override async appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    if (this.failure) throw this.failure
    const first = this.#next
    const made = madeFrom(entries, first)
    this.#next += made.length
    this.#waiting += made.length
    const recorded = this.#record(made)
    if (!this.#held) return recorded
    const settled = recorded.catch(() => undefined)
    const impatient = this.#patience.promise.then(() => {
      throw new Unsettled(new Error('The database does not respond.'), settled)
    })
    return Promise.race([recorded, impatient])
  }

  async #record(made: readonly Entry[]): Promise<readonly Entry[]> {
    await this.#held?.promise
    this.#waiting -= made.length
    if (this.failure) throw this.failure
    this.entries.push(...made)
    for (const entry of made) this.appended.emit(entry)
    return made
  }
}

/** A collection that lasts as long as the test. */
export class MemoryCollection<T extends { readonly id: string }> implements Collection<T> {
  readonly changed = new Signal<string>()
  readonly #exclusive = new Mutex()
  readonly #records = new Map<string, T>()
  /** Set to make every write fail with it. */
  failure: Error | undefined

  async all(): Promise<readonly T[]> {
    return [...this.#records.values()]
  }

  async get(id: string): Promise<T | undefined> {
    return this.#records.get(id)
  }

  async put(record: T): Promise<void> {
    if (this.failure) throw this.failure
    this.#records.set(record.id, record)
  }

  async putAll(records: readonly T[]): Promise<void> {
    if (this.failure) throw this.failure
    for (const record of records) this.#records.set(record.id, record)
  }

  async delete(...ids: readonly string[]): Promise<boolean> {
    if (this.failure) throw this.failure
    return ids.filter((id) => this.#records.delete(id)).length > 0
  }

  exclusively<R>(work: () => Promise<R>): Promise<R> {
    return this.#exclusive.run(work)
  }
}

export interface MemoryStoreParts<J extends MemoryJournal = MemoryJournal> {
  readonly clock?: Clock
  readonly journal?: J
  readonly ownership?: Ownership
  /** Collections that other stores of the test have, too, or that are more than one in memory. */
  readonly collections?: Readonly<Record<string, object>>
  /** Each byte of its secrets. */
  readonly secret?: number
}

/** A store that lasts as long as the test, and longer than the gateways over it. Its process owns everything. */
export class MemoryStore<J extends MemoryJournal = MemoryJournal> implements Store {
  readonly journal: J
  readonly audit = new MemoryJournal()
  readonly ownership: Ownership
  readonly gaps = []
  readonly failed = new Promise<Error>(() => {})
  readonly time: Store['time']
  /** By name. */
  readonly collections: Map<string, object>
  readonly #secret: number

  constructor({
    clock = systemClock,
    journal,
    ownership,
    collections = {},
    secret = 7,
  }: MemoryStoreParts<J> = {}) {
    this.collections = new Map(Object.entries(collections))
    this.#secret = secret
    this.time = { now: () => clock.date().getTime() }
    this.journal = journal ?? (new MemoryJournal() as J)
    this.ownership =
      ownership ?? new SoleOwnership(async () => (await this.records('equipment').all()).map(({ id }) => id))
  }

  /** A collection, without waiting for it. */
  records<T extends { readonly id: string }>(name: string): MemoryCollection<T> {
    const known = this.collections.get(name) ?? this.makeCollection()
    this.collections.set(name, known)
    return known as MemoryCollection<T>
  }

  async collection<T extends { readonly id: string }>(name: string): Promise<MemoryCollection<T>> {
    return this.records(name)
  }

  protected makeCollection(): MemoryCollection<{ readonly id: string }> {
    return new MemoryCollection()
  }

  async furtherJournal(): Promise<MemoryJournal> {
    return this.audit
  }

  async secret(_name: string, length: number): Promise<Uint8Array> {
    return new Uint8Array(length).fill(this.#secret)
  }

  async close(): Promise<void> {}
}
