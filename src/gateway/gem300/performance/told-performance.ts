import { UNKNOWN_STATE } from '../../../contract/state-changes.js'
import type { Entry } from '../../../store/entry.js'
import type { Journal } from '../../../store/journal.js'
import { PERFORMANCE_STATE } from '../../records/journal-kinds.js'
import type { ObjectChange } from '../view/known-objects.js'
import { type Doing, NOT_TOLD, type Span, type ToldPerformance } from './module-stretches.js'

/** Entries that are read at once, and for one question. */
const STEP = 1000
const MOST = 20_000

export interface PerformanceRead {
  /** Oldest first. */
  readonly told: readonly ToldPerformance[]
  /** The time of which all is known. */
  readonly since: number
}

/**
 * What was told of the modules of one equipment in a time, with the state in which each began it. Further back than
 * `lostAt`, and than that of each of the known `modules`, is read only where it costs nothing: it tells what was last known.
 */
export async function toldPerformance(
  journal: Pick<Journal, 'read'>,
  equipmentId: string,
  { from, to }: Span,
  lostAt: number,
  modules: readonly string[],
): Promise<PerformanceRead> {
  const read: Entry[] = []
  /** When each module has come into the state in which it began the time, as far as that was read. */
  const begun = new Map(modules.map((module) => [module, Number.NEGATIVE_INFINITY]))
  let before: number | undefined
  /** What is from before it is not needed. An entry of a clock that was behind says nothing of those before it. */
  let since: number | undefined
  let isWhole = false
  while (!isWhole && read.length < MOST) {
    const { entries } = await journal.read({
      kinds: [PERFORMANCE_STATE],
      key: equipmentId,
      to: timeText(to),
      order: 'desc',
      limit: STEP,
      ...(before !== undefined && { before }),
      ...(since !== undefined && { from: timeText(since) }),
    })
    read.push(...entries)
    before = entries.at(-1)?.seq
    for (const { at, data } of entries) {
      const known = begun.get(String(data['object_id']))
      if (known !== undefined && Date.parse(at) <= from)
        begun.set(String(data['object_id']), Math.max(known, Date.parse(at)))
    }
    const least = Math.min(from, ...begun.values())
    const isLost = Date.parse(entries.at(-1)?.at ?? '') < lostAt
    if (isLost || Number.isFinite(least)) since ??= Math.max(lostAt, least)
    isWhole = entries.length < STEP
  }
  return {
    told: withDetails(read.toReversed()),
    since: isWhole ? Number.NEGATIVE_INFINITY : Date.parse(read.at(-1)?.at ?? ''),
  }
}

const timeText = (at: number): string => new Date(at).toISOString()

/** An entry has the details that have changed: the others are those of before. */
function withDetails(entries: readonly Entry[]): ToldPerformance[] {
  const known = new Map<string, Doing>()
  return entries.map(({ at, data }) => {
    const { object_id: module, to, details } = data as unknown as ObjectChange
    const doing = { ...NOT_TOLD, ...known.get(module), ...details }
    known.set(module, doing)
    // A module that is gone is in no state.
    return { ...doing, module, at: Date.parse(at), state: to === 'NO_STATE' ? UNKNOWN_STATE : to }
  })
}
