import { createHash } from 'node:crypto'
import type { Clock } from '../../kit/clock.js'
import type { Collection } from '../../store/collection.js'

/** A token that ends before it expires. */
export interface Revocation {
  /** The token's `jti`; of what an identity provider has made, as `takenId` makes it. */
  readonly id: string
  /** Whose token it was; a record of an older version does not have it. */
  readonly user_id?: string
  /** When it is over, ISO 8601 UTC: 1970 for one that ended at once, independently of later clock changes. */
  readonly dies_at: string
  /** When it would have been over anyway, ISO 8601 UTC. The record is kept for somewhat longer. */
  readonly expires_at: string
}

/** The clock by which old records are deleted: the wall clock, except that a jump ahead counts only after a day. */
export interface TrustedTime {
  /** Milliseconds since 1970. */
  now(): number
}

/** Revocations kept at once, and those of one user. */
const MAX_REVOCATIONS = 10_000
const MAX_OF_USER = 500
/** Of these, what an identity provider has made and was taken here: the oldest is forgotten. */
const MAX_TAKEN = 5000
const TAKEN = 'taken_'
/** Milliseconds by which a record outlives its token: the trusted time may be ahead by an hour. */
const KEPT_LONGER = 2 * 60 * 60_000
const AT_ONCE = new Date(0).toISOString()

/** Revoked tokens, on disk before the revocation is acknowledged. An ended token stays ended if the wall clock is set back. */
export class Revocations {
  /** When tokens end, on the clock that never goes back. */
  readonly #expiries = new Map<string, number>()

  /** `longestGrace`: the largest `after` that `revoke` is called with, in milliseconds. */
  constructor(
    readonly records: Collection<Revocation>,
    readonly clock: Clock,
    readonly trusted: TrustedTime,
    readonly longestGrace: number,
  ) {}

  /**
   * When the token ends because it was revoked, on the clock that never goes back: in the past where it has ended
   * already, infinity where it was not revoked.
   */
  async expiryOf(tokenId: string): Promise<number> {
    const record = await this.records.get(tokenId)
    if (!record) return Number.POSITIVE_INFINITY
    const expiry = this.#expiries.get(tokenId) ?? this.#expiryAfterRestart(record)
    this.#expiries.set(tokenId, expiry)
    return expiry
  }

  /** Another process has changed the record of this token. */
  changedElsewhere(tokenId: string): void {
    this.#expiries.delete(tokenId)
  }

  /** True when the user's share is used up, until some of the tokens have expired. */
  async isUsedUp(userId: string): Promise<boolean> {
    const own = (await this.records.all()).filter(({ user_id }) => user_id === userId)
    return own.length >= MAX_OF_USER
  }

  /** Forgets the tokens of a user all of whose tokens have ended otherwise. */
  async forget(userId: string): Promise<void> {
    const own = (await this.records.all()).filter(({ user_id }) => user_id === userId)
    await this.records.delete(...own.map(({ id }) => id))
    for (const { id } of own) this.#expiries.delete(id)
  }

  /**
   * Ends the token `after` milliseconds, or when it was to end already. False when there is no room for
   * one more, of this user or of any, until others have expired.
   */
  async revoke(
    token: { readonly id: string; readonly tokenId: string; readonly tokenExpires: number },
    after = 0,
  ): Promise<boolean> {
    await this.#prune()
    const { tokenId, tokenExpires } = token
    const earlier = await this.expiryOf(tokenId)
    const expiry = this.clock.now() + after
    if (earlier <= expiry) return true
    if (earlier === Number.POSITIVE_INFINITY) {
      if ((await this.records.all()).length >= MAX_REVOCATIONS || (await this.isUsedUp(token.id)))
        return false
    }
    const expiryDate = new Date(this.clock.date().getTime() + after)
    await this.records.put({
      id: tokenId,
      user_id: token.id,
      dies_at: after === 0 ? AT_ONCE : expiryDate.toISOString(),
      expires_at: new Date(tokenExpires).toISOString(),
    })
    this.#expiries.set(tokenId, Math.min(expiry, earlier))
    return true
  }

  /** Whether this was taken already, here or by another daemon. */
  async isTaken(id: string): Promise<boolean> {
    return (await this.records.get(id)) !== undefined
  }

  /** Has what an identity provider made, and counts once, never be taken again. `expires`: when it would be of no use anyway. */
  async take(id: string, expires: number): Promise<void> {
    await this.#prune()
    const taken = (await this.records.all())
      .filter((record) => record.id.startsWith(TAKEN))
      .toSorted((one, two) => (one.expires_at < two.expires_at ? -1 : 1))
    const oldest = taken.slice(0, Math.max(0, taken.length - MAX_TAKEN + 1))
    await this.records.delete(...oldest.map((record) => record.id))
    await this.records.put({ id, dies_at: AT_ONCE, expires_at: new Date(expires).toISOString() })
  }

  /** A time further ahead than the longest grace was written before the clock was set back. */
  #expiryAfterRestart({ dies_at }: Revocation): number {
    const left = Date.parse(dies_at) - this.clock.date().getTime()
    return left <= this.longestGrace ? this.clock.now() + left : Number.NEGATIVE_INFINITY
  }

  async #prune(): Promise<void> {
    const latest = this.trusted.now() - KEPT_LONGER
    const expired = (await this.records.all()).filter(({ expires_at }) => Date.parse(expires_at) <= latest)
    await this.records.delete(...expired.map(({ id }) => id))
    for (const { id } of expired) this.#expiries.delete(id)
  }
}

/** What the provider made is known by: long, or with any characters, as it may be. `kind`: what it is. */
export const takenId = (kind: 'logout' | 'code', ...parts: readonly string[]): string =>
  TAKEN +
  createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest('hex')
