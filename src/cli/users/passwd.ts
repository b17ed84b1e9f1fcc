import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import { defined } from '../../kit/defined.js'
import { comparableEmail } from '../../kit/text/email.js'
import { wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'
import { switchFlag } from '../input/flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { readText } from '../input/standard-input.js'
import { ownIdentity } from '../profile/own-identity.js'
import { verb } from '../verb.js'
import { UserCommand } from './users-verbs.js'

export const usersPasswd = verb(UserCommand, {
  summary: 'Change your own password, or as an administrator that of a user.',
  description:
    'Without USER, or with your own email or id, it changes your own password, with any role, and asks for the current one. All logins of the user end; your own login here gets a new token.',
  examples: ['secsctl users passwd', 'secsctl users passwd ann@fab.example'],
  args: { user: optional('Email or id; you yourself when left out.') },
  flags: {
    ...REASON_FLAG,
    'password-stdin': switchFlag(
      'Read the new password from standard input. For your own password, the first line is the current one. (Or set SECSCTL_NEW_PASSWORD, and SECSCTL_PASSWORD.)',
    ),
  },
  words: { '/password': 'the password', '/new_password': 'the new password' },
  async run(on, { args, flags }) {
    const piped = flags['password-stdin']
    if (args.user === undefined || (await isOwn(on, args.user))) return changeOwn(on, piped)
    const { id } = await on.user(args.user)
    const password = await on.newPassword(piped)
    await on.printOne(await on.call(endpoints.updateUser, { params: { id }, body: { password } }), on.columns)
  },
})

async function isOwn(on: UserCommand, given: string): Promise<boolean> {
  const { user } = await ownIdentity(await on.client())
  return user !== undefined && (given === user.id || comparableEmail(given) === comparableEmail(user.email))
}

async function changeOwn(on: UserCommand, piped: boolean): Promise<void> {
  // A login that has ended is reported before a password is asked for.
  const { key, user } = await ownIdentity(await on.client())
  if (key) throw wrongUsage(`the API key ${key.name} has no password: name the user`)
  const body = await passwords(on, piped)
  const { token, expires_at } = await on.call(endpoints.changeOwnPassword, { body })
  const server = await on.server()
  const kept = await on.session.token(server)
  // A token from the environment is not stored here: its owner stores it.
  if (kept?.source?.startsWith('SECSCTL_') === false) {
    const isKept = comparableEmail(kept.secret?.email ?? '') === comparableEmail(user.email)
    const secret = kept.secret && (isKept ? { ...kept.secret, password: body.new_password } : kept.secret)
    await on.session.keep(server, defined({ token, expires_at, secret }))
  }
  const own = await new GatewayClient({ url: server.url, token }).call(endpoints.getOwnUser, {})
  await on.printOne(own, on.columns)
}

async function passwords(
  on: UserCommand,
  piped: boolean,
): Promise<{ current_password: string; new_password: string }> {
  if (piped) {
    const [current_password = '', new_password = ''] = (
      await readText(on.environment.stdin, '-', 'the passwords')
    ).split(/\r?\n/)
    if (new_password === '') {
      const fault = 'your own password takes two lines on standard input: the current one, then the new one'
      throw wrongUsage(fault)
    }
    return { current_password, new_password }
  }
  const otherwise = 'give the current password with --password-stdin or SECSCTL_PASSWORD'
  const current_password =
    on.environment.variables['SECSCTL_PASSWORD'] || (await on.prompts.password('Current password', otherwise))
  return { current_password, new_password: await on.newPassword(false) }
}
