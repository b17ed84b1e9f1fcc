import type { Chance } from '../chance.js'
import type { Network } from '../network.js'
import { Host, type World } from '../world.js'
import type { Row } from './statements.js'

/** Milliseconds, typically, of a commit. */
const COMMIT_MS = 1
/** How often it is looked whether a host is reached again. */
const RETRANSMIT_MS = 200

/** Who is told what the server has to say. */
export interface Client {
  readonly host: Host
  /** The connection is gone. */
  lost(error: Error): void
  notified(): void
}

/** A connection, as the server sees it. */
export class Session {
  isOpen = true
  isListening = false
  isInTransaction = false
  /** Number of the last statement, so that it is known whether another one came. */
  statements = 0

  constructor(readonly client: Client) {}
}

/** When the connection of the next statement that appends is cut: before the statement runs, or after. */
export type Cut = 'before' | 'after'

/** What is done to a record of a collection. */
export interface RecordChange {
  readonly collection: string
  readonly kind: 'added' | 'changed' | 'removed'
}

const updatedAt = (record: unknown): unknown => JSON.parse(String(record)).updated_at

/** The rows of a statement, or why there are none. */
export type Done = (error: Error | undefined, rows: readonly Row[]) => void

/** The database server of a site: connections, commits that take time, and faults. A subclass stores the data. */
export abstract class DatabaseServer {
  readonly host: Host
  protected readonly sessions = new Set<Session>()
  readonly #chance: Chance
  isUp = true
  /** How often its clock was set. */
  clockChanges = 0
  /** Times of commits are multiplied by it. */
  slowness = 1
  protected crashes = 0
  /** Milliseconds by which responses to a host are late, by its name. */
  readonly delays = new Map<string, number>()
  /** By the names of the hosts whose next append is cut. */
  readonly cuts = new Map<string, Cut>()
  /** At which change of a record the server goes away: before it is made, or after. */
  leavesAt: (RecordChange & { readonly cut: Cut }) | undefined

  constructor(
    readonly world: World,
    readonly network: Network,
  ) {
    this.host = new Host('database', '10.4.0.1', world)
    this.#chance = world.chance.fork('database')
  }

  /** Milliseconds by which its clock is wrong. */
  set skew(ms: number) {
    this.clockChanges += 1
    this.host.skew = ms
  }

  /** Milliseconds since 1970, by the clock of the database. */
  get now(): number {
    return this.world.dateOf(this.host).getTime()
  }

  /** The number of the newest entry of the journal. */
  abstract readonly last: number
  /** The number of its oldest entry that is kept. */
  abstract readonly first: number
  /** Of all that is stored. */
  abstract digest(): string | Promise<string>
  /** Calls `opened` once statements of the session can run. */
  protected abstract open(session: Session, opened: () => void): void
  protected abstract run(session: Session, text: string, values: readonly unknown[], done: Done): void
  /** The session is over: its transaction is rolled back, unless its commit has begun. */
  protected abstract ended(session: Session): void
  /** A record before it is changed; null where there is none. */
  protected abstract recordOf(collection: unknown, id: unknown): string | null

  /** It is away until `isUp` is set. */
  leave(): void {
    this.isUp = false
    this.crash()
  }

  /** All connections end, and what was not committed is gone. */
  crash(): void {
    this.crashes += 1
    for (const session of [...this.sessions]) this.cut(session)
  }

  /** Breaks the connections of a host. */
  cutHost(host: Host): void {
    for (const session of [...this.sessions]) if (session.client.host === host) this.cut(session)
  }

  /** The process of the client is gone. */
  abandon(host: Host): void {
    for (const session of [...this.sessions]) if (session.client.host === host) this.#end(session)
  }

  cut(session: Session): void {
    this.world.count('connections to the database that were cut')
    this.#end(session)
    const { client } = session
    this.world.after(client.host, this.network.latency(), () =>
      client.lost(Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })),
    )
  }

  connect(client: Client, done: (error: Error | undefined, session?: Session) => void): void {
    const answer = (error: Error | undefined, session?: Session): void =>
      this.#deliver(client.host, client.host, () => done(error, session))
    this.#deliver(client.host, this.host, () => {
      if (!this.isUp)
        return answer(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
      const session = new Session(client)
      this.sessions.add(session)
      return this.open(session, () => answer(undefined, session))
    })
  }

  /** `done` is not called where the connection is lost before. */
  query(session: Session, text: string, values: readonly unknown[], done: Done): void {
    const { host } = session.client
    const isAppend = text.includes('append')
    this.#deliver(host, this.host, () => {
      if (!session.isOpen) return
      const leaves = this.#leavesAt(text, values)
      if (leaves === 'before') return this.leave()
      if (isAppend && this.#isCut(host, 'before')) return this.cut(session)
      this.#note(session, text)
      this.run(session, text, values, (error, rows) => {
        if (!session.isOpen) return
        if (leaves === 'after') return this.leave()
        if (isAppend && this.#isCut(host, 'after')) return this.cut(session)
        const respond = (): void => this.#deliver(this.host, host, () => session.isOpen && done(error, rows))
        const delay = this.delays.get(host.name)
        if (delay === undefined) respond()
        else this.world.after(this.host, delay, respond)
      })
    })
  }

  end(session: Session): void {
    this.#deliver(session.client.host, this.host, () => this.#end(session))
  }

  #leavesAt(text: string, [collection, id, record]: readonly unknown[]): Cut | undefined {
    const { leavesAt } = this
    if (!leavesAt || !text.includes('change_in_turn')) return undefined
    const before = this.recordOf(collection, id)
    // The store's own changes, such as positions of sinks, are many.
    const isByCaller = before !== null && record !== null && updatedAt(before) !== updatedAt(record)
    const kind = record === null ? 'removed' : before === null ? 'added' : isByCaller ? 'changed' : undefined
    if (leavesAt.collection !== collection || leavesAt.kind !== kind) return undefined
    this.leavesAt = undefined
    return leavesAt.cut
  }

  #isCut({ name }: Host, cut: Cut): boolean {
    if (this.cuts.get(name) !== cut) return false
    return this.cuts.delete(name)
  }

  /** Runs `arrive` at `to` once the two reach each other. */
  #deliver(from: Host, to: Host, arrive: () => void): void {
    const other = from === this.host || to === this.host ? [from, to] : [from, this.host]
    this.world.after(to, this.network.latency(), () => {
      if (!this.network.isBlocked(other[0] as Host, other[1] as Host)) return arrive()
      this.world.after(to, RETRANSMIT_MS, () => this.#deliver(from, to, arrive))
    })
  }

  #note(session: Session, text: string): void {
    session.statements += 1
    if (text === 'BEGIN') session.isInTransaction = true
    if (text === 'COMMIT') session.isInTransaction = false
    if (text.startsWith('LISTEN')) session.isListening = true
    if (text.startsWith('SET LOCAL idle_in_transaction'))
      this.#endWhenIdle(session, Number(/\d+$/.exec(text)?.[0]))
  }

  /** A commit that has begun ends, also when its connection is cut. Only a crash of the server stops it. */
  protected afterCommit(committed: () => void): void {
    const { crashes } = this
    this.world.after(this.host, this.#chance.around(COMMIT_MS) * this.slowness, () => {
      if (this.crashes === crashes) committed()
    })
  }

  /** A transaction in which nothing happens for so many milliseconds is ended with its connection. */
  #endWhenIdle(session: Session, ms: number): void {
    const look = (): void => {
      if (!session.isOpen || !session.isInTransaction) return
      const { statements } = session
      this.world.after(this.host, ms, () => {
        if (session.isOpen && session.isInTransaction && session.statements === statements) this.cut(session)
        else look()
      })
    }
    look()
  }

  /** Those who listen are told. */
  protected notify(): void {
    for (const { isListening, client } of this.sessions)
      if (isListening) this.#deliver(this.host, client.host, () => client.notified())
  }

  #end(session: Session): void {
    if (!this.sessions.delete(session)) return
    session.isOpen = false
    this.ended(session)
  }
}
