import type { Interfaces } from '@oclif/core'
import { SessionCommand } from '../session-command.js'
import { FLAG_NAMES, type GivenSettings } from './daemon-flags.js'
import { type EffectiveSettings, requireSettings } from './settings/settings.js'

/** A command with the flags of the daemon. They are parsed without defaults and the environment: the settings have these. */
export abstract class DaemonCommand extends SessionCommand {
  protected override parse<
    F extends Record<string, unknown>,
    B extends Record<string, unknown>,
    A extends Record<string, unknown>,
  >(options?: Interfaces.Input<F, B, A>, argv?: string[]): Promise<Interfaces.ParserOutput<F, B, A>> {
    const flags = Object.entries(this.ctor.flags ?? {}).map(([name, { env: _, default: __, ...flag }]) => [
      name,
      flag,
    ])
    return super.parse({ ...options, flags: Object.fromEntries(flags) } as Interfaces.Input<F, B, A>, argv)
  }

  /** The settings that the flags, the environment and the configuration file give. Throws what is wrong with them. */
  settingsBy(given: GivenSettings): Promise<EffectiveSettings> {
    return requireSettings(given, this.environment.variables)
  }
}

/** The flags of the daemon among those that were given. */
export const givenOf = (flags: Readonly<Record<string, unknown>>): GivenSettings =>
  Object.fromEntries(FLAG_NAMES.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])))
