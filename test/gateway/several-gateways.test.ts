import { describe, expect, onTestFinished, test } from 'vitest'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { NO_REPORTS } from '../../src/gateway/services/reports/report-setup.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { deferred } from '../../src/kit/deferred.js'
import { A, B, L, U4 } from '../../src/secs2/item.js'
import type { Entry } from '../../src/store/entry.js'
import { Unsettled } from '../../src/store/failure.js'
import { SITE_KEY } from '../../src/store/ownership.js'
import { ADA, startSimulator, TIMERS } from '../support/live-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { LOOPBACK } from '../support/tcp.js'
import { openTestGateway } from '../support/test-gateway.js'
import { turns, until, untilLater } from '../support/until.js'
import { type SharedNode, SharedStore } from './shared-store.js'
import { WebhookServer } from './sinks/webhook-server.js'

interface Running {
  readonly node: SharedNode
  readonly gateway: Gateway
}

async function open(store: SharedStore, name: string, clock: Clock = systemClock): Promise<Running> {
  const node = store.node(name)
  const gateway = await openTestGateway({ store: node, clock })
  onTestFinished(async () => {
    node.comeBack()
    await gateway.close()
  })
  return { node, gateway }
}

/** `clock`: of the second one. */
const openSeveral = async (names: readonly string[], clock: Clock = systemClock) => {
  const store = new SharedStore()
  const running: Running[] = []
  for (const [at, name] of names.entries())
    running.push(await open(store, name, at === 1 ? clock : systemClock))
  const [first, second] = running
  if (!first || !second) throw new Error('two at least')
  return { store, first, second, third: running[2] ?? second }
}

const toolAt = (port: number) => ({
  name: 'etcher',
  ip_address: LOOPBACK,
  port,
  gem_startup: false,
  timers: TIMERS,
})

/** Two gateways, and an equipment that the first one drives. */
async function driven({
  names = ['one', 'two'],
  clock = systemClock,
}: {
  readonly names?: readonly string[]
  readonly clock?: Clock
} = {}) {
  const several = await openSeveral(names, clock)
  const tool = await ScriptedEquipment.listen()
  const { id } = await several.first.gateway.equipment.create(toolAt(tool.port))
  const ready = await several.first.gateway.equipment.connect(id, 30)
  expect(ready.communication_state).toBe('COMMUNICATING')
  await until(() => several.second.gateway.equipment.isRegistered(id))
  return { ...several, tool, id }
}

const communicates = (gateway: Gateway, id: string) =>
  until(async () => (await gateway.equipment.get(id)).communication_state === 'COMMUNICATING')

describe('equipment of another gateway', () => {
  test('is shown with its record and the state that its owner published', async () => {
    const { first, second, id } = await driven()
    await communicates(second.gateway, id)
    const there = await first.gateway.equipment.get(id)
    await until(async () => JSON.stringify(await second.gateway.equipment.get(id)) === JSON.stringify(there))
    await first.gateway.equipment.update(id, { name: 'coater', labels: { bay: '4' } })
    await until(async () => (await second.gateway.equipment.get(id)).name === 'coater')
    expect(second.gateway.equipment.labels.of(id)).toEqual({ bay: '4' })
    await first.gateway.equipment.lock(id, ADA, { for_seconds: 60, reason: 'maintenance' })
    await until(async () => (await second.gateway.equipment.get(id)).lock?.by === ADA.email)
    await first.gateway.equipment.disconnect(id)
    await until(async () => (await second.gateway.equipment.get(id)).connection_state === 'NOT_CONNECTED')
    await first.gateway.equipment.delete(id)
    await until(() => !second.gateway.equipment.isRegistered(id))
    await expect(second.gateway.equipment.get(id)).rejects.toMatchObject({ code: 'equipment_not_found' })
  })

  test('has event reports whose state is known here', async () => {
    const { first, second, id } = await driven()
    const reports = { definition: { reports: [], events: [] }, setup: NO_REPORTS, applied_by: ADA.email }
    await first.gateway.reports.accepted({ id, ...reports }, 'applied')
    const record = await until(() => second.gateway.reports.get(id))
    expect(second.gateway.reports.reportsState(record).state).toBe('unknown')
    await until(() => second.gateway.reports.reportsState(record).state === 'present')
  })

  test('is delivered by a sink that is run elsewhere, and chooses it by its name', async () => {
    const { first, second, id } = await driven()
    const target = await WebhookServer.listen()
    for (const gateway of [first.gateway, second.gateway]) {
      // One of them runs it.
      const sink = { name: 'mes', webhook: { url: target.url }, equipment: ['etch*'] }
      const { id: sinkId } = await gateway.sinks.create(sink)
      await gateway.sinks.begin()
      target.calls.length = 0
      await first.gateway.equipment.disconnect(id)
      await until(() => target.messages.some(({ data }) => data['name'] === 'disconnected'))
      await first.gateway.equipment.connect(id, 30)
      await gateway.sinks.end()
      await gateway.sinks.remove(sinkId)
    }
  })

  test('is neither connected nor changed here', async () => {
    const { second, tool, id } = await driven()
    const { equipment, messages, traffic } = second.gateway
    const refused = { name: 'NotOwner' }
    await expect(equipment.connect(id, 1)).rejects.toMatchObject(refused)
    await expect(equipment.update(id, { name: 'x' })).rejects.toMatchObject(refused)
    await expect(equipment.delete(id)).rejects.toMatchObject(refused)
    await expect(messages.send(id, { stream: 1, function: 1 })).rejects.toMatchObject(refused)
    await expect(traffic.of(id)).rejects.toMatchObject(refused)
    expect(await traffic.all()).toEqual([])
    expect(tool.connections).toBe(1)
  })

  test('has its name and its address for itself', async () => {
    const { first, second, id } = await driven()
    const given = { ...toolAt(5000), mode: 'active' as const }
    await expect(second.gateway.equipment.create(given)).rejects.toMatchObject({
      code: 'equipment_name_taken',
    })
    const both = await Promise.allSettled(
      [first, second].map(({ gateway }) => gateway.equipment.create({ ...given, name: 'coater' })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await first.gateway.equipment.list({})).items).toHaveLength(2)
    expect((await first.gateway.equipment.get(id)).name).toBe('etcher')
  })
})

test.each([-2, 2])(
  'a lock holds at each gateway, and stays at a takeover, whose wall clocks differ by %i h',
  async (hours) => {
    const store = new SharedStore()
    const away = { ...systemClock, date: () => new Date(Date.now() + hours * 3_600_000) }
    const first = await open(store, 'one', away)
    const second = await open(store, 'two')
    const { id } = await first.gateway.equipment.create(toolAt(5000))
    await until(() => second.gateway.equipment.isRegistered(id))
    await first.gateway.equipment.lock(id, ADA, { for_seconds: 600, reason: 'pump' })
    await until(async () => (await second.gateway.equipment.get(id)).lock !== null)
    const refused = { code: 'equipment_locked' }
    const other = { id: 'usr_bob' }
    expect(() => second.gateway.equipment.refuseLocked(id, other)).toThrow(expect.objectContaining(refused))
    await store.move(id, second.node)
    expect(() => second.gateway.equipment.refuseLocked(id, other)).toThrow(expect.objectContaining(refused))
  },
)

describe('equipment that goes to another gateway', () => {
  test('in order is connected there, and what was open is lost', async () => {
    const { store, first, second, tool, id } = await driven()
    const sending = first.gateway.messages.send(id, { stream: 1, function: 1 }).catch((error) => error)
    await tool.next()
    await store.move(id, second.node)
    expect(await sending).toMatchObject({ code: 'connection_lost' })
    await communicates(second.gateway, id)
    await until(() => tool.separated)
    await until(async () => (await first.gateway.equipment.get(id)).communication_state === 'COMMUNICATING')
    for (const { gateway } of [first, second]) {
      const { items } = await gateway.messages.list({ direction: 'sent', function: 1 })
      expect(items).toMatchObject([{ outcome: 'lost' }])
    }
    tool.reply = ({ function: fn }) => (fn === 1 ? { function: 2, item: L() } : undefined)
    const { result } = await second.gateway.messages.send(id, { stream: 1, function: 1 })
    expect(result.message.outcome).toBe('replied')
    await store.move(id, first.node)
    await communicates(first.gateway, id)
    expect((await first.gateway.messages.send(id, { stream: 1, function: 1 })).result.message.outcome).toBe(
      'replied',
    )
  })

  test('with a record that its owner changed is connected by it', async () => {
    const { store, first, second, id } = await driven()
    const moved = await ScriptedEquipment.listen()
    await first.gateway.equipment.disconnect(id)
    await first.gateway.equipment.update(id, { port: moved.port })
    await first.gateway.equipment.connect(id, 30)
    await store.move(id, second.node)
    await communicates(second.gateway, id)
    expect(moved.connections).toBe(2)
  })

  test('is not changed by its new owner before that knows what the one before has written', async () => {
    const clock = new ManualClock()
    const { store, second, id } = await driven({ clock })
    const { tell } = store.expire(id)
    store.owners.set(id, second.node)
    const { equipment } = second.gateway
    const changes = [equipment.update(id, { name: 'x' }), equipment.disconnect(id), equipment.delete(id)]
    let results: readonly PromiseSettledResult<unknown>[] | undefined
    void Promise.allSettled<unknown>(changes).then((settled) => {
      results = settled
    })
    for (const result of await untilLater(clock, () => results, 100))
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'NotOwner' } })
    const waiting = equipment.update(id, { name: 'coater' })
    await tell()
    await store.take(id, second.node)
    expect((await waiting).name).toBe('coater')
  })

  test('is not acknowledged by the one that does not know yet, and nothing ends', async () => {
    const { store, first, second, tool, id } = await driven()
    const { tell } = store.expire(id)
    store.owners.set(id, second.node)
    const before = tool.received.length
    tool.send(6, 11, L(U4(1), U4(2), L()))
    await tool.linktest()
    await turns()
    expect(tool.received).toHaveLength(before)
    await expect(first.gateway.messages.send(id, { stream: 1, function: 1 })).rejects.toMatchObject({
      name: 'NotOwner',
    })
    await tell()
    await until(() => tool.separated)
    await store.take(id, second.node)
    await communicates(second.gateway, id)
    tool.send(6, 11, L(U4(1), U4(2), L()))
    await until(() => tool.received.some((message) => message.stream === 6 && message.function === 12))
    expect((await second.gateway.messages.list({ stream: 6, function: 11 })).items).toHaveLength(1)
    expect(first.gateway.ready).toBe(true)
  })

  test('that answered while the lease ended has an unknown outcome for its caller', async () => {
    const { store, first, second, tool, id } = await driven()
    const sending = first.gateway.messages.send(id, { stream: 1, function: 1 }).catch((error) => error)
    const primary = await tool.next()
    const { tell } = store.expire(id)
    store.owners.set(id, second.node)
    tool.answer(primary, { function: 2, item: L() })
    expect(await sending).toMatchObject({
      code: 'connection_lost',
      extra: { message_id: expect.any(String) },
    })
    await tell()
    await store.take(id, second.node)
    const { items } = await second.gateway.messages.list({ direction: 'sent', function: 1 })
    expect(items).toMatchObject([{ outcome: 'lost' }])
  })

  test('while the first does not know what the database has taken of it: what was not sent is said to be so in the end', async () => {
    const { store, first, second, tool, id } = await driven()
    tool.reply = ({ function: fn }) => (fn === 1 ? { function: 2, item: L() } : undefined)
    const came = tool.received.length
    const { journal } = first.node
    const [appendAll, answer] = [journal.appendAll.bind(journal), deferred<readonly Entry[]>()]
    journal.appendAll = async (entries) => {
      if (!entries.some(({ name }) => name === 'message_sent')) return appendAll(entries)
      // Later appends wait until it is known what became of this one.
      journal.appendAll = (later) => answer.promise.then(() => appendAll(later))
      const made = await appendAll(entries)
      throw new Unsettled(
        new Error('slow'),
        answer.promise.then(() => made),
      )
    }
    const send = ({ gateway }: Running) =>
      gateway.idempotency
        .run('ada', 'key', 'content', async (request) => {
          await gateway.messages.send(id, { stream: 1, function: 1 }, { request })
          return { status: 200, body: null }
        })
        .then(({ status }) => status)
        .catch((error) => error.code ?? error.name)
    const outcomes = async ({ gateway }: Running) => {
      const { items } = await gateway.messages.list({ direction: 'sent', function: 1 })
      return items.map(({ outcome }) => outcome)
    }
    expect(await send(first)).toBe('Unsettled')
    // It hangs with all that it asks the database, so that its leases end.
    first.node.isAlive = false
    const { tell } = store.expire(id)
    await store.take(id, second.node)
    await tell()
    await communicates(second.gateway, id)
    expect([await send(second), await outcomes(second)]).toEqual(['outcome_unknown', ['lost']])
    answer.resolve([])
    await until(async () => (await outcomes(second))[0] === 'not_sent')
    await until(async () => (await send(second)) === 200)
    for (const one of [first, second])
      await until(async () => (await outcomes(one)).join() === 'replied,not_sent')
    expect(
      tool.received.slice(came).filter(({ stream, function: fn }) => stream === 1 && fn === 1),
    ).toHaveLength(1)
  })

  test('and back before the first has noticed is connected once', async () => {
    const { store, first, tool, id } = await driven()
    const { tell } = store.expire(id)
    const told = tell()
    await Promise.all([told, store.take(id, first.node)])
    await communicates(first.gateway, id)
    await until(() => tool.connections === 2)
    tool.reply = () => ({ function: 2, item: L() })
    const { result } = await first.gateway.messages.send(id, { stream: 1, function: 1 })
    expect(result.message.outcome).toBe('replied')
    await store.move(id, first.node)
    await communicates(first.gateway, id)
    expect(tool.connections).toBe(3)
  })

  test('that does not reach the store is connected when it does', async () => {
    const { store, second, id } = await driven()
    await store.expire(id).tell()
    second.node.leave()
    const taken = store.take(id, second.node)
    await turns()
    expect((await second.gateway.equipment.get(id)).connection_state).toBe('NOT_CONNECTED')
    second.node.comeBack()
    await taken
    await communicates(second.gateway, id)
  })

  test('that loses it while it takes it starts nothing', async () => {
    const { store, second, tool, id } = await driven()
    await store.expire(id).tell()
    second.node.leave()
    const taken = store.take(id, second.node)
    await store.expire(id).tell()
    second.node.comeBack()
    await taken
    expect(tool.connections).toBe(1)
    expect((await second.gateway.equipment.get(id)).connection_state).toBe('NOT_CONNECTED')
  })

  test('keeps its alarms', async () => {
    const { store, first, second, tool, id } = await driven()
    const alarm = (alcd: number) => tool.send(5, 1, L(B(alcd), U4(7), A('Hot')))
    const shown = async ({ gateway }: Running) => (await gateway.alarms.list({})).items
    alarm(0x84)
    await until(async () => (await shown(second)).length === 1)
    const [{ id: alarmId = '' } = {}] = await shown(second)
    await second.gateway.alarms.acknowledge(alarmId, ADA, { comment: 'seen' })
    await until(async () => (await shown(first))[0]?.comment === 'seen')
    await store.move(id, second.node)
    await communicates(second.gateway, id)
    alarm(0x84)
    await until(async () => (await shown(second))[0]?.count === 2)
    await store.move(id, first.node)
    await communicates(first.gateway, id)
    alarm(4)
    await until(async () => (await shown(second))[0]?.active === false)
    expect(await shown(first)).toMatchObject([{ id: alarmId, count: 2, active: false }])
    expect(await shown(second)).toMatchObject([{ id: alarmId, count: 2, active: false }])
  })
})

test('an alarm that is acknowledged at several gateways at once is acknowledged once', async () => {
  const { first, second, third, tool } = await driven({ names: ['one', 'two', 'three'] })
  tool.send(5, 1, L(B(0x84), U4(7), A('Hot')))
  const gateways = [first, second, third]
  const shown = async ({ gateway }: Running) => (await gateway.alarms.list({})).items[0]
  for (const one of gateways) await until(async () => (await shown(one)) !== undefined)
  const { id = '' } = (await shown(first)) ?? {}
  const all = await Promise.all(
    Array.from({ length: 9 }, (_, at) =>
      (gateways[at % 3] ?? first).gateway.alarms.acknowledge(id, ADA, { comment: `c${at}` }),
    ),
  )
  const { items } = await third.gateway.events.list({ type: ['alarm'] })
  const events = items.filter(({ name }) => name === 'alarm_acknowledged')
  expect(events).toHaveLength(1)
  expect(new Set(all.map(({ comment }) => comment))).toEqual(new Set([events[0]?.data['comment']]))
})

describe('the duties for all', () => {
  test('go with their key: each call is in the audit once', async () => {
    const { store, first, second, tool, id } = await driven()
    tool.reply = () => ({ function: 2, item: L() })
    const call = { action: 'send', equipment_id: id, user: ADA.email, api_key: null, address: null }
    const send = async ({ gateway }: Running): Promise<void> => {
      const sent = gateway.audit.sending({ ...call, request_id: null, reason: null, details: {} })
      await gateway.messages.send(id, { stream: 1, function: 1 }, { call: sent })
    }
    await send(first)
    await store.move(SITE_KEY, second.node)
    await send(first)
    await send(first)
    await store.move(SITE_KEY, first.node)
    await send(first)
    for (const { gateway } of [first, second]) {
      await until(async () => (await gateway.audit.list({})).items.length >= 4)
    }
    await turns()
    expect((await second.gateway.audit.list({})).items).toHaveLength(4)
  })

  test('include the alarms of equipment whose deletion was cut off', async () => {
    const { store, first, second, tool, id } = await driven()
    tool.send(5, 1, L(B(0x84), U4(7), A('Hot')))
    await until(async () => (await second.gateway.alarms.list({})).items.length === 1)
    await store.expire(id).tell()
    store.records('equipment').byId.delete(id)
    await store.move(SITE_KEY, second.node)
    await until(async () => (await first.gateway.alarms.list({})).items[0]?.active === false)
  })
})

test('a store that was away for a while is used again without a restart', async () => {
  const { first, second, tool, id } = await driven()
  first.node.leave()
  expect(first.gateway.ready).toBe(false)
  tool.send(5, 1, L(B(0x84), U4(7), A('Hot')))
  await tool.linktest()
  await expect(first.gateway.messages.send(id, { stream: 1, function: 1 })).rejects.toMatchObject({
    name: 'StoreUnavailable',
  })
  expect(tool.received).toEqual([])
  first.node.comeBack()
  expect(first.gateway.ready).toBe(true)
  for (const alcd of [0x84, 0x84, 4]) tool.send(5, 1, L(B(alcd), U4(7), A('Hot')))
  await until(() => tool.received.filter((message) => message.function === 2).length === 3)
  await until(async () => (await second.gateway.alarms.list({})).items[0]?.active === false)
  expect((await second.gateway.alarms.list({})).items).toMatchObject([{ count: 2 }])
})

test('a transaction that ended while the store was away has its end when it is back', async () => {
  const { first, second, tool, id } = await driven()
  const sending = first.gateway.messages.send(id, { stream: 1, function: 1 }).catch((error) => error)
  const primary = await tool.next()
  first.node.leave()
  tool.answer(primary, { function: 2, item: L() })
  expect(await sending).toMatchObject({ name: 'StoreUnavailable' })
  first.node.comeBack()
  tool.send(6, 11, L(U4(1), U4(2), L()))
  await until(async () => {
    const { items } = await second.gateway.messages.list({ direction: 'sent', function: 1 })
    return items[0]?.outcome === 'lost'
  })
})

test('three gateways share simulated equipment, and take over what one of them leaves', async () => {
  const { store, first, second, third } = await openSeveral(['one', 'two', 'three'])
  const ids: string[] = []
  for (const [at, { gateway }] of [first, second, third].entries()) {
    const { port } = await startSimulator()
    const { id } = await gateway.equipment.create({ ...toolAt(port), name: `tool ${at}` })
    await gateway.equipment.connect(id, 30)
    ids.push(id)
  }
  const states = async ({ gateway }: Running) =>
    (await gateway.equipment.list({ order: 'asc' })).items.map((one) => one.communication_state)
  const all = ['COMMUNICATING', 'COMMUNICATING', 'COMMUNICATING']
  for (const one of [first, second, third]) {
    await until(async () => JSON.stringify(await states(one)) === JSON.stringify(all))
  }
  await first.gateway.close()
  for (const key of [SITE_KEY, ids[0] ?? '']) await store.take(key, third.node)
  await communicates(third.gateway, ids[0] ?? '')
  const { result } = await third.gateway.messages.send(ids[0] ?? '', { stream: 1, function: 1 })
  expect(result.message.outcome).toBe('replied')
  await until(async () => JSON.stringify(await states(second)) === JSON.stringify(all))
  const events = async ({ gateway }: Running) =>
    JSON.stringify((await gateway.events.list({ limit: 1000 })).items)
  await until(async () => (await events(second)) === (await events(third)))
})

test.each([-2, 2])(
  'a shelved alarm is shelved at each gateway, and ends at the one that has the equipment, whose wall clocks differ by %i h',
  async (hours) => {
    const store = new SharedStore()
    const clock = new ManualClock()
    const away: Clock = {
      now: () => clock.now(),
      at: (at, run) => clock.at(at, run),
      date: () => new Date(clock.date().getTime() + hours * 3_600_000),
    }
    const first = await open(store, 'one', away)
    const second = await open(store, 'two', clock)
    const { id } = await first.gateway.equipment.create(toolAt(5000))
    await until(() => second.gateway.equipment.isRegistered(id))
    await first.gateway.shelving.shelve(id, '7', ADA, { for_seconds: 60, reason: 'pump' })
    await until(() => second.gateway.shelving.list(undefined).length === 1)
    expect(second.gateway.shelving.list(id)).toMatchObject([{ alid: '7', reason: 'pump', by: ADA.email }])
    await store.move(id, second.node)
    const ends = async () => (await second.gateway.events.list({ name: ['alarm_unshelved'] })).items
    await untilLater(clock, async () => (await ends()).length > 0, 1000)
    expect(await ends()).toMatchObject([{ data: { alid: '7', cause: 'ended' } }])
    expect(second.gateway.shelving.list(id)).toEqual([])
  },
)
