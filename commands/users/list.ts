import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { UserCommand } from '../../src/cli/users/user-command.js'

export default class UsersList extends UserCommand {
  static override summary = 'List who may use the gateway.'
  static override examples = ['secsctl users list']
  static override flags = LIST_OUTPUT_FLAGS

  async run(): Promise<void> {
    await this.parse(UsersList)
    await this.printList(await this.allUsers(), this.columns, 'No users.')
  }
}
