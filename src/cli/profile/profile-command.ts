import { BaseCommand } from '../base-command.js'
import type { ListedProfile } from './profile-columns.js'
import { LOCAL, type Profiles } from './profiles.js'
import { Session } from './server.js'

/** A command about profiles: it reads and writes files here and calls no gateway. */
export abstract class ProfileCommand extends BaseCommand {
  #session: Session | undefined

  protected get session(): Session {
    this.#session ??= new Session(this.globals, process.env, this.clock)
    return this.#session
  }

  protected listed(profiles: Profiles, name: string): ListedProfile {
    const { url, email, keychain } = profiles.get(name)
    const current = name === (profiles.current ?? LOCAL)
    return { name, url: url ?? null, email: email ?? null, keychain: keychain ?? null, current }
  }
}
