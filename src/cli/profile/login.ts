import { GatewayClient } from '../../client/client.js'
import { logIn } from '../../client/log-in.js'
import { isApiKey } from '../../contract/api-key.js'
import { endpoints } from '../../contract/endpoints.js'
import type { User } from '../../contract/topics/accounts/users.js'
import { defined } from '../../kit/defined.js'
import { wrongUsage } from '../errors/failure.js'
import { isUnreachable } from '../errors/report.js'
import { GatewayCommand } from '../gateway-command.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { readSecret } from '../input/standard-input.js'
import { expiryText } from '../keys/keys-verbs.js'
import type { FormatTime } from '../output/local-time.js'
import { verb } from '../verb.js'
import { logInWithKept } from './kept-login.js'
import type { Secret } from './keychain.js'
import { ownIdentity } from './own-identity.js'
import { LOCAL } from './profiles.js'
import type { Server } from './server.js'
import { signedOff, signOn } from './sign-on.js'

export const logoutCommand = verb(GatewayCommand, {
  summary: 'Revoke the token and forget it.',
  description:
    'An API key is only forgotten on this machine: it stays valid until it expires or `keys remove` revokes it.',
  examples: ['secsctl logout'],
  async run(on) {
    const server = await on.server()
    const found = await on.session.token(server)
    const store = await on.session.store(server.profile)
    const account = on.session.account(server)
    if (!found?.token)
      return on.printDone({ url: server.url, revoked: false }, `nobody was logged in to ${server.url}`)
    const isKey = isApiKey(found.token)
    if (isKey && found.source.startsWith('SECSCTL_')) {
      const detail = `the API key in ${found.source} stays as it is: keys remove ends it`
      return on.printDone({ url: server.url, revoked: false }, detail)
    }
    const { session_token } = found
    let revoked = !isKey
    let ending: string | null = null
    try {
      if (session_token !== undefined)
        ({ end_session_url: ending } = await signedOff(server.url, session_token))
      else if (!isKey)
        await new GatewayClient({ url: server.url, token: found.token }).call(endpoints.logout, {})
    } catch (error) {
      // A token that is no longer valid needs no revocation; a gateway that is away cannot revoke it.
      const dead = error instanceof Error && 'status' in error && error.status === 401
      if (!dead && !isUnreachable(error)) throw error
      revoked = dead
    }
    const { secret } = await store.read(account)
    if (secret) await store.write(account, { secret, logged_out: true })
    else await store.remove(account)
    const kept = `the API key is removed here, and stays valid at ${server.url}`
    const unrevoked = `the token is removed here, but ${server.url} could not revoke it`
    if (ending !== null) on.note(`To end the session at the identity provider as well, open: ${ending}`)
    on.printDone(
      { url: server.url, revoked, ...(session_token !== undefined && { end_session_url: ending }) },
      isKey ? kept : revoked ? `logged out of ${server.url}` : unrevoked,
    )
  },
})

export const whoamiCommand = verb(GatewayCommand, {
  summary: 'Show who is logged in, or which API key is used, where, and where the token came from.',
  examples: ['secsctl whoami', 'secsctl whoami --json'],
  async run(on) {
    const client = await on.client()
    const server = await on.server()
    const { user, key } = await ownIdentity(client)
    const source = (await on.session.token(server))?.source ?? null
    const shown = { ...(user ?? key), url: server.url, profile: server.profile ?? null, token_source: source }
    const who: [string, string][] = user
      ? [
          ['user', user.email],
          ['name', user.name],
          ['role', user.role],
          ['selector', user.label_selector ?? ''],
          ...accountFields(user, on.formatTime),
        ]
      : [
          ['api key', key.name],
          ['role', key.role],
          ['selector', key.label_selector ?? ''],
          ['expires', expiryText(key, on.formatTime)],
        ]
    on.printRecord(shown, [
      ...who,
      ['server', server.url],
      ['profile', server.profile ?? ''],
      ['token from', source ?? ''],
    ])
  },
})

/** Which account of the company a user is. */
const accountFields = ({ sign_on }: User, formatTime: FormatTime): [string, string][] =>
  sign_on
    ? [
        ['account', `${sign_on.subject} of ${sign_on.issuer}`],
        ['groups', sign_on.groups.join(', ')],
        ['by group', sign_on.rule ?? 'none: no access'],
        ['confirmed', formatTime(sign_on.confirmed_at)],
      ]
    : [['account', 'local']]

export const loginCommand = verb(GatewayCommand, {
  summary: 'Log in, with a password, a company account or an API key; the token goes to the keychain.',
  description:
    'Without --email, it logs in at the daemon on this machine, as the administrator that the first start made. A URL without a profile gets one, named after its host. With --sso it prints an address and a code, opens a browser where there is one, and waits until you have signed on there. With --key-stdin it keeps an API key instead of a login. A job that must not keep anything sets SECSCTL_TOKEN or SECSCTL_TOKEN_FILE to the key.',
  examples: [
    'secsctl login',
    'secsctl login --url https://fab2.example:7327 --email ann@fab2.example',
    'secsctl login --sso --url https://fab2.example:7327',
    'pass show fab2 | secsctl login --email ann@fab2.example --password-stdin',
    'secsctl login --key-stdin --profile fab2 < mes.key',
  ],
  flags: {
    email: textFlag('EMAIL', 'Who logs in.'),
    'password-stdin': switchFlag('Read the password from standard input. (Or set SECSCTL_PASSWORD.)'),
    sso: switchFlag('Sign on with the company account, in a browser.', {
      exclusive: ['email', 'password-stdin', 'key-stdin'],
    }),
    'no-browser': switchFlag('With --sso: open no browser here.', { dependsOn: ['sso'] }),
    'key-stdin': switchFlag('Read an API key from standard input, check it and keep it.', {
      exclusive: ['email', 'password-stdin'],
    }),
  },
  async run(on, { flags }) {
    const found = await on.server()
    const profiles = await on.session.profiles()
    const known = found.profile !== undefined && profiles.names().includes(found.profile)
    // Before a password is asked for: a keychain that cannot keep the token is reported first.
    const store = await on.session.store(known ? found.profile : undefined)
    if (flags['key-stdin']) return keepKey(on, found, known)
    if (flags.sso) return keepSignOn(on, found, known, !flags['no-browser'])
    const before = known && found.profile !== undefined ? profiles.get(found.profile).email : undefined
    const secret = await secretGiven(on, found, {
      email: flags.email,
      before,
      piped: flags['password-stdin'],
    })
    const { token, expires_at, user } = secret.own
      ? await logInWithKept(on.session, found, secret)
      : await logIn(new GatewayClient({ url: found.url }), secret)
    const server = known ? found : await withProfile(on, found)
    const kept = (await store.read(on.session.account(server))).secret
    await on.session.keep(server, defined({ token, expires_at, secret: kept }))
    if (server.profile !== undefined && server.profile !== LOCAL) {
      await profiles.note(server.profile, { email: user.email })
    }
    if (on.session.notice !== undefined) on.note(on.session.notice)
    on.printRecord({ url: server.url, profile: server.profile ?? null, user, expires_at }, [
      ['user', `${user.email} (${user.role})`],
      ['server', server.url],
      ['expires', on.formatTime(expires_at)],
    ])
  },
})

/** Keeps the session of a company account. */
async function keepSignOn(
  on: GatewayCommand,
  found: Server,
  known: boolean,
  browser: boolean,
): Promise<void> {
  const { token, expires_at, user, session_token, session_expires_at, renewable } = await signOn(
    on,
    found.url,
    browser,
  )
  const server = known ? found : await withProfile(on, found)
  const { secret } = await (await on.session.store(server.profile)).read(on.session.account(server))
  await on.session.keep(server, {
    token,
    expires_at,
    session_token,
    ...(secret && { secret, logged_out: true }),
  })
  if (on.session.notice !== undefined) on.note(on.session.notice)
  if (!renewable)
    on.note('The identity provider gave no refresh token: sign on again when this login expires.')
  const ends = renewable ? session_expires_at : expires_at
  on.printRecord({ url: server.url, profile: server.profile ?? null, user, expires_at: ends }, [
    ['user', `${user.email} (${user.role})`],
    ['server', server.url],
    ['expires', on.formatTime(ends)],
  ])
}

/** Keeps an API key as the token. The account of a local daemon is not used again before a person logs in. */
async function keepKey(on: GatewayCommand, found: Server, known: boolean): Promise<void> {
  const token = (await readSecret(on.environment.stdin, 'the API key')).trim()
  if (!isApiKey(token)) throw wrongUsage('standard input has no API key: a key begins with "secsctl_"')
  const key = await new GatewayClient({ url: found.url, token }).call(endpoints.getOwnKey, {})
  const server = known ? found : await withProfile(on, found)
  const { secret } = await (await on.session.store(server.profile)).read(on.session.account(server))
  const ends = key.expires_at === null ? {} : { expires_at: key.expires_at }
  await on.session.keep(server, { token, ...ends, ...(secret && { secret, logged_out: true }) })
  if (on.session.notice !== undefined) on.note(on.session.notice)
  on.printRecord({ url: server.url, profile: server.profile ?? null, key }, [
    ['api key', `${key.name} (${key.role})`],
    ['server', server.url],
    ['expires', expiryText(key, on.formatTime)],
  ])
}

/** The server with a profile of its own, named as was asked or after the host, which is the current one then. */
async function withProfile(on: GatewayCommand, { profile, url }: Server): Promise<Server> {
  const profiles = await on.session.profiles()
  const host = new URL(url).host.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  const name = profile ?? host
  if (profiles.names().includes(name)) return { profile: undefined, url }
  await profiles.add(name, { url })
  await profiles.use(name)
  on.note(`The profile "${name}" is for ${url} and is the current one now.`)
  return { profile: name, url }
}

async function secretGiven(
  on: GatewayCommand,
  server: Server,
  { email, before, piped }: { email: string | undefined; before: string | undefined; piped: boolean },
): Promise<Secret & { readonly own?: boolean }> {
  const given = on.environment.variables['SECSCTL_PASSWORD']
  if (server.profile === LOCAL && !piped && !given) {
    const own = await on.session.localSecret()
    if (own && !own.refused && (email === undefined || email === own.email)) return { ...own, own: true }
  }
  const name = email ?? (on.prompts.allowed ? undefined : before)
  const who = name ?? (await on.prompts.text('Email', 'name the user with --email', before))
  if (piped) return { email: who, password: await readSecret(on.environment.stdin, 'the password') }
  if (given) return { email: who, password: given }
  return {
    email: who,
    password: await on.prompts.password(
      'Password',
      'give the password with --password-stdin or SECSCTL_PASSWORD',
    ),
  }
}
