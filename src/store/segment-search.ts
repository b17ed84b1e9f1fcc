import type { EntryIndex } from './entry-index.js'
import type { JournalQuery } from './journal.js'
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
  readonly key: number | undefined
  /** For every number of a kind, 1 when it is wanted. */
  readonly kinds: Uint8Array | undefined
}

/** Undefined when nothing can match: no entry has the key. */
export function searchOf(query: JournalQuery, { vocabulary }: EntryIndex): Search | undefined {
  const key = query.key === undefined ? undefined : vocabulary.knownKey(query.key)
  if (query.key !== undefined && key === undefined) return undefined
  return {
    ascending: query.order === 'asc',
    after: query.after ?? 0,
    before: query.before ?? Number.POSITIVE_INFINITY,
    from: query.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(query.from),
    to: query.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.to),
    key,
    kinds: query.kinds && vocabulary.wanted(query.kinds),
  }
}

/** The places in a segment's index that match, in the order asked for, found as they are asked for. */
export function* matches({ first, index }: Segment, search: Search): Generator<number> {
  if (index.latest < search.from || index.earliest >= search.to) return
  const low = Math.max(0, search.after + 1 - first)
  const high = Math.min(index.length - 1, search.before - 1 - first)
  const { keys, kinds, times } = index
  const step = search.ascending ? 1 : -1
  for (let place = search.ascending ? low : high; place >= low && place <= high; place += step) {
    if (search.key !== undefined && keys[place] !== search.key) continue
    if (search.kinds && search.kinds[kinds[place] as number] !== 1) continue
    const time = times[place] as number
    if (time >= search.from && time < search.to) yield place
  }
}
