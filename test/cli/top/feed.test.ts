import { afterEach, expect, test } from 'vitest'
import { Feed, type Watched } from '../../../src/cli/top/feed.js'
import type { News } from '../../../src/cli/top/top-state.js'
import { GatewayClient } from '../../../src/client/client.js'
import { type FakeAnswer, FakeGateway, problem } from '../../support/fake-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { sampleEquipment } from '../../support/sample-equipment.js'
import { alarmOf, etcher, trafficOf } from './top-samples.js'

const page = (...items: unknown[]): FakeAnswer => ({ body: { items, next_cursor: null } })
const EXPIRED = { status: 401, body: problem(401, 'token_expired', 'The token has expired.') }
const many = Array.from({ length: 100 }, (_, at) => sampleEquipment({ id: `eq_${at}`, name: `tool ${at}` }))

const counts = (equipment_id: string, active: number, unacknowledged: number) => ({
  ...{ equipment_id, equipment_name: null, active, unacknowledged, worst: null },
})

let gateway: FakeGateway
let news: News[]
let clock: ManualClock
let renewals: number

afterEach(() => gateway.close())

/** A feed over a gateway that answers so, which wants the token `fresh`. */
async function feedOver(
  routes: ConstructorParameters<typeof FakeGateway>[0],
  opened?: string,
  watched?: Watched,
): Promise<Feed> {
  gateway = new FakeGateway(routes)
  news = []
  clock = new ManualClock()
  renewals = 0
  const url = await gateway.listen()
  return new Feed({
    watched,
    client: new GatewayClient({ url, token: 'old' }),
    renew: async () => {
      renewals += 1
      return new GatewayClient({ url, token: 'fresh' })
    },
    clock,
    interval: 1000,
    report: (one) => void news.push(one),
    shown: () => ({ onScreen: ['eq_50'], opened }),
  })
}

const ROUTES = {
  'GET /equipment': () => page(...many),
  'GET /events': () => page(),
  'GET /alarms/summary': () => ({ body: { as_of: '9', items: [counts(etcher.id, 2, 3)], incomplete: [] } }),
  'GET /alarms': ({ query }: { readonly query: URLSearchParams }) =>
    query.get('active') === 'true'
      ? page(alarmOf({ id: '8', acknowledged: true }), alarmOf())
      : page(alarmOf(), alarmOf({ id: '3', active: false })),
  ...Object.fromEntries(
    many.map(({ id }) => [`GET /equipment/${id}/traffic`, () => ({ body: trafficOf(1, 1) })]),
  ),
}
const asked = (): string[] => news.flatMap((one) => (one.kind === 'traffic' ? [one.id] : []))

/** The last report of the equipment and the open alarms. */
const site = () => news.findLast((one) => one.kind === 'site')

test('an alarm is open when it is active or nobody has acknowledged it, and told once, the newest first', async () => {
  await (await feedOver(ROUTES)).load()
  expect(site()?.alarms?.map(({ id }) => id)).toEqual(['8', '7', '3'])
})

test('alarms are counted by the gateway, and listed: the newest of all, or all of what is open', async () => {
  const feed = await feedOver(
    {
      ...ROUTES,
      'GET /equipment': () => page(etcher, sampleEquipment({ id: 'eq_50' })),
      'GET /messages': () => page(),
      [`GET /equipment/${etcher.id}/traffic`]: () => ({ body: trafficOf(1, 1) }),
    },
    etcher.id,
  )
  await feed.load()
  expect(site()?.counts.get(etcher.id)).toMatchObject({ active: 2, unacknowledged: 3 })
  await feed.readTraffic()
  const lists = gateway.calls.filter(({ path }) => path === '/alarms').map(({ query }) => query)
  expect(lists.map((query) => [query.get('equipment_id'), query.get('limit')])).toEqual([
    ...[null, null].map((id) => [id, '200']),
    ...[etcher.id, etcher.id].map((id) => [id, '1000']),
  ])
})

test('each look reads the traffic of what is on the screen and of some that is not, until all were read', async () => {
  const feed = await feedOver(ROUTES)
  await feed.load()
  await feed.readTraffic()
  expect(asked()).toContain('eq_50')
  expect(asked()).toHaveLength(21)
  for (let look = 1; look < 5; look++) await feed.readTraffic()
  expect(new Set(asked()).size).toBe(100)
})

test('what is open has its messages read, and what was removed goes', async () => {
  const feed = await feedOver(
    {
      ...ROUTES,
      'GET /equipment': () => page(etcher, sampleEquipment({ id: 'eq_50' })),
      'GET /messages': () => page(),
      [`GET /equipment/${etcher.id}/traffic`]: () => ({ body: trafficOf(1, 1) }),
      'GET /equipment/eq_50/traffic': () => ({
        status: 404,
        body: problem(404, 'equipment_not_found', 'There is no eq_50.'),
      }),
    },
    etcher.id,
  )
  await feed.load()
  await feed.readTraffic()
  expect(news).toContainEqual({ kind: 'messages', id: etcher.id, messages: [] })
  clock.advance(50)
  expect([...(site()?.equipment.keys() ?? [])]).toEqual([etcher.id])
})

test('an alarm is acknowledged, and shown as the gateway answered', async () => {
  const done = alarmOf({ acknowledged: true, acknowledged_by: 'ann' })
  const feed = await feedOver({ ...ROUTES, 'POST /alarms/7/acknowledge': () => ({ body: done }) })
  await feed.load()
  await feed.acknowledge(alarmOf())
  expect(site()?.alarms).toContainEqual(done)
})

test('a token that has ended is exchanged, and the call is made again', async () => {
  const feed = await feedOver({
    ...ROUTES,
    'GET /messages': ({ headers }) => (headers['authorization'] === 'Bearer fresh' ? page() : EXPIRED),
  })
  await feed.readOpened('eq_1')
  expect(renewals).toBe(1)
  expect(news).toEqual([{ kind: 'messages', id: 'eq_1', messages: [] }])
})

test('a gateway that refuses ends it', async () => {
  const feed = await feedOver({
    'GET /equipment': () => ({ status: 403, body: problem(403, 'forbidden', 'No.') }),
  })
  await expect(feed.run(new AbortController().signal)).rejects.toMatchObject({
    code: expect.stringMatching(/forbidden|not_found/),
  })
})

test('of the equipment that is watched alone are alarms, events and traffic shown', async () => {
  const routes = {
    ...ROUTES,
    'GET /alarms': () =>
      page(alarmOf({ id: '1', equipment_id: 'eq_3' }), alarmOf({ id: '2', equipment_id: 'eq_4' })),
    'GET /events': () => page({ id: '5', equipment_id: 'eq_4' }, { id: '6', equipment_id: 'eq_3' }),
  }
  const among = () => many.filter(({ id }) => id === 'eq_3')
  const feed = await feedOver(routes, undefined, { among })
  await feed.load()
  await feed.readTraffic()
  expect([...(site()?.equipment.keys() ?? [])]).toEqual(['eq_3'])
  expect(site()?.alarms).toMatchObject([{ id: '1' }])
  expect(news.find(({ kind }) => kind === 'past_events')).toMatchObject({ events: [{ id: '6' }] })
  expect(new Set(asked())).toEqual(new Set(['eq_50', 'eq_3']))
})

test('a selector is a matter of the gateway', async () => {
  const watched: Watched = { label_selector: 'area=etch', among: (all) => all }
  await (await feedOver(ROUTES, undefined, watched)).load()
  expect(gateway.calls.map(({ path, query }) => [path, query.get('label_selector')])).toEqual([
    ['/equipment', 'area=etch'],
    ['/events', 'area=etch'],
    ['/sinks', null],
    ['/alarms/summary', 'area=etch'],
    ['/alarms', 'area=etch'],
    ['/alarms', 'area=etch'],
  ])
})

test('a gateway in standby, which counts no traffic, has the rest shown', async () => {
  const feed = await feedOver({
    ...ROUTES,
    ...Object.fromEntries(
      many.map(({ id }) => [
        `GET /equipment/${id}/traffic`,
        () => ({ status: 409, body: problem(409, 'standby', 'This gateway is in standby.') }),
      ]),
    ),
  })
  await feed.load()
  await feed.readTraffic()
  expect(asked()).toEqual([])
  expect(site()?.equipment.size).toBe(100)
})
