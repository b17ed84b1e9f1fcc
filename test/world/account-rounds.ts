import type { Login } from '../../src/contract/topics/accounts/users.js'
import type { Model, Operation } from './linearizable.js'
import { Round, together } from './round.js'
import type { Client, Response, Site } from './site.js'

/** What one user's account is: tokens by the end of their texts. */
interface Account {
  /** Null: the user is not there. */
  readonly password: string | null
  readonly valid: readonly string[]
  /** Tokens that were exchanged for others. They end within a minute. */
  readonly exchanged: readonly string[]
}

type AccountCall =
  | { readonly kind: 'login'; readonly password: string }
  | { readonly kind: 'use' | 'refresh' | 'logout'; readonly token: string }
  | { readonly kind: 'change'; readonly token: string; readonly from: string; readonly to: string }
  /** An administrator gives another password, or removes the user. */
  | { readonly kind: 'reset'; readonly to: string }
  | { readonly kind: 'remove' }

type TokenCall = Extract<AccountCall, { readonly token: string }>

const SENTENCE = 'Calls about one account take effect one after the other.'

/**
 * Other gateways still accept for a moment what was ended, also a password; and then say of it what they knew. What one of
 * them has confirmed the others know at once.
 */
const mayBeStale = ({ input, output }: Operation<AccountCall, Response>): boolean =>
  (['use', 'login'].includes(input.kind) && output?.status === 200) || output?.status === 403

const nameOf = (token: string): string => token.slice(-8)

const newToken = ({ body }: Response): string => nameOf((body as Login).token)

/** What an account does to calls that come one after the other. */
const accountModel: Model<Account, AccountCall, Response> = (state, { input, output }) => {
  switch (input.kind) {
    case 'login': {
      const fits = input.password === state.password
      if (output?.status === 401) return fits ? undefined : state
      if (!output) return state
      return fits ? { ...state, valid: [...state.valid, newToken(output)] } : undefined
    }
    case 'reset':
      return only(input.to)
    case 'remove':
      return only(null)
    default:
      return afterToken(state, input, output)
  }
}

/** Without any token but this one. */
const only = (password: string | null, ...valid: readonly string[]): Account => ({
  password,
  valid,
  exchanged: [],
})

/** After a call with one of the account's tokens. */
function afterToken(state: Account, input: TokenCall, output: Response | undefined): Account | undefined {
  const { token } = input
  if (output?.status === 401) return state.valid.includes(token) ? undefined : state
  // Who calls with a token that ends meanwhile may be told of the password.
  const isWrongPassword = output?.status === 403 && input.kind === 'change'
  if (isWrongPassword) return state.password === input.from ? undefined : state
  const isKnown = [...state.valid, ...state.exchanged].includes(token)
  // Who logs out with a token that ends meanwhile has what was asked for.
  if (!isKnown) return output && input.kind !== 'logout' ? undefined : state
  const without = {
    ...state,
    valid: state.valid.filter((one) => one !== token),
    exchanged: state.exchanged.filter((one) => one !== token),
  }
  const further = output && input.kind !== 'use' && input.kind !== 'logout' ? [newToken(output)] : []
  switch (input.kind) {
    case 'use':
      return state
    case 'logout':
      return without
    case 'refresh':
      return { ...without, valid: [...without.valid, ...further], exchanged: [...without.exchanged, token] }
    case 'change':
      if (state.password !== input.from) return output ? undefined : state
      return only(input.to, ...further)
  }
}

/** Logs in, uses, exchanges and revokes tokens of one user, and changes the password, several at once. */
export async function accountRound(site: Site, callers: readonly Client[], number: number): Promise<void> {
  const [first] = callers as [Client]
  const round = new Round<AccountCall>(site, mayBeStale)
  const email = `account-${number}@fab.example`
  const passwords = [`password of account ${number}`]
  let current = passwords[0] as string
  const tokens: string[] = []
  const user = { email, name: `made-${number}`, role: 'viewer', password: passwords[0] }
  const { status, body } = await first.insist('POST', '/users', user)
  if (status !== 201) return
  const path = `/users/${(body as { readonly id: string }).id}`
  const keep = (response: Response | undefined): void => {
    if (response?.status === 200) tokens.push((response.body as Login).token)
  }
  const nextPassword = (client: Client): string => {
    const password = `another password ${client.chance.below(1e9)}`
    passwords.push(password)
    return password
  }
  const login = async (client: Client): Promise<void> => {
    // Mostly the newest one: the gateway slows those down who often give a wrong one.
    const password = (client.chance.is(0.8) ? passwords.at(-1) : client.chance.pick(passwords)) as string
    const credentials = { email, password }
    keep(
      await round.callWith(
        client,
        { kind: 'login', password },
        undefined,
        'POST',
        '/auth/login',
        credentials,
      ),
    )
  }
  const withToken = async (client: Client, text: string): Promise<void> => {
    const token = nameOf(text)
    const kind = client.chance.pick(['use', 'use', 'refresh', 'logout', 'change'] as const)
    if (kind === 'change') {
      // Mostly the last one that a caller was told of: several change the same one at once.
      const from = client.chance.is(0.7) ? current : (passwords.at(-1) as string)
      const to = nextPassword(client)
      const change = { current_password: from, new_password: to }
      const input = { kind, token, from, to }
      const changed = await round.callWith(client, input, text, 'PUT', '/users/me/password', change)
      if (changed?.status === 200) current = to
      keep(changed)
    } else if (kind === 'use') await round.callWith(client, { kind, token }, text, 'GET', '/users/me')
    else keep(await round.callWith(client, { kind, token }, text, 'POST', `/auth/${kind}`))
  }
  await round.settle(first)
  await login(first)
  await together(callers, async (client) => {
    if (client.chance.is(0.12)) {
      const to = nextPassword(client)
      await round.call(client, { kind: 'reset', to }, 'PUT', path, { password: to })
    } else if (tokens.length === 0 || client.chance.is(0.3)) await login(client)
    else await withToken(client, client.chance.pick(tokens))
  })
  const useAll = async (): Promise<void> => {
    for (const text of tokens)
      await round.callWith(first, { kind: 'use', token: nameOf(text) }, text, 'GET', '/users/me')
  }
  await useAll()
  await round.call(first, { kind: 'remove' }, 'DELETE', path)
  await useAll()
  if (!round.isSpoilt) round.check(SENTENCE, only(passwords[0] as string), accountModel)
}
