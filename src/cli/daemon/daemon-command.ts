import type { Interfaces } from '@oclif/core'
import { SessionCommand } from '../session-command.js'
import { FLAG_NAMES, type GivenSettings } from './daemon-flags.js'
import { type EffectiveSettings, requireSettings } from './settings/settings.js'

/** A command with the flags of the daemon. */
export abstract class DaemonCommand extends SessionCommand {
  /** The flags and arguments that were given, without defaults and the environment: what it has is in the settings. */
  async parseGiven(): Promise<{
    /** The flags of the daemon. */
    readonly given: GivenSettings
    readonly flags: Readonly<Record<string, unknown>>
    readonly args: Readonly<Record<string, unknown>>
  }> {
    const { args = {}, baseFlags, flags: own = {} } = this.ctor
    const flags: Record<string, Interfaces.FlagInput[string]> = {}
    for (const [name, { env: _, default: __, ...flag }] of Object.entries(own))
      flags[name] = flag as Interfaces.FlagInput[string]
    const parsed = await this.parse({ args, baseFlags, flags })
    const given = FLAG_NAMES.flatMap((name) => {
      const value = parsed.flags[name]
      return value === undefined ? [] : [[name, value]]
    })
    return { ...parsed, given: Object.fromEntries(given) }
  }

  /** The settings that the flags, the environment and the configuration file give. Throws what is wrong with them. */
  settingsBy(given: GivenSettings): Promise<EffectiveSettings> {
    return requireSettings(given, this.environment.variables)
  }
}
