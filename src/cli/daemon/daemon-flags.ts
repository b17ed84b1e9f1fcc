import { resolve } from 'node:path'
import type { Interfaces } from '@oclif/core'
import type { DaemonAddress } from '../../daemon/address-file.js'
import { IpNetworks } from '../../kit/ip-networks.js'
import { wrongUsage } from '../errors/failure.js'
import { numberFlag, rare, switchFlag, textFlag, textsFlag } from '../input/flags.js'
import { parseSize } from '../input/sizes.js'
import { CATALOGUE_FLAG } from '../messages/catalogue-flag.js'
import { RETENTION_FLAGS } from './retention-flags.js'
import { STORE_FLAGS } from './store-flags.js'

export const DEFAULT_PORT = 7327

/** The daemon runs in another folder than the command that starts it. */
const absolute = async (path: string): Promise<string> => resolve(path)

/** An origin as browsers send it: one that is written otherwise would never match. */
async function origin(text: string): Promise<string> {
  const given = URL.canParse(text) ? new URL(text).origin : 'null'
  if (given === 'null' || given !== text) {
    const meant = given === 'null' ? 'https://app.example' : given
    throw wrongUsage(`an origin is a scheme, a host and a port, such as ${meant}, not "${text}"`)
  }
  return text
}

/** Networks with commas between, as the flag of this name takes them. */
const networks =
  (flag: string) =>
  async (text: string): Promise<string> => {
    const given = text.split(/[\s,]+/).filter(Boolean)
    if (given.length === 0)
      throw wrongUsage(
        `--${flag} names no network: leave the flag out, or name at least one such as 10.1.0.0/16`,
      )
    try {
      return new IpNetworks(given).networks.join(',')
    } catch (error) {
      throw wrongUsage(`--${flag}: ${(error as Error).message}`)
    }
  }

/** Addresses and networks whose X-Forwarded-For is believed; also the names and netmasks that `proxy-addr` knows. */
async function proxy(text: string): Promise<string> {
  const [address = '', mask = '32'] = text.split('/')
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return text
  try {
    new IpNetworks([/^\d+(\.\d+){3}$/.test(mask) ? address : text])
  } catch (error) {
    throw wrongUsage(`--trust-proxy takes an address or a network: ${(error as Error).message}`)
  }
  return text
}

/** The flags of the daemon. Those after `config`, but not `ONCE`, are the settings of its configuration file as well. */
export const DAEMON_FLAGS = {
  config: textFlag(
    'FILE',
    'Configuration file, YAML (`daemon check-config --help`); flags and the environment have precedence.',
    { env: 'SECSCTL_CONFIG', parse: absolute },
  ),
  host: textFlag('ADDRESS', 'Address at which the API is served.', { default: '127.0.0.1' }),
  port: numberFlag('Port at which the API is served; 0 takes a free one.', {
    default: DEFAULT_PORT,
    min: 0,
    max: 65535,
  }),
  'hsms-host': textFlag('ADDRESS', 'Address to listen on for equipment that connects to the gateway.', {
    default: '0.0.0.0',
  }),
  ...rare({
    'hsms-proxy': textFlag(
      'NETWORKS',
      'TCP balancers that equipment dials through, such as 10.0.0.5; they send PROXY protocol v2.',
      { env: 'SECSCTL_HSMS_PROXY', parse: networks('hsms-proxy') },
    ),
    'equipment-networks': textFlag(
      'NETWORKS',
      'Where equipment may be, such as 10.1.0.0/16,10.2.0.0/16; anywhere when left out.',
      { env: 'SECSCTL_EQUIPMENT_NETWORKS', parse: networks('equipment-networks') },
    ),
    'long-messages': textFlag(
      'SIZE',
      'Bytes of long messages of all equipment together that are processed at the same time; 64MiB by default. They need up to three times this memory.',
      {
        env: 'SECSCTL_LONG_MESSAGES',
        parse: async (text) => {
          parseSize(text, '--long-messages', '16MiB')
          return text
        },
      },
    ),
  }),
  'tls-cert': textFlag('FILE', 'Certificate chain, PEM.', { parse: absolute }),
  'tls-key': textFlag('FILE', 'Private key, PEM.', { parse: absolute }),
  ...rare({
    'insecure-http': switchFlag('Serve other machines in clear text (HTTP), without TLS.', { allowNo: true }),
    'cors-origin': textsFlag('ORIGIN', 'Let pages of this origin call the API; may repeat.', {
      env: 'SECSCTL_CORS_ORIGIN',
      parse: origin,
    }),
    'trust-proxy': textsFlag(
      'ADDRESS',
      'Believe X-Forwarded-For of this address or network (10.0.0.0/8); may repeat.',
      { parse: proxy },
    ),
    'metrics-token-file': textFlag('FILE', 'Contains the token for /metrics; also SECSCTL_METRICS_TOKEN.', {
      parse: absolute,
    }),
    'allow-local-sinks': switchFlag(
      'Let sinks have targets on this machine, its link, and cloud metadata addresses.',
      { allowNo: true },
    ),
    'sinks-folder': textFlag(
      'FOLDER',
      'Where sinks write their files; the folder sinks of the data folder when left out.',
      { parse: absolute },
    ),
    catalogue: CATALOGUE_FLAG,
  }),
  ...RETENTION_FLAGS,
  ...STORE_FLAGS,
  ...rare({
    'admin-email': textFlag(
      'EMAIL',
      'First administrator of an empty data folder, in place of admin@localhost; also SECSCTL_ADMIN_EMAIL.',
    ),
    'admin-password-file': textFlag(
      'FILE',
      'Contains the password of the first administrator; also SECSCTL_ADMIN_PASSWORD.',
      { parse: absolute },
    ),
  }),
  standby: switchFlag(
    'Only show the records of a restored copy: no connections to equipment, no sinks, no changes. Stays so after restarts.',
    { exclusive: ['take-over'] },
  ),
  ...rare({
    'take-over': switchFlag(
      'End the standby: connect to the equipment and deliver to the sinks. Switch the original off before.',
    ),
    'accept-loss': switchFlag(
      'Give up damaged and missing records of the data folder, and continue with the rest.',
    ),
    'accept-edits': switchFlag(
      'Accept equipment.json and the other documents after they were edited by hand.',
    ),
  }),
}

type Given = Interfaces.InferredFlags<typeof DAEMON_FLAGS>
/** For one start, and so neither in a file nor in a service. */
export const ONCE = ['standby', 'take-over', 'accept-loss', 'accept-edits'] as const
type Required =
  | 'host'
  | 'port'
  | 'hsms-host'
  | 'insecure-http'
  | 'allow-local-sinks'
  | 'keep'
  | 'keep-size'
  | 'sinks-keep'
  | 'sinks-keep-size'
  | (typeof ONCE)[number]

export type DaemonSettings = Partial<Given> & Pick<Given, Required>
/** The settings that are given in one place, such as the flags. */
export type GivenSettings = Partial<Given>
export type FlagName = keyof typeof DAEMON_FLAGS

export const FLAG_NAMES = Object.keys(DAEMON_FLAGS) as readonly FlagName[]

/** The settings as arguments of `daemon run`. Flags for one time (`ONCE`) are not among the lasting ones. */
export const daemonArguments = (settings: GivenSettings, lasting = false): string[] =>
  FLAG_NAMES.flatMap((name) => {
    const value = settings[name]
    if (value === true) return lasting && ONCE.some((one) => one === name) ? [] : [`--${name}`]
    if (value === false) return ONCE.some((one) => one === name) ? [] : [`--no-${name}`]
    if (value === undefined || value === '') return []
    return [value].flat().flatMap((one) => [`--${name}`, String(one)])
  })

/** The settings of arguments that `daemonArguments` made. */
export async function settingsIn(args: readonly string[]): Promise<GivenSettings> {
  const found: Record<string, unknown> = {}
  const words = [...args]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const name = word.replace(/^--(no-(?=insecure-http|allow-local-sinks))?/, '')
    const flag = Object.hasOwn(DAEMON_FLAGS, name) ? DAEMON_FLAGS[name as FlagName] : undefined
    if (!flag) continue
    if (flag.type === 'boolean') found[name] = !word.startsWith('--no-')
    else {
      const value = await parsedFlag(name as FlagName, words.shift() ?? '')
      found[name] = flag.multiple ? [...((found[name] as unknown[] | undefined) ?? []), value] : value
    }
  }
  return found as GivenSettings
}

/** The value that a flag makes of a text. Throws what is wrong with it. */
export function parsedFlag(name: FlagName, text: string): Promise<unknown> {
  const flag = DAEMON_FLAGS[name] as unknown as {
    readonly parse: (text: string, context: object, flag: object) => Promise<unknown>
  }
  return flag.parse(text, {}, flag)
}

/** The arguments of a daemon that ran, to run it again: a free port that it took stays its own. */
export function argumentsAgain({ flags, url }: Pick<DaemonAddress, 'flags' | 'url'>): string[] {
  const at = flags.indexOf('--port') + 1
  return flags.map((word, place) => (at > 0 && place === at && word === '0' ? new URL(url).port : word))
}
