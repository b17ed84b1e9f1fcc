import { GatewayClient } from '../client/client.js'
import { logIn } from '../client/log-in.js'
import type { Clock } from '../kit/clock.js'
import { LOCAL } from './profile/profiles.js'
import type { Found, Server, Session } from './profile/server.js'

/** What `work` comes to; undefined when it has not within `limit` milliseconds. It goes on unheard. */
export function within<T>(clock: Clock, limit: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(clock.now() + limit, () => resolve(undefined))
    work.then(resolve, reject).finally(cancel)
  })
}

/** True when a token has ended by the clock of this machine. */
export const hasEnded = ({ expires_at }: Pick<Found, 'expires_at'>, now: Date): boolean =>
  expires_at !== undefined && Date.parse(expires_at) <= now.getTime()

/** True when the next command would log in by itself: the administrator that was made here for the local daemon. */
export const logsInByItself = (server: Server, { secret, logged_out }: Found): boolean =>
  server.profile === LOCAL && secret !== undefined && logged_out !== true

/**
 * A client with the token that there is, for a command that keeps and exchanges none. Where the next command would
 * log in by itself, it has a token of its own. Undefined when nobody is logged in. `patience` in milliseconds.
 */
export async function clientAtHand(
  session: Session,
  server: Server,
  found: Found | undefined,
  patience: number,
): Promise<GatewayClient | undefined> {
  const client = (token?: string) => new GatewayClient({ url: server.url, token, timeout: patience })
  if (!found) return undefined
  if (found.token !== undefined && !hasEnded(found, session.clock.date())) return client(found.token)
  if (!found.secret || !logsInByItself(server, found)) return undefined
  const { token } = await logIn(client(), found.secret)
  return client(token)
}
