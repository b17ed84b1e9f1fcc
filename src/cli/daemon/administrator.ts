import { randomBytes } from 'node:crypto'
import { wrongUsage } from '../errors/failure.js'
import type { Secret } from '../profile/keychain.js'
import { LOCAL } from '../profile/profiles.js'
import type { Session } from '../profile/server.js'
import { secretIn } from './daemon-files.js'
import type { GivenSettings } from './daemon-flags.js'

export const MADE_ADMINISTRATOR = 'admin@localhost'

/** The password's bounds are the API's. */
const MIN_PASSWORD_LENGTH = 12
const MAX_PASSWORD_LENGTH = 256

type Environment = Readonly<Record<string, string | undefined>>

/** The password that the settings or the environment give; undefined where they give none. */
export async function administratorPassword(
  { 'admin-password-file': file }: GivenSettings,
  env: Environment,
): Promise<string | undefined> {
  const password =
    file === undefined
      ? env['SECSCTL_ADMIN_PASSWORD'] || undefined
      : await secretIn(file, '--admin-password-file')
  if (password === undefined) return undefined
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    const place = file === undefined ? 'SECSCTL_ADMIN_PASSWORD' : '--admin-password-file'
    throw wrongUsage(`${place} has to have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`)
  }
  return password
}

/** The email that the settings or the environment give. Throws `usage` where it, or a password for it, is missing. */
export function administratorEmail(
  { 'admin-email': given, 'admin-password-file': file }: GivenSettings,
  env: Environment,
): string | undefined {
  const email = (given ?? env['SECSCTL_ADMIN_EMAIL']) || undefined
  const hasPassword = file !== undefined || Boolean(env['SECSCTL_ADMIN_PASSWORD'])
  if ((email !== undefined) === hasPassword) return email
  throw wrongUsage(
    file === undefined
      ? '--admin-email and its password (--admin-password-file or SECSCTL_ADMIN_PASSWORD) belong together: one of them is missing'
      : '--admin-password-file needs --admin-email as well',
  )
}

/** The administrator that the settings and the environment name; undefined when they name none. */
export async function administratorGiven(
  settings: GivenSettings,
  env: Environment,
): Promise<Secret | undefined> {
  const email = administratorEmail(settings, env)
  const password = await administratorPassword(settings, env)
  return email === undefined || password === undefined ? undefined : { email, password }
}

/**
 * The first administrator of a daemon whose data folder is empty and that was given none: one made here, whose
 * password is kept before it is used and never shown.
 */
export async function madeAdministrator(session: Session): Promise<Secret> {
  const store = await session.store(LOCAL)
  const known = await store.read(LOCAL)
  if (known.secret) return known.secret
  const secret = { email: MADE_ADMINISTRATOR, password: randomBytes(24).toString('base64url') }
  await session.keep({ profile: LOCAL, url: '' }, { ...known, secret })
  return secret
}
