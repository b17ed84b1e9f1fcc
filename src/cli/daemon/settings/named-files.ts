import { requireServable } from '../../../daemon/servable.js'
import { defined } from '../../../kit/defined.js'
import type { Environment } from '../../environment.js'
import { catalogueOf } from '../../messages/catalogue-flag.js'
import { administratorGiven } from '../administrator.js'
import { notACertificate, notServed, readCertificate, readMetricsToken } from '../daemon-files.js'
import type { FlagName } from '../daemon-flags.js'
import { storeGiven } from '../store-flags.js'
import { keyOf, type SettingFault } from './setting.js'
import { type EffectiveSettings, faultOf } from './settings.js'

/**
 * What is wrong with the files that the settings name, and with settings that do not go together: all that a start finds
 * before it opens the data folder or a port.
 */
export async function faultsOfFiles(
  effective: EffectiveSettings,
  { variables, stdin }: Pick<Environment, 'variables' | 'stdin'>,
): Promise<readonly SettingFault[]> {
  const { settings } = effective
  const checks: readonly (readonly [about: readonly FlagName[], check: () => unknown])[] = [
    [['tls-key', 'tls-cert', 'host', 'insecure-http'], () => checkServed(settings)],
    [['metrics-token-file'], () => readMetricsToken(settings['metrics-token-file'], variables)],
    [['catalogue'], () => catalogueOf(stdin, settings.catalogue)],
    [['store', 'store-password-file', 'store-key-file', 'lease'], () => storeGiven(settings, variables)],
    [['admin-password-file', 'admin-email'], () => administratorGiven(settings, variables)],
  ]
  const wrong = new Set(effective.faults.map(({ setting }) => setting))
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

async function checkServed(settings: EffectiveSettings['settings']): Promise<void> {
  const tls = await readCertificate(settings)
  try {
    requireServable({ host: settings.host, insecureHttp: settings['insecure-http'], ...defined({ tls }) })
  } catch (error) {
    throw tls ? notACertificate(error as Error) : notServed(error as Error)
  }
}
