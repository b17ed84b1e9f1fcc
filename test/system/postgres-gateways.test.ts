import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/api/app.js'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { systemClock as clock, delay } from '../../src/kit/clock.js'
import { deferred } from '../../src/kit/deferred.js'
import { A, B, L, U4 } from '../../src/secs2/item.js'
import { StoreUnavailable } from '../../src/store/failure.js'
import { SITE_KEY } from '../../src/store/ownership.js'
import { Database } from '../../src/store/postgres/database.js'
import { openPostgresStore } from '../../src/store/postgres/open-postgres.js'
import type { Store } from '../../src/store/store.js'
import { DatabaseProxy } from '../../stress/cluster/cluster-proxy.js'
import { ADA, TIMERS } from '../support/live-gateway.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { LOOPBACK } from '../support/tcp.js'
import { openTestGateway } from '../support/test-gateway.js'
import { until } from '../support/until.js'
import { PostgresServer } from './postgres-server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

interface Running {
  readonly store: Store
  readonly gateway: Gateway
  readonly failed: () => Error | undefined
  close(): Promise<void>
}

/** A busy machine may keep this process from renewing them for some seconds; a new gateway gets nothing for as long. */
const LEASE_MS = 6000

async function open(url: string, nodeName: string): Promise<Running> {
  const store = await openPostgresStore({ url, nodeName, version: '1', leaseMs: LEASE_MS, checks: {}, clock })
  let failure: Error | undefined
  void store.failed.then((error) => {
    failure = error
  })
  const gateway = await openTestGateway({ store })
  await store.ownership.announce(`http://${nodeName}`)
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= gateway.close().then(() => store.close())
    return closing
  }
  onTestFinished(close)
  return { store, gateway, failed: () => failure, close }
}

/** Two gateways, and equipment that the first drives; the first is at the database through the proxy. */
async function two() {
  const url = await server.database()
  const proxy = await DatabaseProxy.start(server.port)
  onTestFinished(() => proxy.close())
  const direct = new URL(url)
  direct.port = String(proxy.port)
  const first = await open(String(direct), 'a')
  const tools = await Promise.all([1, 2, 3].map(() => ScriptedEquipment.listen()))
  const ids: string[] = []
  for (const [at, tool] of tools.entries()) {
    tool.reply = ({ function: fn }) => (fn === 1 ? { function: 2, item: L() } : undefined)
    const given = { name: `tool ${at}`, ip_address: LOOPBACK, port: tool.port, gem_startup: false }
    const { id } = await first.gateway.equipment.create({ ...given, timers: { ...TIMERS, t3: 2 } })
    await first.gateway.equipment.connect(id, 60)
    ids.push(id)
  }
  const second = await open(url, 'b')
  return { first, second, proxy, url, tools, ids }
}

const shown = async ({ gateway }: Running) =>
  (await gateway.equipment.list({ order: 'asc' })).items.map((one) => one.communication_state)
const communicating = (one: Running) =>
  until(async () => (await shown(one)).every((state) => state === 'COMMUNICATING'))
const messages = async ({ gateway }: Running) =>
  (await gateway.messages.list({ limit: 1000 })).items.map(({ id, outcome }) => `${id} ${outcome}`)

test('equipment goes to a gateway that is new, and all of it where one stops', async () => {
  const { first, second, url, tools, ids } = await two()
  // A fair share of three is two: the first gives one away.
  await until(() => ids.filter((id) => second.store.ownership.owns(id)).length === 1)
  await communicating(first)
  await communicating(second)
  for (const id of ids) {
    const [own, other] = first.store.ownership.owns(id) ? [first, second] : [second, first]
    const { result } = await own.gateway.messages.send(id, { stream: 1, function: 1 })
    expect(result.message.outcome).toBe('replied')
    await expect(other.gateway.messages.send(id, { stream: 1, function: 1 })).rejects.toMatchObject({
      name: 'NotOwner',
    })
  }
  await until(async () => String(await messages(first)) === String(await messages(second)))
  tools[0]?.send(5, 1, L(B(0x84), U4(7), A('Hot')))
  await until(async () => (await second.gateway.alarms.list({})).items.length === 1)
  const [id = ''] = ids
  const owner = first.store.ownership.owns(id) ? first : second
  await owner.gateway.shelving.shelve(id, '7', ADA, { for_seconds: 3600, reason: 'pump' })
  await first.close()
  await until(() => [SITE_KEY, ...ids].every((key) => second.store.ownership.owns(key)))
  await communicating(second)
  tools[0]?.send(5, 1, L(B(0x84), U4(7), A('Hot')))
  await until(async () => (await second.gateway.alarms.list({})).items[0]?.count === 2)
  // What is shelved is known to who takes the equipment, and to who starts.
  const third = await open(url, 'c')
  for (const { gateway } of [second, third]) {
    expect(gateway.shelving.list(id)).toMatchObject([{ alid: '7', reason: 'pump', by: ADA.email }])
    expect((await gateway.alarms.list({ shelved: true })).items).toMatchObject([{ alid: '7', count: 2 }])
  }
  expect([first.failed(), second.failed()]).toEqual([undefined, undefined])
})

test('an alarm that is acknowledged at two gateways at once is acknowledged once', async () => {
  const { first, second, tools } = await two()
  await communicating(second)
  const gateways = [first, second]
  const items = async ({ gateway }: Running) => (await gateway.alarms.list({ order: 'asc' })).items
  for (let alid = 1; alid <= 10; alid++) {
    tools[alid % 3]?.send(5, 1, L(B(0x84), U4(alid), A('Hot')))
    for (const one of gateways) await until(async () => (await items(one)).length === alid)
  }
  const ids = (await items(first)).map(({ id }) => id)
  const all = await Promise.all(
    ids.flatMap((id) =>
      Array.from({ length: 6 }, async (_, at) => {
        const { alarms } = (gateways[at % 2] ?? first).gateway
        return { id, comment: (await alarms.acknowledge(id, ADA, { comment: `c${at}` })).comment }
      }),
    ),
  )
  const together = await Promise.all(
    gateways.map(({ gateway }) => gateway.alarms.acknowledgeAll(ids, ADA, { comment: 'late' })),
  )
  expect(together.flat().filter(({ result }) => result === 'acknowledged')).toEqual([])
  const events = (await second.gateway.events.list({ type: ['alarm'], limit: 1000 })).items
  const recorded = events.filter(({ name }) => name === 'alarm_acknowledged')
  const commentOf = new Map(recorded.map(({ data }) => [data['alarm_id'], data['comment']]))
  expect(recorded).toHaveLength(ids.length)
  expect(all).toEqual(all.map(({ id }) => ({ id, comment: commentOf.get(id) })))
  expect([first.failed(), second.failed()]).toEqual([undefined, undefined])
})

test('equipment of a gateway that loses the database is driven by another, and comes back', async () => {
  const { first, second, proxy, tools, ids } = await two()
  // What is to be given to the second one is given: a tool that moves gets no S6F12.
  await until(() => ids.some((id) => second.store.ownership.owns(id)))
  await communicating(second)
  const key = ids.find((id) => first.store.ownership.owns(id)) ?? ''
  const tool = tools[ids.indexOf(key)]
  if (!tool) throw new Error('the first gateway drives none')
  const back = deferred<void>()
  const away = proxy.away(back.promise)
  const before = tool.received.length
  tool.send(6, 11, L(U4(1), U4(2), L()))
  await delay(clock, 300)
  expect(tool.received.length).toBe(before)
  await until(() => ids.every((id) => second.store.ownership.owns(id)))
  expect(ids.some((id) => first.store.ownership.owns(id))).toBe(false)
  await communicating(second)
  await until(() => !first.gateway.ready)
  tool.send(6, 11, L(U4(1), U4(2), L()))
  await until(() => tool.received.some((message) => message.stream === 6))
  back.resolve()
  await away
  await until(() => first.gateway.ready)
  await until(() => ids.some((id) => first.store.ownership.owns(id)))
  await communicating(first)
  await communicating(second)
  await until(async () => String(await messages(first)) === String(await messages(second)))
  expect([first.failed(), second.failed()]).toEqual([undefined, undefined])
})

test('a database that is away for a moment costs no owner, and nothing is acknowledged meanwhile', async () => {
  const { first, second, proxy, tools, ids } = await two()
  await communicating(second)
  const key = ids.find((id) => first.store.ownership.owns(id)) ?? ''
  const tool = tools[ids.indexOf(key)]
  if (!tool) throw new Error('the first gateway drives none')
  const back = proxy.away(400)
  tool.send(6, 11, L(U4(1), U4(2), L()))
  await delay(clock, 200)
  expect(tool.received.filter(({ stream }) => stream === 6)).toEqual([])
  await back
  await until(() => tool.received.some(({ stream }) => stream === 6))
  const { result } = await until(() =>
    first.gateway.messages.send(key, { stream: 1, function: 1 }).catch(() => undefined),
  )
  expect(result.message.outcome).toBe('replied')
  expect([first.failed(), second.failed()]).toEqual([undefined, undefined])
})

test('a message whose commit takes longer than its caller waits is not sent, and a repeat with its key sends it once', async () => {
  const { first, second, url, tools, ids } = await two()
  await until(() => ids.some((one) => second.store.ownership.owns(one)))
  await communicating(first)
  const id = ids.find((one) => first.store.ownership.owns(one)) ?? ''
  const tool = tools[ids.indexOf(id)]
  const locker = await new Database({ url, name: 'locker' }).connect()
  onTestFinished(() => locker.end())
  const { idempotency, messages } = first.gateway
  let isLocked = false
  const run = () =>
    idempotency.run('ada', 'key', 'S1F1', async (request) => {
      if (!isLocked) await locker.query(`BEGIN; SELECT FROM head WHERE journal = 'journal' FOR UPDATE`)
      isLocked = true
      const { result } = await messages.send(id, { stream: 1, function: 1 }, { request })
      return { status: 200, body: { outcome: String(result.message.outcome) } }
    })
  const before = tool?.received.length
  const later = delay(clock, 1000).then(() => messages.send(id, { stream: 1, function: 1 }))
  // None of them waits for the commit: it comes after their ends.
  const ends = await Promise.allSettled([run(), later])
  for (const end of ends) expect(end).toMatchObject({ reason: expect.any(StoreUnavailable) })
  await expect(run()).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  await delay(clock, 3000)
  await locker.query('COMMIT')
  const asked = { equipment_id: id, stream: 1, function: 1, direction: 'sent' } as const
  const outcomes = async ({ gateway }: Running) =>
    (await gateway.messages.list(asked)).items.map(({ outcome }) => outcome)
  for (const one of [first, second]) await until(async () => (await outcomes(one))[0] === 'not_sent')
  expect(tool?.received).toHaveLength(before ?? 0)
  await until(() => idempotency.keys.size === 0)
  // The first request ends a moment after its key is free.
  const inProgress = ({ code }: { code?: string }): undefined => {
    expect(code).toBe('idempotency_in_progress')
  }
  const repeated = await until(() => run().catch(inProgress))
  expect(repeated).toEqual({ status: 200, body: { outcome: 'replied' }, replayed: false })
  expect(await run()).toEqual({ status: 200, body: { outcome: 'replied' }, replayed: true })
  expect((await outcomes(first)).slice(0, 2)).toEqual(['replied', 'not_sent'])
  expect(first.failed()).toBeUndefined()
})

test('what one daemon has changed for a caller of another one is read there at once', async () => {
  const { first, second, ids } = await two()
  await until(() => ids.filter((id) => second.store.ownership.owns(id)).length === 1)
  const [one, other] = await Promise.all(
    [first, second].map(async ({ gateway, store }) => {
      const app = await buildApp(gateway, { clock, version: '1' })
      onTestFinished(() => app.close())
      await store.ownership.announce(await app.listen({ host: LOOPBACK, port: 0 }))
      return app
    }),
  )
  const { accounts } = first.gateway
  const password = 'correct horse battery'
  await accounts.create({ email: ADA.email, name: 'Ada', role: 'admin', password })
  const { token } = await accounts.login({ email: ADA.email, password }, LOOPBACK)
  const headers = { authorization: `Bearer ${token}` }
  const isReached = ({ store }: Running) =>
    store.ownership.nodes().every(({ url }) => url?.startsWith(`http://${LOOPBACK}:`))
  await until(() => [first, second].every(isReached))
  const wrong: unknown[] = []
  for (let n = 0; n < 40; n++) {
    const id = ids[n % ids.length] as string
    const app = first.store.ownership.owns(id) ? other : one
    const url = `/api/v1/equipment/${id}`
    const run = String(n)
    const changed = await app?.inject({ method: 'PUT', url, headers, payload: { labels: { run } } })
    expect(changed?.statusCode).toBe(200)
    const shown = await app?.inject({ method: 'GET', url, headers })
    if (shown?.json().labels.run !== run) wrong.push([n, shown?.json().labels])
  }
  expect(wrong).toEqual([])
  const [id = ''] = ids
  const app = first.store.ownership.owns(id) ? other : one
  const gone = await app?.inject({ method: 'DELETE', url: `/api/v1/equipment/${id}?force=true`, headers })
  expect(gone?.statusCode).toBe(204)
  const left = await app?.inject({ method: 'GET', url: '/api/v1/equipment', headers })
  expect(left?.json().items.map((item: { readonly id: string }) => item.id)).not.toContain(id)
})

test('what was added through one daemon is found through the other at once, and its token is taken', async () => {
  const { first, second } = await two()
  const [one, other] = await Promise.all(
    [first, second].map(async ({ gateway }) => {
      const app = await buildApp(gateway, { clock, version: '1' })
      onTestFinished(() => app.close())
      return app
    }),
  )
  const { accounts } = first.gateway
  const password = 'correct horse battery'
  await accounts.create({ email: ADA.email, name: 'Ada', role: 'admin', password })
  const { token } = await accounts.login({ email: ADA.email, password }, LOOPBACK)
  const call = async (
    at: typeof one,
    method: 'GET' | 'POST',
    path: string,
    key: string,
    payload?: object,
  ) => {
    const headers = { authorization: `Bearer ${key}` }
    const reply = await at?.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) })
    return { status: reply?.statusCode, body: reply?.json() as { readonly id: string; readonly key: string } }
  }
  const statuses: unknown[] = []
  for (let n = 0; n < 40; n++) {
    const tool = { name: `new ${n}`, ip_address: LOOPBACK, port: 5000 + n, mode: 'passive', device_id: 0 }
    const added = await call(one, 'POST', '/equipment', token, tool)
    const found = await Promise.all([
      call(other, 'GET', `/equipment/new%20${n}`, token),
      call(other, 'GET', `/equipment/${added.body.id}`, token),
    ])
    const made = await call(one, 'POST', '/keys', token, { name: `k${n}`, role: 'viewer', expires_at: null })
    const asked = await Promise.all([
      call(other, 'GET', `/keys/${made.body.id}`, token),
      call(other, 'GET', '/equipment', made.body.key),
    ])
    statuses.push([added, ...found, made, ...asked].map(({ status }) => status).join(' '))
  }
  expect(statuses).toEqual(statuses.map(() => '201 200 200 201 200 200'))
  const wrong = `secsctl_${'a'.repeat(10)}_${'0'.repeat(64)}`
  expect((await call(other, 'GET', '/equipment/nothing', token)).status).toBe(404)
  expect((await call(other, 'GET', '/equipment', wrong)).status).toBe(401)
  expect([first.failed(), second.failed()]).toEqual([undefined, undefined])
})
