import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { Problem } from '../../contract/errors.js'
import type { Clock } from '../../kit/clock.js'
import { comparableEmail } from '../../kit/text/email.js'
import type { Collection } from '../../store/collection.js'
import { seal, unseal } from '../../store/sealing.js'
import { newId } from '../new-id.js'
import type { CompanyAccount, ProviderTokens, SessionRecord } from './company-account.js'
import { RefusedAccount } from './refused-account.js'
import { type Revocations, takenId } from './revocations.js'
import { type UserRecord, withAccount } from './user-record.js'
import type { Users } from './users.js'

export interface CompanySessionParts {
  readonly users: Users
  readonly sessions: Collection<SessionRecord>
  /** What the provider has made, and counts once. */
  readonly once: Pick<Revocations, 'isTaken' | 'take'>
  readonly clock: Clock
  /** The key of the site, of which the one that seals is made. */
  readonly siteKey: Uint8Array
  /** Throws `quota_exceeded` where there may be no further user. */
  readonly requireRoom: () => Promise<void>
  /** Called when tokens may have ended. */
  readonly onEnded: () => void
}

/** A session, and who has it. */
export interface OpenedSession {
  readonly user: UserRecord
  readonly session: SessionRecord
}

/** What the provider has told of a logout: of all sessions of an account, or of one session there. */
export interface EndedAtProvider {
  readonly issuer: string
  readonly subject: string | undefined
  readonly sid: string | undefined
  /** Sessions that began later go on; in milliseconds since 1970. */
  readonly before: number
  /** The id of the logout token, which counts once, and until when it could be sent again. */
  readonly jti: string
  readonly until: number
}

/** What a call that continues a session has to do. */
export type Claim =
  /** The provider has just been asked for it. */
  | { readonly kind: 'checked'; readonly opened: OpenedSession }
  /** Another call asks at this time. */
  | { readonly kind: 'busy' }
  /** It is to ask the provider now, and then to call `confirm`, `end` or `release`. */
  | { readonly kind: 'ask'; readonly opened: OpenedSession; readonly tokens: ProviderTokens }

/** Sessions at once, of all users and of one; the oldest of the user ends. */
const MAX_SESSIONS = 5000
const MAX_OF_USER = 20
/**
 * Milliseconds for which nobody else asks the provider about a session, more than its requests may take together, and for
 * which what it said counts.
 */
const CHECK_MS = 60_000
const CHECKED_MS = 5000
/** Milliseconds in which the page has to exchange a session for a token. */
const CLAIM_MS = 120_000
/** Milliseconds for which a code that was used is known. */
const CODE_MS = 60 * 60_000
/** The account in the record of a user is written anew after this time, where nothing else has changed. */
const CONFIRM_EVERY_MS = 60 * 60_000

const TOKEN = /^(sso_[0-9a-z]{10})\.([A-Za-z0-9_-]{43})$/
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const ended = (): Problem => new Problem('token_revoked', 'The session has ended. Sign on again.')

/** The sessions of users of company accounts, and their records. All decisions run within those of the users. */
export class CompanySessions {
  readonly #key: Uint8Array

  constructor(readonly parts: CompanySessionParts) {
    this.#key = new Uint8Array(hkdfSync('sha256', parts.siteKey, '', 'secsctl sign-on sessions', 32))
  }

  /** The session with this id; undefined where it has ended. */
  async get(id: string): Promise<SessionRecord | undefined> {
    const session = await this.parts.sessions.get(id)
    return session && !this.#hasEnded(session) ? session : undefined
  }

  /** Throws `sso_failed` where a session was begun with this code already: the provider would end that session. */
  async requireUnused(issuer: string, code: string): Promise<void> {
    if (await this.parts.once.isTaken(takenId('code', issuer, code)))
      throw new Problem('sso_failed', 'This sign-on has been completed already. Begin again.')
  }

  /**
   * Begins a session of the account, whose user is added or brought up to date. `code`: that of the sign-on in a page,
   * which has to claim the session. Throws `sso_no_access`, `email_taken`, `quota_exceeded`, `sso_failed`.
   */
  begin(
    account: CompanyAccount,
    tokens: ProviderTokens,
    { lifetimeMs, code }: { readonly lifetimeMs: number; readonly code?: string | undefined },
  ): Promise<OpenedSession & { readonly token: string }> {
    const { users, sessions, once } = this.parts
    const { issuer } = account
    return users.records.exclusively(async () => {
      if (code !== undefined) await this.requireUnused(issuer, code)
      const user = await this.#userOf(account)
      await this.#makeRoom(user.id)
      const secret = randomBytes(32).toString('base64url')
      const now = this.#now()
      const id = newId('sso')
      const session: SessionRecord = {
        id,
        user_id: user.id,
        hash: hashOf(secret),
        sealed: this.#sealed(id, tokens),
        provider_sid: tokens.sid ?? null,
        created_at: iso(now),
        checked_at: iso(now),
        expires_at: iso(now + lifetimeMs),
        ...(code !== undefined && { unclaimed_until: iso(now + CLAIM_MS) }),
      }
      await sessions.put(session)
      if (code !== undefined) await once.take(takenId('code', issuer, code), now + CODE_MS)
      return { user, session, token: `${id}.${secret}` }
    })
  }

  /** Whose session it is; null for one that has ended. */
  async emailOf(token: string): Promise<string | null> {
    const opened = await this.#ofToken(token)
      .then((session) => this.#opened(session))
      .catch(() => undefined)
    return opened?.user.email ?? null
  }

  /** Whether the provider has given what continues the session. */
  isRenewable(session: SessionRecord): boolean {
    return this.#unsealed(session).refreshToken !== undefined
  }

  /** Gives the session to the page that began the sign-on, once. Throws `token_revoked`. */
  claim(token: string): Promise<OpenedSession> {
    return this.parts.users.records.exclusively(async () => {
      const { unclaimed_until, ...session } = await this.#ofToken(token)
      if (unclaimed_until === undefined) throw ended()
      await this.parts.sessions.put(session)
      return this.#opened(session)
    })
  }

  /** Who is to ask the provider whether the session with this token, or this id, goes on. Throws `token_revoked`. */
  check(which: { readonly token: string } | { readonly id: string }): Promise<Claim> {
    return this.parts.users.records.exclusively(async () => {
      const session = 'token' in which ? await this.#ofToken(which.token) : await this.get(which.id)
      if (!session || session.unclaimed_until !== undefined) throw ended()
      const opened = await this.#opened(session)
      const now = this.#now()
      if (Math.abs(now - Date.parse(session.checked_at)) < CHECKED_MS) return { kind: 'checked', opened }
      const busy = Date.parse(session.checking_until ?? iso(0)) - now
      if (busy > 0 && busy <= CHECK_MS) return { kind: 'busy' }
      await this.parts.sessions.put({ ...session, checking_until: iso(now + CHECK_MS) })
      return { kind: 'ask', opened, tokens: this.#unsealed(session) }
    })
  }

  /** The provider has confirmed the account. Throws `sso_no_access`, and ends all sessions, where it has lost its groups. */
  confirm(id: string, account: CompanyAccount, tokens: ProviderTokens): Promise<OpenedSession> {
    const { users, sessions } = this.parts
    return users.records.exclusively(async () => {
      const known = await this.get(id)
      if (!known) throw ended()
      const user = await this.#userOf(account, known.user_id)
      const { checking_until: _, ...session } = known
      const sid = tokens.sid ?? known.provider_sid
      const checked = {
        ...session,
        sealed: this.#sealed(id, { ...this.#unsealed(known), ...tokens }),
        provider_sid: sid,
        checked_at: iso(this.#now()),
      }
      await sessions.put(checked)
      return { user, session: checked }
    })
  }

  /** The provider could not be asked to the end. `refreshToken`: with which it is asked the next time. */
  release(id: string, refreshToken: string): Promise<void> {
    return this.parts.users.records.exclusively(async () => {
      const session = await this.get(id)
      if (!session) return
      const { checking_until: _, ...free } = session
      const tokens = this.#unsealed(session)
      const isNew = tokens.refreshToken !== refreshToken
      await this.parts.sessions.put({
        ...free,
        ...(isNew && { sealed: this.#sealed(id, { ...tokens, refreshToken }) }),
      })
    })
  }

  /** Ends a session and its tokens; what the provider gave for it. Undefined where it has ended already. */
  end(which: { readonly token: string } | { readonly id: string }): Promise<ProviderTokens | undefined> {
    return this.parts.users.records.exclusively(async () => {
      const session =
        'token' in which
          ? await this.#ofToken(which.token).catch(() => undefined)
          : await this.parts.sessions.get(which.id)
      if (!session) return undefined
      const tokens = this.#unsealed(session)
      await this.#delete([session])
      return tokens
    })
  }

  /**
   * Ends all sessions of an account, or those of one session at the provider, as it has told. How many. Throws
   * `sso_failed` where a daemon has taken this token already.
   */
  endOf({ issuer, jti, until, ...told }: EndedAtProvider): Promise<number> {
    const { users, once } = this.parts
    return users.records.exclusively(async () => {
      const id = takenId('logout', issuer, jti)
      if (await once.isTaken(id)) throw new Problem('sso_failed', 'This logout token was taken already.')
      const gone = await this.#endedBy(issuer, told)
      await this.#delete(gone)
      // Last: the provider repeats what has failed.
      await once.take(id, until)
      return gone.length
    })
  }

  /** Forgets the sessions of a removed user; to be called within a change of the users. */
  async forget(userId: string): Promise<void> {
    await this.#delete((await this.parts.sessions.all()).filter(({ user_id }) => user_id === userId))
  }

  /** The record of the account's user. `id`: who it has to be. */
  async #userOf(account: CompanyAccount, id?: string): Promise<UserRecord> {
    const { users, clock, onEnded } = this.parts
    const known = await this.#known(account.issuer, account.subject)
    if (id !== undefined && known?.id !== id) throw ended()
    const { rule } = account
    if (!known && !rule) throw noAccess(account)
    const holder = await users.byEmail(comparableEmail(account.email))
    const isTaken = holder !== undefined && holder.id !== known?.id
    if (!known && isTaken) throw taken(account)
    const sign_on = {
      issuer: account.issuer,
      subject: account.subject,
      groups: [...account.groups],
      rule: rule?.group ?? null,
      confirmed_at: clock.date().toISOString(),
    }
    if (!known) {
      await this.parts.requireRoom()
      const { role = 'viewer', labels = null } = rule ?? {}
      return users.add({ email: account.email, name: account.name, role, label_selector: labels, sign_on })
    }
    const email = isTaken ? known.email : account.email
    const updated = withAccount(known, { email, name: account.name, rule, sign_on }, sign_on.confirmed_at)
    if (isNews(known, updated)) await users.records.put(updated)
    if (!rule) await this.forget(known.id)
    if (updated.token_generation !== known.token_generation) onEnded()
    if (!rule) throw noAccess(account)
    return updated
  }

  async #endedBy(
    issuer: string,
    { subject, sid, before }: Pick<EndedAtProvider, 'subject' | 'sid' | 'before'>,
  ): Promise<readonly SessionRecord[]> {
    const user = subject === undefined ? undefined : await this.#known(issuer, subject)
    if (subject !== undefined && !user) return []
    return (await this.parts.sessions.all()).filter(
      ({ user_id, provider_sid, created_at }) =>
        (!user || user_id === user.id) &&
        (sid === undefined || provider_sid === sid) &&
        // One that began later by our clock began before the clock was set back.
        (Date.parse(created_at) <= before || Date.parse(created_at) > this.#now()),
    )
  }

  async #known(issuer: string, subject: string): Promise<UserRecord | undefined> {
    const all = await this.parts.users.records.all()
    return all.find(({ sign_on }) => sign_on?.issuer === issuer && sign_on.subject === subject)
  }

  async #opened(session: SessionRecord): Promise<OpenedSession> {
    const user = await this.parts.users.records.get(session.user_id)
    if (!user?.sign_on) throw ended()
    return { user, session }
  }

  async #ofToken(token: string): Promise<SessionRecord> {
    const [, id = '', secret = ''] = TOKEN.exec(token) ?? []
    const session = await this.get(id)
    const isIts = session && timingSafeEqual(Buffer.from(session.hash), Buffer.from(hashOf(secret)))
    if (!isIts) throw ended()
    return session
  }

  /** Ends what is over, and the oldest sessions of a user who has too many. Throws `quota_exceeded`. */
  async #makeRoom(userId: string): Promise<void> {
    const all = await this.parts.sessions.all()
    const over = all.filter((session) => this.#hasEnded(session))
    const left = all.filter((session) => !over.includes(session))
    const own = left
      .filter(({ user_id }) => user_id === userId)
      .toSorted((one, two) => (one.created_at < two.created_at ? -1 : 1))
    const oldest = own.slice(0, Math.max(0, own.length - MAX_OF_USER + 1))
    await this.#delete([...over, ...oldest])
    if (left.length - oldest.length >= MAX_SESSIONS)
      throw new Problem('quota_exceeded', `There are ${MAX_SESSIONS} sessions already. Try again later.`, {
        retry_after: 600,
      })
  }

  async #delete(gone: readonly SessionRecord[]): Promise<void> {
    if (gone.length === 0) return
    await this.parts.sessions.delete(...gone.map(({ id }) => id))
    this.parts.onEnded()
  }

  #hasEnded({ expires_at, unclaimed_until }: SessionRecord): boolean {
    const now = this.#now()
    return Date.parse(expires_at) <= now || Date.parse(unclaimed_until ?? expires_at) <= now
  }

  #sealed(id: string, tokens: ProviderTokens): string {
    return seal(Buffer.from(JSON.stringify(tokens)), this.#key, id).toString('base64')
  }

  #unsealed({ id, sealed }: SessionRecord): ProviderTokens {
    const text = unseal(Buffer.from(sealed, 'base64'), this.#key, id)?.toString()
    return text === undefined ? {} : (JSON.parse(text) as ProviderTokens)
  }

  #now(): number {
    return this.parts.clock.date().getTime()
  }
}

const iso = (time: number): string => new Date(time).toISOString()

/** Whether the record of a user has to be written: not for another time alone. */
function isNews(before: UserRecord, after: UserRecord): boolean {
  const without = ({ sign_on, updated_at: _, ...user }: UserRecord): string =>
    JSON.stringify([user, { ...sign_on, confirmed_at: null }])
  const since = Date.parse(before.sign_on?.confirmed_at ?? iso(0))
  const age = Date.parse(after.sign_on?.confirmed_at ?? iso(0)) - since
  return without(before) !== without(after) || age < 0 || age >= CONFIRM_EVERY_MS
}

/** Groups that an error names. */
const MAX_NAMED = 20

function noAccess(account: CompanyAccount): Problem {
  const { email, groups } = account
  const named = groups.slice(0, MAX_NAMED).join(', ').replace(/\p{C}/gu, ' ')
  const more = groups.length > MAX_NAMED ? ` and ${groups.length - MAX_NAMED} more` : ''
  const detail =
    groups.length === 0
      ? `${email} is in no group, so no rule of auth.roles gives access.`
      : `No rule of auth.roles names a group of ${email}. Its groups: ${named}${more}.`
  return new RefusedAccount('sso_no_access', detail, account)
}

const taken = (account: CompanyAccount): Problem =>
  new RefusedAccount(
    'email_taken',
    `Another user has the email ${account.email}, and is not this account: an administrator removes that user, or gives it another email.`,
    account,
  )
