import { expect, test } from 'vitest'
import type { Equipment } from '../../../src/contract/equipment.js'
import type { SinkChange } from '../../../src/contract/topics/sinks/sink.js'
import { EquipmentIdentities } from '../../../src/gateway/equipment/equipment-identities.js'
import { IDENTITY } from '../../../src/gateway/records/journal-kinds.js'
import type { Broker, Publication } from '../../../src/gateway/sinks/kinds/mqtt/broker.js'
import { RetainedStates } from '../../../src/gateway/sinks/kinds/mqtt/retained-states.js'
import type { JsonObject } from '../../../src/kit/text/json.js'
import { StoreUnavailable } from '../../../src/store/failure.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'
import { entryOf } from './open-sinks.js'
import { SmallBroker } from './small-broker.js'
import { WebhookServer } from './webhook-server.js'

const ME = { id: 'usr_me' }

const numbersOf = ({ messages }: WebhookServer): number[] => [
  ...new Set(messages.map(({ data }) => (data['data'] as { readonly n: number }).n).filter(Boolean)),
]

/** A gateway with one equipment and a sink that is paused: its target is away. */
async function opened(filter: SinkChange) {
  const live = await LiveGateway.open({ hasMadeUpEvents: true })
  const server = await WebhookServer.listen()
  const { id } = await live.add({ port: 5000, name: 'etch-1', labels: { area: 'etch' } })
  const sink = await live.gateway.sinks.create({ name: 'mes', webhook: { url: server.url }, ...filter })
  await live.gateway.sinks.pause(sink.id)
  let n = 0
  const happen = () => live.journal.append(entryOf(id, ++n))
  /** What arrives once the target is there again, after a restart. */
  const arrived = async () => {
    await live.reopen()
    await live.gateway.sinks.resume(sink.id)
    await until(async () => (await live.gateway.sinks.get(sink.id)).lag_entries === 0)
    return numbersOf(server)
  }
  return { live, id, happen, arrived }
}

test.each([
  [{ equipment: ['etch-*'] }, { name: 'litho-1' }],
  [{ equipment: ['etch-1'] }, { name: 'litho-1' }],
  [{ label_selector: 'area=etch' }, { labels: { area: 'litho' } }],
  [{ label_selector: 'area=etch', equipment: ['etch-1'] }, { labels: { area: 'none' } }],
])('a sink with %j gets what happened before %j, and nothing of later', async (filter, change) => {
  const { live, id, happen, arrived } = await opened(filter)
  await happen()
  await live.gateway.equipment.update(id, change)
  await happen()
  await live.gateway.equipment.update(id, { name: 'etch-1', labels: { area: 'etch' } })
  await happen()
  expect(await arrived()).toEqual([1, 3])
})

test.each([
  [{ equipment: ['litho-*'] }, { name: 'litho-1' }],
  [{ label_selector: 'area=litho' }, { labels: { area: 'litho' } }],
])('a sink with %j gets what happened since %j, and nothing of earlier', async (filter, change) => {
  const { live, id, happen, arrived } = await opened(filter)
  await happen()
  await live.gateway.equipment.update(id, change)
  await happen()
  expect(await arrived()).toEqual([2])
})

test('a sink gets what happened before a list of equipment was applied by the labels of then', async () => {
  const { live, happen, arrived } = await opened({ label_selector: 'area=etch' })
  const apply = (area: string) =>
    live.gateway.equipment.apply([{ name: 'etch-1', labels: { area } }], { dryRun: false, caller: ME })
  await happen()
  await apply('litho')
  await happen()
  await apply('etch')
  await happen()
  await apply('litho')
  expect(await arrived()).toEqual([1, 3])
})

test.each([{ equipment: ['etch-*'] }, { label_selector: 'area=etch' }])(
  'a sink with %j gets what happened before its equipment was deleted',
  async (filter) => {
    const { live, id, happen, arrived } = await opened(filter)
    await happen()
    await live.gateway.equipment.delete(id)
    expect(await arrived()).toEqual([1])
  },
)

test('where the store refuses a new name, events are of both names, and none is lost', async () => {
  const { live, id, happen, arrived } = await opened({ equipment: ['etch-*'] })
  live.collection.failure = new StoreUnavailable('away')
  await expect(live.gateway.equipment.update(id, { name: 'litho-1' })).rejects.toThrow('away')
  live.collection.failure = undefined
  await happen()
  expect(await arrived()).toEqual([1])
})

const changeOf = (seq: number, key: string, before: string, now: string | null) => ({
  ...IDENTITY,
  seq,
  key,
  at: '2026-01-01T00:00:00.000Z',
  data: {
    before: { name: before, labels: {} },
    now: now === null ? null : { name: now, labels: {} },
  } as unknown as JsonObject,
})

test('names are the same from a snapshot as from the entries', () => {
  const [one, other] = [new EquipmentIdentities(() => 1), new EquipmentIdentities(() => 1)]
  for (const change of [
    changeOf(3, 'eq_a', 'x', 'y'),
    changeOf(5, 'eq_b', 'p', null),
    changeOf(9, 'eq_a', 'y', 'z'),
  ])
    one.apply(change)
  for (const line of one.lines()) other.load(JSON.parse(JSON.stringify(line)) as JsonObject)
  const namesAt = (seen: EquipmentIdentities) =>
    [1, 3, 4, 9, 10].map((seq) => seen.at('eq_a', seq, { name: 'z', labels: {} }).map(({ name }) => name))
  expect(namesAt(other)).toEqual([['x'], ['x'], ['y'], ['y'], ['z']])
  expect(namesAt(one)).toEqual(namesAt(other))
  expect(other.at('eq_b', 6, undefined)).toMatchObject([{ name: 'p' }])
  expect(other.at('eq_c', 6, undefined)).toEqual([])
})

test('of each equipment a hundred changes are kept, and of all together 20,000', () => {
  const seen = new EquipmentIdentities(() => 1)
  for (let seq = 1; seq <= 150; seq++) seen.apply(changeOf(seq, 'eq_a', `n${seq}`, `n${seq + 1}`))
  expect(seen.all.get('eq_a')?.[0]).toMatchObject({ seq: 51, before: { name: 'n51' } })
  for (let seq = 151; seq < 20_150; seq++) seen.apply(changeOf(seq, `eq_${seq}`, 'n', null))
  const kept = [...seen.all.values()].reduce((sum, changes) => sum + changes.length, 0)
  expect(kept).toBe(20_000)
  // The equipment with most of them gives way.
  expect(seen.all.has('eq_151')).toBe(true)
  expect(seen.all.get('eq_a')).toHaveLength(1)
})

test('what is retained of equipment follows its labels and its name, and goes with it', async () => {
  const live = await LiveGateway.open({ hasMadeUpEvents: true })
  const broker = await SmallBroker.listen()
  const { id } = await live.add({ port: 5000, name: 'etch-1', labels: { bay: '1' } })
  const other = await live.add({ port: 5001, name: 'etch-2', labels: { bay: '1' } })
  await live.gateway.sinks.create({
    name: 'uns',
    mqtt: { url: broker.url, state_topic: 'state/{label.bay}/{equipment}', status_topic: 'status' },
  })
  const topics = () => [...broker.retained.keys()].filter((topic) => topic !== 'status').sort()
  const become = (...wanted: string[]) => expect.poll(topics).toEqual(wanted)
  await become('state/1/etch-1', 'state/1/etch-2')
  await live.gateway.equipment.update(id, { labels: { bay: '2' } })
  await become('state/1/etch-2', 'state/2/etch-1')
  await live.gateway.equipment.update(id, { name: 'etch-3' })
  await become('state/1/etch-2', 'state/2/etch-3')
  await live.gateway.equipment.update(other.id, { name: 'etch-1', labels: { bay: '2' } })
  await become('state/2/etch-1', 'state/2/etch-3')
  await live.gateway.equipment.disconnect(id)
  await live.gateway.equipment.delete(id)
  await become('state/2/etch-1')
})

test('what is retained of equipment goes also where it was deleted while the sink was paused, over a restart', async () => {
  const live = await LiveGateway.open({ hasMadeUpEvents: true })
  const broker = await SmallBroker.listen()
  const { id } = await live.add({ port: 5000, name: 'etch-1' })
  const sink = await live.gateway.sinks.create({ name: 'uns', mqtt: { url: broker.url } })
  await until(() => broker.retained.has('secsctl/state/etch-1'))
  await live.gateway.sinks.pause(sink.id)
  await live.journal.append(entryOf(id, 1))
  await live.gateway.equipment.delete(id)
  await live.reopen()
  await live.gateway.sinks.resume(sink.id)
  await until(() => !broker.retained.has('secsctl/state/etch-1'))
  // Its event has the topic of its name, too.
  expect(broker.published.map(({ topic }) => topic)).toContain('secsctl/events/etch-1/alarm_set')
  expect(await live.gateway.sinks.get(sink.id)).toMatchObject({ dead: 0 })
})

/** What a sink retains of equipment, whose names the test changes: `etch-1`, and as many more as are asked for. */
function retaining(more = 0) {
  const equipment = { id: 'eq_a', name: 'etch-1', labels: {} }
  const others = Array.from({ length: more }, (_, at) => ({
    ...equipment,
    id: `eq_${at}`,
    name: `etch-${at + 2}`,
  }))
  const all = new Map([equipment, ...others].map((one) => [one.id, one]))
  const clock = new ManualClock()
  const world = {
    clock,
    equipment: (id: string) => all.get(id) as unknown as Equipment | undefined,
    selected: () => [...all.keys()],
  }
  const states = new RetainedStates({ sink: 'uns', topic: 'state/{equipment}', world })
  const published: string[] = []
  const publish = async (all: readonly Publication[]) =>
    void published.push(
      ...all.map(({ topic, payload }) => `${topic} ${payload === '' ? 'removed' : 'retained'}`),
    )
  const broker = { publish } as unknown as Broker
  return { all, equipment, clock, states, published, broker, signal: new AbortController().signal }
}

test('what is retained under an earlier name goes also where retention has removed the change of the name', async () => {
  const { equipment, states, published, broker, signal } = retaining()
  await states.begin(broker, signal)
  equipment.name = 'etch-2'
  await states.begin(broker, signal)
  expect(published).toEqual(['state/etch-1 retained', 'state/etch-1 removed', 'state/etch-2 retained'])
})

test('a change of a name is followed when it is made, a moment after it was recorded; one that is not made holds nothing up', async () => {
  const { equipment, clock, states, published, broker, signal } = retaining()
  await states.begin(broker, signal)
  const change = { equipmentId: 'eq_a', before: { name: 'etch-1', labels: {} } }
  const follow = () =>
    states.follow(broker, [{ id: '1', type: 'secsctl.equipment', text: '', change }], signal)
  const following = follow()
  clock.advance(30)
  equipment.name = 'etch-2'
  clock.advance(30)
  await following
  expect(published).toEqual(['state/etch-1 retained', 'state/etch-1 removed', 'state/etch-2 retained'])
  equipment.name = 'etch-1'
  const refused = follow()
  for (let n = 0; n < 200; n++) {
    clock.advance(20)
    await Promise.resolve()
  }
  await refused
})

test('each equipment is retained once, however many there are, and what is deleted is removed once', async () => {
  const { all, states, published, broker, signal } = retaining(1000)
  await states.begin(broker, signal)
  expect(new Set(published).size).toBe(1001)
  expect(published).toHaveLength(1001)
  all.delete('eq_7')
  const again = async () => {
    published.length = 0
    await states.begin(broker, signal)
    return published.filter((one) => one.endsWith('removed'))
  }
  expect(await again()).toEqual(['state/etch-9 removed'])
  expect(await again()).toEqual([])
})

test('a topic that equipment has left stays where other equipment has it by now', async () => {
  const { all, equipment, states, published, broker, signal } = retaining(1)
  Object.assign(equipment, { name: 'etch-3' })
  Object.assign(all.get('eq_0') ?? {}, { name: 'etch-1' })
  await states.begin(broker, signal)
  const change = { equipmentId: 'eq_a', before: { name: 'etch-1', labels: {} } }
  await states.follow(broker, [{ id: '1', type: 'secsctl.equipment', text: '', change }], signal)
  expect(published.sort()).toEqual(['state/etch-1 retained', 'state/etch-3 retained'])
})
