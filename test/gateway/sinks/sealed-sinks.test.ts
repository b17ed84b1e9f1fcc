import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { type StoredSink, sealedSinks } from '../../../src/gateway/sinks/sealed-sinks.js'
import { systemClock } from '../../../src/kit/clock.js'
import { MemoryCollection, MemoryJournal } from '../../support/memory-store.js'
import { until } from '../../support/until.js'
import { entryOf, openSinks } from './open-sinks.js'
import { WebhookServer } from './webhook-server.js'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const signatureOf = (server: WebhookServer) => server.calls.at(-1)?.headers['webhook-signature']

test('a secret is sealed where it is stored, is opened with the same key alone, and is asked for again otherwise', async () => {
  const stored = new MemoryCollection<StoredSink>()
  const siteKey = randomBytes(32)
  const server = await WebhookServer.listen()
  const journal = new MemoryJournal()
  const opened = async (key: Uint8Array) => {
    const sinks = openSinks(journal, sealedSinks(stored, key), {}, systemClock)
    await sinks.begin()
    return sinks
  }
  const first = await opened(siteKey)
  const { id } = await first.create({ name: 'mes', webhook: { url: server.url }, secret: SECRET })
  await journal.append(entryOf('eq_a', 1))
  await until(() => server.calls.length > 0)
  await first.end()
  const text = JSON.stringify(await stored.all())
  expect(text).toContain('"secret":{"sealed":"')
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 20))

  const again = await opened(siteKey)
  expect(await again.test(id)).toMatchObject({ delivered: true })
  expect(signatureOf(server)).toMatch(/^v1,/)
  await again.end()

  const sent = server.calls.length
  const other = await opened(randomBytes(32))
  expect(await other.test(id)).toMatchObject({
    delivered: false,
    detail: expect.stringContaining('the signing key does not open its secret'),
  })
  expect(await other.update(id, { name: 'mes2' })).toMatchObject({ signed: true })
  expect(JSON.stringify(await other.get(id))).not.toContain('unopened')
  await journal.append(entryOf('eq_a', 2))
  await until(async () => (await other.get(id)).state === 'failing')
  expect(server.calls).toHaveLength(sent)
  await other.end()
  // A change by the other key has not replaced it.
  const back = await opened(siteKey)
  await until(() => server.calls.length > sent)
  expect(signatureOf(server)).toMatch(/^v1,/)
  await back.end()

  const renewed = await opened(randomBytes(32))
  expect(await renewed.update(id, { secret: null })).toMatchObject({ signed: false })
  expect(await renewed.test(id)).toMatchObject({ delivered: true })
  expect(signatureOf(server)).toBeUndefined()
  expect(await renewed.update(id, { secret: SECRET })).toMatchObject({ signed: true })
  expect(await renewed.test(id)).toMatchObject({ delivered: true })
  expect(signatureOf(server)).toMatch(/^v1,/)
})

test('a secret that is stored readable works, and is sealed at the next write', async () => {
  const stored = new MemoryCollection<StoredSink>()
  const siteKey = randomBytes(32)
  const sinks = openSinks(new MemoryJournal(), sealedSinks(stored, siteKey))
  const { id } = await sinks.create({ name: 'a', webhook: { url: 'http://127.0.0.1:1' }, secret: SECRET })
  const record = (await stored.get(id)) as StoredSink
  await stored.put({ ...record, secret: SECRET })
  expect(await sinks.get(id)).toMatchObject({ signed: true })
  await sinks.pause(id)
  expect((await stored.get(id))?.secret).toEqual({ sealed: expect.any(String) })
  // What is sealed for one sink is not opened in another.
  await stored.put({ ...((await stored.get(id)) as StoredSink), id: 'snk_other' })
  expect(await sealedSinks(stored, siteKey).get('snk_other')).toMatchObject({ secret: null })
})

test('the query of a URL is sealed where it is stored, and opened with the same key alone', async () => {
  const stored = new MemoryCollection<StoredSink>()
  const siteKey = randomBytes(32)
  const server = await WebhookServer.listen()
  const opened = (key: Uint8Array) =>
    openSinks(new MemoryJournal(), sealedSinks(stored, key), {}, systemClock)
  const url = `${server.url}?code=s3cr3t?x`
  const sinks = opened(siteKey)
  const { id } = await sinks.create({ name: 'mes', webhook: { url, batch: 2 } })
  expect(JSON.stringify(await stored.all())).not.toContain('s3cr3t')
  expect(await sinks.test(id)).toMatchObject({ delivered: true })
  expect(server.urls.at(-1)).toBe('/hook?code=s3cr3t?x')

  const other = opened(randomBytes(32))
  const shown = { url: `${server.url}?...`, batch: 2 }
  expect(await other.get(id)).toMatchObject({ webhook: shown })
  expect(await other.test(id)).toMatchObject({ delivered: false })
  expect(await other.update(id, { name: 'mes2' })).toMatchObject({ webhook: shown })
  expect(JSON.stringify(await other.get(id))).not.toContain('unopened')
  expect(await opened(siteKey).test(id)).toMatchObject({ delivered: true })
  expect(server.urls.at(-1)).toBe('/hook?code=s3cr3t?x')
  await other.update(id, { webhook: { url: server.url } })
  expect(await other.test(id)).toMatchObject({ delivered: true })
  expect(server.urls.at(-1)).toBe('/hook')
  expect(await stored.get(id)).not.toHaveProperty('query')
})

test('a query that is stored readable works, and is sealed at the next write', async () => {
  const stored = new MemoryCollection<StoredSink>()
  const sinks = openSinks(new MemoryJournal(), sealedSinks(stored, randomBytes(32)))
  const { id } = await sinks.create({ name: 'a', webhook: { url: 'http://127.0.0.1:1' } })
  const record = (await stored.get(id)) as StoredSink
  await stored.put({ ...record, webhook: { url: 'http://127.0.0.1:1/?token=t0ken' } })
  expect(await sinks.get(id)).toMatchObject({ webhook: { url: 'http://127.0.0.1:1/?...' } })
  await sinks.pause(id)
  expect(JSON.stringify(await stored.get(id))).not.toContain('t0ken')
})

const KAFKA = { brokers: 'a.example:9092,b.example', topic: 't', user: 'u' }
test.each([
  [{ webhook: { url: 'https://mes.example/in' } }, { webhook: { url: 'https://evil.example/in' } }],
  [{ webhook: { url: 'https://mes.example/in' } }, { webhook: { url: 'https://mes.example:8443/in' } }],
  [{ webhook: { url: 'https://mes.example:80/in' } }, { webhook: { url: 'http://mes.example/in' } }],
  [{ mqtt: { url: 'mqtts://b.example', user: 'u' } }, { mqtt: { url: 'mqtts://c.example', user: 'u' } }],
  [{ mqtt: { url: 'mqtts://b.example:1883', user: 'u' } }, { mqtt: { url: 'mqtt://b.example', user: 'u' } }],
  [{ kafka: KAFKA }, { kafka: { ...KAFKA, brokers: 'a.example:9092,c.example' } }],
  [{ kafka: { ...KAFKA, tls: true } }, { kafka: KAFKA }],
  [{ kafka: KAFKA }, { kafka: { ...KAFKA, mechanism: 'plain' as const } }],
])('%j keeps its secret for its host: %j needs the secret again', async (target, change) => {
  const sinks = openSinks(new MemoryJournal(), new MemoryCollection(), { localTargets: false })
  const { id } = await sinks.create({ name: 'a', ...target, secret: SECRET })
  await expect(sinks.update(id, change)).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer: '/secret' }] },
  })
  expect(await sinks.get(id)).toMatchObject(target)
  expect(await sinks.update(id, { ...change, secret: SECRET })).toMatchObject(change)
  expect(await sinks.update(id, { ...target, secret: null })).toMatchObject({ signed: false })
})

test.each([
  [{ webhook: { url: 'https://mes.example/in' } }, { webhook: { url: 'https://mes.example:443/out?a=b' } }],
  [{ mqtt: { url: 'mqtt://b.example', user: 'u' } }, { mqtt: { url: 'mqtt://b.example:1883', user: 'v' } }],
  [{ kafka: KAFKA }, { kafka: { ...KAFKA, brokers: 'b.example:9092', topic: 'x' } }],
  [{ webhook: { url: 'https://mes.example/in' } }, { name: 'b' }],
])('%j keeps its secret at %j', async (target, change) => {
  const sinks = openSinks(new MemoryJournal(), new MemoryCollection(), { localTargets: false })
  const { id } = await sinks.create({ name: 'a', ...target, secret: SECRET })
  expect(await sinks.update(id, change)).toMatchObject({ signed: true })
})
