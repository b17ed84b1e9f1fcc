import { expect, test } from 'vitest'
import type { Equipment } from '../../../src/contract/equipment.js'
import type { FlatEvent } from '../../../src/contract/topics/sinks/sink-message.js'
import { EdgeNode } from '../../../src/gateway/sinks/kinds/mqtt/edge-node.js'
import { topicLevel } from '../../../src/gateway/sinks/kinds/mqtt/topic-level.js'
import { topicOf } from '../../../src/gateway/sinks/kinds/mqtt/topic-template.js'
import { systemClock } from '../../../src/kit/clock.js'
import { MemoryCollection, MemoryJournal } from '../../support/memory-store.js'
import { until } from '../../support/until.js'
import { entryOf, openSinks } from './open-sinks.js'
import { SmallBroker } from './small-broker.js'
import { SparkplugHost } from './sparkplug-host.js'

/** Time in which a test waits for what takes 2 s, far below the 60 s that a broker may take for an acknowledgement. */
const SOON_MS = 20_000

test.each(['mqtt', 'sparkplug'] as const)(
  'a sink of the kind %s ends although the broker acknowledges nothing, while it connects and while it sends',
  async (kind) => {
    const broker = await SmallBroker.listen()
    broker.acknowledges = false
    const journal = new MemoryJournal()
    const sinks = openSinks(journal, new MemoryCollection(), {}, systemClock)
    await sinks.begin()
    const target = kind === 'mqtt' ? { url: broker.url } : { url: broker.url, group: 'fab' }
    const { id } = await sinks.create({ name: 'uns', [kind]: target })
    await until(() => broker.published.length > 0)
    await sinks.pause(id)
    await sinks.resume(id)
    const before = broker.published.length
    await until(() => broker.published.length > before)
    await journal.append(entryOf('eq_a', 1))
    await sinks.remove(id)
    expect((await sinks.list({})).items).toEqual([])
  },
  SOON_MS,
)

const equipment = {
  id: 'a',
  name: 'etch',
  connection_state: 'SELECTED',
  communication_state: 'COMMUNICATING',
} as unknown as Equipment
const flatOf = (members: Partial<FlatEvent>): FlatEvent => ({
  id: '1',
  type: 'message',
  name: 'message_received',
  equipment_id: 'a',
  equipment_name: 'etch',
  at: '2026-01-01T00:00:00.000Z',
  message: 'S6F11',
  event: null,
  values: {},
  units: {},
  whole: true,
  ...members,
})

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'a variable of the name %s is a metric without a unit',
  (name) => {
    const node = new EdgeNode(
      { group: 'fab', edgeNode: 'gw' },
      { now: () => 0, equipment: (id) => (id === 'a' ? equipment : undefined) },
    )
    const host = new SparkplugHost('fab', 'gw')
    const values = Object.fromEntries([[name, 5]])
    for (const { topic, payload } of [...node.birth(0, ['a']), ...(node.event(flatOf({ values })) ?? [])])
      host.take({ topic, payload: Buffer.from(payload) })
    expect(host.devices.get('etch')?.get(`Variables/${name}`)).toMatchObject({ value: 5 })
  },
)

test('a label that has the name of a member of every object is no label', () => {
  expect(
    topicOf('{label.constructor}/{label.toString}', { sink: 's', equipment: { ...equipment, labels: {} } }),
  ).toBe('_/_')
})

test('different names are different levels of a topic', () => {
  const names = [
    'ETCH/1',
    'ETCH_1',
    'ETCH%2F1',
    'a+b',
    'a#b',
    '\ud800',
    '\ud801',
    '\ufffd',
    '\u0080',
    '\u{e0001}',
    'ü',
  ]
  const levels = names.map(topicLevel)
  expect(levels).toContain('ETCH%2F1')
  expect(new Set(levels).size).toBe(names.length)
  expect(levels.join('')).not.toMatch(/[/+#\p{C}]/u)
})

test('a message whose topic MQTT cannot hold is a dead letter, and the next one arrives', async () => {
  const broker = await SmallBroker.listen()
  const journal = new MemoryJournal()
  const sinks = openSinks(journal)
  await sinks.begin()
  // What an equipment sent, as the event of a report: here the name of the event is as long.
  const { id } = await sinks.create({ name: 'uns', mqtt: { url: broker.url, topic: 'x/{equipment}/{name}' } })
  await journal.append(entryOf('eq_a', 1, 'alarm', 'n'.repeat(70_000)))
  await journal.append(entryOf('eq_a', 2))
  await until(async () => (await sinks.get(id)).position === '2')
  expect((await sinks.dead(id)).items).toMatchObject([
    { id: '1', reason: 'its topic has more than 65535 bytes' },
  ])
  expect(broker.published.map(({ topic }) => topic)).toContain('x/etch-1/alarm_set')
})
