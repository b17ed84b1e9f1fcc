import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { listedProfile, PROFILE_COLUMNS } from '../../src/cli/profile/profile-columns.js'
import { SessionCommand } from '../../src/cli/session-command.js'

export default class ProfilesList extends SessionCommand {
  static override summary = 'List the gateways that have a name here.'
  static override examples = ['secsctl profiles list', 'secsctl profiles list --json']
  static override flags = LIST_OUTPUT_FLAGS

  async run(): Promise<void> {
    await this.parse(ProfilesList)
    const profiles = await this.session.profiles()
    const rows = profiles.names().map((name) => listedProfile(profiles, name))
    await this.printList(rows, PROFILE_COLUMNS, 'no profiles')
  }
}
