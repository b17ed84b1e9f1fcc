import { hostname } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../api/app.js'
import { type Certificate, expiredAt, UsedCertificate } from '../api/certificate.js'
import type { DaemonFacts } from '../api/metrics/daemon-metrics.js'
import type { LocalLogins } from '../contract/topics/accounts/sign-on.js'
import type { Gateway } from '../gateway/open-gateway.js'
import type { SignOnSettings } from '../gateway/sign-on/sign-on-settings.js'
import { delay } from '../kit/clock.js'
import { IpNetworks } from '../kit/ip-networks.js'
import type { TapClient } from '../tap/process/tap-client.js'
import { watchClock } from './clock-watch.js'
import { connectionLimit } from './connection-limit.js'
import { diskSpaceOf } from './disk-space.js'
import { openGatewayOver } from './gateway-over-store.js'
import { lastBackup } from './last-backup.js'
import { watchMemory } from './memory-watch.js'
import { localHost, remoteHost } from './node-url.js'
import { type DaemonStore, openDaemonStore, type StoreChoice } from './open-store.js'
import { refusalLog } from './refusal-log.js'
import { LOOPBACK, requireServable } from './servable.js'
import { tapClient, tapsStatus } from './taps.js'

export type { SignOnSettings } from '../gateway/sign-on/sign-on-settings.js'
export type { StoreDamaged } from '../store/failure.js'

export interface DaemonOptions extends StoreChoice {
  readonly host: string
  /** Where commands note what they did for this daemon, such as a backup. */
  readonly stateFolder?: string
  /** 0 takes a free one. */
  readonly port: number
  /** The address on which the gateway listens for active equipment. */
  readonly hsmsHost: string
  /** The networks that equipment may be in; any when left out. */
  readonly equipmentNetworks?: readonly string[] | undefined
  /** Addresses or networks of TCP balancers, whose connections begin with a header of the PROXY protocol. */
  readonly hsmsProxies?: readonly string[] | undefined
  /** Bytes of long messages that may be in work at all equipment together; 64 MiB when left out. */
  readonly longMessageBytes?: number
  /** Targets of sinks may be on loopback, link-local and cloud metadata addresses. */
  readonly allowLocalSinks?: boolean
  /** The folder of the files that sinks write; `sinks` in the data folder when left out. */
  readonly sinksFolder?: string | undefined
  /** Allows clear text beyond loopback. */
  readonly insecureHttp: boolean
  readonly tls?: Certificate
  /** What `/metrics` wants as its bearer token. */
  readonly metricsToken?: string
  /** Origins whose pages may call. */
  readonly corsOrigins: readonly string[]
  /** Addresses or networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** The first administrator, made when there is no user. */
  readonly admin?: { readonly email: string; readonly password: string }
  /** Whose passwords are taken; everybody's when left out. */
  readonly localLogins?: LocalLogins | undefined
  /** Sign-on with the accounts of the company; left out, there is none. */
  readonly signOn?: SignOnSettings | undefined
  /** scrypt's N; 2^15 when left out. */
  readonly passwordCost?: number
  /** The files of the built web page by their paths; no page when left out. */
  readonly page?: ReadonlyMap<string, Buffer>
  /** The program that runs the taps of equipment in a process that outlives this one; left out, they run in this one. */
  readonly tapProgram?: readonly [string, ...string[]]
  /** Lines of the log that could not be written so far. */
  readonly droppedLogLines?: () => number
}

export interface RunningDaemon {
  readonly url: string
  readonly port: number
  /** There was no user, and the administrator of the options is the first one. */
  readonly madeAdministrator: boolean
  /** It only reads: its records are a copy that nobody has let take over. */
  readonly standby: boolean
  /** Resolves when the store has failed: nothing is acknowledged any more, and the process has to go. */
  readonly failed: Promise<Error>
  /**
   * Uses another certificate for new connections. Throws for an invalid one, or where there is no TLS; the present
   * one stays then.
   */
  readonly renewCertificate: (certificate: Certificate) => void
  /** In order: no new calls, Separate.req to every equipment, everything on disk, the lock given back. */
  stop(): Promise<void>
}

/** How long calls may take to end by themselves when the daemon stops, and again after the gateway is closed. */
const STOP_TIMEOUT_MS = 2000

/** Milliseconds after the start in which all equipment with a tap has begun: taps of an earlier daemon beside these end then. */
const SETTLE_MS = 60_000

/**
 * Opens the store and serves it. Throws `FolderLocked`, `StoreDamaged`, `StoreUnavailable`, `UnsafeAddress`, or the error of
 * a port that cannot be bound, with everything closed again.
 */
export async function startDaemon(options: DaemonOptions): Promise<RunningDaemon> {
  requireServable(options)
  const store = await openDaemonStore(options)
  try {
    return await serve(store, options)
  } catch (error) {
    await store.close()
    throw error
  }
}

function openGateway(
  store: DaemonStore,
  options: DaemonOptions,
  taps: TapClient | undefined,
): ReturnType<typeof openGatewayOver> {
  const { clock } = options
  return openGatewayOver(store, {
    ...(taps && { openTap: (id, settings) => taps.open(id, settings) }),
    clock,
    catalogue: options.catalogue,
    admin: options.admin,
    ...(options.passwordCost !== undefined && { passwordCost: options.passwordCost }),
    signOn: options.signOn,
    ...(options.localLogins && { localLogins: options.localLogins }),
    localSinks: options.allowLocalSinks ?? false,
    sinksFolder: options.sinksFolder ?? join(options.dataFolder, 'sinks'),
    hsmsHost: options.hsmsHost,
    ...(options.longMessageBytes !== undefined && { longMessageBytes: options.longMessageBytes }),
    equipmentNetworks: options.equipmentNetworks && new IpNetworks(options.equipmentNetworks),
    hsmsProxies: options.hsmsProxies && new IpNetworks(options.hsmsProxies),
    headerRefused: refusalLog(clock, options.log),
    standby: store.isStandby,
    node: { name: options.store?.nodeName ?? hostname(), version: options.builtVersion ?? options.version },
  })
}

async function serve(store: DaemonStore, options: DaemonOptions): Promise<RunningDaemon> {
  const { clock } = options
  const { tapProgram, stateFolder } = options
  const taps =
    tapProgram && stateFolder !== undefined
      ? tapClient(tapProgram, stateFolder, options, store.ownership)
      : undefined
  const { gateway, madeAdministrator } = await openGateway(store, options, taps)
  const cancelSettle = clock.at(clock.now() + SETTLE_MS, () => taps?.settle())
  if (store.isStandby)
    options.log.warn('in standby: no links to equipment, no sinks, and calls only read, until --take-over')
  warnOfExpired(options)
  const certificate = new UsedCertificate(options.tls)
  const facts = {
    disk: diskSpaceOf(options.dataFolder, clock),
    certificate: () => certificate.current,
    taps: async () => (stateFolder === undefined ? undefined : await tapsStatus(stateFolder, clock)),
    backup: async () =>
      options.store || options.stateFolder === undefined
        ? undefined
        : ((await lastBackup(options.stateFolder)) ?? 0),
  }
  const app = await listen(gateway, options, facts).catch(async (error: unknown) => {
    await gateway.close()
    throw error
  })
  const port = (app.server.address() as { readonly port: number }).port
  const scheme = options.tls ? 'https' : 'http'
  const url = `${scheme}://${localHost(options.host)}:${port}`
  const remote = `${scheme}://${remoteHost(options.host)}:${port}`
  if (options.store && !options.store.nodeUrl && LOOPBACK.test(options.host))
    options.log.warn(
      `daemons on other machines cannot reach ${url}: --node-url and --host name where they do`,
    )
  await gateway.nodes.announce(options.store?.nodeUrl ?? (options.store ? remote : url))
  const unwatchMemory = watchMemory(clock)
  const unwatchClock = watchClock(clock, (by_ms) =>
    options.log.warn({ by_ms }, `the clock of this machine was set ${by_ms > 0 ? 'ahead' : 'back'}`),
  )
  return {
    url,
    port,
    madeAdministrator,
    standby: store.isStandby,
    failed: store.failed,
    renewCertificate: (renewed) => certificate.renew(app.server, renewed),
    async stop() {
      unwatchMemory()
      unwatchClock()
      cancelSettle()
      const closing = new AbortController()
      const closed = app.close().then(() => closing.abort())
      const closedInTime = (): Promise<void> =>
        Promise.race([closed, delay(clock, STOP_TIMEOUT_MS, closing.signal)])
      try {
        await closedInTime()
        // Ends open transactions, so that the last callers are answered, too.
        await gateway.close()
        await closedInTime()
        // A client that does not take its answer would keep the folder locked.
        app.server.closeAllConnections()
        await closed
      } finally {
        taps?.close()
        await store.close()
      }
    },
  }
}

/** The daemon starts all the same: equipment does not need its certificate. */
function warnOfExpired({ tls, clock, log }: DaemonOptions): void {
  const at = tls && expiredAt(tls, clock.date())
  if (at !== undefined)
    log.warn(`the certificate of --tls-cert expired at ${at}: callers that check it refuse this daemon`)
}

async function listen(
  gateway: Gateway,
  options: DaemonOptions,
  facts: DaemonFacts,
): ReturnType<typeof buildApp> {
  const app = await buildApp(gateway, {
    facts,
    clock: options.clock,
    version: options.version,
    logger: options.log,
    maxConnections: connectionLimit(),
    ...(options.droppedLogLines && { droppedLogLines: options.droppedLogLines }),
    ...(options.tls && { tls: options.tls }),
    ...(options.metricsToken !== undefined && { metricsToken: options.metricsToken }),
    corsOrigins: options.corsOrigins,
    ...(options.page && { page: options.page }),
    ...(options.store?.nodeCa !== undefined && { nodeCa: options.store.nodeCa }),
    ...(options.trustedProxies.length > 0 && { trustedProxies: options.trustedProxies }),
  })
  try {
    await app.listen({ host: options.host, port: options.port })
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}
