import { Flags } from '@oclif/core'
import { wrongUsage } from '../src/cli/errors/failure.js'
import { GatewayCommand } from '../src/cli/gateway-command.js'
import { readSecret } from '../src/cli/input/standard-input.js'
import { expiryText } from '../src/cli/keys/key-command.js'
import { logInWithKept } from '../src/cli/profile/kept-login.js'
import type { Secret } from '../src/cli/profile/keychain.js'
import { LOCAL } from '../src/cli/profile/profiles.js'
import type { Server } from '../src/cli/profile/server.js'
import { GatewayClient } from '../src/client/client.js'
import { logIn } from '../src/client/log-in.js'
import { isApiKey } from '../src/contract/api-key.js'
import { endpoints } from '../src/contract/endpoints.js'
import { defined } from '../src/kit/defined.js'

export default class LoginCommand extends GatewayCommand {
  static override summary = 'Log in, with a password or an API key; the token goes to the keychain.'
  static override description =
    'Without --email, the daemon on this machine is logged in to as the administrator that was made with it. A URL that has no profile yet is given one, named after its host. With --key-stdin an API key is kept instead of a login. A job that keeps nothing sets SECSCTL_TOKEN or SECSCTL_TOKEN_FILE to the key.'
  static override examples = [
    'secsctl login',
    'secsctl login --url https://fab2.example:7327 --email ann@fab2.example',
    'pass show fab2 | secsctl login --email ann@fab2.example --password-stdin',
    'secsctl login --key-stdin --profile fab2 < mes.key',
  ]
  static override flags = {
    email: Flags.string({ helpValue: 'EMAIL', summary: 'Who logs in.' }),
    'password-stdin': Flags.boolean({
      summary: 'Read the password from standard input. (Or set SECSCTL_PASSWORD.)',
    }),
    'key-stdin': Flags.boolean({
      summary: 'Read an API key from standard input, check it and keep it.',
      exclusive: ['email', 'password-stdin'],
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(LoginCommand)
    const found = await this.server()
    const profiles = await this.session.profiles()
    const known = found.profile !== undefined && profiles.names().includes(found.profile)
    // Before a password is asked for: a keychain that cannot keep the token is reported first.
    const store = await this.session.store(known ? found.profile : undefined)
    if (flags['key-stdin']) return this.#keepKey(found, known)
    const before = known && found.profile !== undefined ? profiles.get(found.profile).email : undefined
    const secret = await this.#secret(found, { email: flags.email, before, piped: flags['password-stdin'] })
    const { token, expires_at, user } = secret.own
      ? await logInWithKept(this.session, found, secret)
      : await logIn(new GatewayClient({ url: found.url }), secret)
    const server = known ? found : await this.#withProfile(found)
    const kept = (await store.read(this.session.account(server))).secret
    await this.session.keep(server, defined({ token, expires_at, secret: kept }))
    if (server.profile !== undefined && server.profile !== LOCAL) {
      await profiles.note(server.profile, { email: user.email })
    }
    if (this.session.notice !== undefined) this.note(this.session.notice)
    this.printRecord({ url: server.url, profile: server.profile ?? null, user, expires_at }, [
      ['user', `${user.email} (${user.role})`],
      ['server', server.url],
      ['expires', this.formatTime(expires_at)],
    ])
  }

  /** Keeps an API key as the token. The account of a local daemon is not used again before a person logs in. */
  async #keepKey(found: Server, known: boolean): Promise<void> {
    const token = (await readSecret(this.environment.stdin, 'the API key')).trim()
    if (!isApiKey(token)) throw wrongUsage('standard input has no API key: a key begins with "secsctl_"')
    const key = await new GatewayClient({ url: found.url, token }).call(endpoints.getOwnKey, {})
    const server = known ? found : await this.#withProfile(found)
    const { secret } = await (await this.session.store(server.profile)).read(this.session.account(server))
    const ends = key.expires_at === null ? {} : { expires_at: key.expires_at }
    await this.session.keep(server, { token, ...ends, ...(secret && { secret, logged_out: true }) })
    if (this.session.notice !== undefined) this.note(this.session.notice)
    this.printRecord({ url: server.url, profile: server.profile ?? null, key }, [
      ['api key', `${key.name} (${key.role})`],
      ['server', server.url],
      ['expires', expiryText(key, this.formatTime)],
    ])
  }

  /** The server with a profile of its own, named as was asked or after the host, which is the current one then. */
  async #withProfile({ profile, url }: Server): Promise<Server> {
    const profiles = await this.session.profiles()
    const host = new URL(url).host.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
    const name = profile ?? host
    if (profiles.names().includes(name)) return { profile: undefined, url }
    await profiles.add(name, { url })
    await profiles.use(name)
    this.note(`The profile "${name}" is for ${url} and is the current one now.`)
    return { profile: name, url }
  }

  async #secret(
    server: Server,
    { email, before, piped }: { email: string | undefined; before: string | undefined; piped: boolean },
  ): Promise<Secret & { readonly own?: boolean }> {
    const given = this.environment.variables['SECSCTL_PASSWORD']
    if (server.profile === LOCAL && !piped && !given) {
      const own = await this.session.localSecret()
      if (own && !own.refused && (email === undefined || email === own.email)) return { ...own, own: true }
    }
    const name = email ?? (this.prompts.allowed ? undefined : before)
    const who = name ?? (await this.prompts.text('Email', 'name the user with --email', before))
    if (piped) return { email: who, password: await readSecret(this.environment.stdin, 'the password') }
    if (given) return { email: who, password: given }
    return {
      email: who,
      password: await this.prompts.password(
        'Password',
        'give the password with --password-stdin or SECSCTL_PASSWORD',
      ),
    }
  }
}
