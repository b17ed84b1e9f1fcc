import { resolve } from 'node:path'
import { Flags, type Interfaces } from '@oclif/core'
import type { DaemonAddress } from '../../daemon/address-file.js'
import { IpNetworks } from '../../kit/ip-networks.js'
import { wrongUsage } from '../errors/failure.js'
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
    try {
      return new IpNetworks(given).networks.join(',')
    } catch (error) {
      throw wrongUsage(`--${flag}: ${(error as Error).message}`)
    }
  }

export const DAEMON_FLAGS = {
  host: Flags.string({
    default: '127.0.0.1',
    helpValue: 'ADDRESS',
    summary: 'Address the API is served on.',
  }),
  port: Flags.integer({
    default: DEFAULT_PORT,
    min: 0,
    max: 65535,
    helpValue: 'N',
    summary: 'Port the API is served on; 0 takes a free one.',
  }),
  'hsms-host': Flags.string({
    default: '0.0.0.0',
    helpValue: 'ADDRESS',
    summary: 'Address on which equipment that dials in is awaited.',
  }),
  'hsms-proxy': Flags.string({
    helpValue: 'NETWORKS',
    env: 'SECSCTL_HSMS_PROXY',
    parse: networks('hsms-proxy'),
    summary: 'TCP balancers that equipment dials through, such as 10.0.0.5; they send PROXY protocol v2.',
  }),
  'equipment-networks': Flags.string({
    helpValue: 'NETWORKS',
    env: 'SECSCTL_EQUIPMENT_NETWORKS',
    parse: networks('equipment-networks'),
    summary: 'Where equipment may be, such as 10.1.0.0/16,10.2.0.0/16; anywhere when left out.',
  }),
  'tls-cert': Flags.string({
    helpValue: 'FILE',
    dependsOn: ['tls-key'],
    parse: absolute,
    summary: 'Certificate chain, PEM.',
  }),
  'tls-key': Flags.string({
    helpValue: 'FILE',
    dependsOn: ['tls-cert'],
    parse: absolute,
    summary: 'Private key, PEM.',
  }),
  'insecure-http': Flags.boolean({ summary: 'Allow clear text beyond this machine.' }),
  'cors-origin': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'ORIGIN',
    parse: origin,
    summary: 'Let pages of this origin call the API; may repeat.',
  }),
  'trust-proxy': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'ADDRESS',
    summary: 'Believe X-Forwarded-For of this address or network (10.0.0.0/8); may repeat.',
  }),
  'metrics-token-file': Flags.string({
    helpValue: 'FILE',
    parse: absolute,
    summary: 'Holds the token that /metrics wants.',
  }),
  'allow-local-sinks': Flags.boolean({
    summary: 'Let sinks have targets on this machine, its link, and cloud metadata addresses.',
  }),
  'sinks-folder': Flags.string({
    helpValue: 'FOLDER',
    parse: absolute,
    summary: 'Where sinks write their files; the folder sinks of the data folder when left out.',
  }),
  catalogue: CATALOGUE_FLAG,
  ...RETENTION_FLAGS,
  ...STORE_FLAGS,
  'accept-loss': Flags.boolean({
    summary: 'Give up what is damaged or gone in the data folder, and continue with the rest.',
  }),
  'accept-edits': Flags.boolean({
    summary: 'Take equipment.json and the other documents as they are, after they were edited by hand.',
  }),
}

type Given = Interfaces.InferredFlags<typeof DAEMON_FLAGS>
const ONCE = ['accept-loss', 'accept-edits'] as const
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

/** The settings as arguments of `daemon run`. Flags for one time (`ONCE`) are not among the lasting ones. */
export const daemonArguments = (settings: DaemonSettings, lasting = false): string[] =>
  Object.keys(DAEMON_FLAGS).flatMap((name) => {
    const value = settings[name as keyof DaemonSettings]
    if (value === true) return lasting && ONCE.some((one) => one === name) ? [] : [`--${name}`]
    if (value === undefined || value === false || value === '') return []
    return [value].flat().flatMap((one) => [`--${name}`, String(one)])
  })

/** The arguments of a daemon that ran, to run it again: a free port that it took stays its own. */
export function argumentsAgain({ flags, url }: Pick<DaemonAddress, 'flags' | 'url'>): string[] {
  const at = flags.indexOf('--port') + 1
  return flags.map((word, place) => (at > 0 && place === at && word === '0' ? new URL(url).port : word))
}

/** The origins whose pages may call: of the flags, or of the environment where there is none of them. */
export async function corsOrigins(
  { 'cors-origin': given }: Pick<DaemonSettings, 'cors-origin'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  if (given) return given
  const words = (env['SECSCTL_CORS_ORIGIN'] ?? '').split(/[\s,]+/).filter(Boolean)
  return Promise.all(words.map(origin))
}
