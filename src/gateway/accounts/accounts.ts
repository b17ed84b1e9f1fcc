import { isApiKey } from '../../contract/api-key.js'
import { Problem } from '../../contract/errors.js'
import type { Page } from '../../contract/schema.js'
import type { LocalLogins } from '../../contract/topics/accounts/sign-on.js'
import type {
  Credentials,
  Login,
  NewUser,
  PasswordChange,
  User,
  UserChange,
} from '../../contract/topics/accounts/users.js'
import type { Clock } from '../../kit/clock.js'
import { networkOf } from '../../kit/network.js'
import { Signal } from '../../kit/signal.js'
import { comparableEmail } from '../../kit/text/email.js'
import type { Collection } from '../../store/collection.js'
import { RetentionClock } from '../../store/retention-clock.js'
import { selectorGiven } from '../equipment/equipment-labels.js'
import { type Revisions, requireRevision } from '../records/revision.js'
import { ApiKeys, OWNER_DAYS } from './api-keys.js'
import type { Caller } from './caller.js'
import type { SessionRecord } from './company-account.js'
import { CompanySessions, type OpenedSession } from './company-sessions.js'
import type { KeyRecord } from './key-record.js'
import { LoginLimits } from './login-limits.js'
import { Passwords, requireLength } from './passwords.js'
import { type Recognised, RecognisedCallers } from './recognised-callers.js'
import { type Revocation, Revocations, type TrustedTime } from './revocations.js'
import { REFRESHED_TOKEN_MS, TOKEN_LIFETIME_SECONDS } from './token-lifetime.js'
import { Tokens } from './tokens.js'
import { pageOfUsers, userOf } from './user-list.js'
import {
  changedUser,
  identityOf,
  isLocalAdmin,
  managesUsers,
  requireLocal,
  type UserRecord,
} from './user-record.js'
import { Users } from './users.js'

export interface AccountsOptions {
  readonly users: Collection<UserRecord>
  readonly revocations: Collection<Revocation>
  readonly apiKeys: Collection<KeyRecord>
  readonly sessions: Collection<SessionRecord>
  /** How users log in; by passwords alone when left out. */
  readonly logins?: LoginRules
  /** Signs the tokens: 32 random bytes. Another key ends all tokens. */
  readonly key: Uint8Array
  readonly clock: Clock
  /** The clock by which revocations expire; a retention clock like the store's when left out. */
  readonly trustedTime?: TrustedTime
  /** How long a token is good for; 12 hours when left out. */
  readonly tokenSeconds?: number
  /** scrypt's N, a power of two; 2^15 when left out. */
  readonly passwordCost?: number
}

/** How users log in, beside passwords. */
export interface LoginRules {
  readonly local: LocalLogins
  /** The issuer of the company accounts, whose users have access; undefined where there is no sign-on. */
  readonly issuer: string | undefined
}

const MAX_USERS = 10_000
const PASSWORDS_ALONE: LoginRules = { local: 'everybody', issuer: undefined }

const revoked = (): Problem => new Problem('token_revoked', 'The token has been revoked. Log in again.')

const wrongPassword = (): Problem =>
  new Problem('wrong_password', 'The current password is another one: nothing was changed.')

/** Users, their passwords and their tokens; API keys. */
export class Accounts {
  /** A token was revoked or a user changed: open streams have to authenticate their tokens again. */
  readonly changed = new Signal<void>()
  /** API keys: a program's token instead of a user's. */
  readonly keys: ApiKeys
  readonly tokens: Tokens
  /** Sessions of users of company accounts. */
  readonly company: CompanySessions
  readonly logins: LoginRules
  readonly #records: Collection<UserRecord>
  readonly #users: Users
  readonly #clock: Clock
  readonly #passwords: Passwords
  readonly #revocations: Revocations
  readonly #limits: LoginLimits
  readonly #recognised: RecognisedCallers

  constructor(options: AccountsOptions) {
    this.#records = options.users
    this.#users = new Users(options.users, options.clock)
    this.#clock = options.clock
    this.#passwords = new Passwords(options.passwordCost)
    this.tokens = new Tokens(options.key, options.clock, options.tokenSeconds ?? TOKEN_LIFETIME_SECONDS)
    const trusted = options.trustedTime ?? new RetentionClock(options.clock, undefined)
    this.#revocations = new Revocations(options.revocations, options.clock, trusted, REFRESHED_TOKEN_MS)
    this.#limits = new LoginLimits(options.clock)
    this.#recognised = new RecognisedCallers(options.clock)
    this.logins = options.logins ?? PASSWORDS_ALONE
    this.company = new CompanySessions({
      users: this.#users,
      sessions: options.sessions,
      once: this.#revocations,
      clock: options.clock,
      siteKey: options.key,
      requireRoom: () => this.#requireRoom(),
      onEnded: () => this.#reportChange(),
    })
    this.keys = new ApiKeys({
      records: options.apiKeys,
      clock: options.clock,
      trusted,
      requireValid: async (by) => void (await this.#requireStill(by)),
      ownerUntil: (id) => this.#ownerUntil(id),
      onRevoked: () => this.#reportChange(),
    })
    // Changed by another process.
    options.users.changed.on(() => this.#reportChange())
    options.apiKeys.changed.on(() => this.#reportChange())
    options.sessions.changed.on((id) => {
      // Most changes are that of a time.
      void this.company.get(id).then((session) => session ?? this.#reportChange())
    })
    options.revocations.changed.on((id) => {
      this.#revocations.changedElsewhere(id)
      this.#reportChange()
    })
  }

  /** Adds the first administrator where there is no user at all; false where there is one. */
  async firstAdmin(email: string, password: string, name = 'Administrator'): Promise<boolean> {
    return this.#records.exclusively(async () => {
      if ((await this.#records.all()).length > 0) return false
      requireLength(password)
      const password_hash = await this.#passwords.hash(password)
      await this.#users.add({ email, name, role: 'admin', label_selector: null, password_hash })
      return true
    })
  }

  /** Makes the user with this email an administrator of all equipment, with this password; adds one where there is none. */
  async resetAdmin(
    email: string,
    password: string,
  ): Promise<{ readonly user: User; readonly added: boolean }> {
    requireLength(password)
    const known = await this.#users.byEmail(comparableEmail(email))
    const all = { password, role: 'admin', label_selector: null } as const
    const user = known
      ? await this.update(known.id, all)
      : await this.create({ email, name: 'Administrator', ...all })
    return { user, added: known === undefined }
  }

  /** `address` is the caller's, for the limits on guessing. */
  async login({ email, password }: Credentials, address: string): Promise<Login> {
    const user = await this.#proven(email, password, address)
    if (!user) throw new Problem('invalid_credentials', 'The email or the password is wrong.')
    if (!this.#mayUsePassword(user))
      throw new Problem('sso_required', `${user.email} is no local administrator, and signs on with SSO.`)
    return this.#loginOf(user)
  }

  /** Of a local user: a session of company accounts is continued where the identity provider is asked. */
  refresh(caller: Caller): Promise<Login> {
    return this.#records.exclusively(async () => {
      const user = await this.#requireValid(caller)
      if (await this.#revocations.isUsedUp(caller.id)) {
        const detail = `${caller.email} has refreshed too many tokens recently. Continue with this one.`
        throw new Problem('quota_exceeded', detail, { retry_after: 600 })
      }
      if (!(await this.#revocations.revoke(caller, REFRESHED_TOKEN_MS))) {
        const detail = 'Too many tokens were refreshed recently. Continue with this one.'
        throw new Problem('rate_limited', detail, { retry_after: 600 })
      }
      this.#recognised.forget()
      return this.#loginOf(user)
    })
  }

  async logout(caller: Caller): Promise<void> {
    if (caller.session !== undefined) {
      await this.company.end({ id: caller.session })
      return
    }
    return this.#records.exclusively(async () => {
      if (!(await this.#revocations.revoke(caller))) await this.#endTokens(caller.id)
      this.#reportChange()
    })
  }

  /** The caller of a token that was verified before and is still valid; undefined for every other token. */
  recognised(token: string): Caller | undefined {
    const caller = this.#recognised.get(token)
    if (caller?.key) this.keys.used(caller.key.id)
    return caller
  }

  /** Throws `unauthenticated`, `token_expired` or `token_revoked`. */
  async authenticate(token: string): Promise<Caller> {
    const known = this.recognised(token)
    if (known) return known
    const verify = () => (isApiKey(token) ? this.keys.recognise(token) : this.#recogniseLogin(token))
    const caller = await this.#recognised.add(token, verify)
    if (caller.key) this.keys.used(caller.key.id)
    return caller
  }

  async list(query: { readonly limit?: number; readonly cursor?: string }): Promise<Page<User>> {
    return pageOfUsers(await this.#records.all(), query)
  }

  /** The email of the user who has this one, as it is registered. */
  async knownEmail(email: string): Promise<string | undefined> {
    return (await this.#users.byEmail(comparableEmail(email)))?.email
  }

  async get(id: string): Promise<User> {
    return userOf(await this.#users.record(id))
  }

  /** A change that `by` asked for throws `token_revoked` when the token of `by` has ended before the change is made. */
  async create({ email, name, role, label_selector = null, password }: NewUser, by?: Caller): Promise<User> {
    selectorGiven({ label_selector }, '/label_selector')
    const password_hash = await this.#passwords.hash(password, by?.id)
    return this.#change(by, async () => {
      await this.#users.requireFree(email)
      await this.#requireRoom()
      return userOf(await this.#users.add({ email, name, role, label_selector, password_hash }))
    })
  }

  async update(
    id: string,
    { password, ...change }: UserChange,
    by?: Caller,
    revisions?: Revisions,
  ): Promise<User> {
    selectorGiven({ label_selector: change.label_selector ?? null }, '/label_selector')
    requireLocal(await this.#users.record(id))
    const hash = password === undefined ? undefined : await this.#passwords.hash(password, by?.id)
    const isAsRead = (user: UserRecord): void => requireRevision('User', userOf(user), user.email, revisions)
    return userOf(await this.#updated(id, change, hash, by, isAsRead))
  }

  /** The record after a change. `requireAllowed` throws where the record as it is then is not to be changed so. */
  #updated(
    id: string,
    change: Omit<UserChange, 'password'>,
    hash: string | undefined,
    by: Caller | undefined,
    requireAllowed: (user: UserRecord) => void = () => {},
  ): Promise<UserRecord> {
    return this.#change(by, async () => {
      const user = await this.#users.record(id)
      requireLocal(user)
      requireAllowed(user)
      if (change.email !== undefined) await this.#users.requireFree(change.email, id)
      const updated = changedUser(user, change, hash, this.#clock.date().toISOString())
      if (!isLocalAdmin(updated)) await this.#users.requireOtherAdmin(user)
      await this.#records.put(updated)
      this.#reportChange()
      if (updated.token_generation !== user.token_generation) await this.#revocations.forget(id)
      return updated
    })
  }

  /**
   * Gives the caller another password, and a new token: all before it end. The token is one of this change: a later one by an
   * administrator ends it. Where another change came between, it has ended the caller's token. Throws `wrong_password`,
   * `rate_limited`, `token_revoked`.
   */
  async changePassword(caller: Caller, change: PasswordChange, address: string): Promise<Login> {
    requireLocal(await this.#users.record(caller.id))
    const proven = await this.#proven(caller.email, change.current_password, address)
    if (proven?.id !== caller.id) throw wrongPassword()
    const hash = await this.#passwords.hash(change.new_password, caller.id)
    return this.#loginOf(await this.#updated(caller.id, {}, hash, caller))
  }

  async delete(id: string, by?: Caller, revisions?: Revisions): Promise<void> {
    await this.#change(by, async () => {
      const user = await this.#users.record(id)
      requireRevision('User', userOf(user), user.email, revisions)
      await this.#users.requireOtherAdmin(user)
      await this.#records.delete(id)
      await this.#revocations.forget(id)
      await this.company.forget(id)
      this.#reportChange()
    })
  }

  /** The user whose email and password these are. Throws `rate_limited`. */
  async #proven(email: string, password: string, address: string): Promise<UserRecord | undefined> {
    const known = comparableEmail(email)
    this.#limits.check(known, address)
    const user = await this.#passwords.inTurn(networkOf(address), async () => {
      // Again, since others may have failed while this one waited.
      this.#limits.check(known, address)
      const found = await this.#users.byEmail(known)
      if (await this.#passwords.matches(password, found?.password_hash)) return found
      this.#limits.failed(known, address)
      return undefined
    })
    if (user) this.#limits.succeeded(known, address)
    return user
  }

  /** A token of a session of company accounts, good for so many seconds. */
  sessionLogin({ user, session }: OpenedSession, seconds: number): Promise<Login> {
    return this.#loginOf(user, { id: session.id, seconds })
  }

  async #loginOf(record: UserRecord, session?: { id: string; seconds: number }): Promise<Login> {
    const user = identityOf(record)
    const generation = record.token_generation
    const { token, expires } = await this.tokens.issue({ ...user, generation, session })
    return { token, user, expires_at: new Date(expires).toISOString() }
  }

  /** Runs a change when no other change runs, and only if the token of `by` is still valid then. */
  #change<T>(by: Caller | undefined, work: () => Promise<T>): Promise<T> {
    return this.#records.exclusively(async () => {
      await this.#requireStill(by)
      return work()
    })
  }

  /** Throws `token_revoked` where the token of `by` has ended. */
  async #requireStill(by: Caller | undefined): Promise<void> {
    if (by?.key) await this.keys.requireValid(by.key.id)
    else if (by) await this.#requireValid(by)
  }

  async #recogniseLogin(token: string): Promise<Recognised> {
    const { userId, tokenId, generation, expires, session } = await this.tokens.verify(token)
    const ofSession = session === undefined ? {} : { session }
    const tokenIs = { tokenId, tokenGeneration: generation, tokenExpires: expires, ...ofSession }
    const user = await this.#requireValid({ id: userId, ...tokenIs })
    const { label_selector = null } = user
    const selector = selectorGiven({ label_selector }) ?? null
    const expiry = await this.#revocations.expiryOf(tokenId)
    return { caller: { ...identityOf(user), label_selector, selector, key: null, ...tokenIs }, expiry }
  }

  #reportChange(): void {
    this.#recognised.forget()
    this.changed.emit()
  }

  /** The user's record. Throws `token_revoked` where the token that the user called with is not valid any more. */
  async #requireValid({
    id,
    tokenId,
    tokenGeneration,
    session,
  }: Pick<Caller, 'id' | 'tokenId' | 'tokenGeneration' | 'session'>): Promise<UserRecord> {
    const expiry = await this.#revocations.expiryOf(tokenId)
    const user = await this.#records.get(id)
    if (user?.token_generation !== tokenGeneration || expiry <= this.#clock.now()) throw revoked()
    if (!(await this.#mayStillCall(user, session))) throw revoked()
    return user
  }

  /** False for a session that has ended, and for a user whom the settings of this start no longer let log in. */
  async #mayStillCall(user: UserRecord, session: string | undefined): Promise<boolean> {
    if (!user.sign_on) return session === undefined && this.#mayUsePassword(user)
    if (session === undefined || user.sign_on.issuer !== this.logins.issuer) return false
    return (await this.company.get(session))?.user_id === user.id
  }

  async #ownerUntil(id: string): Promise<number> {
    const user = await this.#records.get(id)
    if (!user?.sign_on || user.sign_on.issuer !== this.logins.issuer) return 0
    return managesUsers(user) ? Date.parse(user.sign_on.confirmed_at) + OWNER_DAYS * 24 * 60 * 60_000 : 0
  }

  #mayUsePassword(user: UserRecord): boolean {
    return this.logins.local === 'everybody' || isLocalAdmin(user)
  }

  async #requireRoom(): Promise<void> {
    if ((await this.#records.all()).length < MAX_USERS) return
    throw new Problem('quota_exceeded', `There are ${MAX_USERS} users already. Remove one first.`)
  }

  /** Ends all tokens of the user. */
  async #endTokens(id: string): Promise<void> {
    const user = await this.#users.record(id)
    await this.#records.put({ ...user, token_generation: user.token_generation + 1 })
    await this.#revocations.forget(id)
  }
}
