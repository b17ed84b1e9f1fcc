import { chosenKeychain, TokenFile } from '../profile/keychain.js'
import type { Session } from '../profile/server.js'
import { type Finding, inArea } from './finding.js'

const settings = inArea('settings')

const KEYTAR_TIMEOUT_MS = 5000

const NAMES = {
  keyring: 'the keychain of the system',
  keytar: 'the keychain of the system, by keytar',
  file: 'the file',
} as const

/** Where tokens are kept. The login shows whether it answers. */
export async function keychainFinding(session: Session, profile: string | undefined): Promise<Finding> {
  const { folders, environment } = session
  const env = environment.variables
  if (env['SECSCTL_TOKEN'] || env['SECSCTL_TOKEN_FILE'])
    return settings.ok('tokens in', 'the environment; no keychain is looked at')
  try {
    const chosen = chosenKeychain(folders, environment, await session.remembered(profile), KEYTAR_TIMEOUT_MS)
    const first = 'not chosen yet: the first login takes the keychain of the system, or else a file'
    if (!chosen) return settings.ok('tokens in', first)
    // Its package may be missing; that of the system is looked at by the login.
    if (chosen.name === 'keytar') await chosen.read('probe')
    const path = chosen instanceof TokenFile ? ` ${chosen.path}` : ''
    return settings.ok('tokens in', `${NAMES[chosen.name]}${path}`)
  } catch (error) {
    return settings.failed('tokens in', error)
  }
}
