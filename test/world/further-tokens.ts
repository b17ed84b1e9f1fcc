import type { Login } from '../../src/contract/topics/accounts/users.js'
import { NoResponse } from './gateway-process.js'
import { Client, credentialsOf, KEEPER, once, type Response, type Site } from './site.js'
import { Span } from './span.js'

/** Seconds for which a token is good after it was exchanged. */
const EXCHANGED_S = 60
/** Milliseconds within which the gateway that has ended a token ends its streams. */
const ENDS_WITHIN_MS = 5000

/** A call with this token, which is not repeated. */
const use = (
  client: Client,
  token: string,
  method: 'GET' | 'POST',
  path: string,
): Promise<Response | undefined> =>
  client.send(method, path, token).catch((error: unknown) => {
    if (error instanceof NoResponse) return undefined
    throw error
  })

const tokenOf = (response: Response | undefined): string | undefined =>
  response?.status === 200 ? (response.body as Login).token : undefined

/** Exchanges a token, and tries the old one. */
export async function exchangeTokens(site: Site): Promise<void> {
  const client = new Client(site, 'exchanger')
  const { world, observer } = site
  for (;;) {
    await client.rest(60_000, 600_000)
    const old = tokenOf(await client.insist('POST', '/auth/login', credentialsOf(KEEPER)))
    const span = new Span(site, EXCHANGED_S / site.stretch)
    if (old === undefined || !tokenOf(await use(client, old, 'POST', '/auth/refresh'))) continue
    span.began()
    while (world.now < span.latest + EXCHANGED_S * 1000) {
      const asked = world.now
      const used = await use(client, old, 'GET', '/users/me')
      observer.count('uses of tokens that were exchanged')
      const isRight =
        used?.status === 200 ? span.isSpoilt || asked < span.latest : used?.status !== 401 || !span.isCertain
      observer.require(
        isRight,
        'A refresh returns the same body as a login, and the old token is valid for one minute more.',
        () => `${used?.status}, ${Math.round(asked - span.from)} ms after the refresh was asked for`,
      )
      if (used?.status === 401) break
      await client.sleep(client.chance.between(1000, 30_000))
    }
  }
}

interface Given {
  readonly token: string
  readonly path: string
  readonly end: readonly ['PUT' | 'DELETE', body?: object]
}

/** Opens a stream with a key or as a user, and revokes the key or gives the user other equipment. */
export async function endStreams(site: Site): Promise<void> {
  const client = new Client(site, 'censor')
  const { observer, world } = site
  for (let number = 0; ; number++) {
    await client.rest(30_000, 300_000)
    const given = await (client.chance.is(0.5) ? newKey(client, number) : newUser(client, number))
    if (!given) continue
    const { machine } = client
    const { host } = machine
    const { frozenFor } = host
    const headers = { authorization: `Bearer ${given.token}`, host: 'gateway.fab.example' }
    let isOpen = true
    const over = (): void => {
      isOpen = false
    }
    machine
      .stream(client.host, { method: 'GET', url: '/api/v1/events/stream', headers }, () => {})
      .then(over, over)
    await client.sleep(client.chance.between(100, 60_000))
    const [method, body] = given.end
    const ended = await once(client, method, given.path, body)
    if (ended && ended.status < 300 && client.machine === machine) {
      await client.sleep(ENDS_WITHIN_MS)
      const isCertain = machine.host === host && host.frozenFor === frozenFor && host.frozenUntil < world.now
      observer.count('streams whose token was ended', Number(isCertain))
      const sentence = method === 'DELETE' ? REVOKED : CHANGED
      observer.require(!isOpen || !isCertain, sentence, () => `${method} ${given.path}: its stream goes on`)
    }
    await client.insist('DELETE', given.path)
  }
}

const REVOKED = 'A key that is revoked ends its open streams.'
const CHANGED = "A change of a user's selector ends the user's tokens."

async function newKey(client: Client, number: number): Promise<Given | undefined> {
  const key = { name: `streams-${number}`, role: 'viewer', expires_at: null }
  const { status, body } = await client.insist('POST', '/keys', key)
  if (status !== 201) return undefined
  const { id, key: token } = body as { readonly id: string; readonly key: string }
  return { token, path: `/keys/${id}`, end: ['DELETE'] }
}

async function newUser(client: Client, number: number): Promise<Given | undefined> {
  const credentials = { email: `streams-${number}@fab.example`, password: `password of ${number}` }
  const user = { ...credentials, name: `streams-${number}`, role: 'viewer', label_selector: 'area=a' }
  const { status, body } = await client.insist('POST', '/users', user)
  if (status !== 201) return undefined
  const path = `/users/${(body as { readonly id: string }).id}`
  const token = tokenOf(await client.insist('POST', '/auth/login', credentials))
  return token === undefined ? undefined : { token, path, end: ['PUT', { label_selector: 'area=b' }] }
}
