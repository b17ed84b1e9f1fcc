import { beforeAll, expect, test } from 'vitest'
import type { Equipment } from '../../src/contract/equipment.js'
import { systemClock } from '../../src/kit/clock.js'
import { openSinks } from '../gateway/sinks/open-sinks.js'
import { encodeSparkplug, SparkplugHost } from '../gateway/sinks/sparkplug-host.js'
import { MemoryCollection, MemoryJournal } from '../support/memory-store.js'
import { until } from '../support/until.js'
import { Mosquitto } from './mosquitto.js'
import { subscribed } from './mqtt-subscriber.js'

let broker: Mosquitto

beforeAll(async () => {
  broker = await Mosquitto.start()
  return () => broker.remove()
})

const tool = (connection_state: string) =>
  ({
    id: 'eq_a',
    name: 'etch-1',
    labels: {},
    connection_state,
    communication_state: 'COMMUNICATING',
    control_state: 'ONLINE_REMOTE',
  }) as unknown as Equipment

const alarm = (n: number, isSet = true) => ({
  key: 'eq_a',
  type: 'alarm',
  name: isSet ? 'alarm_set' : 'alarm_cleared',
  at: new Date().toISOString(),
  data: { alid: String(n), text: '' },
})

test('a host follows births, data and deaths through a stop of the broker and a rebirth', async () => {
  const equipment = [tool('SELECTED')]
  const journal = new MemoryJournal()
  const sinks = openSinks(journal, new MemoryCollection(), {}, systemClock, equipment)
  await sinks.begin()
  const { client, received } = await subscribed(broker, 'spBv1.0/fab/#')
  const sparkplug = { url: broker.url, group: 'fab', edge_node: 'gateway' }
  const { id } = await sinks.create({ name: 'scada', sparkplug })
  const host = new SparkplugHost('fab', 'gateway')
  let taken = 0
  const seen = (type: string, count = 1) =>
    until(() => {
      for (; taken < received.length; taken++) {
        const message = received[taken]
        if (message) host.take(message)
      }
      return host.messages.filter((message) => message.type === type).length >= count
    })
  await seen('DBIRTH')
  const first = host.bdSeq
  expect(received.every(({ retain }) => !retain)).toBe(true)

  await journal.append(alarm(7))
  await until(async () => (await sinks.get(id)).lag_entries === 0)
  await seen('DDATA', 2)
  expect(host.devices.get('etch-1')?.get('Alarms/7')).toMatchObject({ type: 'Boolean', value: true })

  equipment[0] = tool('NOT_CONNECTED')
  await journal.append({ ...alarm(0), type: 'connection', name: 'disconnected', data: {} })
  await seen('DDEATH')
  equipment[0] = tool('SELECTED')
  await journal.append({ ...alarm(0), type: 'connection', name: 'selected', data: {} })
  await until(async () => (await sinks.get(id)).lag_entries === 0)
  await seen('DBIRTH', 2)

  // What happens while the broker is away is historical.
  await broker.kill('SIGTERM')
  await journal.append(alarm(8))
  await journal.append(alarm(7, false))
  await broker.resume()
  await until(() => client.connected)
  await until(async () => (await sinks.get(id)).lag_entries === 0)
  await seen('NBIRTH', 2)
  await until(async () => {
    await seen('NBIRTH', 2)
    return host.devices.get('etch-1')?.get('Alarms/7')?.value === false
  })
  expect(host.devices.get('etch-1')?.get('Alarms/8')).toMatchObject({ value: true, isHistorical: true })
  expect(host.bdSeq).not.toEqual(first)

  const rebirth = [{ name: 'Node Control/Rebirth', type: 'Boolean', value: true }]
  const command = encodeSparkplug({ timestamp: Date.now(), metrics: rebirth })
  await client.publishAsync('spBv1.0/fab/NCMD/gateway', Buffer.from(command), { qos: 1 })
  await seen('NBIRTH', 3)
  await seen('DBIRTH', 4)

  const deaths = host.messages.filter(({ type }) => type === 'NDEATH').length
  await sinks.pause(id)
  await seen('NDEATH', deaths + 1)
  expect(host.devices.size).toBe(0)
})
