import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ServedGateway } from '../support/served-gateway.js'

const gateway = new ServedGateway()
let app: FastifyInstance
let token: string

beforeAll(async () => {
  app = await gateway.app()
  token = await gateway.tokenOf('viewer')
})
afterAll(() => app.close())

const get = (path: string) =>
  app.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } })

test('text becomes the number, boolean or list that the contract names', async () => {
  const messages = vi.spyOn(gateway.messages, 'list')
  await get('/messages?limit=1000&stream=0&order=asc&equipment_id=eq_7&from=2026-01-31T08:00:00%2B02:00')
  expect(messages.mock.lastCall?.[0]).toEqual({
    limit: 1000,
    stream: 0,
    order: 'asc',
    equipment_id: ['eq_7'],
    from: '2026-01-31T08:00:00+02:00',
  })
  const send = vi.spyOn(gateway.equipment, 'connect')
  token = await gateway.tokenOf('operator')
  for (const wait of ['0.5', '1e1', '0.10036782398066611']) {
    const url = `/api/v1/equipment/eq_1/connect?wait=${wait}`
    await app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${token}` } })
    expect(send.mock.lastCall).toEqual(['eq_1', Number(wait)])
  }
  const alarms = vi.spyOn(gateway.alarms, 'list')
  await get('/alarms?active=true&acknowledged=false')
  expect(alarms.mock.lastCall?.[0]).toEqual({ active: true, acknowledged: false })
  await get('/alarms?alid=7&category=4&category=5&text=pump')
  expect(alarms.mock.lastCall?.[0]).toEqual({ alid: ['7'], category: [4, 5], text: 'pump' })
  const events = vi.spyOn(gateway.events, 'list')
  await get('/events?type=alarm')
  await get('/events?type=alarm&type=state')
  expect(events.mock.calls.map((call: readonly unknown[]) => call[0])).toEqual([
    { type: ['alarm'] },
    { type: ['alarm', 'state'] },
  ])
})

test.each([
  ['/messages?limit=0', 'limit', 'must be an integer from 1 to 1000'],
  ['/messages?limit=1001', 'limit', 'must be an integer from 1 to 1000'],
  ['/messages?limit=-1', 'limit', 'must be an integer from 1 to 1000'],
  ['/messages?limit=', 'limit', 'must be an integer from 1 to 1000'],
  ['/messages?limit=1e2', 'limit', 'must be an integer from 1 to 1000'],
  ['/messages?limit=0x10', 'limit', 'must be an integer from 1 to 1000'],
  ['/messages?limit=%205', 'limit', 'must be an integer from 1 to 1000'],
  ['/messages?limit=5&limit=6', 'limit', 'must be an integer from 1 to 1000'],
  ['/messages?order=up', 'order', 'must be one of asc, desc'],
  ['/messages?colour=red', 'colour', 'is not known here; known are limit, '],
  ['/messages?__proto__=1', '__proto__', 'is not known here; known are limit, '],
  ['/alarms?category=128', 'category', 'must be an integer from 0 to 127'],
  ['/alarms?text=', 'text', 'must have 1 to 256 characters'],
  ['/alarms?active=1', 'active', 'must be true or false'],
  ['/alarms?active=TRUE', 'active', 'must be true or false'],
  ['/events?type=noise', 'type', 'must be one of connection, alarm, state, message, gateway'],
  ['/events?from=yesterday', 'from', 'must be an RFC 3339 time with an offset'],
  ['/events?from=2026-01-31', 'from', 'must be an RFC 3339 time with an offset'],
  ['/events?from=2026-01-31T08:00:00', 'from', 'must be an RFC 3339 time with an offset'],
  ['/events?from=2026-02-30T08:00:00Z', 'from', 'must be an RFC 3339 time with an offset'],
  ['/events?from=2026-01-31T08:00:60Z', 'from', 'must be an RFC 3339 time with an offset'],
  ['/events?from=2026-01-31T24:00:00Z', 'from', 'must be an RFC 3339 time with an offset'],
  ['/events?from=2026-01-31T08:00:00+02:00', 'from', 'must be an RFC 3339 time with an offset'],
  ['/messages?label_selector=area%3Detch%20bay', 'label_selector', 'position 11: expected ",", found "bay"'],
  ['/alarms?label_selector=area%3Detch%20bay', 'label_selector', 'position 11: expected ",", found "bay"'],
  ['/events?label_selector=area%3Detch%20bay', 'label_selector', 'position 11: expected ",", found "bay"'],
  [
    '/events/stream?label_selector=area%3Detch%20bay',
    'label_selector',
    'position 11: expected ",", found "bay"',
  ],
  ['/messages?label_selector=', 'label_selector', 'must have 1 to 1024 characters'],
  ['/events/stream?after=x', 'after', 'must match ^[0-9]{1,15}$'],
  ['/equipment/eq_1?x=1', 'x', 'is not taken here'],
])('%s: %s %s', async (path, pointer, detail) => {
  expect((await get(path)).json()).toMatchObject({
    status: 400,
    code: 'invalid_request',
    errors: [{ pointer, detail: expect.stringContaining(detail) }],
  })
})

test.each([
  '2026-01-31T08:00:00Z',
  '2026-01-31t08:00:00z',
  '2024-02-29T23:59:59.123456789-12:30',
  '2016-12-31T23:59:60Z',
])('the time %s is taken', async (time) => {
  expect((await get(`/events?from=${encodeURIComponent(time)}`)).statusCode).toBe(200)
})

test.each([
  ['no text', ''],
  ['a word', 'nonsense'],
  ['600 characters', 'x'.repeat(600)],
])('a cursor of %s is refused as a cursor', async (_, cursor) => {
  const answer = await app.inject({
    url: `/api/v1/users?cursor=${cursor}`,
    headers: { authorization: `Bearer ${await gateway.tokenOf('admin')}` },
  })
  expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_cursor' })
})

test('NUL in the path or the query is refused before anything is recorded or looked for', async () => {
  const forbidden = vi.spyOn(gateway.audit, 'forbidden')
  const viewer = { authorization: `Bearer ${await gateway.tokenOf('viewer')}` }
  for (const [method, path] of [
    ['POST', '/equipment/%00/connect'],
    ['GET', '/messages?equipment_id=%00'],
    ['GET', '/messages/%00'],
    ['GET', '/audit?user=a%00'],
  ] as const) {
    const answer = await app.inject({ method, url: `/api/v1${path}`, headers: viewer })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().code).toBe('invalid_request')
  }
  expect(forbidden).not.toHaveBeenCalled()
})
