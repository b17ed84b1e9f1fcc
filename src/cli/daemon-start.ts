import { GatewayClient } from '../client/client.js'
import { endpoints } from '../contract/endpoints.js'
import type { DaemonAddress } from '../daemon/address-file.js'
import { startDetached, takeTurn } from '../daemon/spawn.js'
import { firstAdministrator } from './administrator.js'
import type { Secret } from './credentials.js'
import { Failure } from './failure.js'
import { daemonProgram } from './installation.js'
import { LOCAL } from './profiles.js'
import type { Session } from './server.js'

export interface LocalDaemon {
  /** False when one ran already. */
  readonly started: boolean
  readonly address: DaemonAddress
  /** False when the administrator known here is not one of its users. */
  readonly loggedIn: boolean
}

/** Starts the daemon on this machine, or finds it running, and logs the profile `local` in. */
export async function startLocal(session: Session, args: readonly string[]): Promise<LocalDaemon> {
  const turn = await takeTurn(session.folders.state, session.clock)
  try {
    return await start(session, args)
  } finally {
    await turn.release()
  }
}

async function start(session: Session, args: readonly string[]): Promise<LocalDaemon> {
  const admin = await firstAdministrator(session)
  const started = await startDetached({
    command: [...daemonProgram(), ...args],
    env: { ...session.env, SECSCTL_ADMIN_EMAIL: admin.email, SECSCTL_ADMIN_PASSWORD: admin.password },
    stateFolder: session.folders.state,
    dataFolder: session.folders.data,
    clock: session.clock,
  })
  if (started.kind === 'failed') {
    const lines = started.lastLines.map((line) => `  ${line}`).join('\n')
    throw new Failure(
      'unexpected',
      `the daemon did not start. Its log ends with:\n${lines}`,
      `less ${started.log}`,
    )
  }
  const { address } = started
  const loggedIn = await logIn(session, address.url, admin)
  const profiles = await session.profiles()
  if (profiles.current === undefined) await profiles.use(LOCAL)
  return { started: started.kind === 'started', address, loggedIn }
}

async function logIn(session: Session, url: string, admin: Secret): Promise<boolean> {
  const server = { profile: LOCAL, url }
  const store = await session.store(LOCAL)
  const known = await store.read(LOCAL)
  try {
    const { token, expires_at } = await new GatewayClient({ url }).call(endpoints.login, { body: admin })
    await session.keep(server, { token, expires_at, ...(known.secret && { secret: known.secret }) })
    return true
  } catch (error) {
    const refused = error instanceof Error && 'code' in error && error.code === 'invalid_credentials'
    if (!refused) throw error
    return known.token !== undefined
  }
}
