import type { Static } from 'typebox'
import { endpoints } from '../contract/endpoints.js'
import type { GatewayClient } from './client.js'
import { Unreachable } from './failures.js'

type Login = Static<typeof endpoints.login.reply>

/** Logs in with an email and a password. A response without a token is that of no gateway: `Unreachable`. */
export async function logIn(
  client: GatewayClient,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Login> {
  const response: Partial<Login> = await client.call(endpoints.login, { body: { email, password } })
  const { token, expires_at, user } = response
  if (typeof token === 'string' && typeof expires_at === 'string' && typeof user?.email === 'string')
    return { token, expires_at, user }
  const { origin } = new URL(client.options.url)
  throw new Unreachable(
    origin,
    `The server at ${origin} is not a gateway: its response to a login has no token.`,
  )
}
