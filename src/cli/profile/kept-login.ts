import { GatewayClient } from '../../client/client.js'
import { logIn } from '../../client/log-in.js'
import { Failure } from '../errors/failure.js'
import type { Secret } from './keychain.js'
import { LOCAL } from './profiles.js'
import type { Found, Server, Session } from './server.js'

/** True when a token has expired by the clock of this machine. */
export const hasExpired = ({ expires_at }: Pick<Found, 'expires_at'>, now: Date): boolean =>
  expires_at !== undefined && Date.parse(expires_at) <= now.getTime()

/** True when the next command would log in by itself, with the administrator account of the local daemon. */
export const logsInByItself = (server: Server, { secret, logged_out }: Found): boolean =>
  server.profile === LOCAL && secret !== undefined && !secret.refused && logged_out !== true

/**
 * Logs in with the administrator account that was made on this machine. That the gateway does not take it is kept: a second
 * attempt would be refused as well, and a few of them lock the login of everybody here.
 */
export async function logInWithKept(
  session: Session,
  server: Server,
  secret: Secret,
  client = new GatewayClient({ url: server.url }),
): Promise<Awaited<ReturnType<typeof logIn>>> {
  try {
    return await logIn(client, secret)
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (code !== 'invalid_credentials') throw error
    await session.noteRefused(true)
    throw refusedHere(server, secret)
  }
}

/** For a gateway that does not take the administrator account that was made on this machine. */
export const refusedHere = ({ url }: Server, { email }: Secret): Failure =>
  new Failure(
    'access',
    `Nobody is logged in to ${url}: its users came from elsewhere (another daemon, a backup), or another password was set, and it does not take the account ${email} that was made on this machine.`,
    'secsctl login --email EMAIL',
  )

/**
 * A client with the token that is kept, for a command that neither keeps nor exchanges one. Where the next command would
 * log in by itself, the client has a token of its own. Undefined when nobody is logged in.
 */
export async function loggedInClient(
  session: Session,
  server: Server,
  found: Found | undefined,
  timeoutMs: number,
): Promise<GatewayClient | undefined> {
  const client = (token?: string) => new GatewayClient({ url: server.url, token, timeout: timeoutMs })
  if (!found) return undefined
  if (found.token !== undefined && !hasExpired(found, session.clock.date())) return client(found.token)
  if (found.session_token !== undefined) {
    const { continuedOnly } = await import('./sign-on.js')
    return client((await continuedOnly(server.url, found.session_token, timeoutMs)).token)
  }
  if (!found.secret || !logsInByItself(server, found)) return undefined
  const { token } = await logInWithKept(session, server, found.secret, client())
  return client(token)
}
