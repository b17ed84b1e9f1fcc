import type { Role } from '../../contract/roles.js'

/** Who is logged in. */
export interface Session {
  readonly token: string
  readonly kind: 'user' | 'key'
  readonly name: string
  readonly role: Role
}
