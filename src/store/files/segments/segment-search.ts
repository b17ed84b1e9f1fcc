import type { JournalQuery } from '../../journal.js'
import type { EntryIndex } from '../index/entry-index.js'
import type { Subjects } from '../index/subjects.js'
import type { Segment } from './segment.js'

/** A query in the numbers of the index. */
export interface Search {
  readonly ascending: boolean
  /** Sequence numbers, both exclusive. */
  readonly after: number
  readonly before: number
  /** Milliseconds since 1970; inclusive and exclusive. */
  readonly from: number
  readonly to: number
  /** Whether the number of a subject is wanted; undefined when all are. */
  readonly wanted: ((number: number) => boolean) | undefined
}

export const searchOf = (query: Omit<JournalQuery, 'limit'>, subjects: Subjects): Search => ({
  ascending: query.order === 'asc',
  after: query.after ?? 0,
  before: query.before ?? Number.POSITIVE_INFINITY,
  from: query.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(query.from),
  to: query.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.to),
  wanted: query.key === undefined && !query.kinds && !query.topics ? undefined : subjects.wanted(query),
})

/** False when nothing in the segment can match, as far as is known without its index. */
export function mayMatch(
  segment: Pick<Segment, 'first' | 'last' | 'earliest' | 'latest' | 'present'>,
  { after, before, from, to, wanted }: Search,
): boolean {
  if (segment.latest < from || segment.earliest >= to) return false
  if (segment.last <= after || segment.first >= before) return false
  // Few entries are looked at themselves: with many equipment there are more subjects.
  if (!wanted || segment.last - after <= segment.present.size) return true
  for (const number of segment.present) if (wanted(number)) return true
  return false
}

/** The places in a segment's index that match, in the order asked for, found as they are asked for. */
export function* matches(
  first: number,
  { length, times, subjects }: EntryIndex,
  { ascending, after, before, from, to, wanted }: Search,
): Generator<number> {
  const low = Math.max(0, after + 1 - first)
  const high = Math.min(length - 1, before - 1 - first)
  const step = ascending ? 1 : -1
  for (let place = ascending ? low : high; place >= low && place <= high; place += step) {
    if (wanted && !wanted(subjects[place] as number)) continue
    const time = times[place] as number
    if (time >= from && time < to) yield place
  }
}
