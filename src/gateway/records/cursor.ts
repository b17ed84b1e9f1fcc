import { hash } from 'node:crypto'
import { Problem } from '../../contract/errors.js'

/** Whether a filter tells lists apart. Equal lists have equal digests: `desc` is the default order. */
const tells = ([name, value]: readonly [string, unknown]): boolean =>
  value !== undefined && name !== 'cursor' && name !== 'limit' && (name !== 'order' || value !== 'desc')

/** The last digest: a page needs that of its list twice, and most callers read the same list again. */
let last = { text: '', mark: '' }

/** A short digest of a list's filters, so that a cursor cannot be used with another list. */
const markOf = (filters: object): string => {
  const given = Object.entries(filters)
    .filter(tells)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify(given)
  if (text !== last.text) last = { text, mark: hash('sha256', text, 'base64url').slice(0, 12) }
  return last.mark
}

/** A cursor that continues after `position` in the list that `filters` (its name among them) describe. */
export const encodeCursor = (filters: object, position: string): string =>
  Buffer.from(`${markOf(filters)}.${position}`).toString('base64url')

/** Longer cursors are rejected, in characters. */
const MAX_LENGTH = 4096

export const invalidCursor = (): Problem =>
  new Problem(
    'invalid_cursor',
    'The cursor was not given by this list with these filters. Leave it out to start at the beginning.',
  )

/**
 * The position in a cursor. Throws `invalid_cursor` for one that is not ours, belongs to other filters, or whose
 * position is not of the `form` that those of the list have.
 */
export function decodeCursor(cursor: string, filters: object, form: RegExp): string {
  const text = cursor.length > MAX_LENGTH ? '' : Buffer.from(cursor, 'base64url').toString()
  const [, mark, position] = /^([^.]+)\.(.+)$/.exec(text) ?? []
  if (position === undefined || mark !== markOf(filters) || !form.test(position)) throw invalidCursor()
  return position
}

const SEQUENCE_NUMBER = /^[1-9][0-9]{0,14}$/

/** The same of a list over the journal, where it is the number of an entry, `last` at most. */
export function decodeEntryCursor(cursor: string, filters: object, last: number): number {
  const begin = Number(decodeCursor(cursor, filters, SEQUENCE_NUMBER))
  if (begin > last) throw invalidCursor()
  return begin
}
