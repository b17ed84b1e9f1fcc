import { widthOf } from '../../kit/text/columns.js'
import type { TopState } from './top-state.js'

/** The title of the names, with the mark of the sort order. */
export const MIN_NAME = 10
export const MAX_NAME = 40

/** By the equipment of a state, which never changes: each row of a screen asks for it. */
const widths = new WeakMap<TopState['equipment'], number>()

/** Columns of the longest name of equipment. */
export function longestName({ equipment }: TopState): number {
  const known = widths.get(equipment)
  if (known !== undefined) return known
  const most = [...equipment.values()].reduce((width, { name }) => Math.max(width, widthOf(name)), 0)
  widths.set(equipment, most)
  return most
}

/** Columns for names: as many as the longest one takes, and at most a third of the screen where others need it, too. */
export const nameWidth = (longest: number, columns: number): number =>
  Math.max(MIN_NAME, Math.min(longest, MAX_NAME, Math.floor(columns / 3)))
