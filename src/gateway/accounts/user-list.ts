import { DEFAULT_LIMIT, type Page } from '../../contract/schema.js'
import type { User } from '../../contract/topics/accounts/users.js'
import { decodeCursor, encodeCursor } from '../records/cursor.js'
import { identityOf, type UserRecord } from './user-record.js'

/** A user as callers see it. */
export const userOf = (record: UserRecord): User => ({
  ...identityOf(record),
  label_selector: record.label_selector ?? null,
  sign_on: record.sign_on ?? null,
  created_at: record.created_at,
})

interface Added {
  readonly id: string
  readonly created_at: string
}

/** Where a record stands in a list in the order of addition. */
const positionOf = ({ created_at, id }: Added): string =>
  `${String(Date.parse(created_at)).padStart(15, '0')}-${id}`
const POSITION = /^\d{15}-[a-z]+_[0-9a-z]+$/

/** A page of records in the order in which they were added. `list`: the name of the list, for its cursors. */
export function pageInOrderAdded<T extends Added>(
  all: readonly T[],
  list: string,
  { limit = DEFAULT_LIMIT, cursor }: { readonly limit?: number; readonly cursor?: string },
): Page<T> {
  const after = cursor === undefined ? '' : decodeCursor(cursor, { list }, POSITION)
  const left = all
    .filter((one) => positionOf(one) > after)
    .sort((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1))
  const items = left.slice(0, limit)
  const last = items.at(-1)
  const next_cursor = last && left.length > limit ? encodeCursor({ list }, positionOf(last)) : null
  return { items, next_cursor }
}

export function pageOfUsers(
  all: readonly UserRecord[],
  query: { readonly limit?: number; readonly cursor?: string },
): Page<User> {
  const { items, next_cursor } = pageInOrderAdded(all, 'users', query)
  return { items: items.map(userOf), next_cursor }
}
