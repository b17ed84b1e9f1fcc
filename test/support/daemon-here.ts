import pino from 'pino'
import { onTestFinished } from 'vitest'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { type DaemonOptions, type RunningDaemon, startDaemon } from '../../src/daemon/daemon.js'
import { systemClock } from '../../src/kit/clock.js'
import { LOOPBACK } from './tcp.js'

/** Whom a daemon here knows. */
export const DAEMON_ADMIN = { email: 'admin@fab.example', password: 'a long enough password' }

/** The options of a daemon on the loopback that makes no administrator. */
export const daemonOptions = (dataFolder: string, given: Partial<DaemonOptions> = {}): DaemonOptions => ({
  dataFolder,
  host: LOOPBACK,
  port: 0,
  hsmsHost: LOOPBACK,
  catalogue: STANDARD_CATALOGUE,
  insecureHttp: false,
  acceptLoss: false,
  corsOrigins: [],
  trustedProxies: [],
  version: '1.2.3',
  log: pino({ level: 'silent' }),
  clock: systemClock,
  // Ten milliseconds instead of a hundred for each login and each new user.
  passwordCost: 1024,
  ...given,
})

/** A whole daemon in this process, over `dataFolder`, until it is stopped. */
export const startDaemonHere = (
  dataFolder: string,
  given: Partial<DaemonOptions> = {},
): Promise<RunningDaemon> => startDaemon(daemonOptions(dataFolder, { admin: DAEMON_ADMIN, ...given }))

/** The same until the test is over; and its administrator's client. */
export async function daemonHere(
  dataFolder: string,
): Promise<{ client: GatewayClient; stop: () => Promise<void> }> {
  const daemon = await startDaemonHere(dataFolder)
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= daemon.stop()
    return stopped
  }
  onTestFinished(stop)
  const { token } = await new GatewayClient({ url: daemon.url }).call(endpoints.login, { body: DAEMON_ADMIN })
  return { client: new GatewayClient({ url: daemon.url, token }), stop }
}
