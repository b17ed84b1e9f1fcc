import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningDaemon } from '../../src/daemon/daemon.js'
import { WebhookServer } from '../gateway/sinks/webhook-server.js'
import { DAEMON_ADMIN, startDaemonHere } from '../support/daemon-here.js'
import { type PlainBody, PlainClient } from '../support/plain-client.js'
import { until } from '../support/until.js'

const SECRET = `whsec_${Buffer.from('another key of thirty-two bytes!').toString('base64')}`
const folders: string[] = []
const daemons: RunningDaemon[] = []

async function open(allowLocalSinks: boolean): Promise<PlainClient> {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-api-sinks-'))
  folders.push(folder)
  const daemon = await startDaemonHere(folder, { allowLocalSinks })
  daemons.push(daemon)
  const client = new PlainClient(daemon.url)
  client.token = (await client.call('POST', '/auth/login', DAEMON_ADMIN)).body.token
  return client
}

let local: PlainClient
let guarded: PlainClient
beforeAll(async () => {
  ;[local, guarded] = await Promise.all([open(true), open(false)])
})
afterAll(async () => {
  for (const daemon of daemons) await daemon.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const BROKER = { url: 'mqtt://broker.fab.example', user: 'gateway' }
const KINDS: [kind: string, target: object, secret?: string][] = [
  ['webhook', { url: 'https://mes.fab.example/hook', batch: 100, gzip: true }, SECRET],
  ['mqtt', { ...BROKER, topic: 'fab/{equipment}/{name}' }, 'the password'],
  ['sparkplug', { ...BROKER, group: 'fab1', edge_node: 'gw' }, 'the password'],
  [
    'kafka',
    { brokers: 'kafka-1.fab.example:9092,kafka-2.fab.example', topic: 'secs', user: 'gw' },
    'the password',
  ],
  ['file', { file: 'all.ndjson', max_bytes: 65_536, keep: 1 }],
]

test.each(KINDS)(
  'a sink of the kind %s is created, read, changed and removed',
  async (kind, target, secret) => {
    const given = {
      name: kind,
      [kind]: target,
      equipment: ['etch-*'],
      start: 'oldest',
      ...(secret && { secret }),
    }
    const created = await local.call('POST', '/sinks', given)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      name: kind,
      kind,
      [kind]: target,
      signed: secret !== undefined,
      position: '0',
    })
    const { id } = created.body
    const bodies = [
      created.body,
      (await local.call('GET', `/sinks/${id}`)).body,
      (await local.call('GET', '/sinks')).body,
    ]
    const changed = await local.call('PUT', `/sinks/${id}`, { name: `${kind}-2`, equipment: null })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: `${kind}-2`, equipment: null, [kind]: target },
    })
    expect(changed.body.signed).toBe(secret !== undefined)
    bodies.push(changed.body, (await local.call('POST', `/sinks/${id}/pause`)).body)
    expect(bodies.at(-1)).toMatchObject({ state: 'paused' })
    bodies.push(
      (await local.call('POST', `/sinks/${id}/resume`)).body,
      (await local.call('GET', '/audit')).body,
    )
    for (const body of bodies) {
      expect(JSON.stringify(body)).not.toContain('"secret":')
      if (secret) expect(JSON.stringify(body)).not.toContain(secret)
    }
    expect((await local.call('DELETE', `/sinks/${id}`)).status).toBe(204)
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['GET', '/dead'],
      ['POST', '/retry'],
    ] as const) {
      const gone = await local.call(method, `/sinks/${id}${path}`, method === 'PUT' ? {} : undefined)
      expect(gone).toMatchObject({ status: 404, body: { code: 'sink_not_found' } })
    }
  },
)

const webhook = { url: 'https://mes.fab.example' }
test.each<readonly [what: string, given: object, pointer: string]>([
  ['no target', {}, ''],
  ['two targets', { webhook, file: { file: 'x.ndjson' } }, ''],
  ['a webhook without a URL', { webhook: {} }, '/webhook/url'],
  ['a webhook at no URL', { webhook: { url: 'https://' } }, '/webhook/url'],
  ['a webhook of another protocol', { webhook: { url: 'file:///etc/passwd' } }, '/webhook/url'],
  ['a webhook with a user', { webhook: { url: 'https://a:b@mes.fab.example' } }, '/webhook/url'],
  ['a URL as it is answered', { webhook: { url: 'https://mes.fab.example/?...' } }, '/webhook/url'],
  ['a batch of none', { webhook: { ...webhook, batch: 0 } }, '/webhook/batch'],
  ['authorities that are none', { webhook: { ...webhook, ca: 'PEM' } }, '/webhook/ca'],
  ['a member that is not known', { webhook: { ...webhook, method: 'PUT' } }, '/webhook/method'],
  ['a secret that is no key', { webhook, secret: 'whsec_short' }, '/secret'],
  ['a secret of a file', { file: { file: 'x.ndjson' }, secret: SECRET }, '/secret'],
  ['a password without a user', { mqtt: { url: 'mqtt://b.fab.example' }, secret: 'p' }, '/secret'],
  ['a broker at an HTTP URL', { mqtt: { url: 'http://b.fab.example' } }, '/mqtt/url'],
  ['a topic with a wildcard', { mqtt: { ...BROKER, topic: 'fab/#' } }, '/mqtt/topic'],
  ['a topic of a placeholder that is none', { mqtt: { ...BROKER, topic: '{what}' } }, '/mqtt/topic'],
  ['brokers without a topic', { kafka: { brokers: 'k.fab.example' } }, '/kafka/topic'],
  ['brokers that are no addresses', { kafka: { brokers: 'a:b', topic: 't' } }, '/kafka/brokers'],
  ['sparkplug without a group', { sparkplug: BROKER }, '/sparkplug/group'],
  ['sparkplug with types', { sparkplug: { ...BROKER, group: 'f' }, types: ['alarm'] }, '/types'],
  ['a file in another folder', { file: { file: '../x' } }, '/file/file'],
  ['a file with the name of a rotated one', { file: { file: 'x.ndjson.1' } }, '/file/file'],
  ['a file that is too small', { file: { file: 'x', max_bytes: 1 } }, '/file/max_bytes'],
  ['no types', { webhook, types: [] }, '/types'],
  ['a type that no event has', { webhook, types: ['alarms'] }, '/types/0'],
  ['a selector that cannot be read', { webhook, label_selector: 'a=(' }, '/label_selector'],
  ['a start that is no time', { webhook, start: 'tomorrow' }, '/start'],
  ['a name with a blank', { name: 'a b', webhook }, '/name'],
])('%s is refused', async (_, given, pointer) => {
  const { status, body } = await local.call('POST', '/sinks', { name: 'x', ...given })
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' })
  expect(body.errors.map((error: PlainBody) => error.pointer)).toContain(pointer)
  expect(JSON.stringify(body)).not.toContain(SECRET)
  expect((await local.call('GET', '/sinks')).body.items).toEqual([])
})

describe('a target on the machine of the daemon', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0.0.0.0/',
    'http://localhost/',
    'http://LOCALHOST:80/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data',
  ])('%s is refused unless the daemon allows it', async (url) => {
    const { status, body } = await guarded.call('POST', '/sinks', { name: 'x', webhook: { url } })
    expect({ status, pointer: body.errors?.[0]?.pointer }).toEqual({ status: 400, pointer: '/webhook/url' })
    expect(body.detail).toContain('--allow-local-sinks')
  })

  test('is refused for a broker, and in a change, as well', async () => {
    for (const url of ['mqtt://127.0.0.1', 'mqtts://[::1]:8883', 'mqtt://localhost'])
      expect((await guarded.call('POST', '/sinks', { name: 'x', mqtt: { url } })).status).toBe(400)
    const { id } = (await guarded.call('POST', '/sinks', { name: 'x', webhook })).body
    const change = { webhook: { url: 'http://127.0.0.1/' } }
    expect((await guarded.call('PUT', `/sinks/${id}`, change)).status).toBe(400)
    expect((await guarded.call('GET', `/sinks/${id}`)).body.webhook).toEqual(webhook)
    await guarded.call('DELETE', `/sinks/${id}`)
  })
})

test('a change is of its kind, and a name is of one sink', async () => {
  const { id } = (await local.call('POST', '/sinks', { name: 'a', webhook })).body
  const other = (await local.call('POST', '/sinks', { name: 'b', webhook })).body
  const put = (body: object) => local.call('PUT', `/sinks/${id}`, body)
  expect(await put({ file: { file: 'x' } })).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(await put({ name: 'b' })).toMatchObject({ status: 409, body: { code: 'sink_name_taken' } })
  expect(await local.call('POST', '/sinks', { name: 'a', webhook })).toMatchObject({ status: 409 })
  for (const one of [id, other.id]) await local.call('DELETE', `/sinks/${one}`)
})

test('only administrators change sinks; all roles read them', async () => {
  const { id } = (await local.call('POST', '/sinks', { name: 'mes', webhook, secret: SECRET })).body
  const change = [
    ['POST', '/sinks', { name: 'x', webhook }],
    ['PUT', `/sinks/${id}`, { types: ['alarm'] }],
    ['DELETE', `/sinks/${id}`],
    ...['test', 'pause', 'resume', 'retry'].map((verb) => ['POST', `/sinks/${id}/${verb}`] as const),
  ] as const
  for (const role of ['viewer', 'operator', 'engineer']) {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const key = (await local.call('POST', '/keys', { name: role, role, expires_at })).body.key
    const job = new PlainClient(local.url)
    job.token = key
    for (const path of ['/sinks', `/sinks/${id}`, `/sinks/${id}/dead`]) {
      const { status, body } = await job.call('GET', path)
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(SECRET)
    }
    for (const [method, path, body] of change)
      expect(await job.call(method, path, body)).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      })
  }
  expect((await new PlainClient(local.url).call('GET', '/sinks')).status).toBe(401)
  await local.call('DELETE', `/sinks/${id}`)
})

test('what a target rejects is a dead letter, is read, sent again in part, and dropped', async () => {
  const server = await WebhookServer.listen()
  server.answer = () => 400
  const tool = { name: 'etcher', ip_address: '127.0.0.1', port: 1 }
  const equipment = (await local.call('POST', '/equipment', tool)).body.id
  const given = { name: 'mes', webhook: { url: server.url }, format: 'flat' }
  const { id } = (await local.call('POST', '/sinks', given)).body
  const trial = (await local.call('POST', `/sinks/${id}/test`)).body
  expect(trial).toMatchObject({
    delivered: false,
    detail: 'it responded with 400',
    message: { type: 'secsctl.test' },
  })
  await local.call('POST', `/equipment/${equipment}/connect?wait=1`)
  await local.call('POST', `/equipment/${equipment}/disconnect`)
  await until(async () => {
    await local.call('POST', `/sinks/${id}/resume`)
    return (await local.call('GET', `/sinks/${id}`)).body.dead >= 2
  })
  const letters = async () => (await local.call('GET', `/sinks/${id}/dead?limit=100`)).body.items
  const all = await letters()
  for (const { message, reason } of all)
    expect([message.data.equipment_id, message.subject, reason]).toEqual([
      equipment,
      equipment,
      'it responded with 400',
    ])
  expect((await local.call('GET', `/sinks/${id}/dead?limit=1`)).body.items).toEqual(all.slice(0, 1))
  server.answer = () => 204
  server.calls.length = 0
  await local.call('POST', `/sinks/${id}/retry`, { ids: [all[1].id] })
  await until(async () => !(await letters()).some((letter: PlainBody) => letter.id === all[1].id))
  expect(server.messages.filter((message) => message.id === all[1].message.id)).toHaveLength(1)
  expect(server.messages.some((message) => message.id === all[0].message.id)).toBe(false)
  expect((await letters())[0].id).toBe(all[0].id)
  const dropped = await local.call('POST', `/sinks/${id}/retry`, { drop: true })
  expect(dropped).toMatchObject({ status: 200, body: { dead: 0 } })
  expect(server.messages.some((message) => message.id === all[0].message.id)).toBe(false)
  const audited = (await local.call('GET', '/audit?action=retryDeadLetters&limit=2')).body.items
  expect(audited.map(({ details }: PlainBody) => details)).toEqual([
    { id, drop: true },
    { id, ids: all[1].id },
  ])
  await local.call('DELETE', `/sinks/${id}`)
})

test('a sink that was read may be sent again: nothing changes, also where its URL is shown in part', async () => {
  const target = await WebhookServer.listen()
  const url = `${target.url}?token=hidden`
  const given = { name: 'again', webhook: { url, batch: 7 }, equipment: ['etch-*'], secret: SECRET }
  const { body: sink } = await local.call('POST', '/sinks', given)
  expect(JSON.stringify(sink)).not.toContain('hidden')
  const { last_delivered_at, lag_entries, lag_seconds, position, updated_at, ...shown } = sink
  const again = await local.call('PUT', `/sinks/${sink.id}`, sink)
  expect(again).toMatchObject({ status: 200, body: shown })
  expect((await local.call('POST', `/sinks/${sink.id}/test`)).body).toMatchObject({ delivered: true })
  expect(target.urls).toEqual(['/hook?token=hidden'])
  const copy = await local.call('POST', '/sinks', { ...sink, name: 'copy', webhook: { url } })
  expect(copy).toMatchObject({ status: 201, body: { name: 'copy', equipment: ['etch-*'] } })
  expect(copy.body.id).not.toBe(sink.id)
})
