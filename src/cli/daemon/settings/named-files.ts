import { lookup } from 'node:dns/promises'
import { type Certificate, expiryOf, requireServable } from '../../../daemon/servable.js'
import { type Clock, withTimeout } from '../../../kit/clock.js'
import { defined } from '../../../kit/defined.js'
import { IpNetworks } from '../../../kit/ip-networks.js'
import { shellWord } from '../../../kit/shell-word.js'
import type { Environment } from '../../environment.js'
import { wrongUsage } from '../../errors/failure.js'
import { catalogueOf } from '../../messages/catalogue-flag.js'
import { administratorEmail, administratorPassword } from '../administrator.js'
import {
  notACertificate,
  notServed,
  readCertificate,
  readChain,
  readKey,
  readMetricsToken,
  requirePair,
} from '../daemon-files.js'
import type { FlagName } from '../daemon-flags.js'
import { readNodeCa, readSealKey, readStorePassword, storeUrl } from '../store-flags.js'
import { databaseUrl } from '../store-url.js'
import { readClientSecret, readProviderCa } from './auth-files.js'
import { keyOf, type SettingFault } from './setting.js'
import { type EffectiveSettings, faultOf } from './settings.js'

/** A check that throws a fault; `about` are the settings that it needs, of which the first is named. */
type Check = readonly [about: readonly FlagName[], check: () => unknown]

/**
 * What is wrong with the files that the settings name, and with settings that do not go together: all that a start finds
 * before it opens the data folder or a port. Each file is read by itself first, so that a fault hides no other one.
 */
export async function faultsOfFiles(
  effective: EffectiveSettings,
  { variables, stdin, clock }: Pick<Environment, 'variables' | 'stdin' | 'clock'>,
): Promise<readonly SettingFault[]> {
  const { settings } = effective
  const url = storeUrl(settings, variables)
  const inDatabase = (check: () => unknown) => (url === undefined ? undefined : check())
  const apart: readonly Check[] = [
    [['tls-cert'], () => readChain(settings)],
    [['tls-key'], () => readKey(settings)],
    [['tls-cert', 'tls-key'], () => requirePair(settings)],
    [['host'], () => requireAddress('--host', settings.host, clock)],
    [['hsms-host'], () => requireAddress('--hsms-host', settings['hsms-host'], clock)],
    [['metrics-token-file'], () => readMetricsToken(settings['metrics-token-file'], variables)],
    [['catalogue'], () => catalogueOf(stdin, settings.catalogue)],
    [['store-key-file'], () => inDatabase(() => readSealKey(settings))],
    [['store-password-file'], () => inDatabase(() => readStorePassword(settings))],
    [['node-ca-file'], () => inDatabase(() => readNodeCa(settings))],
    [['store'], () => inDatabase(() => databaseUrl(url ?? ''))],
    [['admin-email', 'admin-password-file'], () => administratorEmail(settings, variables)],
    [['admin-password-file'], () => administratorPassword(settings, variables)],
  ]
  const own = await faultsIn(apart, effective, effective.faults)
  const together: readonly Check[] = [
    [['tls-key', 'tls-cert', 'host', 'insecure-http'], () => checkServed(settings, clock)],
  ]
  const ofAuth = await faultsOfAuth(effective)
  return [...own, ...ofAuth, ...(await faultsIn(together, effective, [...effective.faults, ...own]))]
}

/** What is wrong with the files that `auth` names. */
async function faultsOfAuth({ auth, config }: EffectiveSettings): Promise<readonly SettingFault[]> {
  const { client_secret_file, ca } = auth?.oidc ?? {}
  const checks: readonly (readonly [name: string, check: () => Promise<unknown>])[] = [
    ['auth.oidc.client_secret_file', () => readClientSecret(client_secret_file as string | undefined)],
    ['auth.oidc.ca', () => readProviderCa(ca as string | undefined)],
  ]
  const faults: SettingFault[] = []
  for (const [setting, check] of checks) {
    const line = auth?.list.find(({ name }) => name === setting)?.line
    await check().catch((error: Error & { readonly hint?: unknown }) => {
      const hint = typeof error.hint === 'string' ? { hint: error.hint } : {}
      faults.push({ setting, detail: error.message, ...defined({ file: config, line }), ...hint })
    })
  }
  return faults
}

/** The faults that the checks find. A check whose settings have a fault in `before` is left out. */
async function faultsIn(
  checks: readonly Check[],
  effective: EffectiveSettings,
  before: readonly SettingFault[],
): Promise<readonly SettingFault[]> {
  const wrong = new Set(before.map(({ setting }) => setting))
  const faults: SettingFault[] = []
  for (const [about, check] of checks) {
    if (about.some((flag) => wrong.has(keyOf(flag)))) continue
    try {
      await check()
    } catch (error) {
      faults.push(faultOf(error, effective, about[0]))
    }
  }
  return faults
}

/** How long the name service may take to respond. */
const LOOKUP_TIMEOUT_MS = 5000

const isAddress = (host: string): boolean => {
  try {
    return new IpNetworks([host]).has(host)
  } catch {
    return false
  }
}

/** Throws `usage` for what is neither an address nor a name that this machine knows. */
async function requireAddress(flag: string, host: string, clock: Clock): Promise<void> {
  // A name service would be asked for such a name, and may take long to say that there is none.
  if (/^[\d.]+$/.test(host) && !isAddress(host)) throw wrongUsage(`${flag} ${host} is no address`)
  const found = lookup(host).then(
    () => undefined,
    ({ code, message }: NodeJS.ErrnoException) => code ?? message,
  )
  const fault = await withTimeout(
    clock,
    LOOKUP_TIMEOUT_MS,
    found.then((why) => ({ why })),
  )
  if (!fault) throw wrongUsage(`${flag} ${host}: the name service does not respond`)
  if (fault.why !== undefined)
    throw wrongUsage(
      `${flag} ${host} is neither an address nor a name that this machine knows (${fault.why})`,
    )
}

/** Throws `usage` for a certificate that clients refuse, since its time is over. */
function requireValidNow(tls: Certificate, file: string, clock: Clock): void {
  const expires = expiryOf(tls)
  if (expires === undefined || expires > clock.date().getTime()) return
  throw wrongUsage(
    `--tls-cert: the certificate, or one of its chain, expired at ${new Date(expires).toISOString()}: no client would connect`,
    `openssl x509 -enddate -noout -in ${shellWord(file)}`,
  )
}

async function checkServed(settings: EffectiveSettings['settings'], clock: Clock): Promise<void> {
  const tls = await readCertificate(settings)
  const file = settings['tls-cert'] ?? ''
  try {
    requireServable({ host: settings.host, insecureHttp: settings['insecure-http'], ...defined({ tls }) })
  } catch (error) {
    throw tls ? notACertificate(error as Error, file) : notServed(error as Error)
  }
  if (tls) requireValidNow(tls, file, clock)
}
