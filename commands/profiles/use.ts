import { required } from '../../src/cli/input/arguments.js'
import { listedProfile, PROFILE_COLUMNS } from '../../src/cli/profile/profile-columns.js'
import { SessionCommand } from '../../src/cli/session-command.js'

export default class ProfilesUse extends SessionCommand {
  static override summary = 'Make a profile the one that commands use.'
  static override examples = ['secsctl profiles use local', 'secsctl profiles use -']
  static override args = { name: required('Its name; - is the one before.') }

  async run(): Promise<void> {
    const { args } = await this.parse(ProfilesUse)
    const profiles = await this.session.profiles()
    const used = listedProfile(profiles, await profiles.use(args.name))
    await this.printOne(used, PROFILE_COLUMNS)
  }
}
