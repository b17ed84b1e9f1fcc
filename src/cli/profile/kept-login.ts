import { GatewayClient } from '../../client/client.js'
import { logIn } from '../../client/log-in.js'
import { LOCAL } from './profiles.js'
import type { Found, Server, Session } from './server.js'

/** True when a token has expired by the clock of this machine. */
export const hasExpired = ({ expires_at }: Pick<Found, 'expires_at'>, now: Date): boolean =>
  expires_at !== undefined && Date.parse(expires_at) <= now.getTime()

/** True when the next command would log in by itself, with the administrator account of the local daemon. */
export const logsInByItself = (server: Server, { secret, logged_out }: Found): boolean =>
  server.profile === LOCAL && secret !== undefined && logged_out !== true

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
  if (!found.secret || !logsInByItself(server, found)) return undefined
  const { token } = await logIn(client(), found.secret)
  return client(token)
}
