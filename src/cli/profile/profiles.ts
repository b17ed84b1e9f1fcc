import { join } from 'node:path'
import { defined } from '../../kit/defined.js'
import { makePrivateFolder } from '../../kit/private-file.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { SIGNALS } from '../input/interruption.js'
import { readJsonFile } from './json-file.js'
import type { KeychainName } from './keychain.js'

/** The daemon on this machine. It is always there and has no URL of its own: its address file has it. */
export const LOCAL = 'local'

export interface Profile {
  readonly url?: string
  readonly email?: string
  /** Where its token is kept, once that is known. */
  readonly keychain?: KeychainName
  /** Certificates of the authorities that may issue the certificate of the gateway, in PEM; those of the system when left out. */
  readonly ca?: string
}

interface Document {
  readonly current?: string
  readonly previous?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Gateways by name, and which of them is meant when none is named. */
export class Profiles {
  #document: Document

  private constructor(
    readonly folder: string,
    document: Document,
  ) {
    this.#document = document
  }

  static async open(folder: string): Promise<Profiles> {
    // Read without `conf`, which takes longer to load than all else that a command does.
    const found = await readJsonFile(join(folder, 'config.json'))
    return new Profiles(folder, { profiles: {}, ...found })
  }

  get current(): string | undefined {
    return this.#document.current
  }

  names(): string[] {
    return [...new Set([LOCAL, ...Object.keys(this.#document.profiles)])]
  }

  get(name: string): Profile {
    const { profiles } = this.#document
    if (Object.hasOwn(profiles, name)) return profiles[name] ?? {}
    if (name === LOCAL) return {}
    throw new Failure('missing', `there is no profile "${name}"`, 'secsctl profiles list')
  }

  named(url: string): string | undefined {
    return Object.entries(this.#document.profiles).find(([, profile]) => profile.url === url)?.[0]
  }

  async add(name: string, profile: Profile): Promise<void> {
    if (!NAME.test(name))
      throw wrongUsage(`"${name}" cannot name a profile: letters, digits, dots and dashes can, up to 64`)
    if (name === LOCAL) throw wrongUsage(`"${LOCAL}" is the daemon on this machine and needs no URL`)
    if (Object.hasOwn(this.#document.profiles, name))
      throw new Failure('state', `there is a profile "${name}" already`, `secsctl profiles remove ${name}`)
    await this.#save({ ...this.#document, profiles: { ...this.#document.profiles, [name]: profile } })
  }

  async note(
    name: string,
    change: { readonly [Key in keyof Profile]: Profile[Key] | undefined },
  ): Promise<void> {
    const profiles = { ...this.#document.profiles, [name]: defined({ ...this.get(name), ...change }) }
    await this.#save({ ...this.#document, profiles })
  }

  /** Makes `name` the current profile; `-` is the one before. Returns the name. */
  async use(name: string): Promise<string> {
    const next = name === '-' ? this.#document.previous : name
    if (next === undefined) throw new Failure('state', 'there was no other profile before this one')
    this.get(next)
    const { current = LOCAL } = this.#document
    const changed = current === next ? {} : { previous: current }
    await this.#save({ ...this.#document, current: next, ...changed })
    return next
  }

  async remove(name: string): Promise<void> {
    this.get(name)
    const { [name]: _, ...profiles } = this.#document.profiles
    const { current, previous } = this.#document
    await this.#save({
      profiles,
      ...(current !== undefined && current !== name && { current }),
      ...(previous !== undefined && previous !== name && { previous }),
    })
  }

  async #save(document: Document): Promise<void> {
    await makePrivateFolder(this.folder)
    const Conf = await loadConf()
    const conf = new Conf<{ -readonly [Key in keyof Document]: Document[Key] }>({
      cwd: this.folder,
      configName: 'config',
      projectName: 'secsctl',
      projectSuffix: '',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    })
    conf.store = document
    this.#document = document
  }
}

/** `conf` without its signal handlers: they would end a daemon with the signal while it stops in order. */
async function loadConf(): Promise<typeof import('conf').default> {
  const before = SIGNALS.map((signal) => process.listeners(signal))
  const { default: Conf } = await import('conf')
  for (const [at, signal] of SIGNALS.entries()) {
    for (const added of process.listeners(signal)) {
      if (!before[at]?.includes(added)) process.off(signal, added)
    }
  }
  return Conf
}
