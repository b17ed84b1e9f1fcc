import { Flags } from '@oclif/core'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { optional } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { readText } from '../../src/cli/input/standard-input.js'
import { ownIdentity } from '../../src/cli/profile/own-identity.js'
import { UserCommand } from '../../src/cli/users/user-command.js'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { defined } from '../../src/kit/defined.js'
import { comparableEmail } from '../../src/kit/text/email.js'

export default class UsersPasswd extends UserCommand {
  static override summary = 'Change your own password, or as an administrator that of a user.'
  static override description =
    'Without USER, or with your own email or id, it is your own, whatever your role, and the current one is asked for. All logins of the user end; your own login here gets a new token.'
  static override examples = ['secsctl users passwd', 'secsctl users passwd ann@fab.example']
  static override args = { user: optional('Email or id; you yourself when left out.') }
  static override flags = {
    ...REASON_FLAG,
    'password-stdin': Flags.boolean({
      summary:
        'Read the new password from standard input, of your own the current one before it, on a line of its own. (Or set SECSCTL_NEW_PASSWORD, and SECSCTL_PASSWORD.)',
    }),
  }

  protected override readonly words = { '/password': 'the password', '/new_password': 'the new password' }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(UsersPasswd)
    const piped = flags['password-stdin']
    if (args.user === undefined || (await this.#isOwn(args.user))) return this.#changeOwn(piped)
    const { id } = await this.user(args.user)
    const password = await this.newPassword(piped)
    await this.printOne(
      await this.call(endpoints.updateUser, { params: { id }, body: { password } }),
      this.columns,
    )
  }

  async #isOwn(given: string): Promise<boolean> {
    const { user } = await ownIdentity(await this.client())
    return user !== undefined && (given === user.id || comparableEmail(given) === comparableEmail(user.email))
  }

  async #changeOwn(piped: boolean): Promise<void> {
    // A login that has ended is reported before a password is asked for.
    const { key, user } = await ownIdentity(await this.client())
    if (key) throw wrongUsage(`the API key ${key.name} has no password: name the user`)
    const body = await this.#passwords(piped)
    const { token, expires_at } = await this.call(endpoints.changeOwnPassword, { body })
    const server = await this.server()
    const kept = await this.session.token(server)
    // A token from the environment is not stored here: its owner stores it.
    if (kept?.source?.startsWith('SECSCTL_') === false) {
      const isKept = comparableEmail(kept.secret?.email ?? '') === comparableEmail(user.email)
      const secret = kept.secret && (isKept ? { ...kept.secret, password: body.new_password } : kept.secret)
      await this.session.keep(server, defined({ token, expires_at, secret }))
    }
    const own = await new GatewayClient({ url: server.url, token }).call(endpoints.getOwnUser, {})
    await this.printOne(own, this.columns)
  }

  async #passwords(piped: boolean): Promise<{ current_password: string; new_password: string }> {
    if (piped) {
      const [current_password = '', new_password = ''] = (
        await readText(this.environment.stdin, '-', 'the passwords')
      ).split(/\r?\n/)
      if (new_password === '') {
        const fault = 'your own password takes two lines on standard input: the current one, then the new one'
        throw wrongUsage(fault)
      }
      return { current_password, new_password }
    }
    const otherwise = 'give the current password with --password-stdin or SECSCTL_PASSWORD'
    const current_password =
      this.environment.variables['SECSCTL_PASSWORD'] ||
      (await this.prompts.password('Current password', otherwise))
    return { current_password, new_password: await this.newPassword(false) }
  }
}
