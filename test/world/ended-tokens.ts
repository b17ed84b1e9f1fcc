import type { CreatedApiKey } from '../../src/contract/topics/accounts/keys.js'
import type { Login } from '../../src/contract/topics/accounts/users.js'
import { NoResponse } from './gateway-process.js'
import { Client, once, type Response, type Site, Watched } from './site.js'

/** What other daemons still accept: a key that was revoked, "for up to about 0.3 s more". */
export const ACCEPTED_MS = 1000
/** Longer than a statement waits for a database that is silent: from then on a gateway reads again. */
export const READS_AGAIN_MS = 20_000
/** For so long it is tried whether a token is accepted that has ended. */
const TRIED_MS = 3000
/** Milliseconds between two looks at the most. */
const LOOK_MS = 200

/** A key, or the token of a user, and the call that ends it. */
interface Given {
  readonly token: string
  /** Where its owner is shown. */
  readonly path: string
  readonly end: readonly ['DELETE' | 'POST' | 'PUT', path: string, body?: object]
}

/** Gives keys and tokens at one gateway and ends them: the others know both. */
export async function endTokens(site: Site): Promise<void> {
  const client = new Client(site, 'warden')
  for (let number = 0; ; number++) {
    await client.rest(10_000, 120_000)
    const made = await (client.chance.is(0.5) ? newKey(client, number) : newLogin(client, number))
    if (!made) continue
    const { epoch } = site
    const maker = client.machine
    await requireKnown(client, made, epoch)
    while (client.machine !== maker) client.callAnother()
    await endAndTry(client, made, epoch)
    await client.insist('DELETE', made.path)
  }
}

type Made = { readonly given: Given; readonly path: string }

async function newKey(client: Client, number: number): Promise<Made | undefined> {
  const key = { name: `ends-${number}`, role: 'viewer', expires_at: null }
  const { status, body } = await client.insist('POST', '/keys', key)
  if (status !== 201) return undefined
  const { id, key: token } = body as CreatedApiKey
  const path = `/keys/${id}`
  return { path, given: { token, path: '/keys/me', end: ['DELETE', path] } }
}

async function newLogin(client: Client, number: number): Promise<Made | undefined> {
  const credentials = { email: `ends-${number}@fab.example`, password: `password of ${number}` }
  const user = { ...credentials, name: `ends-${number}`, role: 'viewer' }
  const { status, body } = await client.insist('POST', '/users', user)
  if (status !== 201) return undefined
  const path = `/users/${(body as { readonly id: string }).id}`
  const login = await client.insist('POST', '/auth/login', credentials)
  if (login.status !== 200) return undefined
  const { token } = login.body as Login
  const end = client.chance.pick<Given['end']>([
    ['POST', '/auth/logout'],
    ['PUT', path, { password: 'another password' }],
    ['DELETE', path],
  ])
  return { path, given: { token, path: '/users/me', end } }
}

/** Every other gateway accepts it at once. */
async function requireKnown(client: Client, { given }: Made, epoch: number): Promise<void> {
  const { site } = client
  client.callAnother()
  const used = await use(client, given)
  site.observer.count('new tokens that were used at another gateway')
  // Where the clocks of two gateways differ by more than a token lasts.
  const isExpired = (used?.body as { readonly code?: string } | undefined)?.code === 'token_expired'
  site.observer.require(
    used?.status !== 401 || isExpired || site.epoch !== epoch,
    'What one gateway has confirmed is found at every other one.',
    () => `GET ${given.path} at gateway ${client.machine.number}: ${JSON.stringify(used?.body)}`,
  )
}

/** Ends it, and tries it at another gateway, where that has reached the database all the time. */
async function endAndTry(client: Client, { given }: Made, epoch: number): Promise<void> {
  const { site } = client
  const { world, observer } = site
  const { machine: maker } = client
  client.callAnother()
  const { machine } = client
  const watched = new Watched(site, [machine])
  const isFine = await watched.lookFor(client, READS_AGAIN_MS)
  while (client.machine !== maker) client.callAnother()
  const [method, path, body] = given.end
  const ended =
    path === '/auth/logout'
      ? await use(client, { ...given, path }, method)
      : await once(client, method, path, body)
  const confirmed = world.now
  if (ended === undefined || ended.status >= 300) return
  client.callAnother()
  let reads = confirmed + (isFine ? 0 : READS_AGAIN_MS)
  while (world.now < confirmed + READS_AGAIN_MS + TRIED_MS) {
    const asked = world.now
    const used = await use(client, given)
    if (!watched.look()) reads = world.now + READS_AGAIN_MS
    observer.count('tokens that have ended, used at another gateway')
    observer.require(
      used?.status !== 200 || asked < reads + ACCEPTED_MS || site.epoch !== epoch,
      'The other daemons of a site accept what was revoked for up to about 0.3 s more.',
      () =>
        `gateway ${machine.number} accepts ${given.end.join(' ')} ${Math.round(asked - confirmed)} ms later`,
    )
    if (used?.status === 401 || client.machine !== machine) return
    await client.sleep(client.chance.between(0, LOOK_MS))
  }
}

/** A call with this token, which is not repeated. */
const use = (
  client: Client,
  { token, path }: Given,
  method: 'GET' | 'POST' | 'DELETE' | 'PUT' = 'GET',
): Promise<Response | undefined> =>
  client.send(method, path, token).catch((error: unknown) => {
    if (error instanceof NoResponse) return undefined
    throw error
  })
