import { isPassing } from '../../client/persistent.js'
import type { Problem } from '../../contract/errors.js'
import { type Clock, delay } from '../../kit/clock.js'
import { wrongUsage } from '../errors/failure.js'
import { FailedCommand } from '../errors/subject.js'
import { parseDuration } from './durations.js'
import { switchFlag } from './flags.js'

/** Asked more often, in milliseconds, an equipment or a gateway does little else. */
const MIN_INTERVAL_MS = 100

/** `--watch` in milliseconds. */
export function watchInterval(given: string): number {
  const interval = parseDuration(given, '--watch')
  if (interval < MIN_INTERVAL_MS) throw wrongUsage(`--watch is ${MIN_INTERVAL_MS}ms or more`)
  return interval
}

/** Of a list. A duration may follow, which oclif does not know of a flag that may have none: `watchGiven` reads both. */
export const LIST_WATCH = switchFlag(
  'Repeat every 2 s, or every DURATION, until Ctrl-C. A terminal shows it in place; a pipe gets it each time that it differs.',
  { char: 'w', helpLabel: '-w, --watch [DURATION]' },
)

const DEFAULT_INTERVAL = '2s'

/** The interval of `--watch` in milliseconds, and the words without it; undefined where it is not among them. */
export function watchGiven(
  words: readonly string[],
): { readonly interval: number; readonly words: string[] } | undefined {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const at = words.slice(0, end).findIndex((word) => /^(--watch(=|$)|-w([=\d]|$))/.test(word))
  if (at < 0) return undefined
  const [, value] = /^(?:--watch=|-w=?)(.+)$/.exec(words[at] ?? '') ?? []
  const next = at + 1 < end && /^\d/.test(words[at + 1] ?? '') ? words[at + 1] : undefined
  const isNext = value === undefined && next !== undefined
  const interval = watchInterval(value ?? next ?? DEFAULT_INTERVAL)
  return { interval, words: words.toSpliced(at, isNext ? 2 : 1) }
}

export interface Repetition {
  readonly clock: Clock
  /** Milliseconds from one beginning to the next. */
  readonly interval: number
  /** How often it has to succeed; left out, until `signal` aborts. */
  readonly count?: number | undefined
  readonly signal: AbortSignal
  /** Takes why an attempt has failed, once for each reason until one succeeds. */
  readonly lost: (reason: string) => void
}

/**
 * Does `work` at once and then after each `interval`. A gateway that is away, or equipment that cannot be asked, is waited
 * for: `isAgain` is true for the attempt after a failure. Anything else is thrown, and so is any failure before the first
 * success.
 */
export async function repeatedly(
  { clock, interval, count = Number.POSITIVE_INFINITY, signal, lost }: Repetition,
  work: (done: number, isAgain: boolean) => Promise<void>,
): Promise<void> {
  let due = clock.now()
  let done = 0
  let said: string | undefined
  while (done < count && !signal.aborted) {
    if (done > 0) await delay(clock, due - clock.now(), signal)
    if (signal.aborted) return
    // What was missed while the work took longer is not made up for.
    due = Math.max(due + interval, clock.now())
    try {
      await work(done, said !== undefined)
      done += 1
      said = undefined
    } catch (error) {
      const cause = error instanceof FailedCommand ? error.cause : error
      if (done === 0 || !mayPass(cause)) throw error
      if (said !== cause.message)
        lost(`${cause.message.replace(/[^.]$/, '$&.')} Trying again in ${interval / 1000} s.`)
      said = cause.message
    }
  }
}

/** True for what may be otherwise the next time: equipment connects again after its gateway, and a token is renewed. */
function mayPass(error: unknown): error is Error {
  const { kind, code } = Object(error) as Partial<Problem>
  return isPassing(error) || kind === 'state' || code === 'token_expired'
}
