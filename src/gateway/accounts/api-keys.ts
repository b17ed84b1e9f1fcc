import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { apiKeyText } from '../../contract/api-key.js'
import { Problem } from '../../contract/errors.js'
import type { Page } from '../../contract/schema.js'
import type { ApiKey, CreatedApiKey, NewApiKey } from '../../contract/topics/accounts/keys.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import type { Collection } from '../../store/collection.js'
import { selectorGiven } from '../equipment/equipment-labels.js'
import { newId } from '../new-id.js'
import { type Revisions, requireRevision } from '../records/revision.js'
import { timeOf } from '../records/time-range.js'
import type { Caller } from './caller.js'
import type { KeyRecord } from './key-record.js'
import type { Recognised } from './recognised-callers.js'
import type { TrustedTime } from './revocations.js'
import { pageInOrderAdded } from './user-list.js'

export interface ApiKeyParts {
  readonly records: Collection<KeyRecord>
  readonly clock: Clock
  /** The clock by which expiry is noted for good: a jump ahead of the wall clock counts only after a day. */
  readonly trusted: TrustedTime
  /** Throws `token_revoked` when the token of `by` has ended. */
  readonly requireValid: (by: Caller) => Promise<void>
  /** Until when a user of company accounts counts as confirmed, in milliseconds since 1970; in the past for who has lost the right to make keys. */
  readonly ownerUntil: (ownerId: string) => Promise<number>
  /** Called when a key was revoked. */
  readonly onRevoked: () => void
}

type Expiring = Pick<KeyRecord, 'expired' | 'expires_at'>

const MAX_KEYS = 1000
/** Days for which a key of a user of company accounts goes on after its maker was last confirmed. */
export const OWNER_DAYS = 30
/** Milliseconds between two writes of what was used and what has expired. */
const WRITE_EVERY = 60_000
const TEXT = /^secsctl_([0-9a-z]{10})_[0-9a-f]{64}$/

/** A key is 256 random bits, which nobody can guess: unlike a password it needs no slow hash and no salt. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** API keys: tokens of programs. Of each the gateway keeps a hash. */
export class ApiKeys {
  /** When keys were used since this process started, in milliseconds since 1970. */
  readonly #used = new Map<string, number>()
  /** The latest trusted time, and when that was on the clock that never goes back. */
  #latest = { time: Number.NEGATIVE_INFINITY, at: 0 }
  #cancel: Cancel | undefined
  #isClosed = false

  constructor(readonly parts: ApiKeyParts) {
    // The process that has made a key may not live until it expires.
    parts.records.changed.on(() => this.#writeLater())
  }

  async list(query: { readonly limit?: number; readonly cursor?: string }): Promise<Page<ApiKey>> {
    const { items, next_cursor } = pageInOrderAdded(await this.parts.records.all(), 'keys', query)
    return { items: items.map((record) => this.#view(record)), next_cursor }
  }

  async get(id: string): Promise<ApiKey> {
    return this.#view(await this.#record(id))
  }

  async create(
    { name, role, label_selector = null, expires_at: given }: NewApiKey,
    by: Caller,
  ): Promise<CreatedApiKey> {
    const { records, clock } = this.parts
    selectorGiven({ label_selector }, '/label_selector')
    const expires_at = timeOf(given ?? undefined) ?? null
    return this.#change(by, async () => {
      const now = clock.date()
      if (hasPassed({ expires_at }, now.getTime())) throw inThePast()
      const all = await records.all()
      if (all.some((key) => key.name === name))
        throw new Problem('key_name_taken', `Another API key has the name ${name}.`)
      if (all.length >= MAX_KEYS)
        throw new Problem('quota_exceeded', `There are ${MAX_KEYS} API keys already. Revoke one first.`)
      const id = newId('key')
      const key = apiKeyText(id, randomBytes(32).toString('hex'))
      const record: KeyRecord = {
        id,
        name,
        role,
        label_selector,
        hash: hashOf(key),
        created_at: now.toISOString(),
        created_by: by.email,
        ...(by.session !== undefined && { owner_id: by.id }),
        expires_at,
        expired: false,
        last_used_at: null,
      }
      await records.put(record)
      this.#writeLater()
      return { ...this.#view(record), key }
    })
  }

  revoke(id: string, by: Caller, revisions?: Revisions): Promise<void> {
    const { records, onRevoked } = this.parts
    return this.#change(by, async () => {
      const record = await this.#record(id)
      requireRevision('ApiKey', this.#view(record), record.name, revisions)
      await records.delete(id)
      this.#used.delete(id)
      onRevoked()
    })
  }

  /** Throws `unauthenticated`, `token_revoked`, `token_expired`. */
  async recognise(text: string): Promise<Recognised> {
    const [, id] = TEXT.exec(text) ?? []
    if (id === undefined) {
      const detail = 'This is no API key: one is "secsctl_", 10 characters, "_" and 64 hexadecimal digits.'
      throw new Problem('unauthenticated', detail)
    }
    const record = await this.parts.records.get(`key_${id}`)
    const isKey = record && timingSafeEqual(Buffer.from(record.hash), Buffer.from(hashOf(text)))
    // Nobody but the holder of the whole key is told that there is one with this id.
    if (!isKey) throw revoked()
    // A process that started later, by another clock, would accept it again.
    if (!record.expired && hasPassed(record, this.#time())) await this.#expire(record.id)
    this.#requireUnexpired(record)
    const owned = await this.#requireOwner(record)
    const { name, role, label_selector, expires_at } = record
    const expires = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)
    const caller: Caller = {
      id: record.id,
      email: `key:${name}`,
      name,
      role,
      label_selector,
      selector: selectorGiven({ label_selector }) ?? null,
      tokenId: record.id,
      tokenGeneration: 1,
      tokenExpires: expires,
      key: { id: record.id, name, expires_at },
    }
    const ends = Math.min(expires - this.#time(), owned)
    return { caller, expiry: this.parts.clock.now() + ends }
  }

  /** Throws `token_revoked` or `token_expired` where the key with this id has ended. */
  async requireValid(id: string): Promise<void> {
    const record = await this.parts.records.get(id)
    if (!record) throw revoked()
    this.#requireUnexpired(record)
    await this.#requireOwner(record)
  }

  /** Milliseconds for which the key goes on by who has made it. Throws `token_revoked`. */
  async #requireOwner({ name, owner_id, created_by }: KeyRecord): Promise<number> {
    if (owner_id === undefined) return Number.POSITIVE_INFINITY
    const left = (await this.parts.ownerUntil(owner_id)) - this.parts.clock.date().getTime()
    if (left > 0) return left
    const detail = `The API key ${name} rests: ${created_by}, who made it, is no administrator any more, or has not signed on for ${OWNER_DAYS} days.`
    throw new Problem('token_revoked', detail)
  }

  /** Notes that a key is used now. */
  used(id: string): void {
    // A wall clock that was set back does not make the last use an earlier one.
    this.#used.set(id, Math.max(this.#used.get(id) ?? 0, this.parts.clock.date().getTime()))
    this.#writeLater()
  }

  /** Writes down which keys were used and which have expired; to be called once at the start, then it repeats itself. */
  async write(): Promise<void> {
    const { records } = this.parts
    await records.exclusively(async () => {
      const time = this.#time()
      const all = await records.all()
      const changed = all.flatMap((record) => {
        const expired = record.expired || hasPassed(record, time)
        const last_used_at = this.#lastUse(record)
        const isNew = expired !== record.expired || last_used_at !== record.last_used_at
        return isNew ? [{ ...record, expired, last_used_at }] : []
      })
      // Changes of one turn are one write.
      await Promise.all(changed.map((record) => records.put(record)))
      if (all.length > 0) this.#writeLater()
    })
  }

  /** Writes the last uses. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancel?.()
    // Where the disk has failed, the gateway is ending for that reason.
    await this.write().catch(() => {})
  }

  #writeLater(): void {
    if (this.#isClosed || this.#cancel) return
    const { clock } = this.parts
    this.#cancel = clock.at(clock.now() + WRITE_EVERY, () => {
      this.#cancel = undefined
      // A store that is away is tried again.
      this.write().catch(() => this.#writeLater())
    })
  }

  /** Runs a change when no other change runs. */
  #change<T>(by: Caller, work: () => Promise<T>): Promise<T> {
    return this.parts.records.exclusively(async () => {
      await this.parts.requireValid(by)
      return work()
    })
  }

  #view({ hash: _, owner_id: __, ...record }: KeyRecord): ApiKey {
    return { ...record, expired: this.#isExpired(record), last_used_at: this.#lastUse(record) }
  }

  #lastUse({ id, last_used_at }: Pick<KeyRecord, 'id' | 'last_used_at'>): string | null {
    const used = this.#used.get(id)
    // Another process may have seen a later use.
    const isNewer = used !== undefined && !(Date.parse(last_used_at ?? NEVER) > used)
    return isNewer ? new Date(used).toISOString() : last_used_at
  }

  #expire(id: string): Promise<void> {
    const { records } = this.parts
    return records.exclusively(async () => {
      const record = await records.get(id)
      if (record) await records.put({ ...record, expired: true })
    })
  }

  #requireUnexpired(record: KeyRecord): void {
    if (!this.#isExpired(record)) return
    const since = `The API key ${record.name} has expired: it was valid until ${record.expires_at}.`
    throw new Problem('token_expired', since)
  }

  #isExpired(record: Expiring): boolean {
    const wall = this.parts.clock.date().getTime()
    return record.expired || hasPassed(record, Math.max(wall, this.#time()))
  }

  /** The trusted time, which does not go back while this process runs. */
  #time(): number {
    const at = this.parts.clock.now()
    const time = Math.max(this.parts.trusted.now(), this.#latest.time + at - this.#latest.at)
    this.#latest = { time, at }
    return time
  }

  async #record(id: string): Promise<KeyRecord> {
    const record = await this.parts.records.get(id)
    if (!record) throw new Problem('key_not_found', `There is no API key with the id ${id}.`)
    return record
  }
}

/** No date: neither before nor after any other. */
const NEVER = 'never'

const hasPassed = ({ expires_at }: Pick<KeyRecord, 'expires_at'>, time: number): boolean =>
  Date.parse(expires_at ?? NEVER) <= time

const revoked = (): Problem =>
  new Problem('token_revoked', 'The API key was revoked, or is not one of this gateway.')

const inThePast = (): Problem => {
  const detail = 'must be in the future'
  return new Problem('invalid_request', `expires_at ${detail}.`, {
    errors: [{ pointer: '/expires_at', detail }],
  })
}
