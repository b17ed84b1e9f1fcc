import { expect, test, vi } from 'vitest'
import { retryAfterMs } from '../../../src/gateway/sinks/kinds/retry-after.js'
import type { SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import type { JsonObject } from '../../../src/kit/text/json.js'
import { StoreUnavailable } from '../../../src/store/failure.js'
import { MemoryCollection, MemoryJournal } from '../../support/memory-store.js'
import { until } from '../../support/until.js'
import { entryOf, openSinks } from './open-sinks.js'
import { WebhookServer } from './webhook-server.js'

async function opened() {
  const server = await WebhookServer.listen()
  const journal = new MemoryJournal()
  const collection = new MemoryCollection<SinkRecord>()
  const sinks = openSinks(journal, collection)
  await sinks.begin()
  const { id } = await sinks.create({ name: 'mes', webhook: { url: server.url } })
  return { server, journal, collection, sinks, id }
}

test.each(['remove', 'pause', 'update'] as const)(
  'a sink whose %s the store refuses goes on delivering',
  async (call) => {
    const { server, journal, collection, sinks, id } = await opened()
    collection.failure = new StoreUnavailable('away')
    const calls = {
      remove: () => sinks.remove(id),
      pause: () => sinks.pause(id),
      update: () => sinks.update(id, { name: 'other' }),
    }
    await expect(calls[call]()).rejects.toThrow('away')
    collection.failure = undefined
    expect(await sinks.get(id)).toMatchObject({ name: 'mes', state: 'active' })
    await journal.append(entryOf('eq_a', 1))
    await until(() => server.calls.length > 0)
    await until(async () => (await collection.get(id))?.position === 1)
  },
)

/** The next such call is made, and its caller is told that it failed. */
function failAfterwards(collection: MemoryCollection<SinkRecord>, call: 'put' | 'delete'): void {
  const made = collection[call].bind(collection) as (given: unknown) => Promise<unknown>
  vi.spyOn(collection, call).mockImplementationOnce(async (given: unknown) => {
    await made(given)
    throw new StoreUnavailable('away')
  })
}

test('a sink that was added although the call failed delivers', async () => {
  const { server, journal, collection, sinks } = await opened()
  failAfterwards(collection, 'put')
  await expect(sinks.create({ name: 'late', webhook: { url: server.url } })).rejects.toThrow('away')
  const [, late] = await collection.all()
  collection.changed.emit(late?.id ?? '')
  await journal.append(entryOf('eq_a', 1))
  await until(() => server.calls.length === 2)
})

test.each(['remove', 'update'] as const)(
  'a sink whose %s was made although the call failed delivers as it is stored',
  async (call) => {
    const { server, journal, collection, sinks, id } = await opened()
    failAfterwards(collection, call === 'remove' ? 'delete' : 'put')
    const made = call === 'remove' ? sinks.remove(id) : sinks.update(id, { types: ['message'] })
    await expect(made).rejects.toThrow('away')
    collection.changed.emit(id)
    await sinks.create({ name: 'other', webhook: { url: server.url } })
    await journal.append(entryOf('eq_a', 1))
    await until(async () => (await collection.all()).at(-1)?.position === 1)
    expect(server.calls).toHaveLength(1)
    if (call === 'update') await until(async () => (await collection.get(id))?.position === 1)
    const [first] = await collection.all()
    expect(first).toMatchObject(call === 'update' ? { id, types: ['message'] } : { name: 'other' })
  },
)

test('dead letters are dropped once the store has agreed', async () => {
  const { server, journal, collection, sinks, id } = await opened()
  server.answer = () => 400
  await journal.append(entryOf('eq_a', 1))
  await until(async () => (await sinks.get(id)).dead === 1)
  collection.failure = new StoreUnavailable('away')
  await expect(sinks.retry(id, { drop: true })).rejects.toThrow('away')
  expect(await sinks.get(id)).toMatchObject({ dead: 1 })
  collection.failure = undefined
  expect(await sinks.retry(id, { drop: true })).toMatchObject({ dead: 0 })
  expect((await collection.get(id))?.dead).toEqual([])
})

test('a dead letter that is removed while it is sent again does not come back', async () => {
  const { server, journal, sinks, id } = await opened()
  server.answer = () => 400
  await journal.append(entryOf('eq_a', 1))
  await until(async () => (await sinks.get(id)).dead === 1)
  let answer = (): void => {}
  const isAsked = new Promise<void>((asked) => {
    server.answer = () => (response) => {
      answer = () => void response.writeHead(400).end()
      asked()
    }
  })
  await sinks.retry(id)
  await isAsked
  await sinks.retry(id, { drop: true })
  server.answer = () => 400
  answer()
  server.answer = ({ text }) => (text.includes('"n":2') ? 204 : 400)
  await journal.append(entryOf('eq_a', 2))
  await until(async () => (await sinks.get(id)).position === '2')
  expect((await sinks.dead(id)).items).toEqual([])
})

test('an entry of which no message can be made is a dead letter, and the next one arrives', async () => {
  const { server, journal, sinks, id } = await opened()
  const data = {
    toJSON: () => ({ n: 1 }),
    get traceparent(): string {
      throw new TypeError('broken')
    },
  }
  const broken = { ...entryOf('eq_a', 1), data: data as unknown as JsonObject }
  await journal.append(broken)
  await journal.append(entryOf('eq_a', 2))
  await until(async () => (await sinks.get(id)).position === '2')
  expect((await sinks.dead(id)).items).toMatchObject([
    { id: '1', reason: expect.stringContaining('no message can be made of it'), message: null },
  ])
  expect(new Set(server.messages.map((message) => message.id))).toEqual(new Set(['0123456789abcdef-2']))
})

test.each([
  ['120', 120_000],
  ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
  ['Thu, 01 Jan 2026 00:00:00 GMT', undefined],
  ['Wed, 31 Dec 2025 23:00:00 GMT', undefined],
  ['0', undefined],
  ['-5', undefined],
  ['soon', undefined],
  [undefined, undefined],
  [['60', '90'], undefined],
])('Retry-After %j is a wait of %j ms', (header, ms) => {
  expect(retryAfterMs(header, new Date('2026-01-01T00:00:00Z'))).toBe(ms)
})
