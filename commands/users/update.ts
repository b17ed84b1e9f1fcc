import { Flags } from '@oclif/core'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { UserCommand } from '../../src/cli/users/user-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { ROLES } from '../../src/contract/roles.js'
import { defined } from '../../src/kit/defined.js'

export default class UsersUpdate extends UserCommand {
  static override summary = "Change a user. A new role ends the user's logins."
  static override examples = ['secsctl users update ann@fab.example --role admin']
  static override args = { user: required('Email or id.') }
  static override flags = {
    ...REASON_FLAG,
    email: Flags.string({ helpValue: 'EMAIL', summary: 'A new email.' }),
    name: Flags.string({ helpValue: 'NAME', summary: 'A new name.' }),
    role: Flags.option({ options: ROLES, summary: 'A new role.' })(),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(UsersUpdate)
    const body = defined({ email: flags.email, name: flags.name, role: flags.role })
    if (Object.keys(body).length === 0) throw wrongUsage('nothing to change: add a flag')
    const { id } = await this.user(args.user)
    await this.printOne(await this.call(endpoints.updateUser, { params: { id }, body }), this.columns)
  }
}
