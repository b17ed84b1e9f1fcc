import { Args, Flags } from '@oclif/core'
import { UserCommand } from '../../src/cli/user-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class UsersPasswd extends UserCommand {
  static override summary = "Give a user a new password; the user's logins end."
  static override hiddenAliases = ['user:passwd']
  static override examples = ['<%= config.bin %> users passwd ann@fab.example']
  static override args = {
    user: Args.string({ required: true, ignoreStdin: true, description: 'Email or id.' }),
  }
  static override flags = {
    'password-stdin': Flags.boolean({
      summary: 'Read the password from standard input. (Or set SECSCTL_NEW_PASSWORD.)',
    }),
  }

  protected override readonly words = { '/password': 'the password' }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(UsersPasswd)
    const { id } = await this.user(args.user)
    const password = await this.newPassword(flags['password-stdin'])
    const client = await this.client()
    await this.printUser(await client.call(endpoints.updateUser, { params: { id }, body: { password } }))
  }
}
