import type { Clock } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
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
  readonly draining: boolean
  readonly lease_ms: number | null
  readonly ended: boolean
  readonly mark: string
  readonly lag: string
  readonly now: number
}

/** When a process was seen to renew its leases, on the clock that never goes back. */
interface Seen {
  /** Another one after each renewal. */
  readonly mark: string
  readonly since: number
  /** When this process saw it for the first time. */
  readonly first: number
  readonly leaseMs: number
  readonly ended: boolean
}

/** `expires_at` of a process that has not been seen to stop: the functions of the database compare it with the time. */
const FAR = `'9999-01-01T00:00:00Z'`
const RENEW = `UPDATE node SET renewal = renewal + 1, lease_ms = $2, expires_at = ${FAR}, ended_at = NULL, url = $3, read = $4
  WHERE id = $1`
/** A process of an older version renews its leases by the time alone. */
const MARK = `renewal || ' ' || expires_at`
const NODES = `SELECT id, name, url, version, started_at, draining, lease_ms, ended_at IS NOT NULL AS ended, ${MARK} AS mark,
    extract(epoch FROM secsctl_now())::float8 * 1000 AS now,
    (SELECT last FROM head WHERE journal = 'journal') - read AS lag
  FROM node WHERE ended_at IS NULL OR ended_at > secsctl_now() - interval '1 hour' ORDER BY name, started_at`
/** Unless it has renewed its leases meanwhile. */
const END = `UPDATE node SET ended_at = secsctl_now(), expires_at = 'epoch'
  FROM unnest($1::text[], $2::text[]) AS still (id, mark)
  WHERE node.id = still.id AND ended_at IS NULL AND ${MARK.replace('renewal', 'node.renewal')} = still.mark
  RETURNING node.id`

/**
 * The processes that work on the database, and this one among them. A process counts its renewals, and the others see by
 * their own clocks whether the count stands still: the time of day, of the database or of a process, plays no part.
 */
export class Nodes {
  /** Where other processes reach this one; null until it serves. */
  url: string | null = null
  /** A process that has been seen to stop, or has left. */
  readonly ended = new Signal<string>()
  #all: readonly StoreNode[] = []
  #seen: ReadonlyMap<string, Seen> = new Map()
  /** The database's time less that of the clock that never goes back. */
  #offset = 0

  constructor(readonly parts: NodesParts) {}

  async register(): Promise<void> {
    const { database, node, name, version } = this.parts
    await database.query("DELETE FROM node WHERE ended_at < secsctl_now() - interval '1 hour'")
    await database.query(
      `INSERT INTO node (id, name, version, expires_at) VALUES ($1, $2, $3, ${FAR}) ON CONFLICT DO NOTHING`,
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
    const { database, clock } = this.parts
    const asked = clock.now()
    const rows = await database.query<NodeRow>(NODES)
    const now = clock.now()
    this.#offset = (rows[0]?.now ?? clock.date().getTime()) - now
    const before = this.#seen
    this.#seen = new Map(rows.map((row) => [row.id, this.#seenNow(row, now)]))
    this.#all = rows.map(({ id, name, url, version, started_at, draining, lag }) => {
      const started = { started_at: started_at.toISOString(), expires_in: 0 }
      return { id, name, url, version, ...started, draining, keys: 0, lag: Number(lag) }
    })
    await this.#end(asked)
    for (const [id, { ended }] of before)
      if (!ended && this.#seen.get(id)?.ended !== false) this.ended.emit(id)
  }

  #seenNow({ id, mark, ended, lease_ms }: NodeRow, now: number): Seen {
    const leaseMs = lease_ms ?? this.parts.leaseMs
    const last = this.#seen.get(id)
    if (last?.mark === mark) return { ...last, ended }
    return { mark, since: now, first: last?.first ?? now, leaseMs, ended }
  }

  /** Ends the leases of processes whose count has stood still for the time of a lease. `asked`: when it was looked at. */
  async #end(asked: number): Promise<void> {
    const { database, node } = this.parts
    const still = [...this.#seen].filter(
      ([id, { since, leaseMs, ended }]) => !ended && id !== node && asked >= since + leaseMs,
    )
    if (still.length === 0) return
    const ended = await database.query<{ readonly id: string }>(END, [
      still.map(([id]) => id),
      still.map(([, { mark }]) => mark),
    ])
    const ids = new Set(ended.map(({ id }) => id))
    this.#seen = new Map(
      [...this.#seen].map(([id, seen]) => [id, ids.has(id) ? { ...seen, ended: true } : seen]),
    )
  }

  /** With the number of keys that each owns. */
  all(keys: ReadonlyMap<string, number> = new Map()): readonly StoreNode[] {
    const now = this.parts.clock.now()
    return this.#all.map((node) => {
      const { since = 0, leaseMs = 0, ended = true } = this.#seen.get(node.id) ?? {}
      return {
        ...node,
        expires_in: ended ? 0 : Math.round(since + leaseMs - now),
        keys: keys.get(node.id) ?? 0,
      }
    })
  }

  /** Those whose leases have not ended. */
  alive(keys?: ReadonlyMap<string, number>): readonly StoreNode[] {
    return this.all(keys).filter(({ expires_in }) => expires_in > 0)
  }

  isAlive(id: string): boolean {
    const seen = this.#seen.get(id)
    return seen !== undefined && !seen.ended && seen.since + seen.leaseMs > this.parts.clock.now()
  }

  knows(id: string): boolean {
    return this.#all.some((node) => node.id === id)
  }

  /** It has been there for longer than a lease. */
  isSettled(id: string): boolean {
    const seen = this.#seen.get(id)
    return seen !== undefined && this.isAlive(id) && this.parts.clock.now() > seen.first + seen.leaseMs
  }

  isDraining(id: string): boolean {
    return this.#all.some((node) => node.id === id && node.draining)
  }

  /** From now on it takes nothing and gives what it has, or no longer. False where it is not known. */
  async drain(id: string, draining: boolean): Promise<boolean> {
    const { database, notify } = this.parts
    const rows = await database.query('UPDATE node SET draining = $2 WHERE id = $1 RETURNING id', [
      id,
      draining,
    ])
    await this.refresh()
    notify()
    return rows.length > 0
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
