/** Numbers without entries, both inclusive: what was lost and a person gave up. None of them is given again. */
export interface Gap {
  readonly first: number
  readonly last: number
}

/** `entry 5 is`, `entries 5 to 7 are`. */
export const entriesAre = (first: number, last: number): string =>
  first === last ? `entry ${first} is` : `entries ${first} to ${last} are`

/** The number that follows `last`, unless that was given up. */
export const nextNumber = (gaps: readonly Gap[], last: number): number =>
  (gaps.find(({ first }) => first === last + 1)?.last ?? last) + 1

/** The gaps with one more; it takes the place of one that begins where it does. */
export const withGap = (gaps: readonly Gap[], gap: Gap): readonly Gap[] => [
  ...gaps.filter(({ first }) => first < gap.first),
  gap,
]
