import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AnyEndpoint } from '../../src/contract/endpoint.js'
import { BASE_PATH, endpoints } from '../../src/contract/endpoints.js'
import type { AuditEntry } from '../../src/contract/topics/audit.js'
import { PASSWORD, ServedGateway } from '../support/served-gateway.js'
import { PARAMS, queryOf } from './example-path.js'

type Name = keyof typeof endpoints
const ALL = Object.entries(endpoints) as [Name, AnyEndpoint][]
const JSON_CALLS = ALL.filter(([, { media }]) => media.includes('application/json'))
const WRITES = JSON_CALLS.filter(([, { isSafe, access }]) => !isSafe && access !== 'anyone')
const READS = JSON_CALLS.filter(([, { isSafe }]) => isSafe)

let gateway: ServedGateway
let app: FastifyInstance
let token: string

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  token = await gateway.tokenOf('admin')
  return async () => {
    await app.close()
  }
})

/** The id where it is not that of an equipment. */
const IDS: Readonly<Record<string, string>> = { alarms: '7', users: 'usr_none', messages: '1' }

const urlOf = (endpoint: AnyEndpoint, query = ''): string => {
  const { path } = endpoint
  const [, root = ''] = path.split('/')
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'id' ? (IDS[root] ?? 'eq_1') : (PARAMS[name] ?? 'x'),
  )
  return BASE_PATH + filled + queryOf(endpoint, query)
}

const inject = (
  endpoint: AnyEndpoint,
  { query = '', as = token, body = endpoint.examples.body as object | undefined, headers = {} } = {},
) =>
  app.inject({
    method: endpoint.method,
    url: urlOf(endpoint, query),
    headers: { ...(as && { authorization: `Bearer ${as}` }), ...headers },
    ...(body && endpoint.method !== 'GET' && { payload: body }),
  })

const audit = async (query = ''): Promise<AuditEntry[]> =>
  (
    await app.inject({ url: `${BASE_PATH}/audit${query}`, headers: { authorization: `Bearer ${token}` } })
  ).json().items

const written = (): number => gateway.auditJournal.entries.filter(({ type }) => type === 'audit').length

describe('each call that may change something has one entry', () => {
  test.each(WRITES)('%s', async (name, endpoint) => {
    const answer = await inject(endpoint, {
      query: '?reason=night%20shift',
      headers: { 'x-request-id': 'r-1' },
    })
    expect(answer.json === undefined || answer.statusCode).not.toBe(400)
    expect(written()).toBe(1)
    token = await gateway.tokenOf('admin')
    const [entry] = await audit()
    expect(entry).toMatchObject({
      action: name,
      user: 'admin@example.com',
      address: '127.0.0.1',
      request_id: 'r-1',
      reason: 'night shift',
      status: answer.statusCode,
      code: answer.statusCode < 400 ? null : answer.json().code,
      count: 1,
    })
    const isOfEquipment = endpoint.path.startsWith('/equipment/{id}') || name === 'acknowledgeAlarm'
    if (isOfEquipment) expect(entry?.equipment_id).toBe('eq_1')
    const text = JSON.stringify(gateway.auditJournal.entries)
    for (const secret of [PASSWORD, 'horse', token, 'U1RFUCAxIFBPV0VSIDgwMAo'])
      expect(text).not.toContain(secret)
  })
})

test('what reads leaves no entry', async () => {
  for (const [name, endpoint] of READS) {
    await inject(endpoint)
    expect(written(), name).toBe(0)
  }
})

test('the entry is on disk before the call is carried out, and a call that cannot be recorded is not', async () => {
  gateway.auditJournal.failure = new Error('disk full')
  const answer = await inject(endpoints.sendTerminalText)
  expect(answer.statusCode).toBeGreaterThanOrEqual(500)
  expect(gateway.sent).toEqual([])
})

test('an invalid call, and a repeat that is answered by its key, have no entry', async () => {
  await inject(endpoints.sendCommand, { body: {} })
  expect(written()).toBe(0)
  const headers = { 'idempotency-key': 'a key' }
  await inject(endpoints.sendMessage, { headers })
  const repeat = await inject(endpoints.sendMessage, { headers, query: '?reason=again' })
  expect(repeat.headers['idempotency-replayed']).toBe('true')
  expect(written()).toBe(1)
})

test('a call that failed says how', async () => {
  await inject(endpoints.deleteUser)
  expect(await audit()).toMatchObject([
    { action: 'deleteUser', details: { id: 'usr_none' }, status: 404, code: 'user_not_found' },
  ])
})

test('what was asked for is shown, but no secret', async () => {
  await inject(endpoints.sendCommand)
  await inject(endpoints.storeRecipe)
  await inject(endpoints.updateUser, { body: { role: 'viewer', password: PASSWORD } })
  await inject(endpoints.sendMessage, { body: { sml: 'S7F3 W <L <A "R7"> <B 0x01>>.' } })
  await inject(endpoints.sendTerminalText, { body: { text: 'x'.repeat(700) } })
  const entries = await audit('?order=asc')
  expect(entries.map(({ details }) => details)).toEqual([
    { command: 'START', parameters: { LOTID: 'L1', PPID: 'R7' } },
    { ppid: 'R7', size: 17, fields: ['body'] },
    { id: 'usr_none', role: 'viewer', fields: ['password'] },
    { message: 'S7F3', fields: ['sml'] },
    { text: '(702 characters)' },
  ])
  expect(entries[0]?.message_id).toBe('1')
  expect(entries[3]?.message_id).toBe('1')
})

test('an acknowledgement of several alarms repeats all ids, and names the equipment', async () => {
  const ids = Array.from({ length: 400 }, (_, at) => String(100_000 + at))
  await inject(endpoints.acknowledgeAlarms, { body: { ids, comment: 'storm' } })
  expect(await audit()).toMatchObject([
    { equipment_id: null, details: { ids: ids.join(' '), comment: 'storm' }, status: 200 },
  ])
})

test('more alarms than one call takes are refused, and none is acknowledged', async () => {
  const answer = await inject(endpoints.acknowledgeAlarms, { body: { ids: Array(1001).fill('7') } })
  expect(answer.json()).toMatchObject({
    status: 400,
    errors: [{ pointer: '/ids', detail: 'must have at most 1000 items' }],
  })
  expect(written()).toBe(0)
})

test('a role that is too low is recorded, also for a read; the first ones of an hour each, then their number', async () => {
  const viewer = await gateway.tokenOf('viewer')
  await inject(endpoints.sendCommand, { as: viewer })
  await inject(endpoints.listUsers, { as: viewer })
  expect(await audit()).toMatchObject([
    { action: 'listUsers', user: 'viewer@example.com', status: 403, code: 'forbidden', equipment_id: null },
    { action: 'sendCommand', user: 'viewer@example.com', status: 403, equipment_id: 'eq_1' },
  ])
  expect(gateway.sent).toEqual([])
  for (let at = 0; at < 100; at++) await inject(endpoints.sendCommand, { as: viewer })
  expect(written()).toBe(60)
  gateway.clock.advance(3_600_000)
  const [last] = await audit('?limit=1')
  expect(last).toMatchObject({ user: 'viewer@example.com', count: 42, status: 403, request_id: null })
})

describe('logins', () => {
  const login = (email: string, password: string, address = '192.0.2.7') =>
    app.inject({
      method: 'POST',
      url: `${BASE_PATH}/auth/login`,
      payload: { email, password },
      remoteAddress: address,
    })

  test('a login is recorded, and one that failed; what is no user is not repeated', async () => {
    await login('ADMIN@example.com', PASSWORD)
    await login('admin@example.com', 'wrong')
    await login('my password by mistake', 'wrong')
    const shown = { action: 'login', address: '192.0.2.7', equipment_id: null, details: {} }
    expect(await audit('?order=asc')).toMatchObject([
      { ...shown, user: 'admin@example.com', status: 200, code: null },
      { ...shown, user: 'admin@example.com', status: 401, code: 'invalid_credentials' },
      { ...shown, user: null, status: 401, code: 'invalid_credentials' },
    ])
    expect(JSON.stringify(gateway.auditJournal.entries)).not.toMatch(/mistake|wrong|horse/)
  })

  test('a stranger adds a limited number of entries an hour, and the others are counted', async () => {
    for (let network = 0; network < 8; network++)
      for (let at = 0; at < 30; at++) await login('nobody@example.com', 'wrong', `10.0.${network}.1`)
    expect(written()).toBe(60)
    gateway.clock.advance(3_600_000)
    await Promise.resolve()
    const summaries = (await audit('?limit=1000')).filter(({ count }) => count > 1)
    expect(summaries.reduce((sum, { count }) => sum + count, 60)).toBe(240)
    expect(summaries.length).toBeLessThanOrEqual(4)
  })
})

test('the list is filtered and paged as others are', async () => {
  const operator = await gateway.tokenOf('operator')
  await inject(endpoints.sendCommand, { as: operator })
  gateway.clock.advance(1000)
  await inject(endpoints.connectEquipment)
  await inject(endpoints.deleteUser)
  const actions = async (query: string): Promise<string[]> => (await audit(query)).map(({ action }) => action)
  expect(await actions('')).toEqual(['deleteUser', 'connectEquipment', 'sendCommand'])
  expect(await actions('?user=Operator@example.com')).toEqual(['sendCommand'])
  expect(await actions('?action=connectEquipment&action=sendCommand')).toEqual([
    'connectEquipment',
    'sendCommand',
  ])
  expect(await actions('?equipment_id=eq_1&order=asc')).toEqual(['sendCommand', 'connectEquipment'])
  expect(await actions('?label_selector=area%3Detch')).toEqual([])
  gateway.equipment.labels.set('eq_1', { area: 'etch' })
  expect(await actions('?label_selector=area%3Detch')).toEqual(['connectEquipment', 'sendCommand'])
  const [newest] = await audit('?limit=1')
  expect(await actions(`?after=${newest?.id}`)).toEqual([])
  expect(await actions(`?from=${newest?.at}`)).toEqual(['deleteUser', 'connectEquipment'])
  const headers = { authorization: `Bearer ${token}` }
  const first = (await app.inject({ url: `${BASE_PATH}/audit?limit=2`, headers })).json()
  const next = await app.inject({ url: `${BASE_PATH}/audit?limit=2&cursor=${first.next_cursor}`, headers })
  expect(next.json().items.map(({ action }: AuditEntry) => action)).toEqual(['sendCommand'])
})

test('it is no event', async () => {
  await inject(endpoints.sendCommand)
  expect(gateway.journal.entries).toEqual([])
})
