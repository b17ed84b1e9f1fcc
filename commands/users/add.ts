import { Flags } from '@oclif/core'
import { RESTRICTION_FLAG, selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { UserCommand } from '../../src/cli/users/user-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { ROLES } from '../../src/contract/roles.js'

export default class UsersAdd extends UserCommand {
  static override summary = 'Add a user.'
  static override examples = [
    'secsctl users add ann@fab.example --name Ann --role engineer',
    'secsctl users add litho@fab.example --role operator -l area=litho',
    'pwgen 20 1 | secsctl users add al@fab.example --role operator --password-stdin',
  ]
  static override args = { email: required('Who it is.') }
  static override flags = {
    ...REASON_FLAG,
    name: Flags.string({ helpValue: 'NAME', summary: 'Name to show; the part before the @ unless given.' }),
    role: Flags.option({
      options: ROLES,
      required: true,
      summary:
        'viewer reads; operator also connects, commands, acknowledges; engineer also sends and changes; admin all.',
    })(),
    selector: RESTRICTION_FLAG,
    'password-stdin': Flags.boolean({
      summary: 'Read the password from standard input. (Or set SECSCTL_NEW_PASSWORD.)',
    }),
  }

  protected override readonly words = { '/password': 'the password', '/label_selector': '--selector' }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(UsersAdd)
    const client = await this.client()
    const password = await this.newPassword(flags['password-stdin'])
    const name = flags.name ?? args.email.split('@')[0] ?? args.email
    const body = { email: args.email, name, role: flags.role, password, ...selectorGiven(flags.selector) }
    await this.printOne(await client.call(endpoints.createUser, { body }), this.columns)
  }
}
