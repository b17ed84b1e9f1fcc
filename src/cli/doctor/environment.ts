import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { editDistance } from '../../kit/text/edit-distance.js'
import { DOCUMENTED_VARIABLES } from '../variables.js'
import { type Finding, inArea } from './finding.js'

/** Every variable that this program reads, with its meaning; and others that change how it runs. */
export const VARIABLES: ReadonlyMap<string, string> = new Map([
  ...DOCUMENTED_VARIABLES,
  ['SECSCTL_DAEMON_LOG', 'Set by `daemon start`: the log of the daemon.'],
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

const settings = inArea('settings')

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
