import type { Selector } from '../../contract/selector.js'
import type { Identity } from '../../contract/topics/accounts/users.js'

/**
 * The user or API key of a request: from its token, confirmed by the accounts. Of a key, `email` is `key:NAME`, which is
 * no email, and `tokenExpires` is infinity where it does not expire.
 */
export interface Caller extends Identity {
  /** The API key that was sent; null for the token of a user. */
  readonly key: { readonly id: string; readonly name: string; readonly expires_at: string | null } | null
  /** The equipment that the caller sees and reaches; null for all. */
  readonly selector: Selector | null
  /** The text of the selector. */
  readonly label_selector: string | null
  readonly tokenId: string
  /** The generation of the user's tokens that the token belongs to. */
  readonly tokenGeneration: number
  /** The session of company accounts that the token belongs to; left out for a token of a local user. */
  readonly session?: string
  /** When the token ends, in milliseconds since 1970. */
  readonly tokenExpires: number
}
