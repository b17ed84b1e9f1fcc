import { join } from 'node:path'
import type { AsyncEntry } from '@napi-rs/keyring'
import { type Clock, withTimeout } from '../../kit/clock.js'
import { requirePrivateSecret, writePrivateFile } from '../../kit/private-file.js'
import type { MachineEnvironment } from '../environment.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { bundleFile } from '../installation.js'
import type { Folders } from './folders.js'
import { readJsonFile } from './json-file.js'
import type { KeytarCall, KeytarReply } from './keytar-process.js'

const KEYCHAINS = ['keyring', 'keytar', 'file'] as const
export type KeychainName = (typeof KEYCHAINS)[number]

/** Email and password, as `POST /auth/login` takes them. */
export interface Secret {
  readonly email: string
  readonly password: string
  /** A gateway did not take it: it is not sent again before a gateway makes its administrator with it. */
  readonly refused?: boolean
}

/** What is kept for one profile and server. */
export interface Credentials {
  readonly token?: string
  readonly expires_at?: string
  /** Of a user of company accounts: continues the session when the token expires. */
  readonly session_token?: string
  /** Of the administrator that the local daemon was given here; no other password is ever kept. */
  readonly secret?: Secret
  /** A person has logged out: the secret is not used before a person logs in again. */
  readonly logged_out?: boolean
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The members that are what they should be: another program, or a person, may have written others. */
function credentialsIn(value: unknown): Credentials {
  const { token, expires_at, session_token, secret, logged_out } = Object(value)
  return {
    ...(isText(token) && { token }),
    ...(isText(expires_at) && { expires_at }),
    ...(isText(session_token) && { session_token }),
    ...(isText(secret?.email) && isText(secret.password) && { secret }),
    ...(logged_out === true && { logged_out }),
  }
}

/** Credentials by account, kept by the system or in a file. Fails when the system's keychain is not there. */
export abstract class Keychain {
  abstract readonly name: KeychainName
  protected abstract get(account: string): Promise<string | undefined>
  protected abstract set(account: string, text: string): Promise<void>
  abstract remove(account: string): Promise<void>

  async read(account: string): Promise<Credentials> {
    try {
      return credentialsIn(JSON.parse((await this.get(account)) ?? '{}'))
    } catch (error) {
      if (error instanceof SyntaxError) return {} // written by another program: the same as none
      throw error
    }
  }

  write(account: string, credentials: Credentials): Promise<void> {
    return this.set(account, JSON.stringify(credentials))
  }
}

const SERVICE = 'secsctl'

const unusable = (detail: string, cause?: unknown): Failure =>
  new Failure(
    'unexpected',
    `the system keychain cannot be used: ${detail}`,
    'SECSCTL_KEYCHAIN=file keeps tokens in a file',
    cause,
  )

/** A keychain may wait for a person or for a service that never responds. In milliseconds. */
const KEYCHAIN_TIMEOUT_MS = 3_000

/** The system's keychain through `@napi-rs/keyring`. */
export class Keyring extends Keychain {
  readonly name = 'keyring'
  constructor(
    readonly clock: Clock,
    readonly timeoutMs = KEYCHAIN_TIMEOUT_MS,
  ) {
    super()
  }

  protected get(account: string): Promise<string | undefined> {
    return this.#use(account, async (entry, signal) => (await entry.getPassword(signal)) ?? undefined)
  }

  protected set(account: string, secret: string): Promise<void> {
    return this.#use(account, (entry, signal) => entry.setPassword(secret, signal))
  }

  async remove(account: string): Promise<void> {
    await this.#use(account, (entry, signal) => entry.deleteCredential(signal))
  }

  async #use<T>(account: string, work: (entry: AsyncEntry, signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    try {
      const { AsyncEntry } = await import('@napi-rs/keyring')
      // Left to itself it falls back to the kernel's keyring on Linux, which forgets at reboot.
      const entry = new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } })
      const done = work(entry, controller.signal).then((value) => ({ value }))
      const inTime = await withTimeout(this.clock, this.timeoutMs, done)
      if (inTime) return inTime.value
    } catch (error) {
      throw unusable((error as Error).message, error)
    }
    controller.abort()
    throw unusable('it does not respond, or waits to be unlocked')
  }
}

/** The system's keychain through `keytar`, in a process of its own: it can hang, and crashes beside the other one. */
class Keytar extends Keychain {
  readonly name = 'keytar'
  constructor(
    readonly clock: Clock,
    readonly root: string,
    readonly timeoutMs = KEYCHAIN_TIMEOUT_MS,
  ) {
    super()
  }

  protected async get(account: string): Promise<string | undefined> {
    const secret = await this.#call('getPassword', SERVICE, account)
    return isText(secret) ? secret : undefined
  }

  protected async set(account: string, secret: string): Promise<void> {
    await this.#call('setPassword', SERVICE, account, secret)
  }

  async remove(account: string): Promise<void> {
    await this.#call('deletePassword', SERVICE, account)
  }

  async #call(...call: KeytarCall): Promise<unknown> {
    const { fork } = await import('node:child_process')
    return new Promise((resolve, reject) => {
      const child = fork(bundleFile(this.root, 'keytar-process.js'), { stdio: 'ignore', execArgv: [] })
      const cancel = this.clock.at(this.clock.now() + this.timeoutMs, () => child.kill('SIGKILL'))
      child.once('error', reject)
      child.once('exit', () => {
        cancel()
        reject(unusable('keytar does not respond'))
      })
      child.once('message', ({ value, error }: KeytarReply) => {
        if (error === undefined) resolve(value)
        else reject(unusable(error))
      })
      child.send(call)
    })
  }
}

/** A file that only its owner may read, for machines without a keychain. */
export class TokenFile extends Keychain {
  readonly name = 'file'
  readonly path: string

  constructor(folder: string) {
    super()
    this.path = join(folder, 'tokens.json')
  }

  protected async get(account: string): Promise<string | undefined> {
    await requirePrivateSecret(this.path)
    const secrets = (await readJsonFile(this.path)) ?? {}
    const secret = Object.hasOwn(secrets, account) ? secrets[account] : undefined
    return typeof secret === 'string' ? secret : undefined
  }

  protected async set(account: string, secret: string): Promise<void> {
    await this.#save({ ...(await readJsonFile(this.path)), [account]: secret })
  }

  async remove(account: string): Promise<void> {
    const { [account]: gone, ...rest } = (await readJsonFile(this.path)) ?? {}
    if (gone !== undefined) await this.#save(rest)
  }

  #save(secrets: Record<string, unknown>): Promise<void> {
    return writePrivateFile(this.path, `${JSON.stringify(secrets, undefined, 2)}\n`)
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
    if (!name) throw wrongUsage(`SECSCTL_KEYCHAIN is ${KEYCHAINS.join(', ')}; not "${asked}"`)
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
  try {
    // One that is locked can still be read: it says that it is empty.
    await keyring.write('probe', {})
    await keyring.remove('probe')
    return keyring
  } catch {
    return new TokenFile(folders.config)
  }
}
