import { type Clock, delay } from '../../kit/clock.js'
import { wrongUsage } from '../errors/failure.js'
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

/** Does `work` at once and then after each `interval`, `count` times or until `signal` aborts. */
export async function repeatedly(
  clock: Clock,
  interval: number,
  count: number,
  signal: AbortSignal,
  work: (done: number) => Promise<void>,
): Promise<void> {
  let due = clock.now()
  for (let done = 0; done < count && !signal.aborted; done++) {
    if (done > 0) await delay(clock, due - clock.now(), signal)
    if (signal.aborted) return
    // What was missed while the work took longer is not made up for.
    due = Math.max(due + interval, clock.now())
    await work(done)
  }
}
