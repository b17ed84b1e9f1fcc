import { randomBytes } from 'node:crypto'
import { wrongUsage } from '../errors/failure.js'
import type { Secret } from '../profile/keychain.js'
import { LOCAL } from '../profile/profiles.js'
import type { Session } from '../profile/server.js'

/** The password's bounds are the API's. */
const MIN_PASSWORD_LENGTH = 12
const MAX_PASSWORD_LENGTH = 256

/** The administrator that the environment names; undefined when it names none. */
export function administratorGiven(env: Readonly<Record<string, string | undefined>>): Secret | undefined {
  const email = env['SECSCTL_ADMIN_EMAIL']
  const password = env['SECSCTL_ADMIN_PASSWORD']
  if (!email && !password) return undefined
  if (!email || !password)
    throw wrongUsage('SECSCTL_ADMIN_EMAIL and SECSCTL_ADMIN_PASSWORD belong together: one of them is missing')
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    throw wrongUsage(
      `SECSCTL_ADMIN_PASSWORD has to have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`,
    )
  }
  return { email, password }
}

/**
 * Whom a daemon makes its first administrator when its data folder is empty: the one the environment names, or
 * one made here, whose password is kept before it is used and never shown.
 */
export async function firstAdministrator(session: Session): Promise<Secret> {
  const given = administratorGiven(session.environment.variables)
  if (given) return given
  const store = await session.store(LOCAL)
  const known = await store.read(LOCAL)
  if (known.secret) return known.secret
  const secret = { email: 'admin@localhost', password: randomBytes(24).toString('base64url') }
  await session.keep({ profile: LOCAL, url: '' }, { ...known, secret })
  return secret
}
