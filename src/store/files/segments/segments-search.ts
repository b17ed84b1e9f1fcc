import type { Entry } from '../../entry.js'
import type { JournalQuery, JournalRead, NumberQuery } from '../../journal.js'
import type { Segment, SegmentWorld } from './segment.js'
import { sharedEntries, sizeAt } from './segment-entries.js'
import { matches, mayMatch, searchOf } from './segment-search.js'

/** Matches that are read at once where `where` decides. */
const FILTERED_AT_ONCE = 64

/** Searches the indexes of the segments, oldest first, and reads the entries that match. */
export async function searchSegments(
  world: SegmentWorld,
  oldestFirst: readonly Segment[],
  query: JournalQuery,
): Promise<Pick<JournalRead, 'entries' | 'isCut'>> {
  const search = searchOf(query, world.subjects)
  const { limit, bytes: most = Number.POSITIVE_INFINITY, where } = query
  const found: Entry[] = []
  let held = 0
  // With `where` the number of entries to read is not known: a read that was not enough is followed by a larger one.
  let chunk = where ? Math.min(limit, FILTERED_AT_ONCE) : limit
  for (const segment of search.ascending ? oldestFirst : oldestFirst.toReversed()) {
    if (!mayMatch(segment, search)) continue
    const index = await segment.index()
    const places: number[] = []
    const readPlaces = async (): Promise<void> => {
      const entries = await sharedEntries(world, segment, index, places.splice(0))
      // Retention deleted it and all before it meanwhile: entries found there would be followed by a gap.
      if (segment.deleted && search.ascending) found.splice(0)
      const wanted = where ? entries.filter(where) : entries
      found.push(...wanted)
      const next = wanted.length === entries.length ? limit - found.length : chunk * 2
      chunk = where ? Math.min(FILTERED_AT_ONCE, next) : next
    }
    for (const place of matches(segment.first, index, search)) {
      places.push(place)
      held += sizeAt(segment, index, place)
      if (places.length >= chunk || held >= most) await readPlaces()
      if (held >= most && found.length === 0) held = 0
      if (found.length >= limit || held >= most)
        return { entries: found.slice(0, limit), isCut: held >= most }
    }
    await readPlaces()
    if (found.length >= limit) break
  }
  return { entries: found.slice(0, limit), isCut: false }
}

/** The number of the first entry that matches, by the indexes alone. */
export async function firstMatch(
  { subjects }: SegmentWorld,
  oldestFirst: readonly Segment[],
  query: NumberQuery,
): Promise<number | undefined> {
  const search = searchOf(query, subjects)
  for (const segment of search.ascending ? oldestFirst : oldestFirst.toReversed()) {
    if (!mayMatch(segment, search)) continue
    const { value: place } = matches(segment.first, await segment.index(), search).next()
    if (place !== undefined) return segment.first + place
  }
  return undefined
}
