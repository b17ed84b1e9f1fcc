import { createHash } from 'node:crypto'
import { Problem } from '../contract/errors.js'

/** A short mark of what a list was asked for, so that a cursor cannot be carried to another list. */
const markOf = (filters: object): string => {
  const given = Object.entries(filters)
    // What is the same list is the same mark: `desc` is the order of a list that is not given one.
    .filter(([name, value]) => value !== undefined && !['cursor', 'limit'].includes(name))
    .filter(([name, value]) => name !== 'order' || value !== 'desc')
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(given)).digest('base64url').slice(0, 12)
}

/** A cursor that goes on behind `position` of the list that `filters` (its name among them) describe. */
export const encodeCursor = (filters: object, position: string): string =>
  Buffer.from(`${markOf(filters)}.${position}`).toString('base64url')

/** The position in a cursor. Throws `invalid_cursor` for one that is not ours or belongs to other filters. */
export function decodeCursor(cursor: string, filters: object): string {
  const [, mark, position] = /^([^.]+)\.(.+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (position === undefined || mark !== markOf(filters)) {
    throw new Problem(
      'invalid_cursor',
      'The cursor was not given by this list with these filters. Leave it out to start at the beginning.',
    )
  }
  return position
}
