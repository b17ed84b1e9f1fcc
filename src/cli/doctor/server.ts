import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import { DaemonSilent } from '../../daemon/spawn.js'
import { shellWord } from '../../kit/shell-word.js'
import { Failure } from '../errors/failure.js'
import { reportOf } from '../errors/report.js'
import type { FormatTime } from '../output/local-time.js'
import { hasExpired, loggedInClient, logsInByItself, refusedHere } from '../profile/kept-login.js'
import { type OwnIdentity, ownIdentity } from '../profile/own-identity.js'
import { LOCAL } from '../profile/profiles.js'
import type { Found, Server, Session } from '../profile/server.js'
import { type Finding, inArea } from './finding.js'
import { askedTwice, isSlow } from './patience.js'

const area = inArea('server')

const MEND = 'secsctl daemon nodes'

/** Entries that a daemon may have to read still without a note. */
const MAX_LAG = 10_000

/** Where several daemons work on one database: whether all of them do. */
export async function nodeFindings(client: GatewayClient): Promise<readonly Finding[]> {
  // A server of an earlier version has no such call.
  const nodes = await client.call(endpoints.listNodes, {}).then(
    ({ items }) => items,
    () => [],
  )
  if (nodes.length < 2) return []
  const present = new Set(nodes.filter(({ alive }) => alive).map(({ name }) => name))
  // One that was started again has the same name.
  const names = nodes.filter(({ alive, name }) => !alive && !present.has(name)).map(({ name }) => name)
  const gone = [...new Set(names)]
  const faults = [
    ...gone.map((name) => `${name} is gone`),
    ...nodes.filter(({ url, alive }) => alive && url === null).map(({ name }) => `${name} has no URL yet`),
    ...nodes
      .filter(({ alive, lag }) => alive && lag > MAX_LAG)
      .map(({ name, lag }) => `${name} lags by ${lag} entries`),
  ]
  const versions = new Set(nodes.filter(({ alive }) => alive).map(({ version }) => version))
  if (versions.size > 1) faults.push(`they are of versions ${[...versions].sort().join(', ')}`)
  const detail = `${present.size + gone.length} daemons on one database`
  if (faults.length === 0) return [area.ok('daemons', detail)]
  const text = `${detail}: ${faults.join('; ')}`
  return [
    gone.length > 0 ? area.wrong('unreachable', 'daemons', text, MEND) : area.note('daemons', text, MEND),
  ]
}

/** How long one call of the server may take. */
const CALL_TIMEOUT_MS = 3_000

/** How far the clocks of two machines may differ without a note. */
const MAX_CLOCK_DIFFERENCE_S = 5

function chosenBy({ choice, environment }: Session, current: string | undefined): string {
  const env = environment.variables
  if (choice.url !== undefined) return '--url'
  if (choice.profile !== undefined) return '--profile'
  if (env['SECSCTL_URL']) return 'SECSCTL_URL'
  if (env['SECSCTL_PROFILE']) return 'SECSCTL_PROFILE'
  return current === undefined ? 'nothing else is chosen' : 'the current profile'
}

interface Meant {
  readonly server?: Server
  /** True when it is the daemon of this machine that is meant. */
  readonly local: boolean
  readonly findings: readonly Finding[]
}

/** Which server is meant, and whether there is one to ask. */
export async function serverMeant(session: Session): Promise<Meant> {
  const settings = inArea('settings')
  try {
    const profiles = await session.profiles()
    const { profile, url } = await session.target()
    const local = profile === LOCAL
    const findings = [
      settings.ok('profile', `${profile ?? 'none has this URL'} (${chosenBy(session, profiles.current)})`),
      settings.ok('server', url ?? 'the daemon on this machine'),
    ]
    try {
      return { server: await serverHere(session), local, findings }
    } catch (error) {
      return { local, findings: [...findings, area.failed('reachable', error)] }
    }
  } catch (error) {
    return { local: false, findings: [settings.failed('profile', error)] }
  }
}

/** A daemon that is silent is asked once more. */
const serverHere = (session: Session): Promise<Server> =>
  session.server().catch((error: unknown) => {
    if (!(error instanceof DaemonSilent)) throw error
    return session.server()
  })

/** Whether the server responds, what it is, and whether its clock agrees with ours. */
export async function serverFindings(
  session: Session,
  server: Server,
  version: string,
): Promise<readonly Finding[]> {
  const { url } = server
  const client = new GatewayClient({ url, timeout: CALL_TIMEOUT_MS })
  try {
    const ready = await askedTwice(() => client.request('GET', '/readyz'))
    const fault = `it responds with ${ready.status}: it cannot write records to its disk`
    return [
      area.ok('reachable', url),
      ready.status === 200
        ? area.ok('ready', 'it records')
        : area.wrong('unexpected', 'ready', fault, 'secsctl daemon logs'),
      ...standbyFinding(ready.text),
      ...logFinding(ready.text),
      ...damageFinding(ready.text),
      ...clockFinding(ready.headers['date'], session.clock.date()),
      await versionFinding(client, version).catch((error: unknown) => area.failed('version', error)),
    ]
  } catch (error) {
    const called = await session.called(server)
    const { hint } = reportOf(error, { server: called })
    if (!isSlow(error)) return [area.failed('reachable', error, hint)]
    const who = called.local ? 'the daemon runs and does not respond' : 'it does not respond'
    const detail = `${who} at ${url} in time (twice ${CALL_TIMEOUT_MS / 1000} s): it may be busy`
    return [area.wrong('unreachable', 'reachable', detail, called.local ? 'secsctl daemon logs' : hint)]
  }
}

function standbyFinding(text: string): readonly Finding[] {
  if (jsonIn<{ readonly standby?: unknown }>(text).standby !== true) return []
  const detail = 'it only reads: it connects to no equipment and delivers to no sink'
  return [area.note('standby', detail, 'secsctl daemon restart --take-over')]
}

/** Of a server that counts them: lines that its log lacks. */
function logFinding(text: string): readonly Finding[] {
  const { log_lines_dropped: count } = jsonIn<{ readonly log_lines_dropped?: unknown }>(text)
  if (typeof count !== 'number') return []
  if (count === 0) return [area.ok('log', 'every line was written')]
  const lines = `${count} ${count === 1 ? 'line' : 'lines'} could not be written since it started`
  return [area.note('log', `${lines}: its disk may be full, or nobody reads the log`, 'df -h')]
}

/** What the server has read of its old files; of most it knows nothing. */
function damageFinding(text: string): readonly Finding[] {
  const { damaged_files: count } = jsonIn<{ readonly damaged_files?: unknown }>(text)
  if (typeof count !== 'number' || count === 0) return []
  const files =
    count === 1 ? '1 file of the recorded history is' : `${count} files of the recorded history are`
  const detail = `${files} damaged: calls that need what is lost fail`
  return [area.wrong('damaged', 'history', detail, 'secsctl journal verify')]
}

/** The object that the server sent; an empty one where it is no JSON. */
function jsonIn<T extends object>(text: string): Partial<T> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function clockFinding(date: string | undefined, here: Date): readonly Finding[] {
  const there = Date.parse(date ?? '')
  if (Number.isNaN(there)) return []
  // Its header has whole seconds.
  const ahead = Math.round((there - here.getTime()) / 1000)
  if (Math.abs(ahead) <= MAX_CLOCK_DIFFERENCE_S) return [area.ok('clock', 'as on this machine')]
  const way = ahead > 0 ? 'ahead of' : 'behind'
  return [area.note('clock', `${Math.abs(ahead)} s ${way} this machine`, 'timedatectl status')]
}

async function versionFinding(client: GatewayClient, own: string): Promise<Finding> {
  const { text } = await askedTwice(() => client.request('GET', '/api/docs'))
  const version = jsonIn<{ readonly info?: { readonly version?: unknown } | null }>(text).info?.version
  if (typeof version !== 'string')
    return area.wrong(
      'unreachable',
      'version',
      'the program at this address is not secsctl',
      'secsctl profiles show',
    )
  if (version === own) return area.ok('version', version)
  return area.note('version', `${version}, and this command line is ${own}`, 'npm i -g secsctl')
}

interface LoginFound {
  /** For further calls; undefined when no user is logged in. */
  readonly client?: GatewayClient
  /** The server has answered who is logged in. */
  readonly isAnswered?: boolean
  readonly findings: readonly Finding[]
}

/** Who is logged in there, with which token. A keychain that fails is a finding of the settings. */
export async function loginFindings(
  session: Session,
  server: Server,
  formatTime: FormatTime,
): Promise<LoginFound> {
  const login = `secsctl login${(await session.called(server)).flags}`
  let found: Found | undefined
  try {
    found = await session.keptToken(server, CALL_TIMEOUT_MS)
  } catch (error) {
    return { findings: [inArea('settings').failed('tokens', error, 'export SECSCTL_KEYCHAIN=file')] }
  }
  let client: GatewayClient | undefined
  try {
    const known = await loggedInClient(session, server, found, CALL_TIMEOUT_MS)
    if (!known) return { findings: [nobody(found, session, server, login)] }
    client = known
    const own = await askedTwice(() => ownIdentity(known))
    const text = loginText(own, server, found, session, formatTime)
    return { client, isAnswered: true, findings: [area.ok('login', text)] }
  } catch (error) {
    // One that was slow here may answer the next question.
    if (client && isSlow(error)) return { client, findings: [area.failed('login', error)] }
    return { findings: [area.failed('login', error, error instanceof Failure ? error.hint : login)] }
  }
}

function nobody(found: Found | undefined, session: Session, server: Server, login: string): Finding {
  if (found?.secret?.refused && found.token === undefined)
    return area.failed('login', refusedHere(server, found.secret))
  return area.wrong('access', 'login', whyNobody(found, session), login)
}

function whyNobody(found: Found | undefined, { clock }: Session): string {
  if (found?.token === undefined) return 'nobody is logged in'
  return hasExpired(found, clock.date()) ? 'the login has expired' : 'nobody is logged in'
}

function loginText(
  { user, key }: OwnIdentity,
  server: Server,
  found: Found | undefined,
  { clock }: Session,
  formatTime: FormatTime,
): string {
  const who = user ? `${user.email}, ${user.role}` : `API key ${key.name}, ${key.role}`
  if (!found) return who
  const { expires_at = key?.expires_at ?? undefined, source } = found
  const ends =
    expires_at === undefined || hasExpired({ expires_at }, clock.date())
      ? ''
      : `, until ${formatTime(expires_at)}`
  return `${who}; token from ${source}${ends}${logsInByItself(server, found) ? ', renewed by itself' : ''}`
}

/** Local administrators who are named. */
const MAX_NAMED = 20

/** How users log in: where they sign on with company accounts, and which administrators can log in without. */
export async function signOnFindings(client: GatewayClient): Promise<readonly Finding[]> {
  // A server of an earlier version does not look at the provider, or has no such call.
  const offer = await client
    .call(endpoints.getSignOn, { query: { check: true } })
    .catch(() => client.call(endpoints.getSignOn, {}))
    .catch(() => undefined)
  if (!offer?.enabled) return []
  const words = offer.local === 'admins-only' ? 'passwords of local administrators only' : 'passwords, too'
  const findings = [
    typeof offer.problem === 'string'
      ? area.wrong(
          'unreachable',
          'sign-on',
          `nobody can sign on with ${offer.name}. ${offer.problem}`,
          `curl -sS ${shellWord(`${offer.issuer?.replace(/\/$/, '')}/.well-known/openid-configuration`)}`,
        )
      : area.ok('sign-on', `${offer.name} (${offer.issuer}); ${words}`),
  ]
  // Only an administrator reads the users.
  const admins = await localAdmins(client).catch(() => undefined)
  if (!admins) return findings
  const more = admins.length > MAX_NAMED ? ` and ${admins.length - MAX_NAMED} more` : ''
  const names = admins.slice(0, MAX_NAMED).join(', ') + more
  return [
    ...findings,
    area.ok('break glass', `local administrators, for when the provider is away: ${names}`),
  ]
}

async function localAdmins(client: GatewayClient): Promise<readonly string[]> {
  const admins: string[] = []
  let cursor: string | null | undefined
  do {
    const query = { limit: 1000, ...(cursor && { cursor }) }
    const page = await client.call(endpoints.listUsers, { query })
    for (const { email, role, label_selector, sign_on } of page.items)
      if (role === 'admin' && label_selector === null && sign_on === null) admins.push(email)
    cursor = page.next_cursor
  } while (cursor !== null)
  return admins
}
