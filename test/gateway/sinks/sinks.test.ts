import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { KINDS } from '../../../src/gateway/sinks/kinds/kinds.js'
import type { SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryCollection, MemoryJournal, RetainedJournal } from '../../support/memory-store.js'
import { until } from '../../support/until.js'
import { entryOf, openSinks } from './open-sinks.js'
import { WebhookServer } from './webhook-server.js'

/** The numbers of the entries in messages; of gaps nothing. */
const numbersOf = ({ messages }: WebhookServer, key?: string): number[] =>
  messages
    .filter(({ data }) => key === undefined || data['equipment_id'] === key)
    .map(({ data }) => (data['data'] as { readonly n: number }).n)

/** An event may come more than once. */
const distinct = (server: WebhookServer): number[] => [...new Set(numbersOf(server))]

async function withEntries(count: number, journal = new RetainedJournal()) {
  for (let n = 1; n <= count; n++) await journal.append(entryOf(n % 2 === 0 ? 'eq_b' : 'eq_a', n))
  return journal
}

test('a sink begins now, with the oldest event, or at a time', async () => {
  const journal = await withEntries(3)
  const sinks = openSinks(journal)
  await sinks.begin()
  const servers = [await WebhookServer.listen(), await WebhookServer.listen(), await WebhookServer.listen()]
  const starts = ['now', 'oldest', '2026-01-01T00:00:02Z']
  for (const [at, start] of starts.entries())
    await sinks.create({ name: `s${at}`, webhook: { url: servers[at]?.url ?? '' }, start })
  await journal.append(entryOf('eq_a', 4))
  await until(() => servers.every((server) => numbersOf(server).includes(4)))
  expect(servers.map(distinct)).toEqual([[4], [1, 2, 3, 4], [2, 3, 4]])
})

test('equipment by name, pattern, id and label, types and names narrow the events', async () => {
  const journal = new MemoryJournal()
  const sinks = openSinks(journal)
  await sinks.begin()
  const filters = [
    { equipment: ['etch-*'] },
    { equipment: ['eq_b'] },
    { label_selector: 'area=litho' },
    { equipment: ['etch-1'], label_selector: 'area=litho' },
    { types: ['state' as const] },
    { names: ['alarm_cleared' as const] },
  ]
  const servers = await Promise.all(filters.map(() => WebhookServer.listen()))
  for (const [at, filter] of filters.entries())
    await sinks.create({ name: `s${at}`, webhook: { url: servers[at]?.url ?? '' }, ...filter })
  await journal.append(entryOf('eq_a', 1))
  await journal.append(entryOf('eq_b', 2, 'alarm', 'alarm_cleared'))
  await journal.append(entryOf('eq_a', 3, 'state', 'control_state'))
  const wanted = [[1, 3], [2], [2], [], [3], [2]]
  await expect.poll(() => servers.map(distinct)).toEqual(wanted)
  await until(async () => (await sinks.list({})).items.every(({ position }) => position === '3'))
})

test('messages and streams narrow the events to these', async () => {
  const journal = new MemoryJournal()
  const sinks = openSinks(journal)
  await sinks.begin()
  const filters = [
    { messages: ['S6F11'] },
    { messages: ['S1', 'S6'], equipment: ['eq_b'] },
    { messages: null },
  ]
  const servers = await Promise.all(filters.map(() => WebhookServer.listen()))
  for (const [at, filter] of filters.entries())
    await sinks.create({ name: `s${at}`, webhook: { url: servers[at]?.url ?? '' }, ...filter })
  await journal.append(entryOf('eq_a', 1))
  for (const [key, stream, fn] of [
    ['eq_a', 6, 11],
    ['eq_b', 1, 1],
    ['eq_b', 6, 11],
    ['eq_b', 5, 1],
  ] as const) {
    const wire = { sessionId: 0, stream, function: fn, wait: true, systemBytes: 1, body: new Uint8Array() }
    const received = new RecordedMessage({ direction: 'received', equipmentId: key, replyTo: null }, wire)
    await journal.append(received.entry('2026-01-01T00:00:00.000Z'))
  }
  const idsOf = ({ messages }: WebhookServer) => [...new Set(messages.map(({ data }) => Number(data['id'])))]
  await expect
    .poll(() => servers.map(idsOf))
    .toEqual([
      [2, 4],
      [3, 4],
      [1, 2, 3, 4, 5],
    ])
  const alarms = { webhook: { url: servers[0]?.url ?? '' }, types: ['alarm' as const], messages: ['S6F11'] }
  await expect(sinks.create({ name: 'never', ...alarms })).rejects.toMatchObject({
    extra: { errors: [{ pointer: '/messages' }] },
  })
})

test('a target that fails gets the same event again until it answers, with the same id', async () => {
  const server = await WebhookServer.listen()
  // 500, but it has kept them.
  let isMended = false
  server.answer = () => (isMended ? 204 : 500)
  const journal = new MemoryJournal()
  const sinks = openSinks(journal)
  await sinks.begin()
  const { id } = await sinks.create({ name: 'mes', webhook: { url: server.url } })
  await journal.append(entryOf('eq_a', 1))
  await journal.append(entryOf('eq_a', 2))
  await until(() => server.calls.length >= 2)
  expect(await sinks.get(id)).toMatchObject({
    state: 'failing',
    position: '0',
    last_error: { detail: 'it responded with 500' },
  })
  isMended = true
  await until(() => numbersOf(server).includes(2))
  expect(
    numbersOf(server)
      .slice(0, -1)
      .every((n) => n === 1),
  ).toBe(true)
  expect(new Set(server.messages.map(({ id }) => id)).size).toBe(2)
  await until(async () => (await sinks.get(id)).position === '2')
  expect(await sinks.get(id)).toMatchObject({
    state: 'active',
    lag_entries: 0,
    last_error: null,
    delivered: 2,
  })
})

test('of a batch only the message that is rejected becomes a dead letter, which can be sent again', async () => {
  const server = await WebhookServer.listen()
  let isMended = false
  server.answer = ({ text }) => (text.includes('"n":7') && !isMended ? 422 : 204)
  const journal = await withEntries(20)
  const sinks = openSinks(journal)
  await sinks.begin()
  const target = { url: server.url, batch: 20 }
  const { id } = await sinks.create({ name: 'mes', webhook: target, start: 'oldest' })
  await until(async () => (await sinks.get(id)).position === '20')
  const { items } = await sinks.dead(id)
  expect(items).toMatchObject([
    { id: '7', reason: 'it responded with 422', retrying: false, message: { type: 'secsctl.alarm_set' } },
  ])
  isMended = true
  server.calls.length = 0
  await sinks.retry(id)
  await until(async () => (await sinks.get(id)).dead === 0)
  expect(numbersOf(server)).toEqual([7])
})

test('a dead letter whose event retention has removed is shown without it, and sent as a gap', async () => {
  const server = await WebhookServer.listen()
  server.answer = ({ text }) => (text.includes('alarm_set') ? 400 : 204)
  const journal = await withEntries(1)
  const sinks = openSinks(journal)
  await sinks.begin()
  const { id } = await sinks.create({ name: 'mes', webhook: { url: server.url }, start: 'oldest' })
  await until(async () => (await sinks.get(id)).dead === 1)
  journal.removeBefore(2)
  expect((await sinks.dead(id)).items).toMatchObject([{ id: '1', message: null }])
  await sinks.retry(id)
  await until(async () => (await sinks.get(id)).dead === 0)
  expect(server.messages.at(-1)).toMatchObject({ type: 'secsctl.gap', data: { from: '1', to: '1' } })
})

test('dead letters can be dropped', async () => {
  const server = await WebhookServer.listen()
  server.answer = () => 400
  const sinks = openSinks(await withEntries(2))
  await sinks.begin()
  const { id } = await sinks.create({ name: 'mes', webhook: { url: server.url }, start: 'oldest' })
  await until(async () => (await sinks.get(id)).dead === 2)
  await sinks.retry(id, { ids: ['1'], drop: true })
  expect((await sinks.dead(id)).items).toMatchObject([{ id: '2' }])
})

test('what retention removed before it was delivered is one gap message with both ends', async () => {
  const server = await WebhookServer.listen()
  const journal = await withEntries(10)
  const collection = new MemoryCollection<SinkRecord>()
  const sinks = openSinks(journal, collection)
  await sinks.begin()
  const { id } = await sinks.create({ name: 'mes', webhook: { url: server.url }, start: 'oldest' })
  await until(async () => (await sinks.get(id)).position === '10')
  await sinks.pause(id)
  await withEntries(10, journal)
  journal.removeBefore(15)
  server.calls.length = 0
  await sinks.resume(id)
  await until(async () => (await sinks.get(id)).position === '20')
  // A busy machine may repeat a message: it answers later than this clock waits.
  const [gap, ...others] = new Map(server.messages.map((message) => [message.id, message])).values()
  expect(gap).toMatchObject({
    id: '0123456789abcdef-11..14',
    type: 'secsctl.gap',
    data: { from: '11', to: '14' },
  })
  expect(others.map(({ data }) => data['id'])).toEqual(['15', '16', '17', '18', '19', '20'])
})

test('a sink that is paused gets nothing, and everything once it is resumed', async () => {
  const server = await WebhookServer.listen()
  const journal = new MemoryJournal()
  const sinks = openSinks(journal)
  await sinks.begin()
  const { id } = await sinks.create({ name: 'mes', webhook: { url: server.url } })
  expect(await sinks.pause(id)).toMatchObject({ state: 'paused' })
  await journal.append(entryOf('eq_a', 1))
  expect(await sinks.get(id)).toMatchObject({ lag_entries: 1 })
  expect(server.calls).toEqual([])
  expect(await sinks.test(id)).toMatchObject({ delivered: true })
  await sinks.resume(id)
  await until(() => server.calls.length === 2)
  expect(server.messages[1]).toMatchObject({ data: { data: { n: 1 } } })
})

test('what was delivered since the start is known while a sink is paused, and after a change of it', async () => {
  const journal = await withEntries(2)
  const sinks = openSinks(journal)
  await sinks.begin()
  const server = await WebhookServer.listen()
  const { id } = await sinks.create({ name: 'mes', webhook: { url: server.url }, start: 'oldest' })
  await until(async () => (await sinks.get(id)).delivered === 2)
  expect(await sinks.update(id, { name: 'mes-2' })).toMatchObject({ delivered: 2 })
  const { last_delivered_at: last } = await sinks.pause(id)
  expect(last).not.toBeNull()
  expect(await sinks.get(id)).toMatchObject({ delivered: 2, state: 'paused' })
  await journal.append(entryOf('eq_a', 3))
  await sinks.resume(id)
  await until(async () => (await sinks.get(id)).delivered === 3)
})

test('a test ends after 10 s where the target does not respond, also while a delivery waits for it', async () => {
  const server = await WebhookServer.listen()
  server.answer = () => () => {}
  const clock = new ManualClock()
  const journal = await withEntries(1)
  const sinks = openSinks(journal, undefined, {}, clock)
  await sinks.begin()
  for (const start of ['now', 'oldest'] as const) {
    const { id } = await sinks.create({ name: start, webhook: { url: server.url }, start })
    await until(() => server.calls.length === (start === 'now' ? 0 : 2))
    const timers = vi.spyOn(clock, 'at')
    const tested = sinks.test(id)
    await until(() => timers.mock.calls.some(([at]) => at === clock.now() + 10_000))
    timers.mockRestore()
    // The first test has reached the target, the second waits for the delivery.
    await until(() => server.calls.length === (start === 'now' ? 1 : 2))
    clock.advance(10_000)
    expect(await tested).toMatchObject({ delivered: false, detail: expect.stringContaining('10 s') })
  }
})

test('nothing is sent where this process does not have the duties of the site', async () => {
  const server = await WebhookServer.listen()
  const journal = await withEntries(1)
  const collection = new MemoryCollection<SinkRecord>()
  const one = openSinks(journal, collection)
  const { id } = await one.create({ name: 'mes', webhook: { url: server.url }, start: 'oldest' })
  expect(await one.get(id)).toMatchObject({ position: '0', lag_entries: 1 })
  const other = openSinks(journal, collection)
  await other.begin()
  await until(async () => (await other.get(id)).position === '1')
  await other.end()
  expect(await one.get(id)).toMatchObject({ position: '1', lag_entries: 0 })
})

test('secrets and the query of the URL are never shown', async () => {
  const sinks = openSinks(new MemoryJournal())
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
  const webhook = { url: 'https://mes.example/in?code=s3cr3t' }
  const shown = await sinks.create({ name: 'mes', webhook, secret })
  expect(shown).toMatchObject({ signed: true, webhook: { url: 'https://mes.example/in?...' } })
  expect(JSON.stringify([shown, await sinks.list({})])).not.toMatch(/s3cr3t|whsec/)
})

test.each([
  [{ name: 'b' }, `exactly one of ${Object.keys(KINDS).join(', ')}`],
  [{ name: 'b', webhook: { url: 'https://x.example' }, file: { file: 'x' } }, 'exactly one of'],
  [{ name: 'b', webhook: { url: 'https://u:p@x.example' } }, 'a user or a password'],
  [{ name: 'b', webhook: { url: 'http://' } }, 'is not a URL that begins with http:// or https://'],
  [{ name: 'b', webhook: { url: 'http://localhost/' } }, 'is a local address'],
  [{ name: 'b', webhook: { url: 'https://x.example', ca: 'x' } }, 'is not a certificate'],
  [{ name: 'b', file: { file: 'a.ndjson' } }, 'is the file of another sink'],
  [{ name: 'b', file: { file: 'a.ndjson.1' } }, 'ends in a dot and digits'],
  [{ name: 'b', file: { file: 'b' }, secret: 'whsec_' }, 'is not for files'],
  [{ name: 'b', webhook: { url: 'https://x.example' }, secret: 'whsec_AAAA' }, '24 to 64 bytes'],
  [{ name: 'b', mqtt: { url: 'mqtt://' } }, 'is not a URL that begins with mqtt:// or mqtts://'],
  [{ name: 'b', mqtt: { url: 'mqtt://u:p@x.example' } }, 'a user or a password'],
  [{ name: 'b', mqtt: { url: 'mqtt://[::1]' } }, 'is a local address'],
  [{ name: 'b', mqtt: { url: 'mqtt://x.example' }, secret: 'x' }, 'needs mqtt.user'],
  [{ name: 'b', mqtt: { url: 'mqtt://x.example', topic: '{x}' } }, 'unknown placeholder {x}'],
  [{ name: 'b', mqtt: { url: 'mqtt://x.example', topic: '{event}' } }, 'unknown placeholder {event}'],
  [{ name: 'b', mqtt: { url: 'mqtt://x.example', status_topic: '{name}' } }, 'unknown placeholder'],
  [{ name: 'b', sparkplug: { url: 'mqtt://127.0.0.1', group: 'g' } }, 'is a local address'],
  [{ name: 'b', kafka: { brokers: 'a.example,localhost:9092', topic: 't' } }, 'is a local address'],
  [{ name: 'b', kafka: { brokers: 'http://a.example', topic: 't' } }, 'is not a list of host:port'],
  [{ name: 'b', kafka: { brokers: 'a.example', topic: 't', ca: 'x' } }, 'is not a certificate'],
  [{ name: 'b', kafka: { brokers: 'a.example', topic: 't', mechanism: 'plain' as const } }, 'needs a user'],
  [{ name: 'b', kafka: { brokers: 'a.example', topic: 't' }, secret: 'x' }, 'needs kafka.user'],
  [{ name: 'b', sparkplug: { url: 'mqtt://x.example', group: 'g' }, format: 'event' as const }, 'is flat'],
  [
    { name: 'b', sparkplug: { url: 'mqtt://x.example', group: 'g' }, types: ['alarm' as const] },
    'is not for',
  ],
  [{ name: 'b', webhook: { url: 'https://x.example' }, start: 'soon' }, 'now, oldest or an RFC 3339 time'],
  [{ name: 'b', webhook: { url: 'https://x.example' }, label_selector: '=' }, 'cannot be read'],
  [{ name: 'a', webhook: { url: 'https://x.example' } }, 'Another sink has the name a'],
])('%j is refused', async (given, detail) => {
  const sinks = openSinks(new MemoryJournal(), new MemoryCollection(), { localTargets: false })
  await sinks.create({ name: 'a', file: { file: 'a.ndjson' } })
  await expect((async () => sinks.create(given))()).rejects.toThrow(detail)
})

test('whatever fails and whenever the gateway is killed, nothing is missing, and each equipment is in order', async () => {
  const fault = fc.constantFrom('ok', 'kept and 500', 'lost and 500', 'reset', 'busy')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 30 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      async (faults, batch, bursts) => {
        const server = await WebhookServer.listen()
        const kept: { readonly key: string; readonly n: number }[] = []
        server.answer = ({ text }) => {
          const what = faults.shift() ?? 'ok'
          const found = JSON.parse(text) as { readonly data: { equipment_id: string; data: { n: number } } }[]
          if (what === 'ok' || what === 'kept and 500')
            kept.push(...[found].flat().map(({ data }) => ({ key: data.equipment_id, n: data.data.n })))
          if (what === 'reset') return (response) => void response.destroy()
          return what === 'ok' ? 204 : what === 'busy' ? 429 : 500
        }
        const journal = new RetainedJournal()
        const collection = new MemoryCollection<SinkRecord>()
        let sinks = openSinks(journal, collection)
        await sinks.begin()
        await sinks.create({ name: 'mes', webhook: { url: server.url, batch } })
        let n = 0
        for (const burst of bursts) {
          for (let at = 0; at < burst; at++) await journal.append(entryOf(++n % 3 === 0 ? 'eq_b' : 'eq_a', n))
          // Killed: what is stored is as it was some time before.
          const [before] = await collection.all()
          await until(() => kept.length > 0)
          await sinks.end()
          if (before) await collection.put(before)
          sinks = openSinks(journal, collection)
          await sinks.begin()
        }
        await until(async () => (await sinks.list({})).items[0]?.position === String(n))
        await sinks.end()
        for (const key of ['eq_a', 'eq_b']) {
          const got = kept.filter((one) => one.key === key).map((one) => one.n)
          const wanted = journal.entries.filter((one) => one.key === key).map(({ data }) => data['n'])
          // The first arrivals are in order, and a repeat never skips one that has not come.
          expect([...new Set(got)]).toEqual(wanted)
        }
        await server.close().catch(() => {})
      },
    ),
    { numRuns: 25 },
  )
})
