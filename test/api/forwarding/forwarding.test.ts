import { once } from 'node:events'
import { createServer, get, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { request } from 'undici'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ApiOptions } from '../../../src/api/api-options.js'
import { buildApp } from '../../../src/api/app.js'
import type { ForwardResult } from '../../../src/api/forwarding/forwarding.js'
import { carriedOutBy } from '../../../src/contract/carried-out.js'
import type { AnyEndpoint } from '../../../src/contract/endpoint.js'
import { endpoints } from '../../../src/contract/endpoints.js'
import type { Node } from '../../../src/contract/topics/nodes.js'
import { systemClock } from '../../../src/kit/clock.js'
import { SITE_KEY } from '../../../src/store/ownership.js'
import { type SharedOwnership, Site } from '../../gateway/shared-ownership.js'
import { AUTHORITY, ISSUED_CERTIFICATE } from '../../support/certificates.js'
import { freePort } from '../../support/free-port.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { PASSWORD, ServedGateway } from '../../support/served-gateway.js'
import { until } from '../../support/until.js'

let site: Site
let a: SharedOwnership
let b: SharedOwnership
let here: ServedGateway
let there: ServedGateway
/** Where a caller reaches the one that does not own the equipment, and where the owner. */
let url: string
let ownUrl: string
let token: string
let appThere: FastifyInstance

async function open(
  gateway: ServedGateway,
  options: Partial<ApiOptions> = {},
): Promise<[FastifyInstance, string]> {
  const app = await gateway.app(options)
  gateway.equipment.labels.set('eq_1', {})
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  await gateway.ownership.announce(address)
  onTestFinished(() => app.close())
  return [app, address]
}

beforeEach(async () => {
  site = new Site()
  a = site.join('127.0.0.1')
  b = site.join('127.0.0.1')
  here = new ServedGateway(a)
  there = new ServedGateway(b)
  ;[, url] = await open(here, { trustedProxies: ['127.0.0.1'] })
  ;[appThere, ownUrl] = await open(there)
  await site.give('eq_1', b)
  await site.give(SITE_KEY, b)
  token = await here.tokenOf('admin')
  for (const user of await here.users.all()) await there.users.put(user)
})

interface Given {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

const call = (path: string, { method = 'GET', body, headers, signal }: Given = {}, to = url) =>
  request(`${to}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  })

/** Whether so many forwarded calls have ended so. */
async function counted(result: ForwardResult, times = 1): Promise<boolean> {
  const metrics = await (await request(`${url}/metrics`)).body.text()
  return metrics.includes(`secsctl_forwarded_requests_total{result="${result}"} ${times}\n`)
}

const MESSAGE = { stream: 1, function: 1 }
const send = (given: Given = {}): ReturnType<typeof call> =>
  call('/equipment/eq_1/messages', { method: 'POST', body: MESSAGE, ...given })
const problemIn = async (answer: Awaited<ReturnType<typeof call>>) =>
  (await answer.body.json()) as { readonly code: string; readonly detail: string }

describe('a call that the owner of the equipment carries out', () => {
  test('is answered as by the owner itself, and leaves one entry, in the audit of the owner', async () => {
    const answer = await send({ headers: { 'x-request-id': 'shift 3', 'x-forwarded-for': '192.0.2.7' } })
    expect(answer.statusCode).toBe(200)
    expect(await answer.body.json()).toMatchObject({ message: { id: '1' }, reply: { id: '2' } })
    expect(answer.headers['x-request-id']).toBe('shift 3')
    expect([here.sent, there.sent]).toEqual([[], [expect.objectContaining(MESSAGE)]])
    const ofMessage = (gateway: ServedGateway) =>
      gateway.audit.list({}).then(({ items }) => items.filter(({ action }) => action === 'sendMessage'))
    expect(await ofMessage(here)).toEqual([])
    expect(await ofMessage(there)).toMatchObject([{ address: '192.0.2.7', request_id: 'shift 3' }])
  })

  test('is not passed on where this daemon owns the equipment, or there is no such equipment', async () => {
    await site.give('eq_1', a)
    await (await send()).body.dump()
    expect([here.sent.length, there.sent.length]).toEqual([1, 0])
    expect((await call('/equipment/eq_9/traffic')).statusCode).toBe(404)
  })

  test('may have its name in the path', async () => {
    const answer = await call('/equipment/etcher/messages', { method: 'POST', body: MESSAGE })
    expect(answer.statusCode).toBe(200)
    await answer.body.dump()
    expect([here.sent.length, there.sent.length]).toEqual([0, 1])
  })

  test('has its query and its errors', async () => {
    const answer = await call('/equipment/eq_1/traffic?nonsense=%2F..%2F&x=1')
    expect(answer.statusCode).toBe(400)
    expect((await problemIn(answer)).detail).toContain('nonsense')
    there.answer = async () => Promise.reject(new Error('a bug'))
    expect((await send()).statusCode).toBe(500)
  })

  test('is refused here where the caller has no token or too low a role', async () => {
    await site.give('eq_1', undefined)
    const stranger = await send({ headers: { authorization: 'Bearer none' } })
    expect(stranger.statusCode).toBe(401)
    const viewer = await here.tokenOf('viewer')
    expect((await send({ headers: { authorization: `Bearer ${viewer}` } })).statusCode).toBe(403)
  })

  test('is done once with one Idempotency-Key, wherever it is repeated', async () => {
    const headers = { 'idempotency-key': 'k1' }
    const first = await send({ headers })
    const second = await call('/equipment/eq_1/messages', { method: 'POST', body: MESSAGE, headers }, ownUrl)
    const third = await send({ headers })
    expect([second, third].map((answer) => answer.headers['idempotency-replayed'])).toEqual(['true', 'true'])
    expect(await third.body.text()).toBe(await first.body.text())
    expect(there.sent.length).toBe(1)
  })

  test('may have a long body', async () => {
    const sml = `S1F1 W <A "${'x'.repeat(5_000_000)}">.`
    const answer = await send({ body: { sml } })
    expect(answer.statusCode).toBe(200)
    expect(there.sent).toEqual([{ sml }])
  })

  test('with a body that is too long is not carried out, also where it does not say how long it is', async () => {
    const body = JSON.stringify({ comment: 'x'.repeat(3_000_000) })
    const answer = await call('/equipment/eq_1/lock', { method: 'PUT', body })
    expect(answer.statusCode).toBe(413)
    const parts = Readable.from([body.slice(0, 900_000), body.slice(900_000)])
    const unsized = await request(`${url}/api/v1/equipment/eq_1/lock`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: parts,
    })
    expect(unsized.statusCode).toBe(413)
  })

  test.each(['a/b', '..', 'a b%2F?#', '\u7a0b\u5e8f'])(
    'has its path, whatever is in it: %s',
    async (ppid) => {
      const seen: (string | undefined)[] = []
      appThere.server.on('request', (received) => seen.push(received.url))
      const path = `/api/v1/equipment/eq_1/recipes/${encodeURIComponent(ppid)}`
      const headers = { authorization: `Bearer ${token}` }
      const { port } = new URL(url)
      const [answer] = (await once(get({ port, path, headers }), 'response')) as [IncomingMessage]
      answer.resume()
      expect([answer.statusCode, seen]).toEqual([200, [path]])
    },
  )

  test.each(['http://evil.example/api/v1/equipment/eq_1/traffic', '//api//v1/equipment/%65q_1/traffic/'])(
    'has the path of the contract, however it was written: %s',
    async (path) => {
      const seen: (string | undefined)[] = []
      appThere.server.on('request', (received) => seen.push(received.url))
      const headers = { authorization: `Bearer ${token}` }
      const { port } = new URL(url)
      const [answer] = (await once(get({ port, path, headers }), 'response')) as [IncomingMessage]
      answer.resume()
      expect([answer.statusCode, seen]).toEqual([200, ['/api/v1/equipment/eq_1/traffic']])
    },
  )

  test('may be a GET with a body, which nobody reads as a second request', async () => {
    const smuggled = 'DELETE /api/v1/equipment/eq_1 HTTP/1.1\r\nHost: x\r\n\r\n'
    const seen: (string | undefined)[] = []
    appThere.server.on('request', (received) => seen.push(received.method))
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': smuggled.length,
    }
    const { port } = new URL(url)
    const asked = httpRequest({ port, path: '/api/v1/equipment/eq_1/traffic', method: 'GET', headers })
    asked.end(smuggled)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    await (await call('/equipment/eq_1/traffic')).body.dump()
    expect(seen).toEqual(['GET', 'GET'])
  })

  /** A connection to the daemon that does not own the equipment, with the header of a call that has so many bytes. */
  const begin = (length: number) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const lines = [
      'POST /api/v1/equipment/eq_1/messages HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    return socket
  }

  test('has a short response that leaves in one piece with its header', async () => {
    const body = JSON.stringify(MESSAGE)
    const socket = begin(body.length)
    socket.write(body)
    const [first] = (await once(socket, 'data')) as [Buffer]
    const [head = '', rest = ''] = first.toString().split('\r\n\r\n')
    expect(head).toContain('HTTP/1.1 200')
    expect(JSON.parse(rest)).toMatchObject({ message: { id: '1' } })
    socket.destroy()
  })

  test('does not reach the owner where the caller leaves before all of a short body has come', async () => {
    let asked = 0
    appThere.server.on('request', () => asked++)
    const socket = begin(100)
    socket.write('{"stream"')
    await once(socket, 'connect')
    await (await send()).body.dump()
    socket.destroy()
    await until(() => counted('left'))
    expect(asked).toBe(1)
  })

  test('may be a HEAD', async () => {
    const answer = await request(`${url}/api/v1/equipment/eq_1/traffic`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.statusCode).toBe(200)
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(100)
  })

  test('is ended at the owner when the caller leaves', async () => {
    let asked = false
    let left = false
    appThere.server.on('request', (_, response) => {
      asked = true
      response.on('close', () => {
        left = !response.writableFinished
      })
    })
    there.answer = () => new Promise(() => {})
    const leaving = new AbortController()
    const answer = send({ signal: leaving.signal }).catch(() => 'left')
    await until(() => asked)
    leaving.abort()
    expect(await answer).toBe('left')
    await until(() => left)
  })
})

describe('a stream', () => {
  const follow = (signal?: AbortSignal) =>
    call('/equipment/eq_1/wire', {
      headers: { accept: 'application/x-ndjson' },
      ...(signal && { signal }),
    })

  test('begins before it has a part, and ends at the owner when the caller leaves', async () => {
    const leaving = new AbortController()
    const answer = await follow(leaving.signal)
    expect(answer.statusCode).toBe(200)
    await until(() => there.watched)
    expect(here.watched).toBe(false)
    answer.body.on('error', () => {})
    leaving.abort()
    await until(() => !there.watched)
    await until(() => counted('left'))
  })

  test('ends when another daemon has the equipment, and then goes to that one', async () => {
    const answer = await follow()
    await until(() => there.watched)
    const ended = answer.body.text().catch(() => 'ended')
    await site.give('eq_1', a)
    here.clock.advance(2500)
    expect(await ended).toBe('ended')
    await until(() => counted('lost'))
    const again = await follow()
    await until(() => here.watched)
    again.body.on('error', () => {})
    again.body.destroy()
  })
})

describe('the owner', () => {
  test('that nobody knows is waited for by the caller', async () => {
    await site.give('eq_1', undefined)
    const answer = await send()
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
    expect((await problemIn(answer)).code).toBe('equipment_unowned')
  })

  test('of equipment that another daemon has removed a moment ago is not waited for: there is no such equipment', async () => {
    await site.give('eq_1', undefined)
    here.catchUp = async () => {
      await here.records.delete('eq_1')
      here.records.changed.emit('eq_1')
      await until(() => !here.equipment.isRegistered('eq_1'))
    }
    const answer = await call('/equipment/eq_1', { method: 'DELETE' })
    expect([answer.statusCode, (await problemIn(answer)).code]).toEqual([404, 'equipment_not_found'])
  })

  test('of the duties of the site is waited for as well: a login says nothing of equipment', async () => {
    await site.give(SITE_KEY, undefined)
    const body = { email: 'admin@example.com', password: PASSWORD }
    const logIn = () => call('/auth/login', { method: 'POST', body, headers: { authorization: '' } })
    const answer = await logIn()
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
    const problem = await problemIn(answer)
    expect(problem).toMatchObject({
      code: 'equipment_unowned',
      title: expect.not.stringContaining('equipment'),
    })
    expect(problem.detail).toContain('duties of the site')
    expect(problem.detail).not.toContain('equipment')
    await site.give(SITE_KEY, b)
    const again = await logIn()
    expect(again.statusCode).toBe(200)
    await again.body.dump()
  })

  test('that is not reached has done nothing', async () => {
    await b.announce(`http://127.0.0.1:${await freePort()}`)
    const answer = await send()
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
    expect((await problemIn(answer)).detail).toContain('Nothing was done')
  })

  test('that is lost while it carries out a call may have done it: the call is not repeated', async () => {
    there.answer = () => new Promise(() => appThere.server.closeAllConnections())
    const answer = await send()
    expect(answer.statusCode).toBe(502)
    expect((await problemIn(answer)).code).toBe('owner_lost')
    expect(there.sent.length).toBe(1)
  })

  test('that hangs is not waited for once another one has the equipment', async () => {
    there.answer = () => new Promise(() => {})
    const answer = send()
    await until(() => there.sent.length === 1)
    await site.give('eq_1', a)
    here.clock.advance(2500)
    expect((await answer).statusCode).toBe(502)
  })

  test('that hangs, and whose lease ends, is not waited for where nobody has the equipment yet', async () => {
    there.answer = () => new Promise(() => {})
    const answers = [send(), send({ headers: { 'idempotency-key': 'k2' } })]
    await until(() => there.sent.length === 2)
    await site.give('eq_1', undefined)
    here.clock.advance(2500)
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([502, 502])
  })

  test('that hangs has a call with an Idempotency-Key carried out by the next one, with its body', async () => {
    there.answer = () => new Promise(() => {})
    const answer = send({ headers: { 'idempotency-key': 'k3' } })
    await until(() => there.sent.length === 1)
    await site.give('eq_1', a)
    here.clock.advance(2500)
    expect((await answer).statusCode).toBe(200)
    expect(here.sent).toEqual([expect.objectContaining(MESSAGE)])
  })

  /** An owner that takes all bodies, and responds to no call; the lengths of those that it has. */
  async function takesAlone(): Promise<number[]> {
    const lengths: number[] = []
    const server = createServer(async (asked) => {
      let length = 0
      for await (const chunk of asked) length += (chunk as Buffer).length
      lengths.push(length)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    await b.announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return lengths
  }

  const MEBIBYTE = 1024 * 1024

  test.each([
    ['while 31 others of 1 MiB wait', MEBIBYTE, 31, 'wait', 200],
    ['and not while 32 others of 1 MiB wait', MEBIBYTE, 32, 'wait', 502],
    ['once 32 others of 1 MiB have left', MEBIBYTE, 32, 'leave', 200],
    ['and not with one of more than 1 MiB', MEBIBYTE + 1, 0, 'wait', 502],
  ])(
    'that hangs has a call carried out by the next one with its body, %s',
    async (_, length, others, what, status) => {
      const lengths = await takesAlone()
      const leaving = new AbortController()
      const sendLong = (key: string, bytes: number, signal?: AbortSignal) =>
        send({
          body: JSON.stringify(MESSAGE).padEnd(bytes),
          headers: { 'idempotency-key': key },
          ...(signal && { signal }),
        })
      const first = Array.from({ length: others }, (_, at) =>
        sendLong(`other ${at}`, MEBIBYTE, leaving.signal).then(
          ({ statusCode, body }) => body.dump().then(() => statusCode),
          () => 'left',
        ),
      )
      await until(() => lengths.length === others)
      if (what === 'leave') {
        leaving.abort()
        await until(() => counted('left', others))
      }
      const last = sendLong('last', length)
      await until(() => lengths.length === others + 1)
      expect(lengths.at(-1)).toBe(length)
      await site.give('eq_1', a)
      here.clock.advance(2500)
      const answer = await last
      await answer.body.dump()
      expect(answer.statusCode).toBe(status)
      expect(await Promise.all(first)).toEqual(first.map(() => (what === 'leave' ? 'left' : 200)))
    },
  )

  test.each([-1, 1])('may have a clock that is hours away from that of the asked one: %s', async (sign) => {
    const ahead = sign > 0 ? here : there
    ahead.clock.advance(2 * 3_600_000)
    token = await there.tokenOf('admin')
    const answer = await send()
    expect(answer.statusCode).toBe(200)
  })

  test('that does not own the equipment any more does not pass the call on again', async () => {
    // Each takes the other for the owner.
    const mistaken = async (gateway: ServedGateway, seen: SharedOwnership, owner: SharedOwnership) => {
      const wrong = { owns: () => false, ownerOf: () => owner.node }
      gateway.ownership = Object.assign(Object.create(seen) as SharedOwnership, wrong)
      const app = await gateway.app()
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      await seen.announce(address)
      onTestFinished(() => app.close())
      return address
    }
    const first = await mistaken(here, a, b)
    await mistaken(there, b, a)
    const answer = await call('/equipment/eq_1/messages', { method: 'POST', body: MESSAGE }, first)
    expect(answer.statusCode).toBe(503)
    expect((await problemIn(answer)).detail).toContain('node-1 takes this daemon for its owner')
  })
})

test.each([
  ['its authority is known', AUTHORITY, 200],
  ['its authority is not known', undefined, 503],
])('over TLS the owner is asked where %s', async (_, nodeCa, status) => {
  const [, asked] = await open(here, nodeCa === undefined ? {} : { nodeCa })
  await open(there, { tls: ISSUED_CERTIFICATE })
  const answer = await call('/equipment/eq_1/messages', { method: 'POST', body: MESSAGE }, asked)
  expect(answer.statusCode).toBe(status)
  await answer.body.dump()
})

describe('what a caller says', () => {
  test.each([
    ['nothing that can be read', () => 'none'],
    ['a login', () => token],
    [
      'what was said of another request',
      () => there.accounts.tokens.issuePassedOn({ address: '192.0.2.9', node: 'x' }, ['1', 'GET', '/']),
    ],
  ])('in the header of the daemons is not believed: %s', async (_, header) => {
    const headers = { 'secsctl-forwarded': header() }
    const answers = await Promise.all([send({ headers }), call('/equipment/eq_1', { headers }, ownUrl)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400])
    expect(there.sent).toEqual([])
  })

  test('what the daemons say of a request is no login', async () => {
    const said = { address: '192.0.2.9', node: 'x' }
    const forged = there.accounts.tokens.issuePassedOn(said, ['1', 'GET', '/'])
    expect((await send({ headers: { authorization: `Bearer ${forged}` } })).statusCode).toBe(401)
  })

  test('about the way to this daemon is not passed on', async () => {
    const seen: Record<string, unknown>[] = []
    appThere.server.on('request', ({ headers }) => seen.push(headers))
    const headers = {
      connection: 'keep-alive, x-hidden',
      'x-hidden': 'yes',
      'x-forwarded-for': '192.0.2.9',
      'x-forwarded-host': 'elsewhere.example',
      forwarded: 'for=192.0.2.9',
      cookie: 'a=b',
      te: 'trailers',
    }
    const { port } = new URL(url)
    const path = '/api/v1/equipment/eq_1/traffic'
    const [answer] = (await once(
      get({ port, path, headers: { ...headers, authorization: `Bearer ${token}` } }),
      'response',
    )) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(200)
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual([
      'authorization',
      'connection',
      'host',
      'secsctl-forwarded',
      'x-request-id',
    ])
    expect(seen[0]?.['host']).toBe(new URL(ownUrl).host)
  })
})

test('nodes and metrics tell who drives the equipment, and what was passed on', async () => {
  await (await send()).body.dump()
  const { items } = (await (await call('/nodes')).body.json()) as { readonly items: readonly Node[] }
  const [first, second] = items
  expect(first).toMatchObject({ name: 'node-1', url, self: true, alive: true, has_site_duties: false })
  expect(second).toMatchObject({ name: 'node-2', url: ownUrl, self: false, has_site_duties: true })
  const metrics = await (await request(`${url}/metrics`)).body.text()
  expect(metrics).toContain('secsctl_nodes{state="alive"} 2\n')
  expect(metrics).toContain('secsctl_forwarded_requests_total{result="answered"} 1\n')
})

describe('what is recorded', () => {
  const RECORDED = Object.values<AnyEndpoint>(endpoints).filter(
    (row) => row.path.startsWith('/equipment/{id}') && carriedOutBy(row) === 'anywhere',
  )

  test.each(RECORDED)('is answered by each daemon: $method $path', async ({ method, path, examples }) => {
    const mine = site.join('127.0.0.1')
    const live = await LiveGateway.open({ ownership: mine })
    const app = await buildApp(live.gateway, { clock: systemClock, version: '1.2.3' })
    onTestFinished(() => app.close())
    const { id } = await live.add({ port: 1 })
    const user = { email: 'ada@example.com', name: 'Ada', role: 'admin', password: PASSWORD } as const
    await live.gateway.accounts.create(user)
    const known = await live.gateway.accounts.login(user, '127.0.0.1')
    const headers = { authorization: `Bearer ${known.token}` }
    const payload = examples.body as object | undefined
    const url = `/api/v1${path.replace('{id}', id)}`
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
  })
})

test('failed logins are counted in one place, by the address of the caller', async () => {
  const login = (password: string) =>
    call('/auth/login', { method: 'POST', body: { email: 'admin@example.com', password } })
  for (let tries = 0; tries < 5; tries++) expect((await login('wrong')).statusCode).toBe(401)
  expect((await login(PASSWORD)).statusCode).toBe(429)
  const own = { email: 'admin@example.com', password: PASSWORD }
  expect((await call('/auth/login', { method: 'POST', body: own }, ownUrl)).statusCode).toBe(429)
})
