import type { MachineEnvironment } from '../environment.js'
import { Failure } from '../errors/failure.js'
import type { Folders } from './folders.js'
import { KEYCHAINS, type Keychain, type KeychainName, Keyring, Keytar, TokenFile } from './keychain.js'

/** Email and password, as `POST /auth/login` takes them. */
export interface Secret {
  readonly email: string
  readonly password: string
}

/** What is kept for one profile and server. */
export interface Credentials {
  readonly token?: string
  readonly expires_at?: string
  /** Of the administrator that the local daemon was given here; no other password is ever kept. */
  readonly secret?: Secret
  /** A person has logged out: the secret is not used before a person logs in again. */
  readonly logged_out?: boolean
}

/** Reads and keeps credentials in one keychain. */
export class CredentialStore {
  constructor(readonly keychain: Keychain) {}

  async read(account: string): Promise<Credentials> {
    const text = await this.keychain.read(account)
    if (text === undefined) return {}
    try {
      const value: unknown = JSON.parse(text)
      return typeof value === 'object' && value !== null ? (value as Credentials) : {}
    } catch {
      return {} // written by another program: the same as none
    }
  }

  async write(account: string, credentials: Credentials): Promise<void> {
    await this.keychain.write(account, JSON.stringify(credentials))
  }

  async remove(account: string): Promise<void> {
    await this.keychain.remove(account)
  }
}

function keychainOf(
  name: KeychainName,
  folders: Folders,
  { clock, root }: MachineEnvironment,
  timeoutMs?: number,
): Keychain {
  if (name === 'keyring') return new Keyring(clock, timeoutMs)
  return name === 'keytar' ? new Keytar(clock, root, timeoutMs) : new TokenFile(folders.config)
}

/** True when a secret can be put into `keychain`. One that is locked can still be read: it says that it is empty. */
async function works(keychain: Keychain): Promise<boolean> {
  try {
    await keychain.write('probe', 'can this be kept?')
    await keychain.remove('probe')
    return true
  } catch {
    return false
  }
}

/**
 * The keychain that is set or remembered; undefined where neither is. Reads no keychain. `timeoutMs` limits each
 * later call.
 */
export function chosenKeychain(
  folders: Folders,
  environment: MachineEnvironment,
  remembered?: KeychainName,
  timeoutMs?: number,
): Keychain | undefined {
  if (folders.apart) return new TokenFile(folders.config)
  const asked = environment.variables['SECSCTL_KEYCHAIN']
  if (asked !== undefined && asked !== '') {
    const name = KEYCHAINS.find((known) => known === asked)
    if (!name) throw new Failure('usage', `SECSCTL_KEYCHAIN is ${KEYCHAINS.join(', ')}; not "${asked}"`)
    return keychainOf(name, folders, environment, timeoutMs)
  }
  return remembered && keychainOf(remembered, folders, environment, timeoutMs)
}

/**
 * The keychain to use: the one asked for or remembered, else the system's if it works, else a file.
 * Probing it may take seconds, so the result is worth remembering.
 */
export async function findKeychain(
  folders: Folders,
  environment: MachineEnvironment,
  remembered?: KeychainName,
): Promise<Keychain> {
  const chosen = chosenKeychain(folders, environment, remembered)
  if (chosen) return chosen
  const keyring = new Keyring(environment.clock)
  return (await works(keyring)) ? keyring : new TokenFile(folders.config)
}
