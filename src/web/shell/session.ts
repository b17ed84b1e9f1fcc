import { signal } from '@preact/signals'
import { mayActAs, type Role } from '../../contract/roles.js'
import { keyEndpoints } from '../../contract/topics/accounts/keys.js'
import { signOnEndpoints } from '../../contract/topics/accounts/sign-on.js'
import { userEndpoints } from '../../contract/topics/accounts/users.js'
import { delay, systemClock } from '../../kit/clock.js'
import { GatewayCalls, Refused } from '../gateway/call.js'
import { texts } from '../texts.js'
import type { Session } from './session-record.js'
import { Tabs } from './tabs.js'

/** In the storage of the tab: it survives a reload, and goes when the tab is closed. Other tabs get that of a user by asking. */
const STORED = 'secsctl-session'
/** What the tab keeps while its user signs on at the provider. */
const SIGN_ON = 'secsctl-sign-on'
/** Characters of an address that the gateway takes to return to. */
const MAX_PLACE = 1024
const KEY_RETRY_MS = 3000
/** Milliseconds for which a new tab shows nothing, so that it does not show the login for a moment. */
const ASKED_MS = 100

export const session = signal<Session | undefined>(stored())
/** The last session ended by itself, rather than by its user. */
export const hasExpired = signal(false)

/** The tab has, or had, the key of a screen. */
let isApart = session.peek()?.kind === 'key'

const tabs = new Tabs({
  own: () => ({ session: session.peek(), isApart }),
  take: (taken) => {
    const before = session.peek()
    set(taken)
    // Whoever logged in before is not at this browser any more.
    if (before) void revoke(before)
  },
  end: (isExpired) => {
    hasExpired.value = isExpired
    set(undefined)
  },
})

/** Asks the other tabs for the session of their user. Resolves when there is one, or soon without one. */
export async function askTabs(): Promise<void> {
  if (session.peek() || isApart) return
  tabs.ask()
  const asked = new AbortController()
  const stop = session.subscribe((taken) => taken && asked.abort())
  await delay(systemClock, ASKED_MS, asked.signal)
  stop()
}

/** Calls with the token of the session. A token that is no longer taken ends the session; the place stays. */
export const calls = new GatewayCalls(
  () => session.peek()?.token,
  () => {
    const ended = session.peek()
    hasExpired.value = true
    set(undefined)
    if (ended) tabs.ended(ended, true)
  },
  (input, init) => fetch(input, init),
  renewed,
)

/** The present attempt to continue the session: all calls that were refused share it. */
let renewing: Promise<boolean> | undefined

function renewed(): Promise<boolean> {
  renewing ??= renew().finally(() => {
    renewing = undefined
  })
  return renewing
}

/** Statuses of a session that does not go on. */
const OVER: readonly number[] = [400, 401, 403, 409]

/** Gets a new token for the session of a company account. Every tab does so for itself. Throws where none can be had now. */
async function renew(): Promise<boolean> {
  const before = session.peek()
  if (before?.session_token === undefined) return false
  const { session_token } = before
  try {
    const { token, user } = await plainCalls().call(signOnEndpoints.refreshSignOn, {
      body: { session_token },
    })
    if (session.peek()?.session_token !== session_token) return false
    set({ ...before, token, role: user.role })
    return true
  } catch (error) {
    if (error instanceof Refused && OVER.includes(error.status)) return false
    // The identity provider is away, or the gateway: the session goes on once it is back.
    throw error
  }
}

/** Calls without a session. */
const plainCalls = (): GatewayCalls =>
  new GatewayCalls(
    () => undefined,
    () => undefined,
  )

export const readSignOnOffer = () => plainCalls().call(signOnEndpoints.getSignOn, {})

/** Leaves the page for that of the identity provider, which leads back to this place. */
export async function beginSignOn(): Promise<void> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const challenge = base64url(new Uint8Array(digest))
  const place = location.pathname + location.search
  const { url } = await plainCalls().call(signOnEndpoints.beginPageSignOn, {
    // A place with a longer address is not come back to.
    body: { challenge, ...(place.length <= MAX_PLACE && { return_to: place }) },
  })
  sessionStorage.setItem(SIGN_ON, verifier)
  location.assign(url)
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** The result of a sign-on in the address, which is removed from there at once. */
export function signOnInAddress(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('sso')
  if (code === null) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return code
}

/** Why the last sign-on has failed, for the login. */
export const signOnProblem = signal('')

/** Exchanges the result of a sign-on for a session, if this tab has begun it. */
export async function endSignOn(code: string): Promise<void> {
  const verifier = sessionStorage.getItem(SIGN_ON) ?? 'none'
  sessionStorage.removeItem(SIGN_ON)
  try {
    const { token, user, session_token } = await plainCalls().call(signOnEndpoints.exchangePageSignOn, {
      body: { code, verifier },
    })
    const made: Session = { token, kind: 'user', name: user.email, role: user.role, session_token }
    isApart = false
    set(made)
    tabs.tell(made, true)
  } catch (error) {
    signOnProblem.value = error instanceof Refused ? error.message : texts.login.unreachable
  }
}

export const may = (role: Role): boolean => {
  const { value } = session
  return value !== undefined && mayActAs(value.role, role)
}

/** Who holds a lock that this session takes. */
export const holder = (): string | undefined => {
  const { value } = session
  return value && (value.kind === 'key' ? `key:${value.name}` : value.name)
}

export async function logIn(email: string, password: string): Promise<void> {
  const { token, user } = await calls.call(userEndpoints.login, { body: { email, password } })
  const made: Session = { token, kind: 'user', name: user.email, role: user.role }
  isApart = false
  set(made)
  tabs.tell(made, true)
}

/** Takes an API key for the session. */
export async function useKey(token: string): Promise<void> {
  const checking = new GatewayCalls(
    () => token,
    () => undefined,
  )
  isApart = true
  const { name, role } = await checking.call(keyEndpoints.getOwnKey, {})
  set({ token, kind: 'key', name, role })
}

/**
 * Takes the key of a screen that starts by itself: a gateway that does not answer yet is asked again, since nobody is
 * there to enter the key. A key that is refused leaves the login.
 */
export async function startWithKey(token: string): Promise<void> {
  for (;;) {
    try {
      return await useKey(token)
    } catch (error) {
      const isFinal = error instanceof Refused && error.status < 500 && error.status !== 429
      if (isFinal) return
      await delay(systemClock, KEY_RETRY_MS)
    }
  }
}

/** Ends the session, that of a user in all tabs; the token of a user is revoked. */
export async function logOut(): Promise<void> {
  const ended = session.peek()
  if (!ended) return
  hasExpired.value = false
  set(undefined)
  tabs.ended(ended, false)
  const url = await revoke(ended)
  // The session at the identity provider ends there.
  if (url) location.assign(url)
}

/** Where the session at the identity provider ends, if the user has one. */
async function revoke({ kind, token, session_token }: Session): Promise<string | undefined> {
  if (kind !== 'user') return undefined
  if (session_token !== undefined) {
    const ended = await plainCalls()
      .call(signOnEndpoints.endSignOn, { body: { session_token } })
      .catch(() => undefined)
    return ended?.end_session_url ?? undefined
  }
  const leaving = new GatewayCalls(
    () => token,
    () => undefined,
  )
  await leaving.call(userEndpoints.logout, {}).catch(() => undefined)
  return undefined
}

/**
 * The API key in the fragment of the address (`/?wall=bay%3D3#key=secsctl_…`), which browsers do not send to servers.
 * It is removed from the address bar and the history at once.
 */
export function keyInAddress(): string | undefined {
  const key = givenKey()
  if (key === null) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return key
}

export const isKeyInAddress = (): boolean => givenKey() !== null

const givenKey = (): string | null => new URLSearchParams(location.hash.slice(1)).get('key')

function set(value: Session | undefined): void {
  if (value) {
    hasExpired.value = false
    sessionStorage.setItem(STORED, JSON.stringify(value))
  } else sessionStorage.removeItem(STORED)
  session.value = value
}

function stored(): Session | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as Session | null) ?? undefined
  } catch {
    return undefined
  }
}
