import { endpoints } from '../../contract/endpoints.js'
import { Problem } from '../../contract/errors.js'
import { ROLES } from '../../contract/roles.js'
import type { User } from '../../contract/topics/accounts/users.js'
import { defined } from '../../kit/defined.js'
import { comparableEmail } from '../../kit/text/email.js'
import { RESTRICTION_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { required, YES } from '../input/arguments.js'
import { choiceFlag, switchFlag, textFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { readNewPassword } from '../input/new-password.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import type { Column } from '../output/output.js'
import { verb } from '../verb.js'

/** By which group of the company's accounts a user has a role; a local user has a password. */
const accountText = ({ sign_on }: User): string =>
  sign_on ? (sign_on.rule === null ? 'SSO, no access' : `SSO, ${sign_on.rule}`) : 'local'

export abstract class UserCommand extends GatewayCommand {
  /** The user that an id or an email means. */
  async user(given: string): Promise<User> {
    if (given.startsWith('usr_')) return this.call(endpoints.getUser, { params: { id: given } })
    const wanted = comparableEmail(given)
    const found = (await this.allUsers()).find(({ email }) => comparableEmail(email) === wanted)
    if (!found) throw new Problem('user_not_found', `There is no user "${given}".`)
    return found
  }

  async allUsers(): Promise<User[]> {
    const found: User[] = []
    for await (const user of this.recordsOf(endpoints.listUsers)) found.push(user)
    return found
  }

  newPassword(piped: boolean): Promise<string> {
    const { prompts, environment } = this
    return readNewPassword({ prompts, environment, note: (text) => this.note(text) }, piped)
  }

  get columns(): readonly Column<User>[] {
    return [
      { title: 'ID', text: ({ id }) => id, spare: true },
      { title: 'EMAIL', text: ({ email }) => email },
      { title: 'NAME', text: ({ name }) => name },
      { title: 'ROLE', text: ({ role }) => role },
      { title: 'SELECTOR', text: ({ label_selector }) => label_selector ?? '', spare: 'empty' },
      { title: 'ACCOUNT', text: accountText },
      { title: 'GROUPS', text: ({ sign_on }) => sign_on?.groups.join(', ') ?? '', spare: true },
      {
        title: 'SINCE',
        spare: 'narrow',
        text: ({ created_at }) => this.formatTime(created_at),
        key: ({ created_at }) => created_at,
      },
    ]
  }
}

export const usersAdd = verb(UserCommand, {
  summary: 'Add a user.',
  examples: [
    'secsctl users add ann@fab.example --name Ann --role engineer',
    'secsctl users add litho@fab.example --role operator -l area=litho',
    'pwgen 20 1 | secsctl users add al@fab.example --role operator --password-stdin',
  ],
  args: { email: required('Who it is.') },
  flags: {
    ...REASON_FLAG,
    name: textFlag('NAME', 'Name to show; the part before the @ unless given.'),
    role: choiceFlag(
      ROLES,
      'viewer reads; operator also connects, commands, acknowledges; engineer also sends and changes; admin all.',
      { required: true },
    ),
    selector: RESTRICTION_FLAG,
    'password-stdin': switchFlag('Read the password from standard input. (Or set SECSCTL_NEW_PASSWORD.)'),
  },
  words: { '/password': 'the password', '/label_selector': '--selector' },
  async run(on, { args, flags }) {
    const client = await on.client()
    const password = await on.newPassword(flags['password-stdin'])
    const name = flags.name ?? args.email.split('@')[0] ?? args.email
    const body = { email: args.email, name, role: flags.role, password, ...selectorGiven(flags.selector) }
    await on.printOne(await client.call(endpoints.createUser, { body }), on.columns)
  },
})

export const usersList = verb(UserCommand, {
  summary: 'List who may use the gateway.',
  examples: ['secsctl users list'],
  flags: LIST_OUTPUT_FLAGS,
  async run(on) {
    await on.printList(await on.allUsers(), on.columns, 'No users.')
  },
})

export const usersUpdate = verb(UserCommand, {
  summary: "Change a user. A new role or selector ends the user's logins.",
  examples: [
    'secsctl users update ann@fab.example --role admin',
    'secsctl users update ann@fab.example -l area=etch',
  ],
  args: { user: required('Email or id.') },
  flags: {
    ...REASON_FLAG,
    email: textFlag('EMAIL', 'A new email.'),
    name: textFlag('NAME', 'A new name.'),
    role: choiceFlag(ROLES, 'A new role.'),
    selector: RESTRICTION_FLAG,
    'no-selector': switchFlag('All equipment again.', { exclusive: ['selector'] }),
  },
  words: { '/label_selector': '--selector' },
  async run(on, { args, flags }) {
    const reach = flags['no-selector'] ? { label_selector: null } : selectorGiven(flags.selector)
    const body = { ...defined({ email: flags.email, name: flags.name, role: flags.role }), ...reach }
    if (Object.keys(body).length === 0) throw wrongUsage('nothing to change: add a flag')
    const { id } = await on.user(args.user)
    await on.printOne(await on.call(endpoints.updateUser, { params: { id }, body }), on.columns)
  },
})

export const usersRemove = verb(UserCommand, {
  summary: "Remove a user, and end the user's logins.",
  examples: ['secsctl users remove ann@fab.example --yes'],
  args: { user: required('Email or id.') },
  flags: { ...REASON_FLAG, yes: YES },
  async run(on, { args, flags }) {
    const { id, email } = await on.user(args.user)
    await on.confirmed(`Remove the user ${email}?`, flags.yes)
    await on.call(endpoints.deleteUser, { params: { id } })
    on.printDone({ removed: id }, `removed ${email}`)
  },
})
