import { limitsOf, type RetentionPolicy } from '../../retention-policy.js'

/** A segment is sealed at this part of the age that is kept, however small it is, so that it can go in time. */
const SEGMENTS_PER_AGE = 30

export const segmentAge = ({ maxAge }: RetentionPolicy): number => maxAge / SEGMENTS_PER_AGE

interface Candidate {
  readonly last: number
  readonly size: number
  /** Times of its entries, in milliseconds since 1970: the earliest and the latest. */
  readonly earliest: number
  readonly latest: number
}

/**
 * How many of the sealed segments, oldest first, may go. `newestSize`: bytes of the segment that is written
 * to, which always stays; `newestEarliest`: its first time. `covered`: the last entry that can be spared. `firstHeld`: it and those after it are held.
 */
export function countToDelete(
  sealed: readonly Candidate[],
  {
    newestSize,
    newestEarliest = Number.POSITIVE_INFINITY,
    covered,
    now,
    firstHeld = Number.POSITIVE_INFINITY,
  }: { newestSize: number; newestEarliest?: number; covered: number; now: number; firstHeld?: number },
  policy: RetentionPolicy,
): number {
  let bytes = sealed.reduce((sum, { size }) => sum + size, newestSize)
  let count = 0
  for (const [at, { last, size, latest }] of sealed.entries()) {
    const { maxAge, maxBytes } = limitsOf(policy, last, firstHeld)
    // An entry from the future was made by a clock that was wrong: what follows shows how old the segment is.
    const following = (): number | undefined =>
      [...sealed.slice(at + 1).map(({ earliest }) => earliest), newestEarliest].find((time) => time <= now)
    const end = latest <= now ? latest : (following() ?? now)
    const isDue = bytes > maxBytes || now - end > maxAge
    if (!isDue || last > covered) break
    bytes -= size
    count++
  }
  return count
}
