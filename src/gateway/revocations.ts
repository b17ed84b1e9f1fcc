import type { Clock } from '../kit/clock.js'
import type { Collection } from '../store/collection.js'

/** A token that ends before it expires. */
export interface Revocation {
  /** The token's `jti`. */
  readonly id: string
  /** When it is over, ISO 8601 UTC. */
  readonly dies_at: string
  /** When it would have been over anyway, and this record with it, ISO 8601 UTC. */
  readonly expires_at: string
}

/** Revocations kept at once. */
const MOST = 10_000
/** Milliseconds between two looks for what has expired. */
const PRUNE_EVERY = 10 * 60_000

/** The tokens that were revoked, on disk before anybody is told so. */
export class Revocations {
  #prunedAt = Number.NEGATIVE_INFINITY

  constructor(
    readonly records: Collection<Revocation>,
    readonly clock: Clock,
  ) {}

  /** When the token ends because it was revoked, in milliseconds since 1970; infinity where it was not. */
  async deathOf(tokenId: string): Promise<number> {
    const record = await this.records.get(tokenId)
    return record ? Date.parse(record.dies_at) : Number.POSITIVE_INFINITY
  }

  /**
   * Ends the token `after` milliseconds, or when it was to end already. False when there is no room for
   * one more until others have expired.
   */
  async revoke(
    token: { readonly tokenId: string; readonly tokenExpires: number },
    after = 0,
  ): Promise<boolean> {
    await this.#prune()
    const now = this.clock.date().getTime()
    const earlier = await this.records.get(token.tokenId)
    const dies = Math.min(now + after, token.tokenExpires, earlier ? Date.parse(earlier.dies_at) : Infinity)
    if (!earlier && (await this.records.all()).length >= MOST) return false
    await this.records.put({
      id: token.tokenId,
      dies_at: new Date(dies).toISOString(),
      expires_at: new Date(token.tokenExpires).toISOString(),
    })
    return true
  }

  async #prune(): Promise<void> {
    if (this.clock.now() - this.#prunedAt < PRUNE_EVERY) return
    this.#prunedAt = this.clock.now()
    const now = this.clock.date().getTime()
    const expired = (await this.records.all()).filter(({ expires_at }) => Date.parse(expires_at) <= now)
    await this.records.delete(...expired.map(({ id }) => id))
  }
}
