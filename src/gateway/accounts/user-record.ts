import type { Role } from '../../contract/roles.js'

/** A user as it is kept. */
export interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly password_hash: string
  /** Rises when the password or the role changes, and so ends all tokens of before. */
  readonly token_generation: number
  readonly created_at: string
  readonly updated_at: string
}
