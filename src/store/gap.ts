/**
 * Numbers without entries, both inclusive: what was lost and a person gave up, or what a restored journal leaves out. None
 * of them is given again.
 */
export interface Gap {
  readonly first: number
  readonly last: number
  /**
   * The highest number of the journal when the gap was given up; left out if that is `last`. A snapshot that was made at
   * a number from `first` to `until` may contain entries that are lost.
   */
  readonly until?: number
  /** Nothing was lost: these numbers are left out after a restored backup. */
  readonly restored?: true
}

/**
 * So many numbers are left out where a journal continues from an older state: more than it can have given since, so that
 * none means two entries. At 10,000 entries a second that is 115 days; a number has 15 digits at most.
 */
export const NUMBERS_LEFT_OUT = 100_000_000_000

/** The numbers that are left out after `last`. */
export const leftOut = (last: number): Gap => ({
  first: last + 1,
  last: last + NUMBERS_LEFT_OUT,
  restored: true,
})

/** How many entries there are at most from one number to a later one, without those that were left out. */
export const entriesBetween = (from: number, to: number): number => Math.max(0, to - from) % NUMBERS_LEFT_OUT

/** `entry 5 is`, `entries 5 to 7 are`. */
export const entriesAre = (first: number, last: number): string =>
  first === last ? `entry ${first} is` : `entries ${first} to ${last} are`

/** The number that follows `last`, or all that was given up after it. `gaps`: in order; one may begin where another ends. */
export const nextNumber = (gaps: readonly Gap[], last: number): number =>
  gaps.reduce((next, gap) => (gap.first === next ? gap.last + 1 : next), last + 1)

/** True when what was made of the entries up to `seq` may know of some that were given up since. */
export const knowsLost = (gaps: readonly Gap[], seq: number): boolean =>
  gaps.some(({ first, last, until = last }) => seq >= first && seq <= until)
