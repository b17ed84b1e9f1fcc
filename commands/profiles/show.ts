import { outputFlag, RECORD_FORMATS } from '../../src/cli/base-command.js'
import { optional } from '../../src/cli/input/arguments.js'
import { authorityText } from '../../src/cli/profile/authorities.js'
import { listedProfile } from '../../src/cli/profile/profile-columns.js'
import { LOCAL } from '../../src/cli/profile/profiles.js'
import { SessionCommand } from '../../src/cli/session-command.js'

export default class ProfilesShow extends SessionCommand {
  static override summary = 'Show a profile, the current one unless named.'
  static override examples = ['secsctl profiles show', 'secsctl profiles show local --json']
  static override args = { name: optional('Its name.') }
  static override flags = { output: outputFlag(RECORD_FORMATS) }

  async run(): Promise<void> {
    const { args } = await this.parse(ProfilesShow)
    const profiles = await this.session.profiles()
    const shown = listedProfile(profiles, args.name ?? profiles.current ?? LOCAL)
    this.printRecord(shown, [
      ['name', shown.name],
      ['url', shown.url ?? '(the daemon on this machine)'],
      ['email', shown.email ?? ''],
      ['token in', shown.keychain ?? ''],
      ['authorities', (shown.ca ?? []).map((one) => authorityText(one, this.formatTime)).join('\n')],
      ['current', shown.current ? 'yes' : 'no'],
    ])
  }
}
