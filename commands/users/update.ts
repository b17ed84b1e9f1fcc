import { Flags } from '@oclif/core'
import { RESTRICTION_FLAG, selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { UserCommand } from '../../src/cli/users/user-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { ROLES } from '../../src/contract/roles.js'
import { defined } from '../../src/kit/defined.js'

export default class UsersUpdate extends UserCommand {
  static override summary = "Change a user. A new role or selector ends the user's logins."
  static override examples = [
    'secsctl users update ann@fab.example --role admin',
    'secsctl users update ann@fab.example -l area=etch',
  ]
  static override args = { user: required('Email or id.') }
  static override flags = {
    ...REASON_FLAG,
    email: Flags.string({ helpValue: 'EMAIL', summary: 'A new email.' }),
    name: Flags.string({ helpValue: 'NAME', summary: 'A new name.' }),
    role: Flags.option({ options: ROLES, summary: 'A new role.' })(),
    selector: RESTRICTION_FLAG,
    'no-selector': Flags.boolean({ exclusive: ['selector'], summary: 'All equipment again.' }),
  }

  protected override readonly words = { '/label_selector': '--selector' }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(UsersUpdate)
    const reach = flags['no-selector'] ? { label_selector: null } : selectorGiven(flags.selector)
    const body = { ...defined({ email: flags.email, name: flags.name, role: flags.role }), ...reach }
    if (Object.keys(body).length === 0) throw wrongUsage('nothing to change: add a flag')
    const { id } = await this.user(args.user)
    await this.printOne(await this.call(endpoints.updateUser, { params: { id }, body }), this.columns)
  }
}
