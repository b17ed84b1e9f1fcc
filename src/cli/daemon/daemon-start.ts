import { GatewayClient } from '../../client/client.js'
import { logIn } from '../../client/log-in.js'
import { trustCertificate } from '../../client/trust.js'
import type { ErrorKind } from '../../contract/errors.js'
import type { DaemonAddress } from '../../daemon/address-file.js'
import { type Started, startDetached, takeTurn } from '../../daemon/spawn.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { defined } from '../../kit/defined.js'
import { shellWord } from '../../kit/shell-word.js'
import type { Variables } from '../environment.js'
import { Failure } from '../errors/failure.js'
import { DAEMON_VARIABLES, daemonProgram } from '../installation.js'
import type { Progress } from '../output/progress.js'
import type { Secret } from '../profile/keychain.js'
import { LOCAL } from '../profile/profiles.js'
import type { Session } from '../profile/server.js'
import { administratorGiven, madeAdministrator } from './administrator.js'
import { daemonArguments, type GivenSettings } from './daemon-flags.js'
import { FATAL, recordOf } from './log-line.js'
import { type EffectiveSettings, placed, requireSettings } from './settings/settings.js'

/** Milliseconds after which a start in a pipe says what it waits for. */
const LONG_MS = 2000

/** What a start waits for before the daemon says anything. */
export const WAITING = 'waiting until it has read its records and responds'

/** Takes what a daemon says while it starts: on a terminal it is shown in place, elsewhere one line after a while. */
export function toldBy(progress: Progress): (text: string) => void {
  progress.lineAfter(LONG_MS)
  return (text) => progress.start(text)
}

export interface LocalDaemon {
  /** False when one ran already. */
  readonly started: boolean
  readonly address: DaemonAddress
  /** False when the administrator known here is not one of its users. */
  readonly loggedIn: boolean
}

/**
 * Starts the daemon on this machine, or finds it running, and logs the profile `local` in. `given`: its flags. `variables`:
 * its environment. `tell`: takes what the daemon says while it starts.
 */
export async function startLocal(
  session: Session,
  given: GivenSettings,
  variables = session.environment.variables,
  tell: (text: string) => void = () => {},
): Promise<LocalDaemon> {
  const effective = await requireSettings(given, variables)
  const turn = await takeTurn(session.folders.state, session.clock)
  try {
    return await start(session, given, effective, variables, tell)
  } finally {
    await turn.release()
  }
}

async function start(
  session: Session,
  given: GivenSettings,
  effective: EffectiveSettings,
  variables: Variables,
  tell: (text: string) => void,
): Promise<LocalDaemon> {
  const { config, settings } = effective
  const named = await administratorGiven(settings, variables).catch((error: unknown) => {
    throw placed(error, effective)
  })
  const admin = named ?? (await madeAdministrator(session))
  const args = daemonArguments(given)
  const started = await startDetached({
    command: [...daemonProgram(session.environment.root), ...args],
    env: {
      ...DAEMON_VARIABLES,
      ...variables,
      // The daemon runs in another folder, where a relative path would name another file.
      ...(config !== undefined && { SECSCTL_CONFIG: config }),
      ...(!named && { SECSCTL_ADMIN_EMAIL: admin.email, SECSCTL_ADMIN_PASSWORD: admin.password }),
    },
    stateFolder: session.folders.state,
    dataFolder: session.folders.data,
    clock: session.clock,
    onLine: (line) => tell(`starting the daemon: ${String(recordOf(line)?.msg ?? line)}`),
  })
  if (started.kind === 'failed') throw startFailure(started)
  const { address } = started
  if (address.certificate !== undefined) trustCertificate(address.url, address.certificate)
  const loggedIn = await logInHere(session, address.url, admin)
  const profiles = await session.profiles()
  if (profiles.current === undefined) await profiles.use(LOCAL)
  return { started: started.kind === 'started', address, loggedIn }
}

/** Why the daemon ended, by the record of its log that says so, which need not be the last; without one, the end of the log. */
export function startFailure({
  exitCode,
  log,
  lastLines,
}: Pick<Extract<Started, { kind: 'failed' }>, 'exitCode' | 'log' | 'lastLines'>): Failure {
  const kinds = Object.keys(EXIT_CODES) as ErrorKind[]
  const kind = kinds.find((one) => EXIT_CODES[one] === exitCode)
  const fatal = lastLines.map(recordOf).findLast((record) => record?.level === FATAL)
  if (kind === undefined || fatal === undefined) {
    const lines = lastLines.map((line) => `  ${line}`).join('\n')
    return new Failure(
      'unexpected',
      `the daemon did not start. Its log ends with:\n${lines}`,
      `less ${shellWord(log)}`,
    )
  }
  const { msg, hint } = fatal
  const otherwise = kind === 'unexpected' ? `less ${shellWord(log)}` : undefined
  return new Failure(
    kind,
    `the daemon did not start: ${String(msg)}`,
    typeof hint === 'string' ? hint : otherwise,
  )
}

async function logInHere(session: Session, url: string, admin: Secret): Promise<boolean> {
  const server = { profile: LOCAL, url }
  const store = await session.store(LOCAL)
  const known = await store.read(LOCAL)
  if (known.secret?.refused && known.secret.email === admin.email && known.secret.password === admin.password)
    return known.token !== undefined
  try {
    const { token, expires_at } = await logIn(new GatewayClient({ url }), admin)
    await session.keep(server, defined({ token, expires_at, secret: known.secret }))
    return true
  } catch (error) {
    const refused = error instanceof Error && 'code' in error && error.code === 'invalid_credentials'
    if (!refused) throw error
    if (known.secret?.email === admin.email) await session.noteRefused(true)
    return known.token !== undefined
  }
}
