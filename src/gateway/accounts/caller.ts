import type { Identity } from '../../contract/topics/users.js'

/** The user of a request: from its token, confirmed by the accounts. */
export interface Caller extends Identity {
  readonly tokenId: string
  /** The generation of the user's tokens that the token belongs to. */
  readonly tokenGeneration: number
  /** When the token ends, in milliseconds since 1970. */
  readonly tokenExpires: number
}
