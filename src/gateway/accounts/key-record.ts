import type { Role } from '../../contract/roles.js'

/** An API key as it is kept: without its text. */
export interface KeyRecord {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly label_selector: string | null
  /** SHA-256 of the key's text, in hexadecimal. */
  readonly hash: string
  readonly created_at: string
  readonly created_by: string
  /** The user of company accounts who made it: it ends with what this user may do. Left out for one that a local user made. */
  readonly owner_id?: string
  readonly expires_at: string | null
  /** True once the key has expired, so that it stays so if the clock is set back. */
  readonly expired: boolean
  readonly last_used_at: string | null
}
