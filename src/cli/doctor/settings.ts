import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { editDistance } from '../../kit/text/edit-distance.js'
import { DOCUMENTED_VARIABLES } from '../environment-variables.js'
import type { FormatTime } from '../output/local-time.js'
import { authoritiesOf, authorityText } from '../profile/authorities.js'
import { chosenKeychain, TokenFile } from '../profile/keychain.js'
import type { Session } from '../profile/server.js'
import { type Finding, inArea } from './finding.js'

const settings = inArea('settings')

/** Milliseconds before the expiry of an authority from which it is noted. */
const SOON_MS = 30 * 24 * 60 * 60_000

/** The authorities that the profile trusts, each with its expiry; none where those of the system are trusted. */
export async function authorityFindings(
  session: Session,
  formatTime: FormatTime,
): Promise<readonly Finding[]> {
  const name = 'authority'
  try {
    const { profile } = await session.target()
    const { ca } = profile === undefined ? {} : (await session.profiles()).get(profile)
    if (ca === undefined) return []
    const now = session.clock.date().getTime()
    const mend = `secsctl profiles update ${profile} --ca-file FILE`
    return authoritiesOf(ca).map((authority) => {
      const left = Date.parse(authority.expires_at) - now
      const text = authorityText(authority, formatTime)
      if (left <= 0) return settings.wrong('access', name, `${text}: it has expired`, mend)
      return left < SOON_MS ? settings.note(name, `${text}: it expires soon`, mend) : settings.ok(name, text)
    })
  } catch (error) {
    return [settings.failed(name, error)]
  }
}

const KEYTAR_TIMEOUT_MS = 5000

const NAMES = {
  keyring: 'the keychain of the system',
  keytar: 'the keychain of the system, by keytar',
  file: 'the file',
} as const

/** Where tokens are kept. The login shows whether the keychain responds. */
export async function keychainFinding(session: Session, profile: string | undefined): Promise<Finding> {
  const { folders, environment } = session
  const env = environment.variables
  if (env['SECSCTL_TOKEN'] || env['SECSCTL_TOKEN_FILE'])
    return settings.ok('tokens in', 'the environment; no keychain is looked at')
  try {
    const chosen = chosenKeychain(folders, environment, await session.remembered(profile), KEYTAR_TIMEOUT_MS)
    const first = 'not chosen yet: the first login takes the keychain of the system, or else a file'
    if (!chosen) return settings.ok('tokens in', first)
    // Its package may be missing; that of the system is looked at by the login.
    if (chosen.name === 'keytar') await chosen.read('probe')
    const path = chosen instanceof TokenFile ? ` ${chosen.path}` : ''
    return settings.ok('tokens in', `${NAMES[chosen.name]}${path}`)
  } catch (error) {
    return settings.failed('tokens in', error)
  }
}

/** Every variable that this program reads, with its meaning; and others that change how it runs. */
export const VARIABLES: ReadonlyMap<string, string> = new Map([
  ...DOCUMENTED_VARIABLES,
  ['SECSCTL_DAEMON_LOG', 'Set by `daemon start`: the log of the daemon.'],
  ['SECSCTL_ENDS_WITH_INPUT', 'Set by `conform` and `demo`: the process ends with its standard input.'],
  ['SECSCTL_EVENT_ID', 'Set by `events tail --exec` for its command: the id of the event.'],
  ['SECSCTL_EVENT_TYPE', 'Set by `events tail --exec`: the type of the event.'],
  ['SECSCTL_EVENT_NAME', 'Set by `events tail --exec`: the name of the event.'],
  ['SECSCTL_EVENT_AT', 'Set by `events tail --exec`: the time of the event.'],
  ['SECSCTL_EVENT_EQUIPMENT', 'Set by `events tail --exec`: the name of the equipment.'],
  ['SECSCTL_EVENT_EQUIPMENT_ID', 'Set by `events tail --exec`: the id of the equipment.'],
  ['CI', 'Never ask a question.'],
  ['NODE_OPTIONS', 'Options of Node.'],
])

/** Variables with a finding of their own. */
const CHECKED = 'NODE_EXTRA_CA_CERTS'
const SECRET = /PASSWORD|TOKEN$/

function finding(name: string, value: string): Finding {
  const meaning = VARIABLES.get(name)
  if (meaning !== undefined) {
    const shown = SECRET.test(name) ? '(set, not shown)' : value
    return settings.ok(name, `${shown} (${meaning.replace(/\.$/, '')})`)
  }
  const [near] = [...VARIABLES.keys()]
    .map((other) => ({ other, off: editDistance(name, other) }))
    .filter(({ off }) => off <= 3)
    .sort((one, two) => one.off - two.off)
  const meant = near ? `; did you mean ${near.other}?` : ''
  return settings.note(name, `no such variable is known${meant}`, `unset ${name}`)
}

async function authorities(path: string): Promise<Finding> {
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
  return isReadable
    ? settings.note(
        CHECKED,
        `${path}: trusted in addition to the usual authorities. On Node 20 it slows every command by about 70 ms; only https needs it`,
      )
    : settings.wrong(
        'usage',
        CHECKED,
        `${path} cannot be read, so nothing in it is trusted`,
        `unset ${CHECKED}`,
      )
}

/** What in the environment matters to this program. */
export async function environmentFindings(
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Finding[]> {
  const isOwn = (name: string): boolean => name.startsWith('SECSCTL_')
  const named = Object.entries(env)
    .filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
    .filter(([name]) => isOwn(name) || (VARIABLES.has(name) && name !== CHECKED))
    .sort(([one], [two]) => Number(isOwn(two)) - Number(isOwn(one)) || (one < two ? -1 : 1))
  const extra = env[CHECKED]
  const found = named.map(([name, value]) => finding(name, value))
  if (env['TERM'] === 'dumb') found.push(settings.ok('TERM', 'dumb: no colours and no spinners'))
  if (extra) found.push(await authorities(extra))
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    found.push(
      settings.wrong(
        'usage',
        'NODE_TLS_REJECT_UNAUTHORIZED',
        '0: certificates are not checked, so anybody on the way can read the token',
        'unset NODE_TLS_REJECT_UNAUTHORIZED',
      ),
    )
  return found
}
