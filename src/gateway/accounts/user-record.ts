import { Problem } from '../../contract/errors.js'
import type { Role } from '../../contract/roles.js'
import type { Identity, SignOnAccount, UserChange } from '../../contract/topics/accounts/users.js'
import type { GrantedRule } from './company-account.js'

/** A user as it is kept. */
export interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** The equipment that the user sees and reaches; null or left out for all. */
  readonly label_selector?: string | null
  /** Left out for a user of company accounts, who has no password here. */
  readonly password_hash?: string
  /** The account of the company that the user is; left out for a local user. */
  readonly sign_on?: SignOnAccount
  /** Rises when the password, the role or the selector changes, and so ends all tokens of before. */
  readonly token_generation: number
  readonly created_at: string
  readonly updated_at: string
}

export const identityOf = ({ id, email, name, role }: UserRecord): Identity => ({ id, email, name, role })

/** An administrator who is restricted to some equipment manages no users; one who has lost all groups does nothing. */
export const managesUsers = ({ role, label_selector, sign_on }: UserRecord): boolean =>
  role === 'admin' && !label_selector && sign_on?.rule !== null

/** An administrator who logs in with a password, also while the identity provider is away. */
export const isLocalAdmin = (user: UserRecord): boolean => managesUsers(user) && !user.sign_on

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
    ...(hash !== undefined && { password_hash: hash }),
    token_generation: user.token_generation + (endsTokens ? 1 : 0),
    updated_at: at,
  }
}

/** The record after its company account was confirmed. Another role or selector, or the loss of all, ends the tokens. */
export function withAccount(
  user: UserRecord,
  account: {
    readonly email: string
    readonly name: string
    readonly rule: GrantedRule | undefined
    readonly sign_on: SignOnAccount
  },
  at: string,
): UserRecord {
  const { email, name, rule, sign_on } = account
  const { role, label_selector = null } = user
  const after = rule ? { role: rule.role, label_selector: rule.labels } : { role, label_selector }
  const endsTokens =
    after.role !== role || after.label_selector !== label_selector || (!rule && user.sign_on?.rule !== null)
  return {
    ...user,
    email,
    name,
    ...after,
    sign_on,
    token_generation: user.token_generation + (endsTokens ? 1 : 0),
    updated_at: at,
  }
}

/** Throws `sso_user` for a user whose rights are those of a company account. */
export function requireLocal({ email, sign_on }: UserRecord): void {
  if (sign_on)
    throw new Problem(
      'sso_user',
      `${email} is an account of ${sign_on.issuer}: what is to change is changed there.`,
    )
}
