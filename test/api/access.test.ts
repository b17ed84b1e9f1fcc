import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyEndpoint } from '../../src/contract/endpoint.js'
import { BASE_PATH, endpoints } from '../../src/contract/endpoints.js'
import { mayActAs, ROLES, type Role } from '../../src/contract/roles.js'
import { signOnEndpoints } from '../../src/contract/topics/accounts/sign-on.js'
import { ServedGateway } from '../support/served-gateway.js'

type Access = Role | 'anyone'

/** A user has no token before. */
const SIGN_ON = Object.keys(signOnEndpoints) as (keyof typeof signOnEndpoints)[]

/** Calls that do not follow the rule of their method: reading is for viewers, changing for engineers. */
const EXCEPTIONS: { readonly [Name in Access]?: readonly (keyof typeof endpoints)[] } = {
  anyone: ['login', ...SIGN_ON],
  viewer: ['refresh', 'logout', 'changeOwnPassword'],
  operator: [
    'connectEquipment',
    'disconnectEquipment',
    'lockEquipment',
    'unlockEquipment',
    'goOnline',
    'goOffline',
    'sendCommand',
    'selectRecipe',
    'transmitSpool',
    ...(['createProcessJob', 'commandProcessJob', 'dequeueProcessJob'] as const),
    ...(['createControlJob', 'commandControlJob', 'commandCarrier'] as const),
    ...(['commandPort', 'changeAccessMode', 'alignGem300'] as const),
    'acknowledgeAlarm',
    'acknowledgeAlarms',
    'shelveAlarm',
    'unshelveAlarm',
  ],
  admin: [
    'exportJournal',
    'listAudit',
    'listUsers',
    'getUser',
    'createUser',
    'updateUser',
    'deleteUser',
    'listKeys',
    'getKey',
    'createKey',
    'revokeKey',
    'createSink',
    'updateSink',
    'deleteSink',
    'testSink',
    'pauseSink',
    'resumeSink',
    'retryDeadLetters',
    'drainNode',
    'undrainNode',
  ],
}

function accessOf(name: keyof typeof endpoints): Access {
  const [exception] = Object.entries(EXCEPTIONS).find(([, names]) => names.includes(name)) ?? []
  return (exception as Access | undefined) ?? (endpoints[name].isSafe ? 'viewer' : 'engineer')
}

const gateway = new ServedGateway()
const tokens = new Map<Role, string>()
let app: FastifyInstance

beforeAll(async () => {
  app = await gateway.app()
  for (const role of ROLES) tokens.set(role, await gateway.tokenOf(role))
})
afterAll(() => app.close())

/** A call that gets past the door and no further: its query is wrong on purpose. */
const knock = (endpoint: AnyEndpoint, headers: Record<string, string>) =>
  app.inject({
    method: endpoint.method,
    url: `${BASE_PATH}${endpoint.path.replace('{id}', 'eq_1')}?no_such_parameter=1`,
    headers,
  })

describe.each(ROLES)('the role %s', (role) => {
  const all = Object.entries(endpoints) as [keyof typeof endpoints, AnyEndpoint][]

  test.each(all)('%s', async (name, endpoint) => {
    const answer = await knock(endpoint, { authorization: `Bearer ${tokens.get(role)}` })
    const { code, detail } = answer.json()
    const needed = accessOf(name)
    if (needed === 'anyone' || mayActAs(role, needed)) return expect(code).toBe('invalid_request')
    expect([answer.statusCode, code]).toEqual([403, 'forbidden'])
    expect(detail).toBe(`This needs the role ${needed}; ${role}@example.com is ${role}.`)
  })
})

test.each(Object.entries(endpoints).filter(([, { access }]) => access !== 'anyone'))(
  '%s asks for a token before it looks at anything else',
  async (_, endpoint) => {
    const answer = await knock(endpoint, {})
    expect(answer.json()).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  },
)

test('the role is that of the record now, not that of the token', async () => {
  const token = await gateway.tokenOf('viewer')
  const record = (await gateway.users.all()).find(({ role }) => role === 'viewer')
  if (!record) throw new Error('no viewer')
  await gateway.users.put({ ...record, role: 'engineer' })
  const answer = await knock(endpoints.createEquipment, { authorization: `Bearer ${token}` })
  expect(answer.json().code).toBe('invalid_request')
  await gateway.users.put(record)
})
