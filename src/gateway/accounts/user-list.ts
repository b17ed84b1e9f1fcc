import { DEFAULT_LIMIT, type Page } from '../../contract/schema.js'
import type { User } from '../../contract/topics/users.js'
import { decodeCursor, encodeCursor } from '../records/cursor.js'
import type { UserRecord } from './user-record.js'

const LIST = { list: 'users' }
/** A user as callers see it. */
export const userOf = ({ id, email, name, role, created_at }: UserRecord): User => ({
  id,
  email,
  name,
  role,
  created_at,
})
/** Where a user stands in the list, which is in the order they were added. */
const positionOf = ({ created_at, id }: UserRecord): string =>
  `${String(Date.parse(created_at)).padStart(15, '0')}-${id}`
const POSITION = /^\d{15}-usr_[0-9a-z]+$/

/** A page of the users, in the order they were added. */
export function pageOfUsers(
  all: readonly UserRecord[],
  { limit = DEFAULT_LIMIT, cursor }: { readonly limit?: number; readonly cursor?: string },
): Page<User> {
  const after = cursor === undefined ? '' : decodeCursor(cursor, LIST, POSITION)
  const users = all
    .filter((user) => positionOf(user) > after)
    .sort((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1))
  const page = users.slice(0, limit)
  const last = page.at(-1)
  const next_cursor = last && users.length > limit ? encodeCursor(LIST, positionOf(last)) : null
  return { items: page.map(userOf), next_cursor }
}
