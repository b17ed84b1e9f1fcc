import type { Role } from '../../contract/roles.js'
import type { Identity, UserChange } from '../../contract/topics/accounts/users.js'

/** A user as it is kept. */
export interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** The equipment that the user sees and reaches; null or left out for all. */
  readonly label_selector?: string | null
  readonly password_hash: string
  /** Rises when the password, the role or the selector changes, and so ends all tokens of before. */
  readonly token_generation: number
  readonly created_at: string
  readonly updated_at: string
}

export const identityOf = ({ id, email, name, role }: UserRecord): Identity => ({ id, email, name, role })

/** An administrator who is restricted to some equipment manages no users. */
export const managesUsers = ({ role, label_selector }: UserRecord): boolean =>
  role === 'admin' && !label_selector

/** The record after a change. `hash`: of another password. */
export function changedUser(
  user: UserRecord,
  { email, name, role, label_selector }: Omit<UserChange, 'password'>,
  hash: string | undefined,
  at: string,
): UserRecord {
  const { label_selector: before = null } = user
  const reach = label_selector === undefined ? before : label_selector
  const endsTokens = hash !== undefined || reach !== before || (role !== undefined && role !== user.role)
  return {
    ...user,
    email: email ?? user.email,
    name: name ?? user.name,
    role: role ?? user.role,
    label_selector: reach,
    password_hash: hash ?? user.password_hash,
    token_generation: user.token_generation + (endsTokens ? 1 : 0),
    updated_at: at,
  }
}
