import { BaseCommand } from './base-command.js'
import { Session } from './profile/server.js'

/** A command that uses profiles, tokens and the daemon of this machine. By itself it calls no gateway. */
export abstract class SessionCommand extends BaseCommand {
  #session: Session | undefined

  /** The gateway, profile and token that the flags and the environment choose. */
  get session(): Session {
    this.#session ??= new Session(this.globals, this.environment)
    return this.#session
  }
}
