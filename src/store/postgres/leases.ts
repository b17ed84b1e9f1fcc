import { type Cancel, type Clock, delay } from '../../kit/clock.js'
import { Mutex } from '../../kit/mutex.js'
import { Signal } from '../../kit/signal.js'
import type { JsonObject } from '../../kit/text/json.js'
import { StoreUnavailable } from '../failure.js'
import { type Ownership, SITE_KEY, type StoreNode, type Tenant } from '../ownership.js'
import type { Database } from './database.js'
import type { Fence } from './fence.js'

export interface LeasesParts {
  readonly database: Database
  readonly clock: Clock
  /** The id of this process, another one each time it starts. */
  readonly node: string
  readonly name: string
  readonly version: string
  /** Milliseconds for which a lease is good. */
  readonly leaseMs: number
  /** The last entry of the journal that this process has shown. */
  read(): number
  /** Others should read soon. */
  notify(): void
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

interface NodeRow {
  readonly id: string
  readonly name: string
  readonly url: string | null
  readonly version: string
  readonly started_at: Date
  readonly expires_in: number
  readonly age: number
  readonly lag: string
  readonly now: number
}

/** A process counts its leases as lost after this part of their time: before the database does. */
const SAFE_PART = 0.8
const RENEWALS = 4
/** Milliseconds between two looks for leases that have ended. */
const TICK_MS = 500
const PUBLISH_MS = 500
/** The part of all keys that is given up at once. */
const GIVEN_PART = 1 / 20

const RENEW = `UPDATE node SET expires_at = clock_timestamp() + $2 * interval '1 ms', url = $3, read = $4 WHERE id = $1`
const NODES = `SELECT id, name, url, version, started_at,
    extract(epoch FROM expires_at - clock_timestamp())::float8 * 1000 AS expires_in,
    extract(epoch FROM clock_timestamp() - started_at)::float8 * 1000 AS age,
    extract(epoch FROM clock_timestamp())::float8 * 1000 AS now,
    (SELECT last FROM head WHERE journal = 'journal') - read AS lag
  FROM node WHERE expires_at > clock_timestamp() - interval '1 hour' ORDER BY name, started_at`

/** Who owns which key, by the leases in the database, whose clock alone counts. */
export class Leases implements Ownership, Fence {
  readonly changed = new Signal<string>()
  readonly #leases = new Map<string, Lease>()
  /** The epochs of the keys that this process owns. */
  readonly #owned = new Map<string, number>()
  readonly #unpublished = new Map<string, JsonObject>()
  readonly #ending = new AbortController()
  /** One at a time takes or gives keys. */
  readonly #moving = new Mutex()
  readonly #reading = new Mutex()
  #nodes: readonly StoreNode[] = []
  #nodesAt = 0
  #settled = new Set<string>()
  #tenant: Tenant | undefined
  #url: string | null = null
  #version = -1
  /** Until then, on the clock that never goes back, no other process can own what this one owns. */
  #goodUntil = Number.NEGATIVE_INFINITY
  #renewedAt = Number.NEGATIVE_INFINITY
  /** The database's time less that of the clock that never goes back. */
  #offset = 0
  #cancelFence: Cancel = () => {}
  #cancelPublish: Cancel | undefined

  constructor(readonly parts: LeasesParts) {}

  /** Enters this process among those of the database. */
  async register(): Promise<void> {
    const { database, node, name, version } = this.parts
    await database.query("DELETE FROM node WHERE expires_at < clock_timestamp() - interval '1 hour'")
    await database.query(
      'INSERT INTO node (id, name, version, expires_at) VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT DO NOTHING',
      [node, name, version],
    )
    await this.#renew()
    await this.refresh()
  }

  get self(): string {
    return this.parts.node
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
    return this.nodes().find(({ id, expires_in }) => id === owner && expires_in > 0)
  }

  nodes(): readonly StoreNode[] {
    const passed = this.parts.clock.now() - this.#nodesAt
    const counts = new Map<string, number>()
    for (const { owner } of this.#leases.values())
      if (owner !== null) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    return this.#nodes.map((node) => ({
      ...node,
      expires_in: Math.round(node.expires_in - passed),
      keys: counts.get(node.id) ?? 0,
    }))
  }

  /** The database's time, in milliseconds since 1970. */
  now(): number {
    return this.#offset + this.parts.clock.now()
  }

  /** True where another process may work on the database. */
  get hasOthers(): boolean {
    return this.#nodes.length > 1
  }

  async start(tenant: Tenant): Promise<void> {
    this.#tenant = tenant
    await this.#balance()
    void this.#renewForEver()
  }

  async announce(url: string): Promise<void> {
    this.#url = url
    await this.#renew()
    this.parts.notify()
  }

  publish(key: string, state: JsonObject): void {
    if (!this.#owned.has(key)) return
    this.#unpublished.set(key, state)
    const { clock } = this.parts
    this.#cancelPublish ??= clock.at(clock.now() + PUBLISH_MS, () => {
      this.#cancelPublish = undefined
      this.#write().catch(() => {})
    })
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
    return this.#reading.run(async () => {
      const { database, node } = this.parts
      const rows = await database.query<LeaseRow>(
        'SELECT key, owner, epoch, state, version FROM lease WHERE version > $1 ORDER BY version',
        [this.#version],
      )
      if (rows.some(({ owner }) => owner === null || !this.#nodes.some(({ id }) => id === owner)))
        await this.#readNodes()
      const lost: string[] = []
      for (const { key, owner, epoch, state, version } of rows) {
        const lease = {
          owner,
          epoch: Number(epoch),
          state: state === null ? undefined : (JSON.parse(state) as JsonObject),
        }
        this.#leases.set(key, lease)
        this.#version = Math.max(this.#version, Number(version))
        const own = this.#owned.get(key)
        if (own !== undefined && (owner !== node || lease.epoch > own)) lost.push(key)
        if (owner !== node) this.changed.emit(key)
      }
      if (lost.length > 0) this.#lose(lost)
      // Given up in order: at once another's. The next look takes what cannot be had now.
      if (rows.some(({ owner }) => owner === null)) this.#balance().catch(() => {})
    })
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    this.#cancelPublish?.()
    this.#url = null
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
    await this.parts.database.query('DELETE FROM node WHERE id = $1', [this.parts.node]).catch(() => {})
    this.parts.notify()
  }

  async #renewForEver(): Promise<void> {
    const { clock, leaseMs, onBroken } = this.parts
    const { signal } = this.#ending
    while (!signal.aborted) {
      await delay(clock, Math.min(TICK_MS, leaseMs / RENEWALS), signal)
      if (signal.aborted) return
      const isDue = clock.now() >= this.#renewedAt + leaseMs / RENEWALS
      try {
        if (isDue) {
          await this.#renew()
          await this.refresh()
        }
        if (isDue || this.#hasFree()) await this.#balance()
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) return onBroken(error as Error)
      }
    }
  }

  async #renew(): Promise<void> {
    const { database, clock, node, leaseMs, read } = this.parts
    const asked = clock.now()
    this.#renewedAt = asked
    await database.query(RENEW, [node, leaseMs, this.#url, read()])
    await this.#readNodes()
    if (!this.#nodes.some(({ id }) => id === node))
      throw new Error('this process was removed from the database')
    this.#goodUntil = Math.max(this.#goodUntil, asked + leaseMs * SAFE_PART)
    this.#cancelFence()
    this.#cancelFence = clock.at(this.#goodUntil, () => this.#lose([...this.#owned.keys()]))
  }

  async #readNodes(): Promise<void> {
    const { database, clock, leaseMs } = this.parts
    const rows = await database.query<NodeRow>(NODES)
    this.#nodesAt = clock.now()
    this.#offset = (rows[0]?.now ?? clock.date().getTime()) - this.#nodesAt
    this.#settled = new Set(
      rows.filter(({ age, expires_in }) => age > leaseMs && expires_in > 0).map(({ id }) => id),
    )
    this.#nodes = rows.map(({ id, name, url, version, started_at, expires_in, lag }) => {
      return {
        id,
        name,
        url,
        version,
        started_at: started_at.toISOString(),
        expires_in,
        keys: 0,
        lag: Number(lag),
      }
    })
  }

  /** Takes what nobody has, up to a fair share, and gives up what is above it. */
  #balance(): Promise<void> {
    return this.#moving.run(async () => {
      const tenant = this.#tenant
      if (!tenant || this.#ending.signal.aborted) return
      // One that has not said where it is reached has not opened yet.
      const isServing = ({ id, url, expires_in }: StoreNode): boolean =>
        id === this.parts.node || (url !== null && expires_in > 0)
      const alive = this.nodes().filter(isServing)
      const share = Math.ceil(this.#leases.size / Math.max(1, alive.length))
      const missing = share - this.#owned.size
      if (missing > 0 && this.#hasFree()) await this.#claim(tenant, missing)
      else if (missing < 0 && this.#hasHungry(alive, share)) {
        const count = Math.min(-missing, Math.max(1, Math.ceil(this.#leases.size * GIVEN_PART)))
        const keys = [...this.#owned.keys()].filter((key) => key !== SITE_KEY)
        await this.#give(keys.slice(-count))
      }
    })
  }

  #hasFree(): boolean {
    const { node } = this.parts
    const alive = new Set(this.nodes().flatMap(({ id, expires_in }) => (expires_in > 0 ? [id] : [])))
    for (const [key, { owner }] of this.#leases) {
      if (owner === null || !alive.has(owner) || (owner === node && !this.#owned.has(key))) return true
    }
    return false
  }

  /** Another process has been there for some time, and has less than its share. */
  #hasHungry(alive: readonly StoreNode[], share: number): boolean {
    return alive.some(({ id, keys }) => id !== this.parts.node && keys < share && this.#settled.has(id))
  }

  async #claim(tenant: Tenant, most: number): Promise<void> {
    const { database, node, notify } = this.parts
    const rows = await database.query<{ readonly key: string; readonly epoch: string }>(
      'SELECT * FROM claim_leases($1, $2, $3)',
      [node, [...this.#owned.keys()], most],
    )
    if (rows.length === 0) return
    notify()
    for (const { key, epoch } of rows) this.#owned.set(key, Number(epoch))
    await this.refresh()
    await tenant.take(rows.map(({ key }) => key).filter((key) => this.#owned.has(key)))
  }

  /** In order: the tenant has written its last entries of these keys before another process can have them. */
  async #give(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const { database, node, notify } = this.parts
    await this.#tenant?.give(keys, false)
    await this.#write()
    for (const key of keys) this.#owned.delete(key)
    await database.query(
      'UPDATE lease SET owner = NULL, version = next_version() WHERE key = ANY ($1::text[]) AND owner = $2',
      [keys, node],
    )
    notify()
  }

  /** They may be another's already. */
  #lose(keys: readonly string[]): void {
    const lost = keys.filter((key) => this.#owned.delete(key))
    if (lost.length > 0)
      this.#tenant?.give(lost, true).catch((error: unknown) => this.parts.onBroken(error as Error))
  }

  async #write(): Promise<void> {
    const states = [...this.#unpublished].filter(([key]) => this.#owned.has(key))
    this.#unpublished.clear()
    if (states.length === 0) return
    const { database, node, notify } = this.parts
    await database.query(
      `UPDATE lease SET state = s.state, version = v.version
       FROM unnest($1::text[], $2::text[]) AS s (key, state), (SELECT next_version() AS version) AS v
       WHERE lease.key = s.key AND lease.owner = $3`,
      [states.map(([key]) => key), states.map(([, state]) => JSON.stringify(state)), node],
    )
    notify()
  }
}
