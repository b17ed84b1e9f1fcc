import type { Size } from './sizes.js'

/** Characters in one line of a name. */
const LINE: Readonly<Record<Size, number>> = { l: 17, m: 12, s: 10, xs: 7 }
/** Characters of a name that a tile has room for, in two lines; in one at the smallest size. */
const ROOM: Readonly<Record<Size, number>> = { l: 34, m: 24, s: 16, xs: 7 }

const SEPARATOR = /[-_. /:]/

/** How the names of a group are shown on its tiles. */
export interface TileNames {
  /** What all names begin with, for the heading; empty where the tiles have room for whole names. */
  readonly shared: string
  /** So many characters at the end of a name are always shown: where names differ, their ends do. */
  readonly tail: number
}

/** What all names begin with, up to and with a separator; empty where a name would have nothing left. */
export function sharedBeginning(names: readonly string[]): string {
  const [first = '', ...others] = names
  if (others.length === 0) return ''
  let length = first.length
  for (const name of others) {
    let at = 0
    while (at < length && name[at] === first[at]) at++
    length = at
  }
  while (length > 0 && !SEPARATOR.test(first[length - 1] ?? '')) length--
  return names.every((name) => name.length > length) ? first.slice(0, length) : ''
}

/** The fewest characters at the end by which all names differ; all of the longest where two are equal. */
function differingEnd(names: readonly string[]): number {
  const longest = Math.max(0, ...names.map((name) => name.length))
  for (let tail = 1; tail < longest; tail++)
    if (new Set(names.map((name) => name.slice(-tail))).size === names.length) return tail
  return longest
}

/** `hasHeading`: there is one above the tiles, which can say what the names share. */
export function tileNames(names: readonly string[], size: Size, hasHeading: boolean): TileNames {
  const room = ROOM[size]
  if (names.every((name) => name.length <= room)) return { shared: '', tail: 0 }
  const shared = hasHeading ? sharedBeginning(names) : ''
  const rests = names.map((name) => name.slice(shared.length))
  const isFitting = rests.every((rest) => rest.length <= room)
  return { shared, tail: isFitting ? 0 : Math.min(differingEnd(rests), room - 1) }
}

/** What a tile shows of a name: without what the heading says, and cut in the middle where that is still too long. */
export function shownName(name: string, { shared, tail }: TileNames, size: Size): string {
  const rest = name.slice(shared.length)
  const room = ROOM[size]
  return rest.length <= room ? rest : `${rest.slice(0, room - tail - 1)}…${rest.slice(-tail)}`
}

/** A name of at most `room` characters: the middle of a longer one is left out, since names differ at their ends. */
export function cutInMiddle(name: string, room: number): string {
  if (name.length <= room) return name
  const tail = Math.floor((room - 1) / 2)
  return `${name.slice(0, room - 1 - tail)}…${name.slice(-tail)}`
}

/**
 * The lines of a text on a tile. One that needs two is broken after the last separator with which both fit; without such
 * a separator the browser breaks it anywhere.
 */
export function linesOf(text: string, size: Size): readonly string[] {
  if (!isLong(text, size)) return [text]
  for (let at = LINE[size]; at >= text.length - LINE[size] && at > 0; at--)
    if (SEPARATOR.test(text[at - 1] ?? '')) return [text.slice(0, at), text.slice(at)]
  return [text]
}

/** Whether a text needs two lines of a tile. */
export const isLong = (text: string, size: Size): boolean => size !== 'xs' && text.length > LINE[size]
