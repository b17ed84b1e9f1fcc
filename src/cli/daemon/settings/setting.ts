import { shellWord } from '../../../kit/shell-word.js'
import { type Failure, wrongUsage } from '../../errors/failure.js'
import { DAEMON_FLAGS, FLAG_NAMES, type FlagName, ONCE } from '../daemon-flags.js'

/** What is wrong with the configuration. */
export interface SettingFault {
  /** The setting; null for what is about the file as a whole. */
  readonly setting: string | null
  /** What is wrong, and what to write instead. */
  readonly detail: string
  readonly file?: string
  readonly line?: number
  /** The variable of the environment with the value. */
  readonly variable?: string
  /** A command that mends it. */
  readonly hint?: string
}

/** The flags that are settings of a configuration file, too. */
export const SETTING_FLAGS: readonly FlagName[] = FLAG_NAMES.filter(
  (name) => name !== 'config' && !ONCE.some((one) => one === name),
)

export const keyOf = (flag: string): string => flag.replaceAll('-', '_')

/** What a value of the configuration file is. A path is relative to the folder of the file. */
export type SettingKind = 'boolean' | 'integer' | 'path' | 'text' | 'list'

interface FlagShape {
  readonly type: string
  readonly multiple?: boolean
  readonly helpValue?: unknown
  readonly min?: number
  readonly max?: number
  readonly env?: string
  readonly default?: unknown
  readonly summary?: string
}

export const shapeOf = (flag: FlagName): FlagShape => DAEMON_FLAGS[flag] as FlagShape

export function kindOf(flag: FlagName): SettingKind {
  const { type, multiple, helpValue } = shapeOf(flag)
  if (type === 'boolean') return 'boolean'
  if (multiple || helpValue === 'NETWORKS') return 'list'
  if (helpValue === 'N') return 'integer'
  return helpValue === 'FILE' || helpValue === 'FOLDER' ? 'path' : 'text'
}

/** A fault in one line: its place, then what is wrong. */
function faultText({ file, line, detail, hint }: SettingFault): string {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}, line ${line}: `
  return `${place}${detail}${hint === undefined ? '' : `: ${hint}`}`
}

/** All faults as one error. */
export function faultsFailure(all: readonly SettingFault[], next = checkOf(all)): Failure {
  const faults = inOrder(all)
  const [first, ...others] = faults
  if (first && others.length === 0) {
    const { hint = next, ...fault } = first
    return wrongUsage(faultText(fault), hint)
  }
  const lines = faults.map((fault) => `  ${faultText(fault)}`).join('\n')
  return wrongUsage(`the configuration has ${faults.length} faults:\n${lines}`, next)
}

/** The faults of a file by their lines, after those that have no line. */
export const inOrder = (faults: readonly SettingFault[]): readonly SettingFault[] =>
  faults.toSorted((one, two) => (one.line ?? 0) - (two.line ?? 0))

function checkOf(faults: readonly SettingFault[]): string {
  const file = faults.find((fault) => fault.file !== undefined)?.file
  return `secsctl daemon check-config ${file === undefined ? '--help' : shellWord(file)}`
}
