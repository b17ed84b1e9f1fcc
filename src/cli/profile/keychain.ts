import { join } from 'node:path'
import type { AsyncEntry } from '@napi-rs/keyring'
import type { Clock } from '../../kit/clock.js'
import { requirePrivateSecret } from '../../kit/private-file.js'
import { Failure } from '../errors/failure.js'
import { bundleFile } from '../installation.js'
import type { KeytarAnswer, KeytarRequest } from './keytar-process.js'
import { readJsonFile, writePrivateFile } from './private-file.js'

export const KEYCHAINS = ['keyring', 'keytar', 'file'] as const
export type KeychainName = (typeof KEYCHAINS)[number]

/** Secrets by account, kept by the system or in a file. Fails when the system's keychain is not there. */
export interface Keychain {
  readonly name: KeychainName
  read(account: string): Promise<string | undefined>
  write(account: string, secret: string): Promise<void>
  remove(account: string): Promise<void>
}

const SERVICE = 'secsctl'

const unusable = (detail: string, cause?: unknown): Failure =>
  new Failure(
    'unexpected',
    `the system keychain cannot be used: ${detail}`,
    'SECSCTL_KEYCHAIN=file keeps tokens in a file',
    cause,
  )

/** A keychain may wait for a person or for a service that never answers. In milliseconds. */
const KEYCHAIN_TIMEOUT_MS = 3_000

/** The system's keychain through `@napi-rs/keyring`. */
export class Keyring implements Keychain {
  readonly name = 'keyring'
  constructor(
    readonly clock: Clock,
    readonly timeoutMs = KEYCHAIN_TIMEOUT_MS,
  ) {}

  read(account: string): Promise<string | undefined> {
    return this.#use(account, async (entry, signal) => (await entry.getPassword(signal)) ?? undefined)
  }

  write(account: string, secret: string): Promise<void> {
    return this.#use(account, (entry, signal) => entry.setPassword(secret, signal))
  }

  async remove(account: string): Promise<void> {
    await this.#use(account, (entry, signal) => entry.deleteCredential(signal))
  }

  async #entry(account: string): Promise<AsyncEntry> {
    try {
      const { AsyncEntry } = await import('@napi-rs/keyring')
      // Left to itself it falls back to the kernel's keyring on Linux, which forgets at reboot.
      return new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } })
    } catch (error) {
      throw unusable((error as Error).message, error)
    }
  }

  async #use<T>(account: string, work: (entry: AsyncEntry, signal: AbortSignal) => Promise<T>): Promise<T> {
    const entry = await this.#entry(account)
    const controller = new AbortController()
    return new Promise<T>((resolve, reject) => {
      const cancel = this.clock.at(this.clock.now() + this.timeoutMs, () => {
        controller.abort()
        reject(unusable('it does not answer, or waits to be unlocked'))
      })
      work(entry, controller.signal)
        .then(resolve, (error: Error) => reject(unusable(error.message, error)))
        .finally(cancel)
    })
  }
}

/** The system's keychain through `keytar`, in a process of its own: it can hang, and crashes beside the other one. */
export class Keytar implements Keychain {
  readonly name = 'keytar'
  constructor(
    readonly clock: Clock,
    readonly root: string,
    readonly timeoutMs = KEYCHAIN_TIMEOUT_MS,
  ) {}

  read(account: string): Promise<string | undefined> {
    return this.#ask({ ask: 'read', service: SERVICE, account })
  }

  async write(account: string, secret: string): Promise<void> {
    await this.#ask({ ask: 'write', service: SERVICE, account, secret })
  }

  async remove(account: string): Promise<void> {
    await this.#ask({ ask: 'remove', service: SERVICE, account })
  }

  async #ask(request: KeytarRequest): Promise<string | undefined> {
    const { fork } = await import('node:child_process')
    return new Promise((resolve, reject) => {
      const child = fork(bundleFile(this.root, 'keytar-process.js'), { stdio: 'ignore', execArgv: [] })
      const cancel = this.clock.at(this.clock.now() + this.timeoutMs, () => child.kill('SIGKILL'))
      child.once('error', reject)
      child.once('exit', () => {
        cancel()
        reject(unusable('keytar does not answer'))
      })
      child.once('message', (answer: KeytarAnswer) => {
        if (answer.error === undefined) resolve(answer.secret)
        else reject(unusable(answer.error))
      })
      child.send(request)
    })
  }
}

/** A file that only its owner may read, for machines without a keychain. */
export class TokenFile implements Keychain {
  readonly name = 'file'
  readonly path: string

  constructor(folder: string) {
    this.path = join(folder, 'tokens.json')
  }

  async read(account: string): Promise<string | undefined> {
    await requirePrivateSecret(this.path)
    const secrets = (await readJsonFile(this.path)) ?? {}
    const secret = Object.hasOwn(secrets, account) ? secrets[account] : undefined
    return typeof secret === 'string' ? secret : undefined
  }

  async write(account: string, secret: string): Promise<void> {
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
