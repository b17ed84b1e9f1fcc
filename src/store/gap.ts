/** Numbers without entries, both inclusive: what was lost and a person gave up. None of them is given again. */
export interface Gap {
  readonly first: number
  readonly last: number
  /**
   * The highest number there was when it was given up, where that is not `last`: what was made of the entries up
   * to one between `first` and it may know what is lost.
   */
  readonly until?: number
}

/** `entry 5 is`, `entries 5 to 7 are`. */
export const entriesAre = (first: number, last: number): string =>
  first === last ? `entry ${first} is` : `entries ${first} to ${last} are`

/** The number that follows `last`, unless that was given up. */
export const nextNumber = (gaps: readonly Gap[], last: number): number =>
  (gaps.find(({ first }) => first === last + 1)?.last ?? last) + 1

/** True when what was made of the entries up to `seq` may know of some that were given up since. */
export const knowsLost = (gaps: readonly Gap[], seq: number): boolean =>
  gaps.some(({ first, last, until = last }) => seq >= first && seq <= until)
