import { Errors } from '@oclif/core'
import {
  ERRORS,
  type ErrorCode,
  type ErrorKind,
  type Fault,
  type ProblemExtra,
} from '../../contract/errors.js'
import { KIND_TEXTS } from '../../explanation/error-words.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { words } from '../../explanation/explanation.js'
import { NotPrivate } from '../../kit/private-file.js'
import { shellWord } from '../../kit/shell-word.js'
import { Failure } from './failure.js'
import { OTHER_HOME, readFault, writeFault } from './file-fault.js'
import { inFileOrder } from './file-places.js'
import { nextCommand } from './next-command.js'
import type { Subject } from './subject.js'
import { meant, meantFlag, sending } from './suggestion.js'
import { usageFault } from './usage-fault.js'

/** An error as it is printed: for people in lines, for programs as a problem object. */
export interface Report {
  readonly exit: number
  /** The command to try. */
  readonly hint: string | undefined
  readonly lines: readonly string[]
  readonly problem: Readonly<Record<string, unknown>>
}

/** Kinds of failure that take more than the next command to understand. */
const EXPLAINED: readonly ErrorKind[] = ['equipment', 'timeout']

/** The part of a problem that the client rebuilds, with the body as it came where one came. */
interface KnownProblem extends Error {
  readonly code: ErrorCode
  readonly kind: ErrorKind
  readonly status: number
  readonly extra?: ProblemExtra
  readonly body?: unknown
}

const isProblem = (error: unknown): error is KnownProblem =>
  error instanceof Error && error.name === 'Problem' && 'code' in error && String(error.code) in ERRORS

export const isUnreachable = (error: unknown): error is Error =>
  error instanceof Error && (error as { kind?: unknown }).kind === 'unreachable'

const problem = (code: string, title: string, detail: string, hint?: string): Report['problem'] => ({
  type: 'about:blank',
  title,
  detail,
  code,
  ...(hint !== undefined && { hint }),
})

function failureReport(kind: ErrorKind, code: string, detail: string, hint?: string): Report {
  return {
    exit: EXIT_CODES[kind],
    hint,
    lines: [`Error: ${detail}`, ...(hint === undefined ? [] : [`Try: ${hint}`])],
    // As the API's titles, without a full stop.
    problem: problem(code, words(KIND_TEXTS[kind]).meaning.replace(/\.$/, ''), detail, hint),
  }
}

/** Every fault as a sentence: its member, then its detail. Where the message consists of the details, it is the sentence. */
function faultTexts(
  { message }: KnownProblem,
  faults: readonly Fault[],
  { wordOf, placeOf }: Subject,
): readonly string[] {
  const isSentence = faults[0] !== undefined && message.startsWith(faults[0].detail)
  if (isSentence && faults.every(({ detail }) => message.includes(detail))) return [message]
  const sorted = placeOf ? inFileOrder(faults, placeOf) : faults
  // Two members may be one word here.
  return [...new Set(sorted.map(({ pointer, detail }) => `${wordOf?.(pointer) ?? pointer} ${detail}`))]
}

const withHeading = (fault: string, { heading }: Subject): string =>
  heading === undefined || fault.startsWith(heading) ? fault : `${heading}: ${fault}`

/** How a problem is printed. Programs read it as the gateway returned it. */
function problemReport(error: KnownProblem, subject: Subject): Report {
  const next = nextCommand(error.code, error.extra?.next ?? [], subject)
  const { tokenFrom } = subject
  // A login changes nothing as long as the variable is set.
  const isOwnToken = error.status === 401 && tokenFrom !== undefined
  const hint = isOwnToken ? `unset ${tokenFrom}; secsctl login${subject.server?.flags ?? ''}` : next
  const { title } = ERRORS[error.code]
  const faults = error.extra?.errors ?? []
  const more = error.extra?.more_errors
  const left = more === undefined ? [] : [`and ${more} further faults`]
  const [text, ...others] = [...faultTexts(error, faults, subject), ...left]
  const first = isOwnToken ? `${text ?? error.message} The token is that of ${tokenFrom}.` : text
  return {
    exit: EXIT_CODES[error.kind],
    hint,
    lines: [
      ...(others.length === 0
        ? [`Error: ${first === undefined ? error.message : withHeading(first, subject)}`]
        : [`Error: ${subject.heading ?? title}:`, ...[first, ...others].map((fault) => `  ${fault}`)]),
      ...(hint === undefined ? [] : [`Try: ${hint}`]),
      ...(EXPLAINED.includes(error.kind) ? [`Why: secsctl explain ${error.code}`] : []),
    ],
    problem: isObject(error.body)
      ? { ...error.body, ...(hint !== undefined && { hint }) }
      : { ...problem(error.code, title, error.message, hint), status: error.status, ...error.extra },
  }
}

/** How an error is printed. */
export function reportOf(error: unknown, subject: Subject = {}): Report {
  if (isProblem(error)) return problemReport(error, subject)
  const help = subject.command === undefined ? undefined : `secsctl ${subject.command} --help`
  if (error instanceof Failure) {
    const detail = ofFlag(error) ? usageFault(error) : error.message
    return failureReport(error.kind, error.kind, detail, error.hint ?? (ofFlag(error) ? help : undefined))
  }
  if (error instanceof NotPrivate) return failureReport('unexpected', 'unexpected', error.message, error.hint)
  if (isUnreachable(error))
    return failureReport('unreachable', 'unreachable', error.message, unreachableAdvice(error, subject))
  if (error instanceof Errors.CLIError) {
    const unknown = unknownCommand(error)
    if (unknown !== undefined) {
      const { fault, hint } = unknownFault(unknown, subject)
      return failureReport('usage', 'usage', fault, hint)
    }
    const flags = unknownFlags(error)
    const fault = flags.map((flag) => flagFault(flag, subject)).join('\n') || usageFault(error)
    const report = failureReport('usage', 'usage', fault, help)
    const exit = flags.length > 0 ? EXIT_CODES.usage : (error.oclif.exit ?? EXIT_CODES.usage)
    const example = subject.example === undefined ? [] : [`Example: ${subject.example}`]
    return { ...report, lines: [...report.lines, ...example], exit }
  }
  const fault = writingFault(error) ?? readingFault(error)
  if (fault !== undefined)
    return failureReport('unexpected', 'unexpected', fault, 'export SECSCTL_HOME=/tmp/secsctl')
  const detail = error instanceof Error ? error.message || error.name : String(error)
  const { code } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return failureReport('unexpected', 'unexpected', `the disk is full: ${detail}`, 'df -h')
  return failureReport('unexpected', 'unexpected', detail, 'DEBUG=secsctl shows where it happened')
}

/** True for what was found while a flag was read: oclif puts words of its own round it. */
const ofFlag = ({ message }: Failure): boolean => message.startsWith('Parsing --')

/** The command that oclif did not find, as it was typed: of a command it says so small, of a help with a full stop. */
export function unknownCommand(error: unknown): string | undefined {
  if (!(error instanceof Errors.CLIError)) return undefined
  const [, id] = /^command (.*) not found\.?$/is.exec(error.message) ?? []
  return id?.replaceAll(':', ' ')
}

/** Of words after a command that takes none, oclif says that there is no such command. */
function unknownFault(unknown: string, subject: Subject): { readonly fault: string; readonly hint: string } {
  if (unknown.startsWith('-'))
    return { fault: `no command is given, only the flag ${unknown}`, hint: 'secsctl --help' }
  const words = unknown.split(' ')
  const begins = words.map((_, at) => words.slice(0, at).join(' '))
  const known = begins.findLast((command) => subject.commands?.includes(command))
  if (known === undefined)
    return { fault: `there is no command "${unknown}"`, hint: commandMeant(unknown, subject) }
  const rest = words.slice(known.split(' ').length).join(' ')
  return { fault: `${known} takes no argument: "${rest}"`, hint: `secsctl ${known} --help` }
}

/** The command that was meant, with the arguments that were typed. */
function commandMeant(unknown: string, { commands = [], typed = unknown.split(' ') }: Subject): string {
  const sent = sending(typed)
  if (sent) return ['secsctl', ...sent.map(shellWord)].join(' ')
  const found = meant(typed, commands)
  if (!found) return 'secsctl --help'
  return ['secsctl', found.command, ...typed.slice(found.words).map(shellWord)].join(' ')
}

/** The flags that oclif does not know, of a word such as `-dash` as it is written. */
const unknownFlags = (error: Error): readonly string[] =>
  error.message.startsWith('Nonexistent flag')
    ? (error as Error & { readonly flags: readonly string[] }).flags
    : []

function flagFault(flag: string, { command = '', flags = [] }: Subject): string {
  const found = meantFlag(flag, flags)
  const guess = found === undefined ? '' : `. Did you mean ${found}?`
  // A name may begin with a hyphen, too.
  const asName = /^-[^-]./.test(flag) ? `. A name that begins with a hyphen follows --: -- ${flag}` : ''
  return `${command} has no flag ${flag}${guess || asName}`
}

/** Why a file or folder of this user cannot be made or written; undefined for every other error. */
function writingFault(error: unknown): string | undefined {
  const { code = '', syscall = '', path } = error as Partial<NodeJS.ErrnoException>
  const isWriting = ['mkdir', 'open', 'rename', 'write', 'copyfile', 'unlink'].includes(syscall)
  if (path === undefined || !isWriting || !['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'ENOENT'].includes(code))
    return undefined
  return `${path} cannot be written: ${writeFault(error)}. ${OTHER_HOME}`
}

/** Why a file or folder of this user cannot be looked at; undefined for every other error. */
export function readingFault(error: unknown): string | undefined {
  const { code = '', syscall = '', path } = error as Partial<NodeJS.ErrnoException>
  const isLooking = ['stat', 'lstat', 'scandir', 'access', 'open', 'read'].includes(syscall)
  if (path === undefined || !isLooking || !['EACCES', 'EPERM'].includes(code)) return undefined
  return `${path} cannot be read: ${readFault(error)}. ${OTHER_HOME}`
}

/** Advice for a server or equipment that does not respond. */
function unreachableAdvice(error: Error, { equipment, server }: Subject): string {
  const { url, hint, mayHaveActed } = error as {
    readonly url?: unknown
    readonly hint?: unknown
    readonly mayHaveActed?: unknown
  }
  if (typeof hint === 'string') return hint
  if (mayHaveActed === true && equipment !== undefined)
    return `secsctl messages list --equipment ${shellWord(equipment)} --limit 5`
  const here = server?.local ?? (typeof url !== 'string' || /^https?:\/\/(127\.|localhost|\[::1\])/.test(url))
  return here || typeof url !== 'string' ? 'secsctl daemon status' : `curl -v ${url}/readyz`
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
