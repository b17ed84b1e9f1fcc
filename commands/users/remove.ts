import { required, YES } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { UserCommand } from '../../src/cli/users/user-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class UsersRemove extends UserCommand {
  static override summary = "Remove a user, and end the user's logins."
  static override examples = ['secsctl users remove ann@fab.example --yes']
  static override args = { user: required('Email or id.') }
  static override flags = { ...REASON_FLAG, yes: YES }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(UsersRemove)
    const { id, email } = await this.user(args.user)
    await this.confirmed(`Remove the user ${email}?`, flags.yes)
    await this.call(endpoints.deleteUser, { params: { id } })
    this.printDone({ removed: id }, `removed ${email}`)
  }
}
