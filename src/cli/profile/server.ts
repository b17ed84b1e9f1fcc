import { readFile } from 'node:fs/promises'
import { trustAuthorities, trustCertificate } from '../../client/trust.js'
import { readAddress } from '../../daemon/address-file.js'
import { findDaemon } from '../../daemon/spawn.js'
import type { Clock } from '../../kit/clock.js'
import { requirePrivateSecret } from '../../kit/private-file.js'
import { shellWord } from '../../kit/shell-word.js'
import type { MachineEnvironment } from '../environment.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'
import type { CalledServer } from '../errors/subject.js'
import { type Folders, foldersOf } from './folders.js'
import {
  type Credentials,
  chosenKeychain,
  findKeychain,
  type Keychain,
  type KeychainName,
  Keyring,
  type Secret,
  TokenFile,
} from './keychain.js'
import { LOCAL, Profiles } from './profiles.js'

export interface Server {
  /** Undefined for a URL that no profile has. */
  readonly profile: string | undefined
  readonly url: string
}

export type TokenSource = 'SECSCTL_TOKEN' | 'SECSCTL_TOKEN_FILE' | KeychainName

export type Found = Credentials & { readonly source: TokenSource }

export interface Choice {
  readonly url?: string | undefined
  readonly profile?: string | undefined
}

/** Checks a gateway's address and brings it into one form. */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.search || url.hash) {
    throw wrongUsage(`"${text}" is not the address of a gateway: it looks like http://127.0.0.1:7327`)
  }
  return url.href.replace(/(?<!\/)\/+$/, '')
}

/** Which gateway, which token: flags win over the environment, that over the profiles. */
export class Session {
  readonly folders: Folders
  /** A note for the person, once: where a token is kept when there is no keychain. */
  notice: string | undefined
  #profiles: Profiles | undefined
  #localUrl: string | undefined

  constructor(
    readonly choice: Choice,
    readonly environment: MachineEnvironment,
  ) {
    this.folders = foldersOf(environment)
  }

  get clock(): Clock {
    return this.environment.clock
  }

  async profiles(): Promise<Profiles> {
    this.#profiles ??= await Profiles.open(this.folders.config)
    return this.#profiles
  }

  /** The profile's name, or the URL where one was given. Fails with `usage` for the profile `local` at another's. */
  async target(): Promise<{ readonly profile: string | undefined; readonly url: string | undefined }> {
    const { choice } = this
    const env = this.environment.variables
    const profiles = await this.profiles()
    const given = choice.url ?? (choice.profile === undefined ? env['SECSCTL_URL'] || undefined : undefined)
    if (given !== undefined) {
      const url = parseUrl(given)
      const local = (await readAddress(this.folders.state))?.url
      if (choice.profile === LOCAL && url !== local) {
        const its = local === undefined ? 'and none runs' : `which is at ${local}`
        const detail = `the profile "${LOCAL}" is the daemon on this machine, ${its}: it is not for ${url}`
        throw wrongUsage(detail, `secsctl login --url ${shellWord(url)}`)
      }
      return { url, profile: choice.profile ?? profiles.named(url) ?? (url === local ? LOCAL : undefined) }
    }
    const name = choice.profile ?? (env['SECSCTL_PROFILE'] || undefined) ?? profiles.current ?? LOCAL
    return { profile: name, url: profiles.get(name).url }
  }

  /**
   * Fails with `unreachable` when the server is the local daemon and that does not run. A URL is the local daemon's
   * only while that runs there, or has run there for this session: nobody else is to get its secret.
   */
  async server(): Promise<Server> {
    const { profile, url } = await this.target()
    const wasLocal = url !== undefined && url === this.#localUrl
    if (url !== undefined && profile !== LOCAL && !wasLocal) {
      const { ca } = profile === undefined ? {} : (await this.profiles()).get(profile)
      if (ca !== undefined) trustAuthorities(url, ca)
      return { profile, url }
    }
    const daemon = await findDaemon(this.folders.state, this.clock)
    if (daemon?.certificate !== undefined) trustCertificate(daemon.url, daemon.certificate)
    if (daemon && url === undefined) return { profile, url: daemon.url }
    if (daemon && daemon.url === url) {
      this.#localUrl = url
      return { profile: profile ?? LOCAL, url }
    }
    if (url !== undefined && this.choice.profile !== LOCAL && !wasLocal) return { profile: undefined, url }
    const { noDaemon } = await import('../daemon/installed-service.js')
    throw await noDaemon(this.environment)
  }

  /** How the server is called in a command to try. */
  async called({ profile, url }: Server): Promise<CalledServer> {
    if (profile === undefined) return { flags: ` --url ${shellWord(url)}`, local: false }
    const { current = LOCAL } = await this.profiles()
    const env = this.environment.variables
    const isChosen = profile !== current || env['SECSCTL_URL'] || env['SECSCTL_PROFILE']
    return { flags: isChosen ? ` --profile ${shellWord(profile)}` : '', local: profile === LOCAL }
  }

  /** The credentials' place: one entry a profile and server. The local daemon's port may change, it stays itself. */
  account({ profile, url }: Server): string {
    if (profile === undefined) return url
    return profile === LOCAL ? LOCAL : `${profile} ${url}`
  }

  /** The keychain that has the token of a profile; undefined where that is not known yet. */
  async remembered(profile: string | undefined): Promise<KeychainName | undefined> {
    return profile === undefined ? undefined : (await this.profiles()).get(profile).keychain
  }

  async store(profile: string | undefined): Promise<Keychain> {
    return findKeychain(this.folders, this.environment, await this.remembered(profile))
  }

  /** Keeps credentials, and remembers in the profile where they are. */
  async keep(server: Server, credentials: Credentials): Promise<void> {
    const { profile } = server
    const keychain = await this.store(profile)
    await keychain.write(this.account(server), credentials)
    const before = await this.remembered(profile)
    if (keychain instanceof TokenFile && before !== 'file') {
      this.notice = `The token is kept in ${keychain.path}, which only you can read.`
    }
    if (profile !== undefined && before !== keychain.name)
      await (await this.profiles()).note(profile, { keychain: keychain.name })
  }

  /** The token to use, with where it came from; undefined when there is none. */
  async token(server: Server): Promise<Found | undefined> {
    const given = await this.#givenToken()
    if (given) return given
    const store = await this.store(server.profile)
    const kept = await store.read(this.account(server))
    return { ...kept, source: store.name }
  }

  /**
   * The same for a command that may neither change anything nor wait long: a keychain that nobody has chosen yet
   * is read and not probed.
   */
  async keptToken(server: Server, timeoutMs: number): Promise<Found | undefined> {
    const given = await this.#givenToken()
    if (given) return given
    const { folders, environment } = this
    const chosen = chosenKeychain(folders, environment, await this.remembered(server.profile), timeoutMs)
    const account = this.account(server)
    if (chosen) return { ...(await chosen.read(account)), source: chosen.name }
    const file = new TokenFile(folders.config)
    for (const keychain of [file, new Keyring(environment.clock, timeoutMs)]) {
      const kept = await keychain.read(account).catch(() => undefined)
      if (kept?.token !== undefined || kept?.secret) return { ...kept, source: keychain.name }
    }
    return undefined
  }

  async #givenToken(): Promise<Found | undefined> {
    const env = this.environment.variables
    if (env['SECSCTL_TOKEN']) return { token: env['SECSCTL_TOKEN'].trim(), source: 'SECSCTL_TOKEN' }
    const file = env['SECSCTL_TOKEN_FILE']
    if (!file) return undefined
    await requirePrivateSecret(file)
    try {
      return { token: (await readFile(file, 'utf8')).trim(), source: 'SECSCTL_TOKEN_FILE' }
    } catch (error) {
      throw new Failure('access', `SECSCTL_TOKEN_FILE cannot be read: ${readFault(error, file)}`)
    }
  }

  /** Whether a gateway on this machine has refused the administrator that was made here. */
  async noteRefused(refused: boolean): Promise<void> {
    const store = await this.store(LOCAL)
    const { secret, ...kept } = await store.read(LOCAL)
    if (!secret || (secret.refused ?? false) === refused) return
    const { email, password } = secret
    await store.write(LOCAL, { ...kept, secret: { email, password, ...(refused && { refused }) } })
  }

  /** The administrator of the local daemon that was made here. */
  async localSecret(): Promise<Secret | undefined> {
    const store = await this.store(LOCAL)
    return (await store.read(LOCAL)).secret
  }
}
