import type { Size } from './sizes.js'

/** Characters in one line of a name. */
const LINE: Readonly<Record<Size, number>> = { l: 17, m: 12, s: 10, xs: 7 }
/** Characters of a name that a tile has room for, in two lines; in one at the smallest size. */
const ROOM: Readonly<Record<Size, number>> = { l: 34, m: 24, s: 16, xs: 7 }

const SEPARATOR = /[-_. /:]/

/** Of the names of a group so many have to begin alike for the heading to say it. */
const MOST = 0.75

/** How the names of a group are shown on its tiles. */
export interface TileNames {
  /** What the names begin with, for the heading; empty where the tiles have room for whole names. */
  readonly shared: string
  /** Whether all of them begin with `shared`; one that does not is shown whole. */
  readonly isOfAll: boolean
  /** So many characters at the end of a name are always shown: where names differ, their ends do. */
  readonly tail: number
}

/** What most names begin with, up to and with a separator; empty where a name would have nothing left, or two be equal. */
export function sharedBeginning(names: readonly string[]): string {
  if (names.length < 2) return ''
  // Names with the same beginning are neighbours in order, and most of them include the one in the middle.
  const middle = [...names].sort()[Math.floor(names.length / 2)] ?? ''
  for (let length = middle.length; length > 0; length--) {
    if (!SEPARATOR.test(middle[length - 1] ?? '')) continue
    const beginning = middle.slice(0, length)
    const having = names.filter((name) => name.startsWith(beginning))
    if (having.length < MOST * names.length) continue
    const rests = new Set(names.map((name) => withoutBeginning(name, beginning)))
    return rests.has('') || rests.size < new Set(names).size ? '' : beginning
  }
  return ''
}

export const withoutBeginning = (name: string, beginning: string): string =>
  name.startsWith(beginning) ? name.slice(beginning.length) : name

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
  if (names.every((name) => name.length <= room)) return { shared: '', isOfAll: true, tail: 0 }
  const shared = hasHeading ? sharedBeginning(names) : ''
  const isOfAll = names.every((name) => name.startsWith(shared))
  const rests = names.map((name) => withoutBeginning(name, shared))
  const isFitting = rests.every((rest) => rest.length <= room)
  return { shared, isOfAll, tail: isFitting ? 0 : Math.min(differingEnd(rests), room - 1) }
}

/** What a tile shows of a name: without what the heading says, and cut in the middle where that is still too long. */
export function shownName(name: string, { shared, tail }: TileNames, size: Size): string {
  const rest = withoutBeginning(name, shared)
  const room = ROOM[size]
  return rest.length <= room ? rest : `${rest.slice(0, room - tail - 1)}…${rest.slice(-tail)}`
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
