import { resolve } from 'node:path'
import type { DaemonOptions } from '../../daemon/daemon.js'
import { defined } from '../../kit/defined.js'
import { wrongUsage } from '../errors/failure.js'
import { parseDuration } from '../input/durations.js'
import { rare, textFlag } from '../input/flags.js'
import { secretIn, textIn } from './daemon-files.js'
import { databaseFlag, databaseUrl, ON_FILES } from './store-url.js'

const MIN_LEASE_MS = 1000
const MAX_LEASE_MS = 5 * 60_000
const SEAL_KEY_BYTES = 32

function parseLease(text: string): number {
  const lease = parseDuration(text, '--lease')
  if (lease >= MIN_LEASE_MS && lease <= MAX_LEASE_MS) return lease
  throw wrongUsage(`--lease takes 1s to 5m, not "${text}"`)
}

async function nodeName(text: string): Promise<string> {
  // In the path of a call, `.` and `..` are no name.
  if (/^(?!\.{1,2}$)[\w.-]{1,63}$/.test(text)) return text
  throw wrongUsage(`--node-name takes 1 to 63 letters, digits, dots and hyphens, not "${text}"`)
}

async function nodeUrl(text: string): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url.origin
  throw wrongUsage(
    `--node-url takes a scheme, a host and a port, such as https://gateway-1.fab:7327, not "${text}"`,
  )
}

const absolute = async (path: string): Promise<string> => resolve(path)

/** Where a daemon keeps its records, and how it works together with others. */
export const STORE_FLAGS = {
  store: textFlag(
    'URL',
    'PostgreSQL database that keeps the records, in place of the data folder; also SECSCTL_STORE. The word files means the data folder.',
    { parse: async (text) => (text === ON_FILES ? text : databaseFlag(text)) },
  ),
  ...rare({
    'store-password-file': textFlag('FILE', 'Contains the password of the database.', { parse: absolute }),
    'store-key-file': textFlag(
      'FILE',
      'Holds 32 bytes, as 64 hexadecimal digits, that encrypt the signing key in the database.',
      { parse: absolute },
    ),
    'node-name': textFlag(
      'NAME',
      'Name of this daemon among those of the database; the host name when left out.',
      { parse: nodeName },
    ),
    'node-url': textFlag(
      'URL',
      'Where the other daemons reach this one; the address that it listens on when left out.',
      { parse: nodeUrl },
    ),
    'node-ca-file': textFlag(
      'FILE',
      'Authorities, PEM, that certify the other daemons; those of the system when left out.',
      { parse: absolute },
    ),
    lease: textFlag('TIME', 'How long a daemon that does not respond keeps its equipment; default 10s.', {
      parse: async (text) => {
        parseLease(text)
        return text
      },
    }),
  }),
}

interface StoreSettings {
  readonly store?: string | undefined
  readonly 'store-password-file'?: string | undefined
  readonly 'store-key-file'?: string | undefined
  readonly 'node-name'?: string | undefined
  readonly 'node-url'?: string | undefined
  readonly 'node-ca-file'?: string | undefined
  readonly lease?: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** The URL of the database that the flags or the environment name; undefined where the records are in the data folder. */
export function storeUrl({ store }: StoreSettings, env: Environment): string | undefined {
  const url = store ?? env['SECSCTL_STORE']
  return url === '' || url === ON_FILES ? undefined : url
}

/** The key that seals the signing key in the database. */
export async function readSealKey({ 'store-key-file': file }: StoreSettings): Promise<Buffer | undefined> {
  if (file === undefined) return undefined
  const key = Buffer.from(await secretIn(file, '--store-key-file'), 'hex')
  if (key.length === SEAL_KEY_BYTES) return key
  throw wrongUsage('--store-key-file has to hold 64 hexadecimal digits: openssl rand -hex 32')
}

export const readStorePassword = async ({
  'store-password-file': file,
}: StoreSettings): Promise<string | undefined> =>
  file === undefined ? undefined : secretIn(file, '--store-password-file')

export const readNodeCa = async ({ 'node-ca-file': file }: StoreSettings): Promise<string | undefined> =>
  file === undefined ? undefined : textIn(file, '--node-ca-file')

/** The database that the flags or the environment name; undefined where the records are in the data folder. */
export async function storeGiven(settings: StoreSettings, env: Environment): Promise<DaemonOptions['store']> {
  const url = storeUrl(settings, env)
  if (url === undefined) return undefined
  const sealKey = await readSealKey(settings)
  const password = await readStorePassword(settings)
  const nodeCa = await readNodeCa(settings)
  const { 'node-name': name, 'node-url': at, lease } = settings
  const leaseMs = lease === undefined ? undefined : parseLease(lease)
  const address = { leaseMs, password, sealKey, nodeName: name, nodeUrl: at, nodeCa }
  return { url: await databaseUrl(url), ...defined(address) }
}
