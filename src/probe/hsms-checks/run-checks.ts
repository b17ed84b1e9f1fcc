import type { Clock } from '../../kit/clock.js'
import { aborted } from '../../kit/deferred.js'
import { HSMS_CHECKS } from './checks.js'
import { Kept } from './kept.js'
import { CheckEnded, Lab, type LabOptions } from './lab.js'
import type { LinkRecord, PassedBytes } from './raw-link.js'

export interface CheckResult {
  readonly group: string
  readonly title: string
  readonly verdict: 'passed' | 'failed' | 'inconclusive' | 'skipped'
  /** What was expected and what came instead, or why it was skipped; empty where it passed. */
  readonly detail: string
  /** What was seen where it passed. */
  readonly seen: string
  /** Milliseconds since 1970. */
  readonly began: number
  readonly ended: number
  /** The frames of the connections, oldest first; of very many the first and the last. */
  readonly passed: readonly PassedBytes[]
  /** Its connections, also those on which nothing passed. */
  readonly links: readonly LinkRecord[]
}

/**
 * Checks the HSMS of equipment that listens, one check after the other, each with connections of its own. `ended` is
 * called with each result. Nothing runs after `signal` has aborted, nor after a precondition that is not met.
 */
export async function runHsmsChecks(
  options: LabOptions,
  clock: Clock,
  signal: AbortSignal,
  ended: (result: CheckResult) => void = () => {},
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = []
  const interrupted = aborted(signal)
  let isOver = false
  for (const { group, title, precondition, run } of HSMS_CHECKS) {
    const kept = new Kept()
    const links: LinkRecord[] = []
    const lab = new Lab(
      options,
      clock,
      (bytes) => kept.add(bytes),
      (link) => links.push(link),
    )
    const began = clock.date().getTime()
    const outcome: Outcome =
      isOver || signal.aborted
        ? { ...SKIPPED, detail: isOver ? 'there was no session' : 'the run had ended' }
        : await outcomeOf(run(lab), interrupted)
    await lab.end()
    const verdict: CheckResult['verdict'] =
      precondition && outcome.verdict === 'failed' ? 'inconclusive' : outcome.verdict
    const at = clock.date().getTime()
    const { passed } = kept
    const result = { group, title, ...outcome, verdict, began, ended: at, passed, links }
    isOver ||= precondition === true && verdict !== 'passed'
    results.push(result)
    ended(result)
  }
  return results
}

type Outcome = Pick<CheckResult, 'verdict' | 'detail' | 'seen'>
const SKIPPED: Outcome = { verdict: 'skipped', detail: '', seen: '' }

async function outcomeOf(work: Promise<string>, interrupted: Promise<undefined>): Promise<Outcome> {
  try {
    work.catch(() => {}) // it may end after the interruption
    const seen = await Promise.race([work, interrupted])
    if (seen === undefined) return { verdict: 'inconclusive', detail: 'the run was interrupted', seen: '' }
    return { verdict: 'passed', detail: '', seen }
  } catch (error) {
    if (error instanceof CheckEnded) return { verdict: error.verdict, detail: error.message, seen: '' }
    // Of a socket: nothing listens, or there is no way.
    return { verdict: 'inconclusive', detail: (error as Error).message, seen: '' }
  }
}
