import { listedProfile, PROFILE_COLUMNS } from '../../src/cli/profile/profile-columns.js'
import { SessionCommand } from '../../src/cli/session-command.js'

export default class ProfilesList extends SessionCommand {
  static override summary = 'List the gateways that have a name here.'
  static override examples = ['secsctl profiles list', 'secsctl profiles list --json']

  async run(): Promise<void> {
    await this.parse(ProfilesList)
    const profiles = await this.session.profiles()
    const rows = profiles.names().map((name) => listedProfile(profiles, name))
    await this.printList(rows, PROFILE_COLUMNS, 'no profiles')
  }
}
