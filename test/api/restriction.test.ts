import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { BASE_PATH, endpoints } from '../../src/contract/endpoints.js'
import { isRestricted, restrictedParts } from '../../src/gateway/accounts/restriction.js'
import { ALARM_SET } from '../../src/gateway/records/journal-kinds.js'
import { type Entry, EntryNumber } from '../../src/store/entry.js'
import { until } from '../support/until.js'
import { PASSWORD, RestrictedSite } from './restricted-site.js'

let site: RestrictedSite
let inside: string
let outside: string
let alarm: string

beforeEach(async () => {
  site = await RestrictedSite.open()
  ;({ inside, outside, alarm } = site)
  return () => site.close()
})

describe('labels of equipment', () => {
  const given = { name: 'new', ip_address: '127.0.0.1', port: 3 }

  test.each([
    [{ area: 'etch', bay: '3' }, 201],
    [{ area: 'litho' }, 403],
    [undefined, 403],
  ])('new equipment with %j: %i', async (labels, status) => {
    const token = await site.tokenOf('engineer', 'area=etch')
    const answer = await site.call(endpoints.createEquipment, token, '', {
      ...given,
      ...(labels && { labels }),
    })
    expect(answer.statusCode).toBe(status)
  })

  test.each([
    [{ bay: '4' }, 200],
    [{ area: 'litho' }, 403],
    [{ area: null }, 403],
  ])('a change to %j: %i', async (labels, status) => {
    const token = await site.tokenOf('engineer', 'area=etch')
    const answer = await site.call(endpoints.updateEquipment, token, inside, { labels })
    expect(answer.statusCode).toBe(status)
  })

  test('equipment is not reached at its address, under another name', async () => {
    const token = await site.tokenOf('engineer', 'area=etch')
    const { ip_address, port } = await site.gateway.equipment.get(outside)
    const taken = { ...given, ip_address, port, labels: { area: 'etch' } }
    const added = await site.call(endpoints.createEquipment, token, '', taken)
    expect([added.statusCode, added.json().code]).toEqual([409, 'equipment_address_taken'])
    const moved = await site.call(endpoints.updateEquipment, token, inside, { port })
    expect([moved.statusCode, moved.json().code]).toEqual([409, 'equipment_address_taken'])
    const { port: own } = await site.gateway.equipment.get(inside)
    // Two of the caller's own may share an address, and equipment that shares one stays changeable.
    expect((await site.call(endpoints.createEquipment, token, '', { ...taken, port: own })).statusCode).toBe(
      201,
    )
    await site.gateway.equipment.update(inside, { port })
    expect(
      (await site.call(endpoints.updateEquipment, token, inside, { port, device_id: 4 })).statusCode,
    ).toBe(200)
  })

  test('a change takes effect at the next call', async () => {
    const token = await site.tokenOf('viewer', 'area=etch')
    expect((await site.call(endpoints.getEquipment, token, inside)).statusCode).toBe(200)
    await site.gateway.equipment.update(inside, { labels: { area: null } })
    expect((await site.call(endpoints.getEquipment, token, inside)).statusCode).toBe(404)
    await site.gateway.equipment.update(outside, { labels: { area: 'etch' } })
    expect((await site.call(endpoints.getEquipment, token, outside)).statusCode).toBe(200)
  })
})

test('a selector in the query narrows further, and cannot widen', async () => {
  const token = await site.tokenOf('viewer', 'area=etch')
  const list = async (selector: string) =>
    site.app.inject({
      url: `${BASE_PATH}/equipment?label_selector=${encodeURIComponent(selector)}`,
      headers: { authorization: `Bearer ${token}` },
    })
  expect((await list('area=litho')).json().items).toEqual([])
  expect((await list('area')).json().items).toHaveLength(1)
  for (const broken of ['area in (litho', 'area=etch,', '!']) {
    expect((await list(broken)).json().code).toBe('invalid_request')
  }
})

test('of several alarms those of others are not found, and stay as they are', async () => {
  const token = await site.tokenOf('operator', 'area=etch')
  const own = String(Number(alarm) - 2)
  const answer = await site.call(endpoints.acknowledgeAlarms, token, '', { ids: [own, alarm, '999'] })
  const items = answer.json().items as { id: string; result: string }[]
  expect(items.map(({ result }) => result)).toEqual(['acknowledged', 'not_found', 'not_found'])
  const { items: open } = await site.gateway.alarms.list({ acknowledged: false })
  expect(open.map(({ id }) => id)).toEqual([alarm])
})

describe('a list of equipment that is applied', () => {
  const apply = async (equipment: object[], query = '') => {
    const headers = { authorization: `Bearer ${await site.tokenOf('engineer', 'area=etch')}` }
    const url = `${BASE_PATH}/equipment/apply${query}`
    return site.app.inject({ method: 'POST', url, headers, payload: { equipment } })
  }
  const other = () => site.gateway.equipment.get(outside)

  test.each(['', '?dry_run=true'])(
    'tells nothing about equipment of others, and changes none: %s',
    async (query) => {
      const { name, port, timers } = await other()
      const labels = Object.fromEntries(Array.from({ length: 32 }, (_, at) => [`l${at}`, 'x']))
      const guesses = [
        {},
        { port },
        { port: 9 },
        { timers: { t3: timers.t3 } },
        { labels: { area: 'litho' } },
        { labels },
      ]
      const told: LightMyRequestResponse[] = []
      for (const guess of guesses) told.push(await apply([{ name, ...guess }], query))
      for (const answer of told) {
        expect(answer.statusCode).toBe(409)
        const [fault, ...more] = answer.json().errors
        expect([fault.pointer, more]).toEqual(['/equipment/0/name', []])
        expect(answer.json()).toEqual({ ...told[0]?.json(), request_id: answer.json().request_id })
        expect(answer.body).not.toContain(outside)
      }
      expect(await other()).toMatchObject({ name, port, timers, revision: 1, labels: { area: 'litho' } })
    },
  )

  test('reaches no equipment of others under another name, and puts none out of reach', async () => {
    const { ip_address, port } = await other()
    const etch = { labels: { area: 'etch' } }
    const taken = await apply([{ name: 'new', ip_address, port, ...etch }])
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'equipment_address_taken'])
    expect(taken.body).not.toContain('tool 2')
    const left = await apply([{ name: 'tool 1', labels: { area: 'litho' } }])
    expect([left.statusCode, left.json().code]).toEqual([403, 'forbidden'])
    const away = await apply([{ name: 'new', ip_address, port: 99, labels: { area: 'litho' } }])
    expect([away.statusCode, away.json().code]).toEqual([403, 'forbidden'])
    // One of others in the list, and nothing is changed.
    const both = [
      { name: 'tool 1', device_id: 4 },
      { name: 'tool 2', device_id: 4 },
    ]
    expect((await apply(both)).statusCode).toBe(409)
    expect((await site.gateway.equipment.get(inside)).device_id).toBe(0)
    expect((await apply(both.slice(0, 1))).json().changes).toHaveLength(1)
    expect((await site.gateway.equipment.list({})).items).toHaveLength(2)
  })
})

test('an alarm of others that is set while the call is under way does not exist either', async () => {
  const token = await site.tokenOf('operator', 'area=etch')
  const { audit, alarms } = site.gateway
  const begin = audit.begin.bind(audit)
  let set: Entry | undefined
  audit.begin = async (recorded) => {
    const report = { alcd: 0x84, alid: '8', text: 'Late' }
    const [entry] = await site.journal.appendAll([
      alarms.entryFor(outside, report, new EntryNumber(0), new Date().toISOString()),
    ])
    set = entry
    return begin(recorded)
  }
  const next = String(site.journal.last + 1)
  const answer = await site.call(endpoints.acknowledgeAlarm, token, next)
  expect([String(set?.seq), answer.statusCode]).toEqual([next, 404])
  const { items: open } = await alarms.list({ acknowledged: false, equipment_id: [outside] })
  expect(open.map(({ id }) => id)).toContain(next)
})

test('an alarm whose first entry was deleted is that of its equipment', async () => {
  const setAgain = async (equipmentId: string, gone: string): Promise<void> => {
    const data = { alarm_id: gone, alid: '9', text: 'Hot', category: 4, category_text: '', message_id: '1' }
    await site.journal.append({ ...ALARM_SET, key: equipmentId, at: new Date().toISOString(), data })
  }
  // No entries have these numbers.
  await setAgain(outside, '900')
  await setAgain(inside, '901')
  const token = await site.tokenOf('operator', 'area=etch')
  expect((await site.call(endpoints.acknowledgeAlarm, token, '900')).statusCode).toBe(404)
  expect((await site.call(endpoints.acknowledgeAlarm, token, '901')).statusCode).toBe(200)
})

test('an export leaves out equipment from the moment that it has other labels', async () => {
  const state = { type: 'state', name: 'control_state', key: inside, at: new Date().toISOString(), data: {} }
  await site.journal.appendAll(Array.from({ length: 600 }, () => state))
  const gateway = site.gateway
  const query = { label_selector: 'area=etch' }
  const { signal } = new AbortController()
  const keys = gateway.equipment.labels.selection(query)
  const pages = gateway.journalExport.entries(query, signal, keys)[Symbol.asyncIterator]()
  expect((await pages.next()).value).toHaveLength(512)
  await gateway.equipment.update(inside, { labels: { area: 'litho' } })
  expect(await pages.next()).toEqual({ done: true, value: undefined })
})

test('a key is restricted as a user is', async () => {
  const { accounts } = site.gateway
  const admin = await accounts.authenticate(await site.tokenOf('admin', null))
  const { key } = await accounts.keys.create(
    { name: 'etch', role: 'viewer', label_selector: 'area=etch', expires_at: null },
    admin,
  )
  expect((await site.call(endpoints.getEquipment, key, outside)).statusCode).toBe(404)
  expect((await site.call(endpoints.getEquipment, key, inside)).statusCode).toBe(200)
})

test('streams: events of others are not sent, their wire does not exist, and a new selector ends the token', async () => {
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const url = site.app.listeningOrigin + BASE_PATH
  const token = await site.tokenOf('engineer', 'area=etch')
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${url}/equipment/${outside}/wire`, { headers })).status).toBe(404)
  const stream = await fetch(`${url}/events/stream?after=0`, { headers })
  let text = ''
  const ended = (async () => {
    for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) text += Buffer.from(chunk)
  })()
  await until(() => text.includes(inside))
  await site.gateway.equipment.update(outside, { labels: { area: 'etch', bay: '9' } })
  const state = { type: 'state', name: 'control_state', at: new Date().toISOString(), data: {} }
  await site.journal.append({ ...state, key: outside })
  await until(() => text.includes(outside))
  expect(text.indexOf(outside)).toBeGreaterThan(text.indexOf(inside))
  const { id } = (await site.gateway.accounts.list({})).items.find(({ role }) => role === 'engineer') ?? {
    id: '',
  }
  await site.gateway.accounts.update(id, { label_selector: 'area=none' })
  await ended
  expect((await fetch(`${url}/equipment`, { headers })).status).toBe(401)
})

test('the last administrator of all equipment cannot be restricted', async () => {
  const { accounts } = site.gateway
  const { id } = await accounts.create({
    email: 'a@example.com',
    name: 'a',
    role: 'admin',
    password: PASSWORD,
  })
  await site.tokenOf('admin', 'area=etch')
  await expect(accounts.update(id, { label_selector: 'area=etch' })).rejects.toMatchObject({
    code: 'last_admin',
  })
})

describe('a name of equipment in the place of its id', () => {
  test('is that of now, and none begins as ids do', async () => {
    const token = await site.tokenOf('engineer', null)
    const headers = { authorization: `Bearer ${token}` }
    const url = `${BASE_PATH}/equipment`
    const put = (id: string, name: string) =>
      site.app.inject({ method: 'PUT', url: `${url}/${encodeURIComponent(id)}`, headers, payload: { name } })
    expect((await put('tool 1', 'Ätzer/1')).json()).toMatchObject({ id: inside, name: 'Ätzer/1' })
    for (const given of ['Ätzer/1', 'A\u0308tzer/1', inside]) {
      const found = await site.app.inject({ url: `${url}/${encodeURIComponent(given)}`, headers })
      expect(found.json()).toMatchObject({ id: inside })
    }
    expect((await site.app.inject({ url: `${url}/tool%201`, headers })).statusCode).toBe(404)
    const refused = { code: 'invalid_request', errors: [{ pointer: '/name' }] }
    expect((await put(inside, outside)).json()).toMatchObject(refused)
    const payload = { name: 'eq_etcher', ip_address: '127.0.0.1', port: 5000 }
    expect((await site.app.inject({ method: 'POST', url, headers, payload })).json()).toMatchObject(refused)
  })

  test('leaves the id in the audit, and one use of an Idempotency-Key', async () => {
    const headers = { authorization: `Bearer ${await site.tokenOf('admin', null)}` }
    const send = (id: string) =>
      site.app.inject({
        method: 'POST',
        url: `${BASE_PATH}/equipment/${id}/messages`,
        headers: { ...headers, 'idempotency-key': 'k' },
        payload: { stream: 1, function: 1 },
      })
    const [byName, byId] = [await send('tool%201'), await send(inside)]
    expect([byName.statusCode, byId.statusCode]).toEqual([409, 409])
    await site.app.inject({ method: 'POST', url: `${BASE_PATH}/equipment/tool%201/disconnect`, headers })
    const list = await site.app.inject({ url: `${BASE_PATH}/audit?action=disconnectEquipment`, headers })
    expect(list.json().items).toMatchObject([{ equipment_id: inside }])
  })
})

test('a stream of one equipment has no part that came after the equipment left the reach of its caller', async () => {
  const caller = await site.gateway.accounts.authenticate(await site.tokenOf('viewer', 'area=etch'))
  if (!isRestricted(caller)) throw new Error('the caller is restricted')
  async function* wire() {
    yield 'before'
    await site.gateway.equipment.update(inside, { labels: { area: 'litho' } })
    yield 'after'
    throw new Error('nobody reads on')
  }
  const found: string[] = []
  const params = { id: inside }
  const parts = restrictedParts(
    wire(),
    endpoints.followWire,
    { params, query: {}, body: {} },
    caller,
    site.gateway,
  )
  for await (const part of parts) found.push(part)
  expect(found).toEqual(['before'])
})

describe('equipment in a query', () => {
  const LISTS = ['/events', '/messages', '/alarms', '/audit']
  const ALL_LISTS = [...LISTS, '/journal/export', '/events/stream']
  const get = (path: string, token: string) =>
    site.app.inject({ url: `${BASE_PATH}${path}`, headers: { authorization: `Bearer ${token}` } })
  const nameOf = async (id: string): Promise<string> => (await site.gateway.equipment.get(id)).name

  test.each(LISTS)('%s: is named by its name as by its id', async (path) => {
    const token = await site.tokenOf('admin', null)
    const name = encodeURIComponent(await nameOf(inside))
    const byName = await get(`${path}?equipment_id=${name}`, token)
    expect(byName.json()).toEqual((await get(`${path}?equipment_id=${inside}`, token)).json())
    expect(byName.body).not.toContain(outside)
    if (path === '/audit') return
    expect(byName.body).toContain(inside)
    expect((await get(`${path}?equipment_id=${name},${outside}`, token)).body).toContain(outside)
  })

  test.each(ALL_LISTS)('%s: a text that is neither a name nor an id is refused', async (path) => {
    const refused = await get(`${path}?equipment_id=nobody`, await site.tokenOf('admin', null))
    expect(refused.json()).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: 'equipment_id' }],
    })
  })

  test('a restricted caller does not learn which names there are', async () => {
    const token = await site.tokenOf('viewer', 'area=etch')
    const refusal = async (name: string): Promise<unknown> => {
      const answer = await get(`/events?equipment_id=${encodeURIComponent(name)}`, token)
      const { request_id: _, ...body } = answer.json()
      expect(answer.statusCode).toBe(400)
      return JSON.parse(JSON.stringify(body).replaceAll(name, 'NAME'))
    }
    expect(await refusal(await nameOf(outside))).toEqual(await refusal('nobody'))
    const own = await get(`/events?equipment_id=${encodeURIComponent(await nameOf(inside))}`, token)
    expect(own.body).toContain(inside)
  })

  test('deleted equipment is named by its last name where no other has it, not to a restricted caller', async () => {
    const name = encodeURIComponent(await nameOf(inside))
    await site.gateway.equipment.delete(inside)
    const gone = await get(`/events?equipment_id=${name}`, await site.tokenOf('viewer', null))
    expect(gone.json()).toEqual(
      (await get(`/events?equipment_id=${inside}`, await site.tokenOf('viewer', null))).json(),
    )
    expect(gone.body).toContain(inside)
    const restricted = await get(`/events?equipment_id=${name}`, await site.tokenOf('viewer', 'area=etch'))
    expect(restricted.statusCode).toBe(400)
    const { id } = await site.gateway.equipment.create({
      ...{ name: decodeURIComponent(name), ip_address: '127.0.0.1', port: 9 },
    })
    const now = await get(`/events?equipment_id=${name}`, await site.tokenOf('viewer', null))
    expect(now.body).not.toContain(inside)
    expect(id).not.toBe(inside)
  })
})
