import type { RunningSetting } from '../../../daemon/address-file.js'
import type { Variables } from '../../environment.js'
import { Failure } from '../../errors/failure.js'
import { MADE_ADMINISTRATOR } from '../administrator.js'
import { type DaemonSettings, type FlagName, type GivenSettings, ONCE, parsedFlag } from '../daemon-flags.js'
import { ON_FILES, requireDatabase, shownDatabase } from '../store-url.js'
import type { AuthSettings } from './auth-settings.js'
import { faultsFailure, keyOf, kindOf, SETTING_FLAGS, type SettingFault, shapeOf } from './setting.js'
import { detailOf, readSettingsFile, type SettingsFile } from './settings-file.js'

/** Variables with a secret, or that go with one, that take the place of a setting. Only the daemon itself reads them. */
const INSTEAD: Partial<Record<FlagName, string>> = {
  store: 'SECSCTL_STORE',
  'metrics-token-file': 'SECSCTL_METRICS_TOKEN',
  'admin-email': 'SECSCTL_ADMIN_EMAIL',
  'admin-password-file': 'SECSCTL_ADMIN_PASSWORD',
}

/** The settings of a daemon by precedence: flag, environment, file, default. */
export interface EffectiveSettings {
  /** The configuration file, where one is given. */
  readonly config: string | undefined
  /** What a variable of `INSTEAD` takes the place of is left out. */
  readonly settings: DaemonSettings
  /** How users log in, where the file says it. */
  readonly auth?: AuthSettings | undefined
  readonly list: readonly RunningSetting[]
  readonly faults: readonly SettingFault[]
}

const EMPTY: SettingsFile = { values: new Map(), faults: [] }

/** The settings by the flags, the environment and the configuration file. What is wrong is in `faults`. */
export async function effectiveSettings(
  given: GivenSettings,
  variables: Variables,
): Promise<EffectiveSettings> {
  const config = given.config ?? (await configOf(variables))
  const file = config === undefined ? EMPTY : await readSettingsFile(config)
  const values: Record<string, unknown> = {}
  const list: RunningSetting[] = []
  const faults = [...file.faults]
  for (const flag of SETTING_FLAGS) {
    const { value, ...setting } = await settingOf(flag, given, variables, file, faults)
    if (value !== undefined) values[flag] = value
    list.push({ name: keyOf(flag), value: shown(flag, setting.shown ?? value), ...setting.from })
  }
  for (const flag of ONCE) values[flag] = given[flag] ?? false
  list.push(...(file.auth?.list ?? []))
  return { config, settings: values as unknown as DaemonSettings, auth: file.auth, list, faults }
}

/** The same. Throws a `Failure` where something is wrong. */
export async function requireSettings(
  given: GivenSettings,
  variables: Variables,
): Promise<EffectiveSettings> {
  const effective = await effectiveSettings(given, variables)
  if (effective.faults.length > 0) throw faultsFailure(effective.faults)
  return effective
}

/** A port was chosen: it is not the one that a daemon takes by itself. */
export const hasOwnPort = ({ list }: EffectiveSettings): boolean =>
  list.some(({ name, source }) => name === 'port' && source !== 'default')

const configOf = async (variables: Variables): Promise<string | undefined> => {
  const path = variables['SECSCTL_CONFIG']
  return path ? String(await parsedFlag('config', path)) : undefined
}

interface Found {
  readonly value?: unknown
  /** Instead of the value. */
  readonly shown?: unknown
  readonly from: Omit<RunningSetting, 'name' | 'value'>
}

async function settingOf(
  flag: FlagName,
  given: GivenSettings,
  variables: Variables,
  { values }: SettingsFile,
  faults: SettingFault[],
): Promise<Found> {
  if (given[flag] !== undefined) return { value: given[flag], from: { source: 'flag' } }
  const name = INSTEAD[flag] ?? shapeOf(flag).env ?? ''
  const text = variables[name]
  // `daemon start` gives the daemon the administrator that it has made.
  const isMade = variables['SECSCTL_DAEMON_LOG'] && variables['SECSCTL_ADMIN_EMAIL'] === MADE_ADMINISTRATOR
  if (text && !(isMade && flag.startsWith('admin-'))) {
    const from: Found['from'] = { source: 'environment', variable: name }
    try {
      if (flag === 'admin-email') return { shown: text, from }
      if (flag === 'store') return { shown: shownDatabase(requireDatabase(text, name).href), from }
      return INSTEAD[flag] ? { from } : { value: await valueIn(flag, text), from }
    } catch (error) {
      faults.push({ setting: keyOf(flag), variable: name, detail: detailOf(flag, error, name) })
      return { from }
    }
  }
  const inFile = values.get(flag)
  if (inFile) return { value: inFile.value, from: { source: 'file', line: inFile.line } }
  const fallback = shapeOf(flag).default ?? (kindOf(flag) === 'boolean' ? false : undefined)
  return { value: fallback, from: { source: 'default' } }
}

/** The value of a variable; a list has commas or spaces between. */
async function valueIn(flag: FlagName, text: string): Promise<unknown> {
  if (!shapeOf(flag).multiple) return parsedFlag(flag, text)
  return Promise.all(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((word) => parsedFlag(flag, word)),
  )
}

/** A value as it is shown: without what could be a secret. */
function shown(flag: FlagName, value: unknown): RunningSetting['value'] {
  if (value === undefined) return null
  if (flag === 'store' && value !== ON_FILES) return shownDatabase(String(value))
  if (kindOf(flag) === 'list' && typeof value === 'string') return value.split(',')
  return value as RunningSetting['value']
}

/**
 * An error about a value that a flag names, in the words of the place that the value is from: a line of the file, or a
 * variable.
 */
export function faultOf(error: unknown, { config, list }: EffectiveSettings, about?: FlagName): SettingFault {
  const { message, hint } = error as { readonly message: string; readonly hint?: unknown }
  const flag = SETTING_FLAGS.find((one) => new RegExp(`^--${one}(?![\\w-])`).test(message)) ?? about
  const setting = flag && list.find(({ name }) => name === keyOf(flag))
  const next = typeof hint === 'string' ? { hint } : {}
  if (!flag || !setting) return { setting: null, detail: message, ...next }
  const { name, source, line, variable } = setting
  if (source === 'file' && config !== undefined) {
    const detail = inFileWords(detailOf(flag, error, name))
    return { setting: name, detail, file: config, ...(line !== undefined && { line }), ...next }
  }
  return { setting: name, detail: message, ...(variable !== undefined && { variable }), ...next }
}

/** Other settings that a sentence names as flags. */
const inFileWords = (text: string): string =>
  text.replace(/--([a-z-]+)/g, (word, flag: string) =>
    SETTING_FLAGS.some((one) => one === flag) ? keyOf(flag) : word,
  )

/** The same error for a start that it ends. What is not about the settings stays as it is. */
export function placed(error: unknown, effective: EffectiveSettings): unknown {
  if (!(error instanceof Failure) || error.kind !== 'usage') return error
  const fault = faultOf(error, effective)
  return fault.file === undefined ? error : faultsFailure([fault])
}
