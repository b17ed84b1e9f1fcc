import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { shellWord } from '../../../kit/shell-word.js'
import { editDistance } from '../../../kit/text/edit-distance.js'
import type { YamlText, YamlTextError } from '../../../kit/text/yaml-text.js'
import { readFault } from '../../errors/file-fault.js'
import { textOf } from '../../input/standard-input.js'
import { type FlagName, ONCE, parsedFlag } from '../daemon-flags.js'
import { databaseInFile } from '../store-url.js'
import { type AuthSettings, readAuth } from './auth-settings.js'
import { exampleOf, yamlWord } from './examples.js'
import { keyOf, kindOf, SETTING_FLAGS, type SettingFault, shapeOf } from './setting.js'

/** A configuration file larger than this is another file. */
const MAX_BYTES = 1024 * 1024
/** No setting has a longer name; one that is longer is not compared with theirs. */
const MAX_NAME = 100
/** More faults than this are not listed. */
const MAX_FAULTS = 100

/** What a configuration file has: values by their flags, each with its line; and all that is wrong with it. */
export interface SettingsFile {
  readonly values: ReadonlyMap<FlagName, { readonly value: unknown; readonly line: number }>
  /** The setting `auth`, which no flag has. */
  readonly auth?: AuthSettings | undefined
  readonly faults: readonly SettingFault[]
}

/** How users log in: it has members of its own, and stands in the file alone. */
const AUTH = 'auth'

const FLAG_OF: ReadonlyMap<string, FlagName> = new Map(SETTING_FLAGS.map((flag) => [keyOf(flag), flag]))

/** Reads a configuration file. Nothing is thrown: what is wrong is in `faults`, in the order of its lines. */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
  let auth: AuthSettings | undefined
  const values = new Map<FlagName, { value: unknown; line: number }>()
  const faults: SettingFault[] = []
  const fault = (detail: string, line?: number, setting: string | null = null, hint?: string) =>
    faults.push({
      setting,
      detail,
      file: path,
      ...(line !== undefined && { line }),
      ...(hint !== undefined && { hint }),
    })
  const result: SettingsFile = { values, faults }
  let text: YamlText
  try {
    text = await yamlOf(path, (detail, hint) => fault(detail, undefined, null, hint))
  } catch (error) {
    if (isYamlFault(error)) fault(error.detail, error.place.line)
    else fault(`the file cannot be read: ${readFault(error)}`)
    return result
  }
  const { value: members, names, placeOf, repeated } = text
  if (members === null) return result
  if (typeof members !== 'object' || Array.isArray(members)) {
    fault('a configuration file has one setting a line, such as port: 7327', 1)
    return result
  }
  const lines = new Map<string, number>()
  for (const { name, place, value: given } of names) {
    const before = lines.get(name)
    if (before !== undefined)
      fault(`${name} is already set in line ${before}: remove one of them`, place.line, name)
    else lines.set(name, place.line)
    if (faults.length === MAX_FAULTS) {
      fault('further lines are not checked before those above are right', place.line)
      return result
    }
    if (name === AUTH) {
      const lineOf = (pointer: string): number => placeOf(pointer).line
      auth = readAuth(given, dirname(path), lineOf, (at, detail) => fault(detail, lineOf(at), settingAt(at)))
      for (const { pointer, place: again, before: at } of repeated) {
        const setting = settingAt(pointer)
        if (pointer.startsWith(`/${AUTH}/`))
          fault(`${setting} is already set in line ${at.line}: remove one of them`, again.line, setting)
      }
      continue
    }
    const flag = FLAG_OF.get(name)
    if (flag === undefined) {
      if (before === undefined) fault(unknown(name), place.line, name)
      continue
    }
    try {
      const value = await readValue(flag, given, dirname(path))
      values.set(flag, { value, line: place.line })
    } catch (error) {
      fault(detailOf(flag, error, name), place.line, name)
    }
  }
  return { ...result, auth }
}

const settingAt = (pointer: string): string => pointer.slice(1).replaceAll('/', '.')

// The parser of YAML is loaded only where there is a file.
const isYamlFault = (error: unknown): error is YamlTextError => (error as Error).name === 'YamlTextError'

/** The text as YAML. `warn` is called where another user could change the file. */
async function yamlOf(path: string, warn: (detail: string, hint: string) => void): Promise<YamlText> {
  const stats = await stat(path)
  const { size, mode } = stats
  // A pipe would be empty when the daemon in the background reads it again.
  if (!stats.isFile() && !stats.isDirectory()) throw new TypeError('it is no plain file')
  if (size > MAX_BYTES) throw new RangeError(`it has more than ${MAX_BYTES} bytes`)
  const text = textOf(await readFile(path), 'it')
  if ((mode & 0o002) !== 0 && process.platform !== 'win32')
    warn('every user of this machine can change the file', `chmod o-w ${shellWord(path)}`)
  const { parseYamlText } = await import('../../../kit/text/yaml-text.js')
  return parseYamlText(text, { uniqueKeys: false })
}

function unknown(name: string): string {
  if (name.length > MAX_NAME) return 'there is no setting with such a long name: remove the line'
  const key = keyOf(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).toLowerCase()
  if (key === 'config') return 'a configuration file cannot name another one: remove the line'
  const once = ONCE.find((flag) => keyOf(flag) === key)
  if (once !== undefined)
    return `${name} is for one start, and not for a file: remove it, and give --${once} to daemon run or daemon start once`
  const [near] = [...FLAG_OF.keys(), AUTH]
    .map((known) => ({ known, off: known === key ? 0 : editDistance(known, key) }))
    .filter(({ off }) => off <= Math.min(3, key.length / 2))
    .sort((one, two) => one.off - two.off)
  const begin = [...FLAG_OF.keys()].filter((known) => known.startsWith(`${key}_`))
  const meant = near && (near.off === 0 || begin.length === 0) ? [near.known] : begin
  const advice =
    meant.length > 0
      ? `write ${meant.join(' or ')}`
      : '`secsctl daemon check-config --print-sample` lists all'
  return `there is no setting ${name}: ${advice}`
}

/** What is wrong, in the words of the file: what a flag says of itself begins with the flag. */
export const detailOf = (flag: FlagName, error: unknown, key: string): string => {
  const { message } = error as Error
  if (message.startsWith(`--${flag}`)) return `${key}${message.slice(flag.length + 2)}`
  return message.startsWith(key) ? message : `${key}: ${message}`
}

/** The value as the flag makes it. Throws what to write instead of it. */
async function readValue(flag: FlagName, value: unknown, folder: string): Promise<unknown> {
  const key = keyOf(flag)
  const kind = kindOf(flag)
  const say = (what: string, instead = yamlWord(exampleOf(flag))): never => {
    throw new Error(`${key} ${what}: write ${key}: ${instead}`)
  }
  if (value === null || value === '') return say('has no value; remove the line, or')
  if (kind === 'boolean') {
    if (typeof value === 'boolean') return value
    return say('takes true or false', String(/^(yes|on|true|1)$/i.test(String(value))))
  }
  if (kind === 'integer') {
    const { min = 0, max = 0 } = shapeOf(flag)
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    const isNumber = typeof value === 'string' && /^\d+$/.test(value) && Number(value) <= max
    return say(`takes a whole number from ${min} to ${max}`, isNumber ? value : undefined)
  }
  if (kind === 'list') {
    const list = [value].flat()
    if (list.length === 0) return say('has no value; remove the line, or')
    if (!list.every((one) => typeof one === 'string')) return say('takes a list of texts')
    if (!shapeOf(flag).multiple) return parsedFlag(flag, list.join(','))
    return Promise.all(list.map((one) => parsedFlag(flag, one)))
  }
  if (typeof value === 'object') return say('takes one value')
  if (kind === 'path') return typeof value === 'string' ? resolve(folder, value) : say('takes a path')
  if (typeof value !== 'string') {
    await parsedFlag(flag, String(value))
    return say('takes text', JSON.stringify(String(value)))
  }
  return flag === 'store' ? databaseInFile(value, folder) : parsedFlag(flag, value)
}
