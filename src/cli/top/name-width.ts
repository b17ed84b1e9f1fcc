import { widthOf } from '../../kit/text/columns.js'
import type { TopState } from './top-state.js'

/** The title of the names, with the mark of the sort order. */
export const MIN_NAME = 10
export const MAX_NAME = 40

/** Columns of the longest name of equipment. */
export const longestName = ({ equipment }: TopState): number =>
  [...equipment.values()].reduce((most, { name }) => Math.max(most, widthOf(name)), 0)

/** Columns for names: as many as the longest one takes, and at most a third of the screen where others need it, too. */
export const nameWidth = (longest: number, columns: number): number =>
  Math.max(MIN_NAME, Math.min(longest, MAX_NAME, Math.floor(columns / 3)))
