import { systemClock as clock, delay } from '../../src/kit/clock.js'
import type { PostgresServer } from '../../test/system/postgres-server.js'
import type { Random } from '../random.js'
import type { ClusterDaemon } from './cluster-daemon.js'

/** What a fault may change. */
export interface FaultySite {
  readonly daemons: readonly ClusterDaemon[]
  readonly random: Random
  readonly leaseMs: number
  /** The server that is primary now, and the database on it. */
  server: PostgresServer
  readonly database: string
  /** How far the clock of the database is ahead, in seconds. */
  aheadSeconds: number
  /** A primary was lost with what it had written since `from` (as of `Date.now()`); `last` is the newest entry that is left. */
  rolledBack(from: number, last: number): void
}

/** Resolves with what it was, once its cause is over. */
type Fault = (site: FaultySite, daemon: ClusterDaemon) => Promise<string>

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** Before midnight, in seconds. */
const EVE_S = 4

const cut =
  (how: 'before' | 'after' | 'now'): Fault =>
  async (_, { name, proxy }) => {
    await proxy.cut(how)
    return `connections of ${name} cut (${how})`
  }

const secondsToMidnight = ({ aheadSeconds }: FaultySite): number =>
  DAY_S - ((Math.floor(Date.now() / 1000) + aheadSeconds) % DAY_S)

/** Its clock is so far ahead from now on. */
function setClock(site: FaultySite, aheadSeconds: number): void {
  site.aheadSeconds = aheadSeconds
  site.server.setClock(aheadSeconds)
}

/** The clock of the database shortly before midnight: less than an hour ahead of what it showed, so it is believed. */
export function setBeforeMidnight(site: FaultySite, seconds: number): void {
  setClock(site, site.aheadSeconds + secondsToMidnight(site) - seconds)
}

async function failover(site: FaultySite): Promise<string> {
  const primary = site.server
  const standby = await primary.standby()
  const from = Date.now()
  await primary.caughtUp()
  await standby.holdBack()
  await delay(clock, 500 + site.random.below(3000))
  await primary.kill()
  // What the daemons have read already still reaches those who follow.
  await delay(clock, 1000)
  const last = Number(
    await standby.sql(standby.url(site.database), `SELECT last FROM head WHERE journal = 'journal'`),
  )
  site.rolledBack(from, last)
  await standby.promote()
  for (const { proxy } of site.daemons) proxy.databasePort = standby.port
  site.server = standby
  await primary.remove()
  await Promise.all(
    site.daemons.map(async (daemon) => {
      if (!(await daemon.ended(40_000))) throw new Error(`${daemon.name} did not notice the failover`)
      await daemon.start()
    }),
  )
  return `failover to a standby that was ${Date.now() - from} ms behind; all daemons ended and were started`
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  kill: async ({ leaseMs }, daemon) => {
    await daemon.end('SIGKILL')
    await delay(clock, leaseMs + 3000)
    await daemon.start()
    return `${daemon.name} killed, started again`
  },
  stop: async ({ leaseMs }, daemon) => {
    daemon.signal('SIGSTOP')
    await delay(clock, leaseMs + 3000)
    daemon.signal('SIGCONT')
    return `${daemon.name} stopped for ${leaseMs + 3000} ms`
  },
  restart: async (_, daemon) => {
    await daemon.end('SIGTERM')
    await daemon.start()
    return `${daemon.name} restarted in order`
  },
  clock: async ({ random }, daemon) => {
    const minutes = random.below(20) - 10
    await daemon.end('SIGTERM')
    await daemon.start(minutes * 60_000)
    return `${daemon.name} restarted, its clock ${minutes} minutes ahead`
  },
  database: async ({ random, server }) => {
    const away = 500 + random.below(6000)
    await server.kill()
    await delay(clock, away)
    await server.resume()
    return `database killed, back after ${away} ms`
  },
  away: async ({ random, leaseMs }, { name, proxy }) => {
    const away = 500 + random.below(leaseMs * 2)
    await proxy.away(away)
    return `database away from ${name} for ${away} ms`
  },
  midnight: async (site) => {
    setBeforeMidnight(site, EVE_S)
    await delay(clock, (EVE_S + 4) * 1000)
    return `midnight of the database passed`
  },
  'database-clock': async (site) => {
    const jumps = [HOUR_S, 40 * DAY_S, -HOUR_S, -2 * DAY_S]
    const jump = jumps[site.random.below(jumps.length)] as number
    const right = site.aheadSeconds
    setClock(site, right + jump)
    await delay(clock, 1000 + site.random.below(site.leaseMs * 2))
    setClock(site, right)
    return `clock of the database ${jump} s ahead for a time`
  },
  failover,
  before: cut('before'),
  after: cut('after'),
  now: cut('now'),
}
