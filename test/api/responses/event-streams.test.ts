import { get, type IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { UserRecord } from '../../../src/gateway/accounts/user-record.js'
import { heldMemory } from '../../support/held-memory.js'
import { eventOf, PASSWORD, ServedGateway } from '../../support/served-gateway.js'
import { settledAt, until, untilLater } from '../../support/until.js'

let gateway: ServedGateway
let app: FastifyInstance
let url: string
let token: string

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  token = await gateway.tokenOf('viewer')
})
afterEach(() => app.close())

/** One who follows: what has come so far, and whether it is over. */
class Follower {
  text = ''
  ended = false

  constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      this.text += chunk
    })
    response.on('close', () => {
      this.ended = true
    })
  }

  get ids(): string[] {
    return [...this.text.matchAll(/^id: (\d+)\nevent/gm)].map(([, id = '']) => id)
  }
}

const open = (
  query = '',
  given: Record<string, string> = {},
  localAddress = '127.0.0.1',
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const path = `${url}/api/v1/events/stream${query}`
    const headers = { authorization: `Bearer ${token}`, ...given }
    get(path, { headers, agent: false, localAddress }, resolve).on('error', reject)
  })
const follow = async (query = '', headers: Record<string, string> = {}, from = '127.0.0.1') =>
  new Follower(await open(query, headers, from))

/** As many streams at once as one user may have, of several users at an address each. */
async function followMany(users: number): Promise<Follower[]> {
  const followers: Follower[] = []
  const [viewer] = await gateway.users.all()
  for (let at = 1; at <= users; at++) {
    const email = `user${at}@example.com`
    await gateway.users.put({ ...(viewer as UserRecord), id: `usr_${at}`, email })
    token = (await gateway.accounts.login({ email, password: PASSWORD }, '192.0.2.1')).token
    // As many dial at once as a listening socket keeps waiting.
    for (let part = 0; part < 2; part++) {
      const some = Array.from({ length: 100 }, () => follow('', {}, `127.0.0.${at}`))
      followers.push(...(await Promise.all(some)))
    }
  }
  return followers
}

test('an event is pushed as its id, its type and its record', async () => {
  const follower = await follow()
  expect(follower.response.statusCode).toBe(200)
  expect(follower.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
  })
  const event = eventOf(1, { to: 'ONLINE_REMOTE', text: 'two\nlines' })
  gateway.events.add(event)
  await expect
    .poll(() => follower.text)
    .toBe(`id: 0\n\nid: 1\nevent: state\ndata: ${JSON.stringify(event)}\n\n`)
})

test('with nothing said the stream begins now, and says where that is', async () => {
  gateway.events.add(eventOf(1), eventOf(2))
  const follower = await follow()
  gateway.events.add(eventOf(3))
  await expect.poll(() => follower.ids).toEqual(['3'])
  expect(follower.text.startsWith('id: 2\n\n')).toBe(true)
})

test.each([
  ['after', '?after=1', {}],
  ['Last-Event-ID', '', { 'last-event-id': '1' }],
  ['Last-Event-ID, which wins over after', '?after=0', { 'last-event-id': '1' }],
])('the stream goes on behind %s', async (_, query, headers) => {
  gateway.events.add(eventOf(1), eventOf(2), eventOf(3))
  const follower = await follow(query, headers as Record<string, string>)
  await expect.poll(() => follower.ids).toEqual(['2', '3'])
})

test.each([
  ['?after=1', {}, 410, 'cursor_expired'],
  ['', { 'last-event-id': '1' }, 410, 'cursor_expired'],
  ['?after=6', {}, 400, 'invalid_cursor'],
  ['', { 'last-event-id': '6' }, 400, 'invalid_cursor'],
  ['', { 'last-event-id': 'abc' }, 400, 'invalid_request'],
  ['?colour=red', {}, 400, 'invalid_request'],
  ['', { accept: 'application/json' }, 406, 'not_acceptable'],
  ['', { authorization: 'Bearer x' }, 401, 'unauthenticated'],
])('%s %j is answered %i, as a problem', async (query, headers, status, code) => {
  gateway.events.add(eventOf(5))
  const follower = await follow(query, headers as Record<string, string>)
  expect(follower.response.statusCode).toBe(status)
  await expect.poll(() => follower.text).toContain(`"code":"${code}"`)
})

test('where retention has removed every event, a stream begins at the newest number, and resumes there', async () => {
  gateway.events.add(eventOf(1), eventOf(2), eventOf(3))
  gateway.events.removeAll()
  const followers = [await follow(), await follow('', { 'last-event-id': '3' }), await follow('?after=3')]
  gateway.events.add(eventOf(4))
  for (const follower of followers) {
    expect(follower.response.statusCode).toBe(200)
    await expect.poll(() => follower.text).toMatch(/^id: 3\n\nid: 4\nevent/)
  }
  const [early, late] = [await follow('?after=1'), await follow('?after=5')]
  expect([early.response.statusCode, late.response.statusCode]).toEqual([410, 400])
})

test('a comment every fifteen seconds keeps a silent stream open', async () => {
  const follower = await follow()
  gateway.clock.advance(14_999)
  gateway.clock.advance(1)
  gateway.clock.advance(15_000)
  await expect.poll(() => follower.text).toBe('id: 0\n\n: \n\n: \n\n')
})

test('a stream ends when its token does', async () => {
  const follower = await follow()
  gateway.clock.advance(12 * 60 * 60 * 1000)
  await expect.poll(() => follower.ended).toBe(true)
})

test('a stream ends when its token is revoked, and no other does', async () => {
  const ending = await follow()
  const caller = await gateway.accounts.authenticate(token)
  token = await gateway.tokenOf('operator')
  const staying = await follow()
  await gateway.accounts.logout(caller)
  await expect.poll(() => ending.ended).toBe(true)
  gateway.events.add(eventOf(1))
  await expect.poll(() => staying.ids).toEqual(['1'])
})

test('a stream ends soon after its token was refreshed', async () => {
  const follower = await follow()
  await gateway.accounts.refresh(await gateway.accounts.authenticate(token))
  gateway.clock.advance(59_000)
  expect(follower.ended).toBe(false)
  gateway.clock.advance(16_000)
  await expect.poll(() => follower.ended).toBe(true)
})

test('a stream ends when its user is removed', async () => {
  const follower = await follow()
  const [viewer] = await gateway.users.all()
  await gateway.accounts.delete(viewer?.id ?? '')
  await expect.poll(() => follower.ended).toBe(true)
})

test.each([
  ['demoted', { role: 'viewer' as const }],
  ['given another password', { password: 'another long password' }],
])('a stream ends when its user is %s, without the clock going on', async (_, change) => {
  token = await gateway.tokenOf('operator')
  const follower = await follow()
  const operator = (await gateway.users.all()).find(({ role }) => role === 'operator')
  await gateway.accounts.update(operator?.id ?? '', change)
  await expect.poll(() => follower.ended).toBe(true)
})

test('a stream whose token ends while it is opened does not stay open', async () => {
  const caller = await gateway.accounts.authenticate(token)
  const authenticate = gateway.accounts.authenticate.bind(gateway.accounts)
  gateway.accounts.authenticate = async (given) => {
    gateway.accounts.authenticate = authenticate
    const found = await authenticate(given)
    await gateway.accounts.logout(caller)
    return found
  }
  const follower = await follow()
  await expect.poll(() => follower.ended).toBe(true)
})

test('an ended stream leaves no timer', async () => {
  // The log of requests counts for a minute.
  await app.inject('/metrics')
  const before = gateway.clock.scheduled
  const follower = await follow()
  expect(gateway.clock.scheduled).toBeGreaterThan(before)
  follower.response.destroy()
  await expect.poll(async () => (await app.inject('/metrics')).body).toContain('secsctl_http_streams 0')
  expect(gateway.clock.scheduled).toBe(before)
})

test('a client that reads slowly makes the journal wait, and misses nothing', async () => {
  const big = 'x'.repeat(256 * 1024)
  const count = 200
  for (let id = 1; id <= count; id++) gateway.events.add(eventOf(id, { big }))
  const response = await open('?after=0')
  response.pause()
  await until(() => gateway.events.read > 0)
  expect(await settledAt(() => gateway.events.read)).toBeLessThan(count)
  const follower = new Follower(response)
  response.resume()
  await expect.poll(() => follower.ids.length).toBe(count)
  expect(follower.ids).toEqual(Array.from({ length: count }, (_, at) => String(at + 1)))
})

test('a client that takes nothing for a minute is ended', async () => {
  const big = 'x'.repeat(256 * 1024)
  for (let id = 1; id <= 200; id++) gateway.events.add(eventOf(id, { big }))
  const response = await open('?after=0')
  response.pause()
  await until(() => gateway.events.read > 0)
  await settledAt(() => gateway.events.read)
  gateway.clock.advance(59_000)
  expect((await app.inject('/metrics')).body).toContain('secsctl_http_streams 1')
  // On a busy machine the connection may have taken something later.
  await untilLater(
    gateway.clock,
    async () => (await app.inject('/metrics')).body.includes('secsctl_http_streams 0'),
    1_000,
  )
  expect(gateway.events.read).toBeLessThan(200)
  response.destroy()
})

test('a client that leaves is forgotten', async () => {
  const follower = await follow()
  expect((await app.inject('/metrics')).body).toContain('secsctl_http_streams 1')
  follower.response.destroy()
  await expect.poll(async () => (await app.inject('/metrics')).body).toContain('secsctl_http_streams 0')
})

test('streams end when the server closes', async () => {
  const follower = await follow()
  await app.close()
  await expect.poll(() => follower.ended).toBe(true)
})

test('a failure while it runs is reported as an event, with nothing of its inside', async () => {
  gateway.events.follow = async function* () {
    yield [eventOf(1)]
    throw new TypeError('secret of the house')
  }
  const follower = await follow()
  await expect.poll(() => follower.ended).toBe(true)
  expect(follower.ids).toEqual(['1'])
  expect(follower.text).toMatch(/event: problem\ndata: \{.*"code":"internal_error"/)
  expect(follower.text).not.toContain('secret')
})

test('a hundred followers are all given everything, in order', async () => {
  const followers = await Promise.all(Array.from({ length: 100 }, () => follow()))
  for (let id = 1; id <= 50; id++) gateway.events.add(eventOf(id))
  const all = Array.from({ length: 50 }, (_, at) => String(at + 1))
  await expect.poll(() => followers.every(({ ids }) => ids.length === 50)).toBe(true)
  for (const { ids } of followers) expect(ids).toEqual(all)
})

test('a thousand followers at once are all given everything, in order, for little memory each', async () => {
  const before = heldMemory().heapUsed
  const followers = await followMany(5)
  expect((await app.inject('/metrics')).body).toContain('secsctl_http_streams 1000')
  for (let id = 1; id <= 10; id++) gateway.events.add(eventOf(id))
  const all = Array.from({ length: 10 }, (_, at) => String(at + 1))
  await expect.poll(() => followers.every(({ ids }) => ids.length === 10)).toBe(true)
  for (const { ids } of followers) expect(ids).toEqual(all)
  // Both ends of each connection are in this process.
  expect((heldMemory().heapUsed - before) / followers.length).toBeLessThan(200 * 1024)
  await app.close()
  await expect.poll(() => followers.every(({ ended }) => ended)).toBe(true)
})

test('a user who has 200 streams open gets no more, and others do', async () => {
  const followers = await followMany(1)
  const refused = await follow('', {}, '127.0.0.9')
  expect(refused.response.statusCode).toBe(429)
  expect(refused.response.headers['retry-after']).toBe('10')
  await expect.poll(() => refused.text).toContain('"code":"quota_exceeded"')
  const own = token
  token = await gateway.tokenOf('viewer')
  expect((await follow()).response.statusCode).toBe(200)
  token = own
  followers[0]?.response.destroy()
  await expect.poll(async () => (await follow('', {}, '127.0.0.9')).response.statusCode).toBe(200)
})

test('an address from which 500 streams are open gets no more, and others do', async () => {
  const statuses: (number | undefined)[] = []
  for (const role of ['viewer', 'operator', 'engineer'] as const) {
    token = await gateway.tokenOf(role)
    for (let part = 0; part < 2; part++) {
      const some = await Promise.all(Array.from({ length: 100 }, () => follow()))
      statuses.push(...some.map(({ response }) => response.statusCode))
    }
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(500)
  expect(statuses.filter((status) => status === 429)).toHaveLength(100)
  expect((await follow('', {}, '127.0.0.2')).response.statusCode).toBe(200)
})

test('a stream has no heartbeat while the gateway is cut off from its records', async () => {
  const follower = await follow()
  await expect.poll(() => follower.text).toBe('id: 0\n\n')
  gateway.ready = false
  gateway.clock.advance(15_000)
  gateway.ready = true
  gateway.clock.advance(15_000)
  await expect.poll(() => follower.text).toBe('id: 0\n\n: \n\n')
})
