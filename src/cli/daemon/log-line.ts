import { isJsonObject } from '../../kit/text/json.js'
import { visible } from '../../kit/text/visible-text.js'
import { paint } from '../output/highlight.js'
import type { FormatTime } from '../output/local-time.js'

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}
const ERROR = 50
export const FATAL = 60
const LEVEL_WIDTH = 5

interface LogRecord extends Readonly<Record<string, unknown>> {
  readonly level?: unknown
  readonly msg?: unknown
  readonly hint?: unknown
}

export function recordOf(line: string): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A line of the log for programs: a JSON object, also for a line that is none. */
export const logJson = (line: string): string => (recordOf(line) ? line : JSON.stringify({ msg: line }))

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? text(error.message) : text(error)

/** A request in the words of HTTP; of another record its message and members. */
function whatOf({ msg, method, path, status, ms, from, user, err, ...others }: LogRecord): string {
  const request = method === undefined ? [] : [`${text(method)} ${text(path)} ${text(status)}`]
  const rest = {
    ...others,
    ...(method === undefined && { path, status, ms, from, user }),
  }
  return [
    ...(request.length > 0 && msg === 'request' ? [] : [text(msg ?? '')]),
    ...request,
    ...(request.length > 0 ? [`${text(ms)} ms`, text(user ?? from)] : []),
    ...(err === undefined ? [] : [messageOf(err)]),
    ...Object.entries(rest).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${text(value)}`],
    ),
  ]
    .filter(Boolean)
    .join('  ')
}

/**
 * A record of the log in one line for people: when, how serious, what, and what matters of the rest. What is no
 * record stands as it is. `paint` was used on it.
 */
export function logLine(line: string, formatTime: FormatTime): string {
  const record = recordOf(line)
  if (!record) return visible(line)
  const { time, level, request_id, ...rest } = record
  const word = LEVELS[Number(level)] ?? text(level ?? '')
  const serious = Number(level) >= ERROR || Number(rest['status']) >= 500
  // A problem that a caller was given names its request.
  const what = whatOf(serious && request_id !== undefined ? { ...rest, request_id } : rest)
  const shown = word.padEnd(LEVEL_WIDTH)
  const tint = Number(level) >= ERROR ? paint.red(shown) : word === 'warn' ? paint.yellow(shown) : shown
  const at = typeof time === 'string' ? formatTime(time) : text(time ?? '')
  return `${visible(at)}  ${tint}  ${visible(what)}`
}
