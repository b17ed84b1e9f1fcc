import type { Clock } from '../../kit/clock.js'
import type { StoreNode } from '../ownership.js'
import type { Database } from './database.js'

export interface NodesParts {
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

const RENEW = `UPDATE node SET expires_at = secsctl_now() + $2 * interval '1 ms', url = $3, read = $4 WHERE id = $1`
const NODES = `SELECT id, name, url, version, started_at,
    extract(epoch FROM expires_at - secsctl_now())::float8 * 1000 AS expires_in,
    extract(epoch FROM secsctl_now() - started_at)::float8 * 1000 AS age,
    extract(epoch FROM secsctl_now())::float8 * 1000 AS now,
    (SELECT last FROM head WHERE journal = 'journal') - read AS lag
  FROM node WHERE expires_at > secsctl_now() - interval '1 hour' ORDER BY name, started_at`

/** The processes that work on the database, and this one among them. */
export class Nodes {
  /** Where other processes reach this one; null until it serves. */
  url: string | null = null
  #all: readonly StoreNode[] = []
  #readAt = 0
  #settled = new Set<string>()
  /** When the leases of each end, on the clock that never goes back. */
  #ends: ReadonlyMap<string, number> = new Map()
  /** The database's time less that of the clock that never goes back. */
  #offset = 0

  constructor(readonly parts: NodesParts) {}

  async register(): Promise<void> {
    const { database, node, name, version } = this.parts
    await database.query("DELETE FROM node WHERE expires_at < secsctl_now() - interval '1 hour'")
    await database.query(
      'INSERT INTO node (id, name, version, expires_at) VALUES ($1, $2, $3, secsctl_now()) ON CONFLICT DO NOTHING',
      [node, name, version],
    )
  }

  /** Makes its leases last again for their time. */
  async renew(): Promise<void> {
    const { database, node, leaseMs, read } = this.parts
    await database.query(RENEW, [node, leaseMs, this.url, read()])
    await this.refresh()
    if (!this.knows(node)) throw new Error('this process was removed from the database')
  }

  async refresh(): Promise<void> {
    const { database, clock, leaseMs } = this.parts
    const rows = await database.query<NodeRow>(NODES)
    this.#readAt = clock.now()
    this.#offset = (rows[0]?.now ?? clock.date().getTime()) - this.#readAt
    const settled = rows.filter(({ age, expires_in }) => age > leaseMs && expires_in > 0)
    this.#settled = new Set(settled.map(({ id }) => id))
    this.#ends = new Map(rows.map(({ id, expires_in }) => [id, this.#readAt + expires_in]))
    this.#all = rows.map(({ id, name, url, version, started_at, expires_in, lag }) => {
      const started = { started_at: started_at.toISOString(), expires_in }
      return { id, name, url, version, ...started, keys: 0, lag: Number(lag) }
    })
  }

  /** With the number of keys that each owns. */
  all(keys: ReadonlyMap<string, number> = new Map()): readonly StoreNode[] {
    const passed = this.parts.clock.now() - this.#readAt
    return this.#all.map((node) => {
      return { ...node, expires_in: Math.round(node.expires_in - passed), keys: keys.get(node.id) ?? 0 }
    })
  }

  /** Those whose leases have not ended. */
  alive(keys?: ReadonlyMap<string, number>): readonly StoreNode[] {
    return this.all(keys).filter(({ expires_in }) => expires_in > 0)
  }

  isAlive(id: string): boolean {
    return (this.#ends.get(id) ?? 0) > this.parts.clock.now()
  }

  knows(id: string): boolean {
    return this.#all.some((node) => node.id === id)
  }

  /** It has been there for longer than a lease. */
  isSettled(id: string): boolean {
    return this.#settled.has(id)
  }

  /** The database's time, in milliseconds since 1970. */
  now(): number {
    return this.#offset + this.parts.clock.now()
  }

  async leave(): Promise<void> {
    await this.parts.database.query('DELETE FROM node WHERE id = $1', [this.parts.node]).catch(() => {})
    this.parts.notify()
  }
}
