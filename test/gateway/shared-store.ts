import { Mutex } from '../../src/kit/mutex.js'
import { Signal } from '../../src/kit/signal.js'
import type { JsonObject } from '../../src/kit/text/json.js'
import type { Collection } from '../../src/store/collection.js'
import type { Entry, NewEntry, Revive } from '../../src/store/entry.js'
import { NotOwner, Overtaken, StoreUnavailable } from '../../src/store/failure.js'
import { type LeaseHolder, type Ownership, SITE_KEY, type StoreNode } from '../../src/store/ownership.js'
import type { Store } from '../../src/store/store.js'
import type { View } from '../../src/store/view.js'
import { MemoryJournal, madeFrom } from '../support/memory-store.js'

/** One store in memory for several processes, which are gateways of one test. Keys move when the test says so. */
export class SharedStore {
  readonly #logs = new Map<string, SharedLog>()
  readonly #records = new Map<string, SharedRecords>()
  readonly owners = new Map<string, SharedNode>()
  readonly published = new Map<string, JsonObject>()
  readonly nodes: SharedNode[] = []

  node(name: string): SharedNode {
    const node = new SharedNode(this, name)
    this.nodes.push(node)
    return node
  }

  log(name: string): SharedLog {
    const log = this.#logs.get(name) ?? { entries: [], handles: new Set() }
    this.#logs.set(name, log)
    return log
  }

  records(name: string): SharedRecords {
    const records = this.#records.get(name) ?? { byId: new Map(), handles: new Set(), turn: new Mutex() }
    this.#records.set(name, records)
    return records
  }

  /** Keys that may be owned. */
  keys(): readonly string[] {
    return [SITE_KEY, ...this.records('equipment').byId.keys()]
  }

  /** A key goes to another process in order. */
  async move(key: string, to: SharedNode): Promise<void> {
    await this.owners.get(key)?.holder?.give([key], false)
    await this.#take(key, to)
  }

  /** The lease ends, and the process that had it does not know yet: `tell` does so. */
  expire(key: string): { readonly tell: () => Promise<void> } {
    const from = this.owners.get(key)
    this.owners.delete(key)
    return { tell: async () => from?.holder?.give([key], true) }
  }

  /** Another process takes a key that nobody owns. */
  async #take(key: string, to: SharedNode): Promise<void> {
    this.owners.set(key, to)
    for (const node of this.nodes) node.ownership.changed.emit(key)
    for (const journal of to.journals) journal.catchUp()
    await to.holder?.take([key])
  }

  take(key: string, to: SharedNode): Promise<void> {
    return this.#take(key, to)
  }
}

interface SharedLog {
  readonly entries: Entry[]
  readonly handles: Set<NodeJournal>
}

interface SharedRecords {
  readonly byId: Map<string, { readonly id: string }>
  readonly handles: Set<NodeCollection<{ readonly id: string }>>
  readonly turn: Mutex
}

/** One process over the store. */
export class SharedNode implements Store {
  readonly gaps = []
  readonly failed = new Promise<Error>(() => {})
  readonly time = { now: () => Date.UTC(2026, 0, 1) }
  holder: LeaseHolder | undefined
  url: string | null = null
  /** Set while it does not reach the store. */
  failure: Error | undefined
  /** True: it reads what others have written only when it writes, or is to take a key. */
  lags = false
  /** False once its leases have ended. */
  isAlive = true
  readonly journals: NodeJournal[] = []
  readonly journal: NodeJournal
  readonly ownership: NodeOwnership

  constructor(
    readonly store: SharedStore,
    readonly name: string,
  ) {
    this.ownership = new NodeOwnership(this)
    this.journal = this.#open('journal')
  }

  async furtherJournal(name: string): Promise<NodeJournal> {
    return this.#open(name)
  }

  async secret(_name: string, length: number): Promise<Uint8Array> {
    return new Uint8Array(length)
  }

  async close(): Promise<void> {}

  #open(name: string): NodeJournal {
    const journal = new NodeJournal(this, this.store.log(name))
    this.journals.push(journal)
    return journal
  }

  async collection<T extends { readonly id: string }>(name: string): Promise<Collection<T>> {
    return new NodeCollection<T>(this, this.store.records(name), name === 'equipment')
  }

  /** Throws `NotOwner` where another process owns the key. */
  check(key: string): void {
    const owner = this.store.owners.get(key)
    if (owner && owner !== this) throw new NotOwner(`${key} is owned by ${owner.name}`)
  }

  /** The store is away until it is back. */
  leave(): void {
    this.failure = new StoreUnavailable('The database is away: made up')
  }

  comeBack(): void {
    this.failure = undefined
    for (const journal of this.journals) journal.catchUp()
  }
}

/** What one process has read of the journal. */
export class NodeJournal extends MemoryJournal {
  #revive: Revive = (entry) => entry

  constructor(
    readonly node: SharedNode,
    readonly log: SharedLog,
  ) {
    super()
    log.handles.add(this)
    Object.defineProperty(this, 'failure', { get: () => node.failure })
  }

  override async attach(views: readonly View[], revive: Revive = (entry) => entry): Promise<void> {
    this.#revive = revive
    this.catchUp()
    await super.attach(views, revive)
  }

  override async appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    await Promise.resolve()
    if (this.node.failure) throw this.node.failure
    for (const entry of entries) {
      if (!entry.byAnyone) this.node.check(entry.key)
      if (entry.unlessAfter !== undefined) this.#refuseOvertaken(entry, entry.unlessAfter)
    }
    this.catchUp()
    const made = madeFrom(entries, this.log.entries.length + 1)
    this.log.entries.push(...made)
    this.entries.push(...made)
    for (const entry of made) this.appended.emit(entry)
    for (const other of this.log.handles) if (other !== this) other.#catchUpLater()
    return made
  }

  #refuseOvertaken({ key, type, name }: NewEntry, last: number): void {
    const isSame = (one: Entry): boolean => one.key === key && one.type === type && one.name === name
    const later = this.log.entries.find((one) => one.seq > last && isSame(one))
    if (later) throw new Overtaken(later.seq)
  }

  /** Reads what others have appended, as it is on disk. */
  catchUp(): void {
    for (const entry of this.log.entries.slice(this.entries.length)) {
      const read = this.#revive(JSON.parse(JSON.stringify(entry)) as Entry)
      this.entries.push(read)
      this.appended.emit(read)
    }
  }

  #catchUpLater(): void {
    setImmediate(() => {
      if (!this.node.lags && !this.node.failure) this.catchUp()
    })
  }
}

class NodeCollection<T extends { readonly id: string }> implements Collection<T> {
  readonly changed = new Signal<string>()
  readonly #unheard: string[] = []

  constructor(
    readonly node: SharedNode,
    readonly records: SharedRecords,
    readonly isOwned: boolean,
  ) {
    records.handles.add(this as unknown as NodeCollection<{ readonly id: string }>)
  }

  async all(): Promise<readonly T[]> {
    return [...this.records.byId.values()] as unknown as readonly T[]
  }

  async get(id: string): Promise<T | undefined> {
    return this.records.byId.get(id) as T | undefined
  }

  async putAll(records: readonly T[], elsewhere: ReadonlySet<string> = new Set()): Promise<void> {
    if (this.node.failure) throw this.node.failure
    for (const { id } of records) if (!elsewhere.has(id)) this.#check(id)
    for (const record of records) this.#put(record)
  }

  async put(record: T): Promise<void> {
    this.#check(record.id)
    this.#put(record)
  }

  #put(record: T): void {
    if (this.isOwned && !this.records.byId.has(record.id)) this.node.store.owners.set(record.id, this.node)
    this.records.byId.set(record.id, structuredClone(record))
    this.#tell([record.id])
  }

  async delete(...ids: readonly string[]): Promise<boolean> {
    for (const id of ids) this.#check(id)
    const gone = ids.filter((id) => this.records.byId.delete(id))
    if (this.isOwned) for (const id of gone) this.node.store.owners.delete(id)
    this.#tell(gone)
    return gone.length > 0
  }

  exclusively<R>(work: () => Promise<R>): Promise<R> {
    return this.records.turn.run(async () => {
      if (this.node.failure) throw this.node.failure
      this.#hear()
      return work()
    })
  }

  #check(id: string): void {
    if (this.node.failure) throw this.node.failure
    if (this.isOwned) this.node.check(id)
  }

  #tell(ids: readonly string[]): void {
    const others = [...this.records.handles].filter(({ node }) => node !== this.node)
    for (const other of others) {
      other.#unheard.push(...ids)
      setImmediate(() => other.#hear())
    }
  }

  #hear(): void {
    for (const id of this.#unheard.splice(0)) this.changed.emit(id)
  }
}

class NodeOwnership implements Ownership {
  readonly changed = new Signal<string>()
  readonly renewed = new Signal<void>()
  readonly safeFor = 10_000

  constructor(readonly node: SharedNode) {}

  get self(): string {
    return this.node.name
  }

  owns(key: string): boolean {
    return this.node.store.owners.get(key) === this.node
  }

  ownerOf(key: string): StoreNode | undefined {
    const owner = this.node.store.owners.get(key)
    return owner && described(owner)
  }

  async look(): Promise<void> {}

  nodes(): readonly StoreNode[] {
    return this.node.store.nodes.map(described)
  }

  async start(holder: LeaseHolder): Promise<void> {
    const { store } = this.node
    this.node.holder = holder
    const free = store.keys().filter((key) => !store.owners.has(key))
    for (const key of free) store.owners.set(key, this.node)
    await holder.take(free)
  }

  get isCurrent(): boolean {
    return this.node.failure === undefined
  }

  async drain(): Promise<boolean> {
    return false
  }

  async announce(url: string): Promise<void> {
    this.node.url = url
  }

  publish(key: string, state: JsonObject): void {
    const { published, nodes } = this.node.store
    published.set(key, structuredClone(state))
    for (const { ownership } of nodes) if (ownership !== this) ownership.changed.emit(key)
  }

  published(key: string): JsonObject | undefined {
    return this.node.store.published.get(key)
  }

  async stop(): Promise<void> {
    const { owners } = this.node.store
    const own = [...owners].filter(([, owner]) => owner === this.node).map(([key]) => key)
    await this.node.holder?.give(own, false)
    for (const key of own) owners.delete(key)
    this.node.isAlive = false
  }
}

const described = ({ name, url, isAlive }: SharedNode): StoreNode => ({
  id: name,
  name,
  url,
  version: '1.2.3',
  started_at: '2026-01-01T00:00:00.000Z',
  draining: false,
  expires_in: isAlive ? 10_000 : 0,
  keys: 0,
  lag: 0,
})
