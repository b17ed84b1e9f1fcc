import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AnyEndpoint } from '../../src/contract/endpoint.js'
import { BASE_PATH, endpoints } from '../../src/contract/endpoints.js'
import type { AuditEntry } from '../../src/contract/topics/audit.js'
import { PASSWORD, ServedGateway } from '../support/served-gateway.js'
import { PARAMS, queryOf } from './example-path.js'

const LOCK_PATH = '/equipment/{id}/lock'
/** Shelving changes nothing at the equipment. */
const SHELF_PATH = '/equipment/{id}/alarms/{alid}/shelf'
const OF_EQUIPMENT = Object.entries<AnyEndpoint>(endpoints).filter(([, { path }]) =>
  path.startsWith('/equipment/{id}'),
)
const WRITES = OF_EQUIPMENT.filter(
  ([, { isSafe, path }]) => !isSafe && ![LOCK_PATH, SHELF_PATH].includes(path),
)
const READS = OF_EQUIPMENT.filter(
  // The equipment has no tap.
  ([name, { isSafe, media }]) => isSafe && media.includes('application/json') && name !== 'getTap',
)
const OTHERS = Object.entries<AnyEndpoint>(endpoints).filter(
  ([name, { method, path }]) =>
    method !== 'GET' &&
    !path.startsWith('/equipment/{id}') &&
    !path.startsWith('/auth') &&
    name !== 'changeOwnPassword' &&
    // It changes equipment by its name.
    name !== 'applyEquipment',
)

const REQUEST = { for_seconds: 600, reason: 'pump exchange' }
const LOCK = {
  by: 'operator@example.com',
  reason: 'pump exchange',
  since: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-01T00:10:00.000Z',
}

let gateway: ServedGateway
let app: FastifyInstance
/** The token of the holder, of another user who may do everything, and of a colleague with the holder's role. */
let holder: string
let admin: string
let colleague: string

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  holder = await gateway.tokenOf('operator')
  admin = await gateway.tokenOf('admin')
  const bob = { email: 'bob@example.com', password: PASSWORD }
  await gateway.accounts.create({ ...bob, name: 'Bob', role: 'engineer' })
  colleague = (await gateway.accounts.login(bob, '192.0.2.1')).token
  return async () => {
    await app.close()
  }
})

const urlOf = ({ path }: AnyEndpoint): string =>
  BASE_PATH +
  path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? 'eq_1' : (PARAMS[name] ?? 'x')))

const inject = (
  endpoint: AnyEndpoint,
  as: string,
  { query = '', body = endpoint.examples.body as object | undefined, headers = {} } = {},
): Promise<LightMyRequestResponse> =>
  app.inject({
    method: endpoint.method,
    url: urlOf(endpoint) + queryOf(endpoint, query),
    headers: { authorization: `Bearer ${as}`, ...headers },
    ...(body && endpoint.method !== 'GET' && { payload: body }),
  })

const lock = (as = holder, body: object = REQUEST) => inject(endpoints.lockEquipment, as, { body })
const audit = async (): Promise<AuditEntry[]> =>
  (await inject(endpoints.listAudit, admin, { query: '?order=asc' })).json().items

describe('each call that changes the equipment or sends it a message', () => {
  test.each(WRITES)('%s is refused to others, and not to the holder', async (_, endpoint) => {
    await gateway.users.put({ ...(await holderRecord()), role: 'engineer' })
    holder = await gateway.tokenOf('operator')
    expect((await lock()).statusCode).toBe(200)
    for (const other of [colleague, admin]) {
      const answer = await inject(endpoint, other)
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'equipment_locked'])
    }
    expect(gateway.sent).toEqual([])
    const another = await gateway.tokenOf('operator')
    expect((await inject(endpoint, another)).statusCode).toBeLessThan(300)
  })

  test.each(WRITES)('%s is as ever when the lock has ended', async (_, endpoint) => {
    await lock()
    gateway.clock.advance(600_000)
    expect((await inject(endpoint, admin)).statusCode).toBeLessThan(300)
  })
})

const holderRecord = async () => {
  const record = (await gateway.users.all()).find(({ role }) => role === 'operator')
  if (!record) throw new Error('no operator')
  return record
}

test('what reads is answered to everybody while the equipment is locked', async () => {
  await lock()
  for (const [name, endpoint] of READS) expect((await inject(endpoint, colleague)).statusCode, name).toBe(200)
})

test('what is not about one equipment is not refused', async () => {
  await lock()
  for (const [name, endpoint] of OTHERS)
    expect((await inject(endpoint, admin)).body, name).not.toContain('equipment_locked')
})

test('an alarm of locked equipment can be acknowledged, shelved and unshelved', async () => {
  await lock()
  expect((await inject(endpoints.shelveAlarm, colleague)).statusCode).toBe(200)
  expect((await inject(endpoints.unshelveAlarm, colleague)).statusCode).toBe(204)
  const url = `${BASE_PATH}/alarms/7/acknowledge`
  const answer = await app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${colleague}` } })
  expect(answer.statusCode).toBe(200)
})

test('the refusal says who, until when and why, and what to call next', async () => {
  expect((await lock()).json()).toEqual(LOCK)
  const refused = (await inject(endpoints.sendCommand, colleague)).json()
  expect(refused).toMatchObject({
    status: 409,
    detail: 'etcher is locked by operator@example.com until 2026-01-01T00:10:00Z (pump exchange).',
    next: [{ operation: 'getEquipment', parameters: { id: 'eq_1' } }],
  })
})

test('the holder sets a new end and reason; others can neither lock nor release it', async () => {
  await lock()
  for (const other of [colleague, admin]) {
    expect((await lock(other)).json().code).toBe('equipment_locked')
    expect((await inject(endpoints.unlockEquipment, other)).json().code).toBe('equipment_locked')
  }
  gateway.clock.advance(60_000)
  expect((await lock(holder, { for_seconds: 60, reason: 'leak test' })).json()).toEqual({
    ...LOCK,
    reason: 'leak test',
    expires_at: '2026-01-01T00:02:00.000Z',
  })
  expect((await inject(endpoints.unlockEquipment, holder)).statusCode).toBe(204)
  expect((await inject(endpoints.unlockEquipment, holder)).statusCode).toBe(204)
  expect((await lock(colleague)).json().by).toBe('bob@example.com')
})

test('only an administrator breaks the lock of somebody else, explicitly and with a reason', async () => {
  await lock()
  const force = (as: string, query: string) => inject(endpoints.unlockEquipment, as, { query })
  expect((await force(colleague, '?force=true&reason=now')).json()).toMatchObject({
    code: 'forbidden',
    detail: 'Breaking a lock needs the role admin; bob@example.com is engineer.',
  })
  expect((await force(admin, '?force=true')).json()).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: 'reason', detail: 'is required with force' }],
  })
  expect((await force(admin, '?force=false&reason=now')).json().code).toBe('equipment_locked')
  expect((await force(admin, '?force=true&reason=gas%20alarm')).statusCode).toBe(204)
  expect((await inject(endpoints.sendCommand, colleague)).statusCode).toBe(200)
})

test('an API key is a holder of its own', async () => {
  const body = { name: 'robot', role: 'engineer', expires_at: '2026-02-01T00:00:00.000Z' }
  const { key } = (await inject(endpoints.createKey, admin, { body })).json()
  expect((await lock(key)).json().by).toBe('key:robot')
  expect((await inject(endpoints.sendCommand, key)).statusCode).toBe(200)
  expect((await inject(endpoints.sendCommand, admin)).json().detail).toContain('locked by key:robot until')
})

test.each([
  [{ for_seconds: 0.5, reason: 'x' }, '/for_seconds'],
  [{ for_seconds: 86_401, reason: 'x' }, '/for_seconds'],
  [{ for_seconds: 60 }, '/reason'],
  [{ for_seconds: 60, reason: ' ' }, '/reason'],
  [{ for_seconds: 60, reason: 'two\nlines' }, '/reason'],
  [{ for_seconds: 60, reason: 'x'.repeat(201) }, '/reason'],
])('%j is refused', async (body, pointer) => {
  const answer = await lock(holder, body)
  expect(answer.statusCode).toBe(400)
  expect(answer.json().errors[0].pointer).toBe(pointer)
})

test('a viewer cannot lock, and what does not exist cannot be locked', async () => {
  expect((await lock(await gateway.tokenOf('viewer'))).json().code).toBe('forbidden')
  const url = `${BASE_PATH}/equipment/eq_none/lock`
  const headers = { authorization: `Bearer ${holder}` }
  for (const method of ['PUT', 'DELETE'] as const) {
    const answer = await app.inject({ method, url, headers, ...(method === 'PUT' && { payload: REQUEST }) })
    expect(answer.json().code).toBe('equipment_not_found')
  }
})

test('a repeat by its key is answered as the first request; one that was refused can be made again', async () => {
  const keyed = { headers: { 'idempotency-key': 'k-1' } }
  const first = await inject(endpoints.sendMessage, colleague, keyed)
  await lock()
  const repeat = await inject(endpoints.sendMessage, colleague, keyed)
  expect(repeat.headers['idempotency-replayed']).toBe('true')
  expect([repeat.statusCode, repeat.json()]).toEqual([first.statusCode, first.json()])
  const later = { headers: { 'idempotency-key': 'k-2' } }
  expect((await inject(endpoints.sendMessage, colleague, later)).statusCode).toBe(409)
  await inject(endpoints.unlockEquipment, holder)
  const again = await inject(endpoints.sendMessage, colleague, later)
  expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([200, undefined])
})

test('the audit has the lock with its reason, what it refused, and who broke it', async () => {
  await lock()
  await inject(endpoints.sendCommand, colleague)
  await inject(endpoints.unlockEquipment, admin, { query: '?force=true&reason=gas%20alarm' })
  await inject(endpoints.lockEquipment, admin, { query: '?reason=ticket%2012', body: REQUEST })
  expect(await audit()).toMatchObject([
    {
      action: 'lockEquipment',
      equipment_id: 'eq_1',
      user: 'operator@example.com',
      reason: 'pump exchange',
      details: { for_seconds: 600 },
      status: 200,
    },
    { action: 'sendCommand', user: 'bob@example.com', status: 409, code: 'equipment_locked' },
    {
      action: 'unlockEquipment',
      equipment_id: 'eq_1',
      user: 'admin@example.com',
      reason: 'gas alarm',
      details: { force: true },
      status: 204,
    },
    { action: 'lockEquipment', reason: 'ticket 12' },
  ])
})
