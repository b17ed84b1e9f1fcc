import { get, type IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AnyEndpoint } from '../../src/contract/endpoint.js'
import { BASE_PATH, endpoints } from '../../src/contract/endpoints.js'
import type { Role } from '../../src/contract/roles.js'
import type { CreatedApiKey, NewApiKey } from '../../src/contract/topics/accounts/keys.js'
import { ServedGateway } from '../support/served-gateway.js'

type Name = keyof typeof endpoints

/** Calls that are about the user who calls. */
const USERS_ONLY: readonly Name[] = ['refresh', 'logout', 'getOwnUser', 'changeOwnPassword']
const EXPIRES = '2026-04-01T00:00:00.000Z'

let gateway: ServedGateway
let app: FastifyInstance
let admin: string

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  admin = await gateway.tokenOf('admin')
  return async () => {
    await app.close()
  }
})

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, token: string, payload?: object) =>
  app.inject({
    method,
    url: BASE_PATH + path,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  })

const create = async (given: Partial<NewApiKey> = {}): Promise<CreatedApiKey> => {
  const body = { name: 'mes', role: 'operator', expires_at: EXPIRES, ...given }
  const answer = await call('POST', '/keys', admin, body)
  expect(answer.statusCode).toBe(201)
  return answer.json()
}

test('a key is created, listed, read and revoked, and is shown in one answer only', async () => {
  const { key, ...created } = await create({ label_selector: 'area=etch' })
  expect(created).toMatchObject({ name: 'mes', label_selector: 'area=etch', created_by: 'admin@example.com' })
  const list = await call('GET', '/keys', admin)
  expect(list.json()).toEqual({ items: [created], next_cursor: null })
  const one = await call('GET', `/keys/${created.id}`, admin)
  expect(one.json()).toEqual(created)
  const secret = key.split('_')[2] ?? ''
  const revoked = await call('DELETE', `/keys/${created.id}`, admin)
  expect(revoked.statusCode).toBe(204)
  for (const kept of [list.body, one.body, JSON.stringify(gateway.auditJournal.entries)])
    expect(kept).not.toContain(secret)
  expect((await call('GET', '/equipment', key)).json()).toMatchObject({ status: 401, code: 'token_revoked' })
  expect((await call('DELETE', `/keys/${created.id}`, admin)).json().code).toBe('key_not_found')
})

test('the list has pages, in the order in which the keys were created', async () => {
  for (const name of ['a', 'b', 'c']) {
    await create({ name })
    gateway.clock.advance(1000)
  }
  const first = (await call('GET', '/keys?limit=2', admin)).json()
  expect(first.items.map(({ name }: CreatedApiKey) => name)).toEqual(['a', 'b'])
  const rest = (await call('GET', `/keys?limit=2&cursor=${first.next_cursor}`, admin)).json()
  expect(rest).toMatchObject({ items: [{ name: 'c' }], next_cursor: null })
})

test.each([
  [{ role: 'viewer' }, 'name'],
  [{ name: 'mes', role: 'viewer' }, 'expires_at'],
  [{ name: 'a b', role: 'viewer', expires_at: null }, '/name'],
  [{ name: 'ada@example.com', role: 'viewer', expires_at: null }, '/name'],
  [{ name: 'mes', role: 'root', expires_at: null }, '/role'],
  [{ name: 'mes', role: 'viewer', expires_at: '2025-12-31T00:00:00Z' }, '/expires_at'],
  [{ name: 'mes', role: 'viewer', expires_at: 'soon' }, '/expires_at'],
  [{ name: 'mes', role: 'viewer', expires_at: null, label_selector: 'area==etch=' }, '/label_selector'],
  [{ name: 'mes', role: 'viewer', expires_at: null, key: 'secsctl_mine' }, 'key'],
])('%j is refused for its %s', async (body, place) => {
  const answer = await call('POST', '/keys', admin, body)
  expect(answer.statusCode).toBe(400)
  expect(JSON.stringify(answer.json().errors)).toContain(place)
})

test('a key that does not expire has to be asked for', async () => {
  expect(await create({ expires_at: null })).toMatchObject({ expires_at: null, expired: false })
  const again = await call('POST', '/keys', admin, { name: 'mes', role: 'viewer', expires_at: null })
  expect(again.json()).toMatchObject({ status: 409, code: 'key_name_taken' })
})

test('the 1,001st key is refused as a quota, without Retry-After, since waiting does not help', async () => {
  const { id } = await create()
  const [record] = await gateway.apiKeys.all()
  if (!record) throw new Error('no record')
  for (let at = 1; at < 1000; at++) await gateway.apiKeys.put({ ...record, id: `key_${at}`, name: `n${at}` })
  const body = { name: 'one-more', role: 'viewer', expires_at: null }
  const refused = await call('POST', '/keys', admin, body)
  expect(refused.json()).toMatchObject({ status: 429, code: 'quota_exceeded' })
  expect(refused.headers).not.toHaveProperty('retry-after')
  expect((await call('DELETE', `/keys/${id}`, admin)).statusCode).toBe(204)
  expect((await call('POST', '/keys', admin, body)).statusCode).toBe(201)
})

test('a key reads itself; a user has none', async () => {
  const { key, ...created } = await create({ role: 'viewer' })
  const last_used_at = '2026-01-01T00:00:00.000Z'
  expect((await call('GET', '/keys/me', key)).json()).toEqual({ ...created, last_used_at })
  expect((await call('GET', '/keys/me', admin)).json().code).toBe('key_not_found')
})

describe('what a key may call', () => {
  const all = Object.entries(endpoints) as [Name, AnyEndpoint][]

  /** A call that gets past the door and no further: its query is wrong on purpose. */
  const knock = (endpoint: AnyEndpoint, token: string) =>
    call(endpoint.method, `${endpoint.path.replace('{id}', 'eq_1')}?no_such_parameter=1`, token)

  test('all but what is about the user who calls', async () => {
    const { key } = await create({ role: 'admin' })
    for (const [name, endpoint] of all) {
      const { code, status } = (await knock(endpoint, key)).json()
      const expected = USERS_ONLY.includes(name) ? [403, 'users_only'] : [400, 'invalid_request']
      expect([status, code], name).toEqual(expected)
    }
  })

  test.each(['viewer', 'operator', 'engineer'] as Role[])('the role %s bounds it', async (role) => {
    const { key } = await create({ role })
    for (const [, endpoint] of all.filter(([, { access }]) => access === 'admin')) {
      const answer = (await knock(endpoint, key)).json()
      expect(answer).toMatchObject({
        code: 'forbidden',
        detail: `This needs the role admin; key:mes is ${role}.`,
      })
    }
  })
})

test('a refused call is in the audit with the key', async () => {
  const { key, id } = await create()
  await call('POST', '/auth/logout', key)
  await call('POST', '/users', key, {})
  const { items } = (await call('GET', '/audit?api_key=mes&order=asc', admin)).json()
  const by = { user: null, api_key: { id, name: 'mes' }, status: 403 }
  expect(items).toMatchObject([
    { ...by, action: 'logout', code: 'users_only' },
    { ...by, action: 'createUser', code: 'forbidden' },
  ])
})

test('the audit names the key, and finds its calls and those of a user', async () => {
  const { key, id } = await create({ role: 'engineer' })
  await call('POST', '/equipment/eq_1/command', key, { command: 'START' })
  const entries = async (query: string) => (await call('GET', `/audit?order=asc${query}`, admin)).json().items
  const [created, sent] = await entries('')
  expect(created).toMatchObject({
    action: 'createKey',
    user: 'admin@example.com',
    api_key: null,
    status: 201,
  })
  expect(created.details).toEqual({ name: 'mes', role: 'engineer', expires_at: EXPIRES })
  expect(sent).toMatchObject({ action: 'sendCommand', user: null, api_key: { id, name: 'mes' }, status: 200 })
  expect(await entries('&api_key=mes')).toEqual([sent])
  expect(await entries('&user=admin%40example.com')).toEqual([created])
  expect(await entries('&user=admin%40example.com&api_key=mes')).toEqual([created, sent])
  expect(await entries('&api_key=other')).toEqual([])
})

test('an entry of an earlier version has no key', async () => {
  const data = { user: 'a@b', address: null, request_id: null, reason: null, details: {} }
  const at = '2026-01-01T00:00:00.000Z'
  await gateway.auditJournal.append({ type: 'audit', name: 'sendCommand', key: '', topic: 'a@b', at, data })
  expect((await call('GET', '/audit', admin)).json().items).toMatchObject([{ user: 'a@b', api_key: null }])
})

describe('an open stream of a key', () => {
  let url: string

  beforeEach(async () => {
    url = await app.listen({ port: 0, host: '127.0.0.1' })
  })

  const open = (path: string, key: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` }
      get(url + BASE_PATH + path, { headers, agent: false }, resolve).on('error', reject)
    })
  const opened = async (path: string, key: string) => {
    const response = await open(path, key)
    expect(response.statusCode).toBe(200)
    const stream = { ended: false }
    response.resume().on('close', () => {
      stream.ended = true
    })
    return stream
  }

  test.each(['/events/stream', '/equipment/eq_1/wire'])('%s ends when the key is revoked', async (path) => {
    const { key, id } = await create()
    const { key: other } = await create({ name: 'other' })
    const [stream, left] = [await opened(path, key), await opened(path, other)]
    await call('DELETE', `/keys/${id}`, admin)
    await expect.poll(() => stream.ended).toBe(true)
    expect(left.ended).toBe(false)
  })

  test('ends when the key expires', async () => {
    const { key } = await create({ expires_at: '2026-01-01T00:00:20.000Z' })
    const { key: endless } = await create({ name: 'endless', expires_at: null })
    const [stream, left] = [await opened('/events/stream', key), await opened('/events/stream', endless)]
    gateway.clock.advance(20_000)
    await expect.poll(() => stream.ended).toBe(true)
    expect(left.ended).toBe(false)
  })
})
