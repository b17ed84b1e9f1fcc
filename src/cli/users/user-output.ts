import { Problem } from '../../contract/errors.js'
import type { User } from '../../contract/users.js'
import { comparableEmail } from '../../kit/email.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'

export const userColumns = (formatTime: FormatTime): readonly Column<User>[] => [
  { title: 'ID', text: ({ id }) => id },
  { title: 'EMAIL', text: ({ email }) => email },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'ROLE', text: ({ role }) => role },
  { title: 'SINCE', text: ({ created_at }) => formatTime(created_at) },
]

/** The user that an id or an email means. */
export function userNamed(given: string, users: readonly User[]): User {
  const wanted = comparableEmail(given)
  const found = users.find(({ id, email }) => id === given || comparableEmail(email) === wanted)
  if (!found) throw new Problem('user_not_found', `There is no user "${given}".`)
  return found
}
