import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Equipment } from '../../src/contract/equipment.js'
import { systemClock } from '../../src/kit/clock.js'
import { entryOf, openSinks } from '../gateway/sinks/open-sinks.js'
import { AUTHORITY, ISSUED_CERTIFICATE } from '../support/certificates.js'
import { startSimulator } from '../support/live-gateway.js'
import { MemoryCollection, MemoryJournal } from '../support/memory-store.js'
import { Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'
import { Mosquitto } from './mosquitto.js'
import { type Received, subscribed } from './mqtt-subscriber.js'

let broker: Mosquitto

beforeAll(async () => {
  broker = await Mosquitto.start()
  return () => broker.remove()
})

const tool = (id: string, name: string, connection_state: Equipment['connection_state'] = 'SELECTED') =>
  ({
    id,
    name,
    labels: { bay: '3' },
    connection_state,
    communication_state: 'COMMUNICATING',
    control_state: 'ONLINE_REMOTE',
  }) as unknown as Equipment

async function opened(equipment: Equipment[] = [tool('eq_a', 'etch-1'), tool('eq_b', 'litho/1')]) {
  const journal = new MemoryJournal()
  const sinks = openSinks(journal, new MemoryCollection(), {}, systemClock, equipment)
  await sinks.begin()
  return { journal, sinks, equipment }
}

const numbersOf = (received: readonly Received[], topic?: RegExp): number[] =>
  received
    .filter((one) => topic?.test(one.topic) ?? true)
    .map(({ payload }) => JSON.parse(String(payload)).data.data.n)
const json = ({ payload }: Received) => JSON.parse(String(payload))

test('events arrive in order, each at the topic of its template', async () => {
  const { journal, sinks } = await opened()
  const { received } = await subscribed(broker, 'fab/#')
  const topic = 'fab/{label.bay}/{label.none}/{equipment}/{equipment_id}/{type}/{name}/{sink}'
  await sinks.create({ name: 'uns', mqtt: { url: broker.url, topic } })
  for (let n = 1; n <= 300; n++) await journal.append(entryOf(n % 2 ? 'eq_a' : 'eq_b', n))
  await until(() => received.length === 300)
  expect(numbersOf(received)).toEqual(Array.from({ length: 300 }, (_, at) => at + 1))
  expect(new Set(received.map((one) => one.topic))).toEqual(
    new Set(['fab/3/_/etch-1/eq_a/alarm/alarm_set/uns', 'fab/3/_/litho%2F1/eq_b/alarm/alarm_set/uns']),
  )
  expect(received[0] && json(received[0])).toMatchObject({
    id: '0123456789abcdef-1',
    type: 'secsctl.alarm_set',
  })
})

test('the last state of equipment is retained, until it is deleted', async () => {
  const { journal, sinks, equipment } = await opened()
  const { id } = await sinks.create({
    name: 'states',
    mqtt: { url: broker.url, state_topic: 'states/{equipment}' },
  })
  const { received } = await subscribed(broker, ['states/#', 'secsctl/status/states'])
  const shown = { connection_state: 'SELECTED', control_state: 'ONLINE_REMOTE' }
  await until(() => received.length === 3)
  expect(received.map(({ topic, retain }) => [topic, retain])).toEqual(
    expect.arrayContaining([
      ['secsctl/status/states', true],
      ['states/etch-1', true],
      ['states/litho%2F1', true],
    ]),
  )
  expect(received.filter(({ topic }) => topic === 'states/etch-1').map(json)).toMatchObject([shown])
  equipment[0] = tool('eq_a', 'etch-1', 'NOT_CONNECTED')
  await journal.append(entryOf('eq_a', 1, 'connection', 'disconnected'))
  await until(() => received.some((one) => json(one).connection_state === 'NOT_CONNECTED'))
  equipment.shift()
  await journal.append(entryOf('eq_a', 2, 'connection', 'disconnected'))
  await until(() => received.some(({ topic, payload }) => topic === 'states/etch-1' && payload.length === 0))
  await sinks.pause(id)
  await until(() =>
    received.some(({ topic, payload }) => /status/.test(topic) && /false/.test(String(payload))),
  )
})

test.each([
  ['stopped', 'SIGTERM'],
  ['killed', 'SIGKILL'],
] as const)('a broker that is %s again and again gets the events, in order', async (name, signal) => {
  const { journal, sinks } = await opened()
  const { received } = await subscribed(broker, `${name}/#`)
  const { id } = await sinks.create({ name, mqtt: { url: broker.url, topic: `${name}/{equipment}` } })
  let n = 0
  for (let round = 0; round < 3; round++) {
    for (const end = n + 200; n < end; ) await journal.append(entryOf('eq_a', ++n))
    await broker.kill(signal)
    for (const end = n + 50; n < end; ) await journal.append(entryOf('eq_a', ++n))
    await broker.resume()
  }
  await until(async () => (await sinks.get(id)).lag_entries === 0)
  await until(() => numbersOf(received).includes(n))
  const distinct = [...new Set(numbersOf(received))]
  expect(distinct).toEqual([...distinct].sort((one, other) => one - other))
  // What it has acknowledged, Mosquitto has on disk a second later, or when it is stopped in order.
  if (signal === 'SIGTERM') expect(distinct).toHaveLength(n)
  expect((await sinks.get(id)).dead).toBe(0)
})

test('a message that the broker does not accept is a dead letter, and the others arrive', async () => {
  const strict = await Mosquitto.start(
    (folder) => ['max_packet_size 2000', `password_file ${folder}/passwords`],
    { passwords: 'fab:secret word\n' },
  )
  onTestFinished(() => strict.remove())
  const { journal, sinks } = await opened()
  const mqtt = { url: strict.url, user: 'fab' }
  const { id } = await sinks.create({ name: 'strict', mqtt, secret: 'wrong' })
  expect(await sinks.test(id)).toMatchObject({
    delivered: false,
    detail: expect.stringMatching(/not authorized|bad user/i),
  })
  await sinks.update(id, { secret: 'secret word' })
  expect(await sinks.test(id)).toMatchObject({ delivered: true })
  await journal.append(entryOf('eq_a', 1))
  await journal.append({ ...entryOf('eq_a', 2), data: { n: 2, text: 'x'.repeat(3000) } })
  await journal.append(entryOf('eq_a', 3))
  await until(async () => (await sinks.get(id)).position === '3')
  expect((await sinks.dead(id)).items).toMatchObject([
    { id: '2', reason: 'the broker accepts 2000 bytes at most' },
  ])
  expect(JSON.stringify(await sinks.get(id))).not.toContain('secret word')
})

test('with TLS the certificate of the broker has to be from the given authority', async () => {
  const { cert, key } = ISSUED_CERTIFICATE
  const tls = await Mosquitto.start(
    (folder) => [`certfile ${folder}/cert.pem`, `keyfile ${folder}/key.pem`],
    { 'cert.pem': cert, 'key.pem': key },
  )
  onTestFinished(() => tls.remove())
  const { sinks } = await opened()
  const url = tls.url.replace('mqtt:', 'mqtts:')
  const { id } = await sinks.create({ name: 'tls', mqtt: { url } })
  expect((await sinks.test(id)).detail).toMatch(/certificate/)
  await sinks.update(id, { mqtt: { url, ca: AUTHORITY } })
  expect(await sinks.test(id)).toMatchObject({ delivered: true })
})

test('from `sinks add` to the first message in mosquitto_sub', async () => {
  const secsctl = new Secsctl()
  onTestFinished(async () => {
    await secsctl.run(['daemon', 'stop'])
    secsctl.remove()
  })
  const run = (...args: string[]) => secsctl.run(args)
  expect(await run('daemon', 'start', '--port', '0', '--allow-local-sinks')).toMatchObject({ code: 0 })
  const { port } = await startSimulator()
  await run('equipment', 'add', 'etcher', '--address', `127.0.0.1:${port}`)
  const lines: string[] = []
  const reader = spawn('mosquitto_sub', ['-d', '-V', '5', '-p', String(broker.port), '-v', '-t', 'secsctl/#'])
  onTestFinished(() => void reader.kill())
  createInterface({ input: reader.stdout }).on('line', (line) => lines.push(line))
  await until(() => lines.some((line) => line.startsWith('Subscribed')))
  const added = await run('sinks', 'add', 'uns', '--mqtt', broker.url)
  expect(added).toMatchObject({ code: 0 })
  expect(await run('equipment', 'connect', 'etcher')).toMatchObject({ code: 0 })
  await until(() => lines.some((line) => line.startsWith('secsctl/events/etcher/selected {"specversion"')))
  await until(() => lines.some((line) => line.includes('"communication_state":"COMMUNICATING"')))
  expect(lines).toContain('secsctl/status/uns {"sink":"uns","online":true}')
  const shown = await run('sinks', 'show', 'uns')
  expect(shown.stdout).toMatch(/target\s+mqtt:\/\/127/)
  // The broker tells its readers when the daemon dies.
  const { pid } = JSON.parse((await run('daemon', 'status', '--json')).stdout)
  process.kill(pid, 'SIGKILL')
  await until(() => lines.includes('secsctl/status/uns {"sink":"uns","online":false}'))
})
