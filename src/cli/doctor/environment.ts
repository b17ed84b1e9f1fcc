import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { editDistance } from '../../kit/text/edit-distance.js'
import { type Finding, inArea } from './finding.js'

type Environment = Readonly<Record<string, string | undefined>>

const SECRET = '(set, not shown)'

/** What each variable of this program does; `secret` ones are not shown. */
export const VARIABLES: Readonly<Record<string, { readonly does: string; readonly secret?: true }>> = {
  SECSCTL_HOME: { does: 'holds configuration, data and logs; tokens are in a file there' },
  SECSCTL_URL: { does: 'is the server, before any profile' },
  SECSCTL_PROFILE: { does: 'is the profile, before the current one' },
  SECSCTL_TOKEN: { does: 'is the token, before any that is kept', secret: true },
  SECSCTL_TOKEN_FILE: { does: 'holds the token' },
  SECSCTL_OUTPUT: { does: 'is how results are printed' },
  SECSCTL_NO_INPUT: { does: 'keeps questions away' },
  SECSCTL_KEYCHAIN: { does: 'is where tokens are kept' },
  SECSCTL_AUTOSTART: { does: 'lets commands start the daemon unasked, when it is 1' },
  SECSCTL_ADMIN_EMAIL: { does: 'names the first administrator of an empty data folder' },
  SECSCTL_ADMIN_PASSWORD: { does: 'is the password of that administrator', secret: true },
  SECSCTL_PASSWORD: { does: 'is the password for a login', secret: true },
  SECSCTL_NEW_PASSWORD: { does: 'is the password that a user gets', secret: true },
  SECSCTL_METRICS_TOKEN: { does: 'is what /metrics of a daemon started here wants', secret: true },
  SECSCTL_KEEP: { does: 'is how long a daemon that is started here keeps its history' },
  SECSCTL_KEEP_SIZE: { does: 'is how large the history of a daemon that is started here may get' },
  SECSCTL_EQUIPMENT_NETWORKS: { does: 'is where equipment of a daemon that is started here may be' },
  SECSCTL_CORS_ORIGIN: { does: 'is where pages of a browser may call a daemon from that is started here' },
  SECSCTL_DAEMON_LOG: { does: 'tells a daemon its log; it is set by `daemon start`' },
}

/** Variables that are not this program's own, with what they do to it. */
const AROUND: Readonly<Record<string, string>> = {
  NO_COLOR: 'keeps colour away',
  FORCE_COLOR: 'asks for colour also in a pipe',
  CI: 'keeps questions away',
  DEBUG: 'prints where an error happened',
  NODE_OPTIONS: 'changes how Node runs',
}

const settings = inArea('settings')

function own(name: string, value: string): Finding {
  const known = VARIABLES[name]
  if (known) return settings.ok(name, `${known.secret ? SECRET : value}: ${known.does}`)
  const [near] = Object.keys(VARIABLES)
    .map((other) => ({ other, off: editDistance(name, other) }))
    .filter(({ off }) => off <= 3)
    .sort((one, two) => one.off - two.off)
  const meant = near ? `; did you mean ${near.other}?` : ''
  return settings.note(name, `no such variable is known${meant}`, `unset ${name}`)
}

async function authorities(path: string): Promise<Finding> {
  const readable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
  return readable
    ? settings.note(
        'NODE_EXTRA_CA_CERTS',
        `${path}: trusted beside the usual authorities. On Node 20 it slows every command by about 70 ms; only https needs it`,
      )
    : settings.wrong(
        'usage',
        'NODE_EXTRA_CA_CERTS',
        `${path} cannot be read, so nothing in it is trusted`,
        'unset NODE_EXTRA_CA_CERTS',
      )
}

/** What in the environment matters to this program. */
export async function environmentFindings(env: Environment): Promise<readonly Finding[]> {
  const set = Object.entries(env).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
  const named = set
    .filter(([name]) => name.startsWith('SECSCTL_'))
    .sort(([one], [two]) => (one < two ? -1 : 1))
  const around = set.filter(([name]) => Object.hasOwn(AROUND, name))
  const extra = env['NODE_EXTRA_CA_CERTS']
  return [
    ...named.map(([name, value]) => own(name, value)),
    ...around.map(([name, value]) => settings.ok(name, `${value}: ${AROUND[name]}`)),
    ...(env['TERM'] === 'dumb' ? [settings.ok('TERM', 'dumb: keeps colour and spinners away')] : []),
    ...(extra ? [await authorities(extra)] : []),
    ...(env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
      ? [
          settings.wrong(
            'usage',
            'NODE_TLS_REJECT_UNAUTHORIZED',
            '0: certificates are not checked, so anybody on the way can read the token',
            'unset NODE_TLS_REJECT_UNAUTHORIZED',
          ),
        ]
      : []),
  ]
}
