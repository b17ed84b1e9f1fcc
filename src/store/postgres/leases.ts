import { type Cancel, delay } from '../../kit/clock.js'
import { Mutex } from '../../kit/mutex.js'
import { SharedRun } from '../../kit/shared-run.js'
import { Signal } from '../../kit/signal.js'
import type { JsonObject } from '../../kit/text/json.js'
import { StoreUnavailable } from '../failure.js'
import { type LeaseHolder, type Ownership, SITE_KEY, type StoreNode } from '../ownership.js'
import { changedRows, type ReadUntil } from './changed-rows.js'
import { movedAtOnce, movesOf } from './fair-share.js'
import type { Fence } from './fence.js'
import { Nodes, type NodesParts } from './nodes.js'
import { PublishedStates } from './published-states.js'

export interface LeasesParts extends NodesParts {
  /** Called with what cannot pass by itself: the process has to end. */
  onBroken(error: Error): void
}

interface Lease {
  readonly owner: string | null
  readonly epoch: number
  readonly state: JsonObject | undefined
}

interface LeaseRow {
  readonly key: string
  readonly owner: string | null
  readonly epoch: string
  readonly state: string | null
  readonly version: string
}

const COLUMNS = 'key, owner, epoch, state, version'

/** A process counts its leases as lost after this part of their time: before the database does. */
const SAFE_PART = 0.8
/** They are renewed after this part of their time, and after a failure tried again after the smaller part. */
const RENEW_PART = 0.25
const RETRY_PART = 0.05
/** Milliseconds between two looks at the counts of the others. */
const TICK_MS = 500
/** Milliseconds without a word of the database after which it is not known how others are. */
const SILENT_MS = 3000

/** Who owns which key, by the leases in the database. Time is this process's own clock that never goes back. */
export class Leases implements Ownership, Fence {
  readonly changed = new Signal<string>()
  readonly renewed = new Signal<void>()
  readonly #leases = new Map<string, Lease>()
  /** The epochs of the keys that this process owns. */
  readonly #owned = new Map<string, number>()
  readonly #states: PublishedStates
  readonly #ending = new AbortController()
  /** One at a time takes or gives keys. */
  readonly #moving = new Mutex()
  readonly #reading = new SharedRun(() => this.#read())
  readonly #nodes: Nodes
  #holder: LeaseHolder | undefined
  #until: ReadUntil = { history: undefined, version: -1 }
  /** Until then, on the clock that never goes back, no other process can own what this one owns. */
  #goodUntil = Number.NEGATIVE_INFINITY
  /** When they are renewed next, on the same clock. */
  #renewAt = Number.NEGATIVE_INFINITY
  /** When the last look at the others was asked for that was answered. */
  #heardAt = Number.NEGATIVE_INFINITY
  #cancelFence: Cancel = () => {}
  #isBalanceDue = false

  constructor(readonly parts: LeasesParts) {
    this.#nodes = new Nodes(parts)
    this.#nodes.ended.on((id) => {
      for (const [key, { owner }] of this.#leases) if (owner === id) this.changed.emit(key)
    })
    this.#states = new PublishedStates(parts, (key) => this.#owned.has(key))
  }

  /** Enters this process among those of the database. */
  async register(): Promise<void> {
    await this.#nodes.register()
    await this.#renew()
    await this.refresh()
  }

  get self(): string {
    return this.parts.node
  }

  get safeFor(): number {
    return Math.max(0, this.#goodUntil - this.parts.clock.now())
  }

  owns(key: string): boolean {
    return this.epochOf(key) !== 0
  }

  isOwned(key: string): boolean {
    return this.#leases.has(key)
  }

  epochOf(key: string): number {
    return this.parts.clock.now() < this.#goodUntil ? (this.#owned.get(key) ?? 0) : 0
  }

  ownerOf(key: string): StoreNode | undefined {
    const owner = this.#leases.get(key)?.owner
    return owner ? this.#nodes.alive().find(({ id }) => id === owner) : undefined
  }

  nodes(): readonly StoreNode[] {
    return this.#nodes.all(this.#counts)
  }

  get isCurrent(): boolean {
    return this.parts.clock.now() < this.#heardAt + SILENT_MS
  }

  async drain(id: string, draining: boolean): Promise<boolean> {
    const isThere = this.#nodes.isAlive(id) && (await this.#nodes.drain(id, draining))
    this.#balanceSoon()
    return isThere
  }

  /** The database's time, in milliseconds since 1970. */
  now(): number {
    return this.#nodes.now()
  }

  /** True where another process may work on the database. */
  get hasOthers(): boolean {
    return this.#nodes.all().length > 1
  }

  async start(holder: LeaseHolder | undefined): Promise<void> {
    this.#holder = holder
    // The others count only on those that take their share.
    if (!holder) await this.#nodes.drain(this.parts.node, true)
    // Renewed also while much is taken.
    void this.#renewForEver()
    await this.#balance()
  }

  async announce(url: string): Promise<void> {
    this.#nodes.url = url
    await this.#renew()
    this.parts.notify()
  }

  publish(key: string, state: JsonObject): void {
    this.#states.add(key, state)
  }

  published(key: string): JsonObject | undefined {
    return this.#leases.get(key)?.state
  }

  /** A record with an owner was added or removed. */
  noteOwned(key: string, isThere: boolean, isOwn: boolean): void {
    if (!isThere) {
      this.#leases.delete(key)
      this.#owned.delete(key)
    } else if (isOwn && !this.#owned.has(key)) {
      this.#leases.set(key, { owner: this.parts.node, epoch: 1, state: undefined })
      this.#owned.set(key, 1)
    }
  }

  /** Reads what changed of leases, and of those who have them. */
  refresh(): Promise<void> {
    return this.#reading.run()
  }

  async #read(): Promise<void> {
    const { database, node } = this.parts
    const { rows, until, isWhole } = await changedRows<LeaseRow>(database, 'lease', COLUMNS, this.#until)
    if (rows.some(({ owner }) => owner === null || !this.#nodes.knows(owner))) await this.#nodes.refresh()
    const lost: string[] = []
    for (const { key, owner, epoch, state } of rows) {
      const before = this.#leases.get(key)?.owner
      const lease = {
        owner,
        epoch: Number(epoch),
        state: state === null ? undefined : (JSON.parse(state) as JsonObject),
      }
      this.#leases.set(key, lease)
      const own = this.#owned.get(key)
      if (own !== undefined && (owner !== node || (isWhole ? lease.epoch !== own : lease.epoch > own)))
        lost.push(key)
      if (owner !== node || before !== owner) this.changed.emit(key)
    }
    this.#until = until
    if (lost.length > 0) this.#lose(lost)
    // Released in order, so the next owner can take it immediately.
    if (rows.some(({ owner }) => owner === null)) this.#balanceSoon()
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    this.#states.close()
    this.#nodes.url = null
    await this.#moving.run(async () => {
      // Others take what this process has as soon as it serves no more.
      await this.#renew().catch(() => {})
      await this.#give([...this.#owned.keys()]).catch(() => {})
    })
    this.#cancelFence()
  }

  /** Leaves the processes of the database. */
  async leave(): Promise<void> {
    this.#cancelFence()
    await this.#nodes.leave()
  }

  async #renewForEver(): Promise<void> {
    const { clock, leaseMs, onBroken } = this.parts
    const { signal } = this.#ending
    while (!signal.aborted) {
      // Never later than they are due: what is lost of their time is missing where the database is away for a moment.
      await delay(clock, Math.max(1, Math.min(TICK_MS, this.#renewAt - clock.now())), signal)
      if (signal.aborted) return
      try {
        if (clock.now() >= this.#renewAt) {
          this.#renewAt = clock.now() + leaseMs * RETRY_PART
          await this.#renew()
          await this.refresh()
        } else await this.look()
        this.#balanceSoon()
      } catch (error) {
        // It may have left the processes of the database meanwhile.
        if (signal.aborted) return
        if (!(error instanceof StoreUnavailable)) return onBroken(error as Error)
      }
    }
  }

  /** How many keys each process owns. */
  get #counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { owner } of this.#leases.values())
      if (owner !== null) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    return counts
  }

  async look(): Promise<void> {
    const asked = this.parts.clock.now()
    await this.#nodes.refresh()
    this.#heardAt = asked
  }

  async #renew(): Promise<void> {
    const { clock, leaseMs } = this.parts
    const asked = clock.now()
    await this.#nodes.renew()
    this.#renewAt = asked + leaseMs * RENEW_PART
    this.#heardAt = asked
    // They count as lost since then, though nobody has taken them: what was refused meanwhile is begun again.
    if (clock.now() >= this.#goodUntil) this.#lose([...this.#owned.keys()])
    this.#goodUntil = Math.max(this.#goodUntil, asked + leaseMs * SAFE_PART)
    this.#cancelFence()
    this.#cancelFence = clock.at(this.#goodUntil, () => this.#lose([...this.#owned.keys()]))
    this.renewed.emit()
  }

  /** At once, or when what is taken now has been: one more look is enough for all who ask meanwhile. */
  #balanceSoon(): void {
    if (this.#isBalanceDue) return
    this.#isBalanceDue = true
    this.#balance().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) this.parts.onBroken(error as Error)
    })
  }

  /** Takes what nobody has, up to a fair share, and gives up what is above it. */
  #balance(): Promise<void> {
    return this.#moving.run(async () => {
      this.#isBalanceDue = false
      const holder = this.#holder
      if (!holder || this.#ending.signal.aborted) return
      const { node } = this.parts
      // One that has not said where it is reached has not opened yet. The duties of the site are no equipment.
      const others = this.#nodes
        .alive(this.#counts)
        .filter(({ id, url, draining }) => id !== node && url !== null && !draining)
      // What nobody else takes is kept.
      const isDraining = this.#nodes.isDraining(node) && others.length > 0
      const sharers = others.map(({ id, keys }) => ({ keys, isSettled: this.#nodes.isSettled(id) }))
      const own = this.#owned.size - (this.#owned.has(SITE_KEY) ? 1 : 0)
      const moves = isDraining ? -movedAtOnce(this.#owned.size) : movesOf(this.#leases.size - 1, own, sharers)
      const wanted = isDraining ? 0 : Math.max(0, moves) + (this.#isFree(SITE_KEY) ? 1 : 0)
      // Keys that the database still gives to this process, but that it has lost, can be claimed by no other. It claims
      // them even above its share; a later balance gives them away.
      const most = Math.max(wanted, this.#countAstray())
      if (most > 0 && this.#hasFree()) await this.#claim(holder, most)
      // The next ones move once those before have an owner: what moves is without service.
      else if (moves < 0 && !this.#hasFree())
        await this.#give([...this.#owned.keys()].filter((key) => isDraining || key !== SITE_KEY).slice(moves))
    })
  }

  #hasFree(): boolean {
    for (const key of this.#leases.keys()) if (this.#isFree(key)) return true
    return false
  }

  /** How many keys are this process's in the database that it has lost, or whose claim was not answered. */
  #countAstray(): number {
    let count = 0
    for (const [key, { owner }] of this.#leases)
      if (owner === this.parts.node && !this.#owned.has(key)) count += 1
    return count
  }

  /** Nobody has it, its owner's leases have ended, or this process has lost it. */
  #isFree(key: string): boolean {
    const owner = this.#leases.get(key)?.owner ?? null
    if (owner === this.parts.node) return !this.#owned.has(key)
    return owner === null || !this.#nodes.isAlive(owner)
  }

  async #claim(holder: LeaseHolder, most: number): Promise<void> {
    const { database, node, notify } = this.parts
    const rows = await database.query<{ readonly key: string; readonly epoch: string }>(
      'SELECT * FROM claim_leases($1, $2, $3)',
      [node, [...this.#owned.keys()], most],
    )
    if (rows.length === 0) return
    notify()
    const keys = rows.map(({ key }) => key)
    for (const { key, epoch } of rows) this.#owned.set(key, Number(epoch))
    try {
      await this.refresh()
      const kept = keys.filter((key) => this.#owned.has(key))
      if (kept.length > 0) await holder.take(kept)
    } catch (error) {
      this.#lose(keys)
      throw error
    }
  }

  /** In order: the holder has written its last entries of these keys before another process can have them. */
  async #give(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const { database, node, notify } = this.parts
    await this.#holder?.give(keys, false)
    await this.#states.write()
    for (const key of keys) this.#owned.delete(key)
    await database.query(
      'UPDATE lease SET owner = NULL, version = next_version() WHERE key = ANY ($1::text[]) AND owner = $2',
      [keys, node],
    )
    // Or this process would take them again as what it has lost, before it reads that nobody has them.
    for (const key of keys) {
      const lease = this.#leases.get(key)
      if (lease?.owner === node) this.#leases.set(key, { ...lease, owner: null })
    }
    notify()
  }

  /** They may be another's already. */
  #lose(keys: readonly string[]): void {
    const lost = keys.filter((key) => this.#owned.delete(key))
    if (lost.length > 0)
      this.#holder?.give(lost, true).catch((error: unknown) => this.parts.onBroken(error as Error))
  }
}
