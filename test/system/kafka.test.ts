import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { entryOf, openSinks } from '../gateway/sinks/open-sinks.js'
import { MemoryCollection, MemoryJournal } from '../support/memory-store.js'
import { until } from '../support/until.js'
import { KafkaMock } from './kafka-mock.js'

let cluster: KafkaMock

beforeAll(async () => {
  cluster = await KafkaMock.start()
  return () => cluster.end()
})

const KEYS = ['eq_a', 'eq_b', 'eq_c', 'eq_d', 'eq_e', 'eq_f']

async function opened() {
  const journal = new MemoryJournal()
  const sinks = openSinks(journal, new MemoryCollection(), {}, systemClock)
  await sinks.begin()
  return { journal, sinks }
}

test('a foreign client reads what was appended, in order and by partitions of equipment', async () => {
  const { journal, sinks } = await opened()
  const { id } = await sinks.create({ name: 'bus', kafka: { brokers: cluster.brokers, topic: 'secs' } })
  for (let n = 1; n <= 600; n++) await journal.append(entryOf(KEYS[n % KEYS.length] ?? '', n))
  await until(async () => (await sinks.get(id)).delivered === 600)
  const records = await cluster.records('secs')
  expect(records).toHaveLength(600)
  const [first] = records
  const message = JSON.parse(first?.payload ?? '')
  expect(message).toMatchObject({ specversion: '1.0', type: 'secsctl.alarm_set', subject: first?.key })
  expect(first?.headers).toEqual([
    ...['content-type', 'application/cloudevents+json; charset=utf-8'],
    ...['ce_id', message.id, 'ce_type', 'secsctl.alarm_set'],
  ])
  const partitions = new Set<number>()
  for (const key of KEYS) {
    const own = records.filter((record) => record.key === key)
    const numbers = own.map(({ payload }) => JSON.parse(payload).data.data.n)
    expect(numbers).toEqual(
      Array.from({ length: 600 }, (_, at) => at + 1).filter((n) => KEYS[n % KEYS.length] === key),
    )
    expect(new Set(own.map(({ partition }) => partition)).size).toBe(1)
    expect(own[0]?.partition).toBe(await cluster.partitionOf('other', key))
    partitions.add(own[0]?.partition ?? -1)
  }
  expect(partitions.size).toBeGreaterThan(1)
})

test('what was recorded while the cluster hung is appended afterwards', async () => {
  const { journal, sinks } = await opened()
  const { id } = await sinks.create({ name: 'bus', kafka: { brokers: cluster.brokers, topic: 'hung' } })
  await journal.append(entryOf('eq_a', 1))
  await until(async () => (await sinks.get(id)).delivered === 1)
  await cluster.pause()
  onTestFinished(() => cluster.resume())
  for (let n = 2; n <= 50; n++) await journal.append(entryOf('eq_a', n))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await sinks.get(id)).toMatchObject({ delivered: 1 })
  cluster.resume()
  await until(async () => (await sinks.get(id)).delivered === 50)
  const numbers = (await cluster.records('hung')).map(({ payload }) => JSON.parse(payload).data.data.n)
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
})

test('a cluster that is gone is a failure, and its successor gets what it did not get', async () => {
  const { journal, sinks } = await opened()
  const first = await KafkaMock.start(1)
  const { id } = await sinks.create({ name: 'bus', kafka: { brokers: first.brokers, topic: 'secs' } })
  await journal.append(entryOf('eq_a', 1))
  await until(async () => (await sinks.get(id)).delivered === 1)
  first.end()
  await journal.append(entryOf('eq_a', 2))
  await until(async () => (await sinks.get(id)).state === 'failing')
  await sinks.update(id, { kafka: { brokers: `${first.brokers},${cluster.brokers}`, topic: 'successor' } })
  await until(async () => (await sinks.get(id)).delivered === 2)
  const records = await cluster.records('successor')
  expect(records.map(({ headers }) => headers[3])).toEqual(['0123456789abcdef-2'])
})

test('the test message has an empty key', async () => {
  const { sinks } = await opened()
  const { id } = await sinks.create({ name: 'bus', kafka: { brokers: cluster.brokers, topic: 'trial' } })
  expect(await sinks.test(id)).toMatchObject({ delivered: true, detail: null })
  expect(await cluster.records('trial')).toMatchObject([{ key: '', partition: 0 }])
})
