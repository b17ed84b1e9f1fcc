import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnyEndpoint } from '../../src/contract/endpoint.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { type Reach, reachOf } from '../../src/contract/reach.js'
import { mayActAs, ROLES, type Role } from '../../src/contract/roles.js'
import { signOnEndpoints } from '../../src/contract/topics/accounts/sign-on.js'
import { RestrictedSite } from './restricted-site.js'

type Name = keyof typeof endpoints
const ALL = Object.entries(endpoints) as [Name, AnyEndpoint][]

/** How each endpoint is restricted; those that are not named are about the equipment in their path. */
const REACHES: { readonly [Kind in Exclude<Reach, 'equipment'>]: readonly Name[] } = {
  list: [
    'listEquipment',
    'listMessages',
    'listAlarms',
    'getAlarmSummary',
    'listShelvedAlarms',
    'listEvents',
    'streamEvents',
    'listAudit',
    'exportJournal',
    ...(['listKnownCarriers', 'listKnownJobs', 'listKnownSubstrates'] as const),
  ],
  entry: ['getMessage', 'acknowledgeAlarm'],
  entries: ['acknowledgeAlarms', 'applyEquipment'],
  new: ['createEquipment'],
  own: [
    ...(Object.keys(signOnEndpoints) as Name[]),
    'login',
    'refresh',
    'logout',
    'getOwnUser',
    'changeOwnPassword',
    'getOwnKey',
  ],
  everything: [
    ...['listUsers', 'getUser', 'createUser', 'updateUser', 'deleteUser'],
    ...['listNodes', 'drainNode', 'undrainNode'],
    ...[
      'listSinks',
      'getSink',
      'createSink',
      'updateSink',
      'deleteSink',
      'testSink',
      'pauseSink',
      'resumeSink',
    ],
    ...['listDeadLetters', 'retryDeadLetters'],
    ...['listKeys', 'getKey', 'createKey', 'revokeKey'],
  ] as Name[],
}
const kindOf = (name: Name): Reach =>
  (Object.entries(REACHES) as [Reach, readonly Name[]][]).find(([, names]) => names.includes(name))?.[0] ??
  'equipment'

test.each(ALL)('%s says what it is about', (name, endpoint) => {
  expect(reachOf(endpoint)).toBe(kindOf(name))
})

const NOBODY = 'eq_none000000'

/** One for all tests, each of which has equipment of its own: a server for each of hundreds takes seconds. */
let site: RestrictedSite
let inside: string
let outside: string

beforeAll(async () => {
  site = await RestrictedSite.open()
})
beforeEach(async () => {
  await site.renew()
  ;({ inside, outside } = site)
})
afterAll(() => site.close())

/** All of an answer but the id that it is about, and the request's own. */
const comparable = (answer: LightMyRequestResponse, id: string): unknown => {
  const { request_id: _, ...body } = answer.body === '' ? {} : answer.json()
  const text = JSON.stringify({ ...body, status: `is ${answer.statusCode}` })
  return text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID').replace(/[a-z]+-(all|area-etch)@/, 'USER@')
}

const isAllowed = (role: Role, { access }: AnyEndpoint): boolean =>
  access === 'anyone' || mayActAs(role, access)

describe.each(ROLES)('%s, restricted to some equipment', (role) => {
  const of = (kind: Reach): [Name, AnyEndpoint][] =>
    ALL.filter(([name, row]) => kindOf(name) === kind && row.media.includes('application/json'))

  test.each(of('equipment'))('%s: others are as if they did not exist', async (_, row) => {
    const token = await site.tokenOf(role, 'area=etch')
    const other = comparable(await site.call(row, token, outside), outside)
    const missing = comparable(await site.call(row, await site.tokenOf(role, null), NOBODY), NOBODY)
    expect(other).toEqual(missing)
    const { statusCode, body } = await site.call(row, token, inside)
    if (isAllowed(role, row))
      expect([403, 404].includes(statusCode) ? body : '').not.toMatch(/restricted|equipment_not/)
    else expect(statusCode).toBe(403)
  })

  test.each(of('entry'))('%s: of others there are none', async (name, row) => {
    const id = name === 'getMessage' ? site.message : site.alarm
    const other = comparable(await site.call(row, await site.tokenOf(role, 'area=etch'), id), id)
    const missing = comparable(await site.call(row, await site.tokenOf(role, null), '999999'), '999999')
    expect(other).toEqual(missing)
    const own = String(Number(id) - 2)
    const reached = await site.call(row, await site.tokenOf('admin', 'area=etch'), own)
    expect(reached.statusCode).toBe(200)
  })

  test.each(of('list'))('%s: has nothing of others', async (_, row) => {
    const seenBy = async (selector: string | null): Promise<string> =>
      (await site.call(row, await site.tokenOf(role, selector), '')).body
    const all = await seenBy(null)
    const some = await seenBy('area=etch')
    expect(some).not.toContain(outside)
    if (!isAllowed(role, row)) return expect(JSON.parse(some).status).toBe(403)
    expect(JSON.parse(some).items).toBeInstanceOf(Array)
    // An audit has entries of the calls so far, all without equipment.
    if (row.path !== '/audit') expect([all.includes(outside), some.includes(inside)]).toEqual([true, true])
    expect(await seenBy('area=none')).not.toContain(inside)
  })

  test.each(of('everything'))('%s: is refused', async (_, row) => {
    const answer = await site.call(row, await site.tokenOf(role, 'area=etch'), 'usr_none')
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden'])
    if (isAllowed(role, row))
      expect(answer.json().detail).toMatch(/is restricted to equipment with area=etch/)
  })

  test.each(of('own').filter(([name]) => name !== 'login'))('%s: is allowed', async (_, row) => {
    const { statusCode, body } = await site.call(row, await site.tokenOf(role, 'area=etch'), '')
    expect([statusCode, body]).not.toEqual([403, expect.stringContaining('restricted')])
    expect([statusCode, body]).not.toEqual([404, expect.stringContaining('equipment')])
  })
})

describe('a name of equipment in the place of its id', () => {
  const paths = ALL.filter(
    ([name, row]) => kindOf(name) === 'equipment' && row.media.includes('application/json'),
  )

  test.each(paths)('%s', async (_, endpoint) => {
    const answer = async (token: string, name: string) => {
      const { statusCode, body } = await site.call(endpoint, token, encodeURIComponent(name), {} as never)
      return [statusCode, body.replaceAll(/"(request_id|instance)":"[^"]*"/g, '').replaceAll(name, 'NAME')]
    }
    const [everywhere, within] = [await site.tokenOf('admin', null), await site.tokenOf('admin', 'area=etch')]
    // What is refused for its body is found; all else is answered by what the equipment is.
    const byName = await answer(everywhere, 'tool 2')
    expect(byName[0]).not.toBe(404)
    expect(await answer(within, 'tool 2')).toEqual(await answer(within, 'tool 9'))
  })
})
