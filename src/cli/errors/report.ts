import { Errors } from '@oclif/core'
import { ERRORS, type ErrorCode, type ErrorKind } from '../../contract/errors.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { NotPrivate } from '../../kit/private-file.js'
import { shellWord } from '../../kit/shell-word.js'
import { inWords } from '../output/member-words.js'
import { Failure } from './failure.js'
import type { Subject } from './subject.js'
import { meant } from './suggestion.js'
import { usageFault } from './usage-fault.js'

/** An error as it is told: to people in lines, to programs as a problem object. */
export interface Report {
  readonly exit: number
  readonly lines: readonly string[]
  readonly problem: object
}

const LOGIN = 'secsctl login'
const WHOAMI = 'secsctl whoami'

/** What is worth trying after an error of the gateway; `EQ` and `SxFy` stand for what the command was about. */
const NEXT: { readonly [Code in ErrorCode]?: string } = {
  unauthenticated: LOGIN,
  token_expired: LOGIN,
  token_revoked: LOGIN,
  forbidden: WHOAMI,
  not_found: 'secsctl api GET /api/docs',
  equipment_not_found: 'secsctl equipment list',
  message_not_found: 'secsctl messages list',
  alarm_not_found: 'secsctl alarms list',
  recipe_not_found: 'secsctl recipes list EQ',
  name_not_found: 'secsctl variables list EQ',
  user_not_found: 'secsctl users list',
  equipment_name_taken: 'secsctl equipment list',
  equipment_address_taken: 'secsctl equipment list',
  equipment_connected: 'secsctl equipment disconnect EQ',
  equipment_not_connected: 'secsctl equipment connect EQ',
  equipment_not_communicating: 'secsctl equipment show EQ',
  transaction_aborted: 'secsctl equipment show EQ',
  message_rejected: 'secsctl equipment show EQ',
  equipment_error: 'secsctl messages list --equipment EQ --limit 5',
  connection_lost: 'secsctl equipment show EQ',
  reply_timeout: 'secsctl equipment show EQ',
  equipment_busy: 'secsctl messages list --equipment EQ --limit 5',
  outcome_unknown: 'secsctl messages list --equipment EQ --limit 5',
  internal_error: 'secsctl daemon logs',
  store_unavailable: 'secsctl daemon logs',
  invalid_message: 'secsctl messages describe SxFy',
  invalid_credentials: 'secsctl explain invalid_credentials',
  last_admin: 'secsctl explain last_admin',
  idempotency_in_progress: 'secsctl explain idempotency_in_progress',
  cursor_expired: 'secsctl explain cursor_expired',
  revision_mismatch: 'secsctl explain revision_mismatch',
  idempotency_key_reused: 'secsctl explain idempotency_key_reused',
  rate_limited: 'secsctl explain rate_limited',
  quota_exceeded: 'secsctl explain quota_exceeded',
}

/** Kinds of failure that take more than the next command to understand. */
const EXPLAINED: readonly ErrorKind[] = ['equipment', 'timeout']

/** The part of a problem that the client rebuilds, with the body as it came where one came. */
interface KnownProblem extends Error {
  readonly code: ErrorCode
  readonly kind: ErrorKind
  readonly status: number
  readonly extra?: { readonly errors?: readonly { readonly pointer: string; readonly detail: string }[] }
  readonly body?: unknown
}

const isProblem = (error: unknown): error is KnownProblem =>
  error instanceof Error && error.name === 'Problem' && 'code' in error && String(error.code) in ERRORS

export const isUnreachable = (error: unknown): error is Error =>
  error instanceof Error && (error as { kind?: unknown }).kind === 'unreachable'

const problem = (code: string, title: string, detail: string, hint?: string): object => ({
  type: 'about:blank',
  title,
  detail,
  code,
  ...(hint !== undefined && { hint }),
})

const TITLES: Record<ErrorKind, string> = {
  unexpected: 'Something unexpected happened',
  usage: 'The command is not valid',
  missing: 'There is no such thing',
  access: 'A login is needed',
  state: 'Not in this state',
  unreachable: 'No server answers',
  timeout: 'Time is over',
  equipment: 'The equipment said no',
}

function told(kind: ErrorKind, code: string, detail: string, hint?: string): Report {
  return {
    exit: EXIT_CODES[kind],
    lines: [`Error: ${detail}`, ...(hint === undefined ? [] : [`Try: ${hint}`])],
    problem: problem(code, TITLES[kind], detail, hint),
  }
}

/** What is worth trying next, if anything is: a command that could be typed as it stands, but for an `EQ`. */
function nextAfter(code: ErrorCode, { equipment, message, server, dialled }: Subject): string | undefined {
  // It is being connected: what keeps it is seen at its address.
  if (code === 'equipment_not_connected' && dialled !== undefined)
    return `secsctl equipment test ${shellWord(dialled)}`
  const said = NEXT[code]
  if (said === LOGIN || said === WHOAMI) return said + (server?.flags ?? '')
  const next = said?.replace('EQ', () => (equipment === undefined ? 'EQ' : shellWord(equipment)))
  if (!next?.includes('SxFy')) return next
  return message === undefined ? undefined : next.replace('SxFy', message)
}

const API_CALL = /[.;] (?:GET|POST|PUT|DELETE) \/[^;]*$/

/**
 * A problem's detail without the call of the API, or the last sentence with the command, that it may end with:
 * people are told that command below.
 */
function forPeople(detail: string, hint: string): string {
  const sentence = detail.endsWith(`: ${hint}`) ? detail.lastIndexOf('. ', detail.length - hint.length) : -1
  return sentence < 0 ? detail.replace(API_CALL, '.') : detail.slice(0, sentence + 1)
}

/** The command that does the same as that call, where the detail names it in brackets. */
const commandIn = (detail: string): string | undefined =>
  /\((secsctl .+)\)\.?$/.exec(API_CALL.exec(detail)?.[0] ?? '')?.[1]

/** How an error is told. */
export function reportOf(error: unknown, subject: Subject = {}): Report {
  if (isProblem(error)) {
    const hint = commandIn(error.message) ?? nextAfter(error.code, subject)
    const words = error.kind === 'usage' ? subject.words : {}
    const detail = inWords(hint === undefined ? error.message : forPeople(error.message, hint), words)
    // One that the sentence has named already is not told twice.
    const faults = (error.extra?.errors ?? []).filter(({ detail }) => !error.message.includes(detail))
    return {
      exit: EXIT_CODES[error.kind],
      lines: [
        `Error: ${detail}`,
        ...faults.map((fault) => `  ${inWords(fault.pointer, words) || '(body)'}: ${fault.detail}`),
        ...(hint === undefined ? [] : [`Try: ${hint}`]),
        ...(EXPLAINED.includes(error.kind) ? [`Why: secsctl explain ${error.code}`] : []),
      ],
      problem: isObject(error.body)
        ? { ...error.body, ...(hint !== undefined && { hint }) }
        : {
            ...problem(error.code, ERRORS[error.code].title, error.message, hint),
            status: error.status,
            ...error.extra,
          },
    }
  }
  const help = subject.command === undefined ? undefined : `secsctl ${subject.command} --help`
  if (error instanceof Failure) {
    const detail = ofFlag(error) ? usageFault(error.message) : error.message
    return told(error.kind, error.kind, detail, error.hint ?? (ofFlag(error) ? help : undefined))
  }
  if (error instanceof NotPrivate) return told('unexpected', 'unexpected', error.message, error.hint)
  if (isUnreachable(error))
    return told('unreachable', 'unreachable', error.message, afterSilence(error, subject))
  if (error instanceof Errors.CLIError) {
    const unknown = unknownCommand(error)
    if (unknown !== undefined) {
      const guess = meant(unknown, subject.commands ?? [])
      const next = guess === undefined ? 'secsctl --help' : `secsctl ${guess}`
      return told('usage', 'usage', `there is no command "${unknown}"`, next)
    }
    const report = told('usage', 'usage', usageFault(error.message), help)
    return { ...report, exit: error.oclif.exit ?? EXIT_CODES.usage }
  }
  const detail = error instanceof Error ? error.message || error.name : String(error)
  return told('unexpected', 'unexpected', detail, 'DEBUG=secsctl shows where it happened')
}

/** True for what was found while a flag was read: oclif puts words of its own round it. */
const ofFlag = ({ message }: Failure): boolean => message.startsWith('Parsing --')

/** The command that oclif did not find, as it was typed. */
export function unknownCommand(error: unknown): string | undefined {
  if (!(error instanceof Errors.CLIError)) return undefined
  return /^command (\S+) not found$/.exec(error.message)?.[1]?.replaceAll(':', ' ')
}

/** Where to look when nobody answers. */
function afterSilence(error: Error, { equipment, server }: Subject): string {
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
