import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Lookup } from '../../../src/gateway/sinks/kinds/allowed-address.js'
import { webhook } from '../../../src/gateway/sinks/kinds/webhook.js'
import type { SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import { systemClock } from '../../../src/kit/clock.js'
import { MemoryJournal } from '../../support/memory-store.js'
import { until } from '../../support/until.js'
import { entryOf, openSinks, outMessage, sinkWorld } from './open-sinks.js'
import { WebhookServer } from './webhook-server.js'

const load = createRequire(import.meta.url)
const { Webhook } = load('standardwebhooks') as {
  readonly Webhook: new (
    secret: string,
  ) => { verify(body: string, headers: Record<string, unknown>): unknown }
}
const { HTTP } = load('cloudevents') as {
  readonly HTTP: { toEvent(message: { headers: object; body: string }): unknown }
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const recordOf = (url: string, more: object = {}) =>
  ({ kind: 'webhook', webhook: { url, ...more }, secret: null }) as unknown as SinkRecord
const world = sinkWorld()
const message = outMessage(1)
const never = new AbortController().signal

test('a foreign verifier accepts the signature, and a foreign library reads the CloudEvent', async () => {
  const server = await WebhookServer.listen()
  const journal = new MemoryJournal()
  const sinks = openSinks(journal)
  await sinks.begin()
  await sinks.create({ name: 'mes', webhook: { url: server.url }, secret: SECRET })
  await journal.append(entryOf('eq_a', 1))
  await until(() => server.calls.length === 1)
  const [{ headers, text } = { headers: {}, text: '' }] = server.calls
  expect(() => new Webhook(SECRET).verify(text, headers)).not.toThrow()
  expect(() => new Webhook(SECRET).verify(`${text} `, headers)).toThrow()
  expect(HTTP.toEvent({ headers, body: text })).toMatchObject({
    specversion: '1.0',
    id: '0123456789abcdef-1',
    source: 'urn:secsctl:0123456789abcdef',
    type: 'secsctl.alarm_set',
    subject: 'eq_a',
    partitionkey: 'eq_a',
    data: { id: '1', type: 'alarm', name: 'alarm_set', equipment_id: 'eq_a', data: { n: 1 } },
  })
  expect(headers['webhook-id']).toBe('0123456789abcdef-1')
})

test('a batch is an array, is compressed where that is asked for, and is signed as a whole', async () => {
  const server = await WebhookServer.listen()
  const journal = new MemoryJournal()
  for (let n = 1; n <= 25; n++) await journal.append(entryOf('eq_a', n))
  // By the fast clock a busy machine would exceed the time limit of a request, and repeat it.
  const sinks = openSinks(journal, undefined, {}, systemClock)
  await sinks.begin()
  const target = { url: server.url, batch: 10, gzip: true }
  await sinks.create({ name: 'mes', webhook: target, secret: SECRET, start: 'oldest' })
  await until(() => server.messages.length === 25)
  const [{ headers, text } = { headers: {}, text: '' }] = server.calls
  expect(headers['content-type']).toMatch(/^application\/cloudevents-batch\+json/)
  expect(headers['content-encoding']).toBe('gzip')
  expect(() => new Webhook(SECRET).verify(text, headers)).not.toThrow()
  expect(HTTP.toEvent({ headers, body: text })).toHaveLength(10)
  expect(server.calls.map(({ headers }) => headers['webhook-id'])).toEqual([
    '0123456789abcdef-1..10',
    '0123456789abcdef-11..20',
    '0123456789abcdef-21..25',
  ])
})

test('redirects are not followed', async () => {
  const [server, other] = [await WebhookServer.listen(), await WebhookServer.listen()]
  server.answer = () => (response) => void response.writeHead(307, { location: other.url }).end()
  const producer = webhook()(recordOf(server.url), world)
  expect(await producer.send([message], never)).toEqual({
    isPermanent: false,
    detail: 'it responded with 307, a redirect, which is not followed',
  })
  expect(other.calls).toEqual([])
  await producer.close()
})

test('of an endless answer only the beginning is read', async () => {
  const server = await WebhookServer.listen()
  let sent = 0
  server.answer = () => (response) => {
    response.writeHead(200)
    const more = (): void => {
      if (response.destroyed) return
      sent += 16_384
      response.write('x'.repeat(16_384), () => setImmediate(more))
    }
    more()
  }
  const producer = webhook()(recordOf(server.url), world)
  expect(await producer.send([message], never)).toBeUndefined()
  await producer.close()
  expect(sent).toBeLessThan(64 * 1024 * 1024)
})

test.each([
  [400, true],
  [404, true],
  [422, true],
  [408, false],
  [425, false],
  [429, false],
  [500, false],
  [503, false],
])('the status %i is permanent: %s', async (status, isPermanent) => {
  const server = await WebhookServer.listen()
  server.answer = () => (response) => void response.writeHead(status, { 'retry-after': '7' }).end('no\nlot')
  const producer = webhook()(recordOf(server.url), world)
  expect(await producer.send([message], never)).toEqual({
    isPermanent,
    detail: `it responded with ${status}: no lot`,
    retryAfter: 7000,
  })
  await producer.close()
})

test('a target that hangs is given up when the sink stops', async () => {
  const server = await WebhookServer.listen()
  server.answer = () => () => {}
  const producer = webhook()(recordOf(server.url), world)
  const over = new AbortController()
  const sent = producer.send([message], over.signal)
  await until(() => server.calls.length === 1)
  over.abort()
  await expect(sent).rejects.toThrow()
  await producer.close()
})

test('a target that accepts no connection does not hold up the sink when it stops', async () => {
  const silent = createServer()
  onTestFinished(() => void silent.close())
  const called = new Promise<void>((resolve) => silent.once('connection', () => resolve()))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  // It never says anything of TLS.
  const producer = webhook()(recordOf(`https://127.0.0.1:${port}/`), world)
  const over = new AbortController()
  const sent = producer.send([message], over.signal)
  await called
  const began = systemClock.now()
  over.abort(new Error('the sink was stopped'))
  await expect(sent).rejects.toThrow('the sink was stopped')
  await producer.close()
  // The connection itself would be given up after 10 s.
  expect(systemClock.now() - began).toBeLessThan(8000)
})

const LOCAL = [
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '169.254.169.254',
  '[fe80::1]',
  '2130706433',
  '0x7f.1',
]

test.each(LOCAL)('%s is refused as a target where local ones are not allowed', async (host) => {
  const producer = webhook()(recordOf(`http://${host}:9/`), { ...world, localTargets: false })
  await expect(producer.send([message], never)).rejects.toThrow('is a local address')
  await producer.close()
})

test('a name is refused by the address that the connection would have, whatever it was before', async () => {
  const server = await WebhookServer.listen()
  let looked = 0
  const lookup = ((_: string, __: object, callback: (...found: unknown[]) => void) => {
    looked++
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  }) as unknown as Lookup
  const { port } = new URL(server.url)
  const record = recordOf(`http://rebound.example:${port}/`)
  const producer = webhook(lookup)(record, { ...world, localTargets: false })
  await expect(producer.send([message], never)).rejects.toThrow('127.0.0.1 is a local address')
  expect(looked).toBe(1)
  expect(server.calls).toEqual([])
  await producer.close()
})

test('other addresses are not refused', async () => {
  const lookup = ((_: string, __: object, callback: (...found: unknown[]) => void) =>
    callback(new Error('asked'))) as unknown as Lookup
  const producer = webhook(lookup)(recordOf('http://mes.example/'), { ...world, localTargets: false })
  await expect(producer.send([message], never)).rejects.toThrow('asked')
  await producer.close()
})
