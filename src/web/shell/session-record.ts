import type { Role } from '../../contract/roles.js'

/** Who is logged in. */
export interface Session {
  readonly token: string
  readonly kind: 'user' | 'key'
  readonly name: string
  readonly role: Role
  /** Of a user of company accounts: continues the session when the token expires. */
  readonly session_token?: string
}

/** What stays the same while the tokens of a session change. */
export const sessionId = ({ session_token, token }: Session): string => session_token ?? token
