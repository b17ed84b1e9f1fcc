import { join } from 'node:path'
import { Failure } from '../errors/failure.js'
import type { KeychainName } from './keychain.js'
import { readJsonFile, writePrivateFile } from './private-file.js'

/** The daemon on this machine. It is always there and has no URL of its own: its address file has it. */
export const LOCAL = 'local'

export interface Profile {
  readonly url?: string
  readonly email?: string
  /** Where its token is kept, once that is known. */
  readonly keychain?: KeychainName
}

interface Document {
  readonly current?: string
  readonly previous?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const fileIn = (folder: string): string => join(folder, 'config.json')

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
    const found = await readJsonFile(fileIn(folder))
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

  /** The name of the profile for `url`. */
  named(url: string): string | undefined {
    return Object.entries(this.#document.profiles).find(([, profile]) => profile.url === url)?.[0]
  }

  async add(name: string, profile: Profile): Promise<void> {
    if (!NAME.test(name)) {
      throw new Failure(
        'usage',
        `"${name}" cannot name a profile: letters, digits, dots and dashes can, up to 64`,
      )
    }
    if (name === LOCAL)
      throw new Failure('usage', `"${LOCAL}" is the daemon on this machine and needs no URL`)
    if (Object.hasOwn(this.#document.profiles, name)) {
      throw new Failure('state', `there is a profile "${name}" already`, `secsctl profiles remove ${name}`)
    }
    await this.#save({ ...this.#document, profiles: { ...this.#document.profiles, [name]: profile } })
  }

  /** Remembers something about a profile. */
  async note(name: string, change: Profile): Promise<void> {
    const profiles = { ...this.#document.profiles, [name]: { ...this.get(name), ...change } }
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
    await writePrivateFile(fileIn(this.folder), `${JSON.stringify(document, undefined, 2)}\n`)
    this.#document = document
  }
}
