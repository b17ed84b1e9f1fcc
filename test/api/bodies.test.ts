import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BODY_LIMIT } from '../../src/contract/body-limit.js'
import { ServedGateway } from '../support/served-gateway.js'

interface HostileBody {
  readonly why: string
  readonly body: string
  readonly status: number
  readonly code: string
}
const HOSTILE: HostileBody[] = JSON.parse(
  readFileSync(new URL('../vectors/hostile-bodies.json', import.meta.url), 'utf8'),
)

/** Levels that a body may nest. */
const DEEPEST = 512

const gateway = new ServedGateway()
let app: FastifyInstance
let token: string

beforeAll(async () => {
  app = await gateway.app()
  token = await gateway.tokenOf('engineer')
})
afterAll(() => app.close())

const post = (path: string, payload: string | Buffer, headers: object = {}) =>
  app.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    payload,
  })

test.each(HOSTILE)('refused as $code: $why', async ({ body, status, code }) => {
  const answer = await post('/equipment', body)
  expect(answer.json()).toMatchObject({ status, code })
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  expect(await gateway.records.all()).toHaveLength(1)
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

test('everything that is wrong is said at once, in words, with where it is', async () => {
  const body = {
    name: '',
    ip_address: 'here',
    port: '5000',
    mode: 'both',
    device_id: 40000,
    timers: { t3: 0 },
    ip: 1,
  }
  const answer = await post('/equipment?dry=1', JSON.stringify(body))
  expect(answer.json().errors).toEqual([
    { pointer: 'dry', detail: 'is not known here; known are reason' },
    {
      pointer: '/ip',
      detail:
        'is not known here; known are name, ip_address, port, serial_port, mode, transport, baud_rate, rty, master, device_id, session_id, linktest_mode, gem_startup, communication, item_formats, text_encoding, timers, labels, tap',
    },
    { pointer: '/name', detail: 'must have 1 to 64 characters' },
    { pointer: '/ip_address', detail: 'must be an IPv4 address, such as 192.168.0.10' },
    { pointer: '/port', detail: 'must be an integer from 1 to 65535' },
    { pointer: '/mode', detail: 'must be one of passive, active' },
    { pointer: '/device_id', detail: 'must be an integer from 0 to 32767' },
    { pointer: '/timers/t3', detail: 'must be a number from 0.1 to 600' },
  ])
  expect(answer.json().detail).toContain('dry is not known here; known are reason; /ip is not known here')
})

test('what is missing is named', async () => {
  const answer = await post('/equipment', '{}')
  expect(answer.json().errors).toEqual(
    ['/name', '/ip_address', '/port'].map((pointer) => ({ pointer, detail: 'is required' })),
  )
})

/** The places of the faults for which a body is refused. */
async function refusedFor(method: 'PUT' | 'POST', path: string, body: object): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await app.inject({ method, url: `/api/v1${path}`, headers, payload: body })
  expect(answer.statusCode).toBe(400)
  const { errors }: { readonly errors: readonly { readonly pointer: string }[] } = answer.json()
  return errors.map(({ pointer }) => pointer).sort()
}

const SERIAL = { transport: 'secs1-serial', serial_port: '/dev/ttyUSB0' }

test('equipment at a serial port has neither address nor port, and what was read may be sent again', async () => {
  const created = await post('/equipment', JSON.stringify({ name: 'serial', ...SERIAL }))
  expect(created.statusCode).toBe(201)
  const record = created.json()
  expect(record).toMatchObject({ ...SERIAL, ip_address: null, port: null })
  const again = await app.inject({
    method: 'PUT',
    url: `/api/v1/equipment/${record.id}`,
    headers: { authorization: `Bearer ${token}` },
    payload: { ...record, revision: undefined, name: 'line' },
  })
  expect(again.json()).toMatchObject({ name: 'line', ip_address: null, port: null })
})

/** An entry without a fault. */
const REGISTERED = { name: 'b', ip_address: '10.0.0.6', port: 5001 }

test('an address together with a serial port, and port 0, are faults beside the others', async () => {
  const both = { ...SERIAL, ip_address: '10.0.0.5', port: 0 }
  const faulty = { mode: 'x', device_id: -1, timers: { t3: 0 } }
  const others = ['/device_id', '/mode', '/timers/t3']
  for (const place of [both, { port: 0, ip_address: 'x' }]) {
    const at = ['/device_id', '/ip_address', '/mode', '/port', '/timers/t3']
    expect(await refusedFor('POST', '/equipment', { name: 'a', ...place, ...faulty })).toEqual(at)
    expect(await refusedFor('PUT', '/equipment/eq_1', { ...place, ...faulty })).toEqual(at)
    const list = [REGISTERED, { name: 'c', ...place, ...faulty }]
    expect(await refusedFor('POST', '/equipment/apply', { equipment: list })).toEqual(
      at.map((pointer) => `/equipment/1${pointer}`),
    )
  }
  const withoutTransport = { serial_port: '/dev/ttyUSB0', port: 5000, ...faulty }
  expect(await refusedFor('PUT', '/equipment/eq_1', withoutTransport)).toEqual([...others, '/port'].sort())
  const onTcp = { ...SERIAL, transport: 'secs1-tcp', ...faulty }
  expect(await refusedFor('PUT', '/equipment/eq_1', onTcp)).toEqual([...others, '/serial_port'].sort())
})

test('what only the gateway knows of equipment is said in the same response as the faults of the schema', async () => {
  const known = {
    item_formats: { SVID: 'U3', NOTHING: 'U4' },
    text_encoding: 'klingon',
    labels: { '-a': 'x' },
  }
  const at = ['/item_formats/NOTHING', '/item_formats/SVID', '/labels/-a', '/mode', '/port', '/text_encoding']
  const body = { name: 'c', ip_address: '10.0.0.5', ...known, mode: 'x', port: 0 }
  expect(await refusedFor('POST', '/equipment', body)).toEqual(at)
  expect(await refusedFor('PUT', '/equipment/eq_1', body)).toEqual(at)
  expect(await refusedFor('POST', '/equipment/apply', { equipment: [REGISTERED, body] })).toEqual(
    at.map((pointer) => `/equipment/1${pointer}`),
  )
  const odd = { ...body, item_formats: 7, labels: null, text_encoding: [] }
  expect(await refusedFor('POST', '/equipment', odd)).toEqual([
    '/item_formats',
    '/mode',
    '/port',
    '/text_encoding',
  ])
})

test.each<[entry: object, at: readonly string[]]>([
  [{ name: 'c', port: 0 }, ['/ip_address', '/port']],
  [{ name: 'c', mode: 'x' }, ['/ip_address', '/mode', '/port']],
  [{ name: 'c', ip_address: '10.0.0.6', port: 5001, mode: 'active', rty: -1 }, ['/port', '/rty']],
  [{ name: 'c', ...SERIAL, serial_port: undefined, 'odd/one': 1 }, ['/odd~1one', '/serial_port']],
  [{ name: 'c', ip_address: 'x', port: 5000, tap: { host_port: 6000 } }, ['/ip_address']],
  // Which of them is missing or does not belong here depends on what is wrong.
  [{ name: 'c', transport: 'x', serial_port: '/dev/ttyUSB0' }, ['/transport']],
  [{ name: 'c', transport: 'x', mode: 'active', ip_address: '10.0.0.6', port: 5001 }, ['/transport']],
  // Nobody knows which equipment it is about.
  [{ port: 0, text_encoding: 'klingon' }, ['/name', '/port', '/text_encoding']],
])('of an entry of a list that is none by the schema, all else is said, too: %j', async (entry, at) => {
  const other = { ...REGISTERED, mode: 'active' }
  expect(await refusedFor('POST', '/equipment/apply', { equipment: [other, entry] })).toEqual(
    at.map((pointer) => `/equipment/1${pointer}`),
  )
})

test('an entry whose place is not known takes no address from the entries after it', async () => {
  const place = { ip_address: '10.0.0.7', port: 5003, mode: 'active' }
  const equipment = [
    { name: 'c', ...place, transport: 'x' },
    { name: 'd', ...place },
    { name: 'e', ...place },
  ]
  expect(await refusedFor('POST', '/equipment/apply', { equipment })).toEqual([
    '/equipment/0/transport',
    '/equipment/2/port',
  ])
})

test('a body that is needed and is not there is asked for', async () => {
  const answer = await post('/equipment', '')
  expect(answer.json()).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '', detail: 'is required: send a JSON object' }],
  })
})

test('a call that takes no body refuses one that says something', async () => {
  const answer = await post('/equipment/eq_1/connect', '{"wait":5}')
  expect(answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '' }] })
})

test.each([
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/jsonp' },
  { 'content-type': 'application/json; charset=iso-8859-1' },
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  { 'content-type': 'no type' },
])('a body sent as %j is a 415', async (headers) => {
  expect((await post('/equipment', '{}', headers)).json()).toMatchObject({
    status: 415,
    code: 'unsupported_media_type',
  })
})

test.each(['application/json; charset=UTF-8', 'APPLICATION/JSON', 'application/merge-patch+json'])(
  'a body sent as %s is read',
  async (type) => {
    const answer = await post('/equipment/eq_1/command', '{"command":"START"}', { 'content-type': type })
    expect(answer.statusCode).toBe(200)
  },
)

test('bytes that are not UTF-8 are not replaced in silence', async () => {
  const answer = await post('/equipment', Buffer.from([0x22, 0xff, 0x22]))
  expect(answer.json()).toMatchObject({ code: 'invalid_json', detail: 'The body is not valid UTF-8.' })
})

test.each([
  { depth: 512, says: '/data must be an object' },
  { depth: 513, says: 'nests deeper than 512 levels' },
])('a body nested $depth deep: $says', async ({ depth, says }) => {
  const body = `{"data":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  const answer = await post('/equipment/eq_1/messages', body)
  expect(answer.json()).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining(says) })
})

test('a member that is null is one that was left out', async () => {
  const given = {
    name: 'nulls',
    ip_address: '127.0.0.1',
    port: 5001,
    mode: null,
    timers: { t3: null, t5: 7 },
  }
  const answer = await post(
    '/equipment',
    JSON.stringify({ ...given, item_formats: { SVID: null }, revision: null }),
  )
  expect(answer.json()).toMatchObject({ mode: 'passive', timers: { t3: 45, t5: 7 }, item_formats: {} })
  const missing = await post(
    '/equipment',
    JSON.stringify({ ...given, name: 'more', port: null, no_such: null }),
  )
  expect(missing.json().errors).toMatchObject([
    { pointer: '/no_such' },
    { pointer: '/port', detail: 'is required' },
  ])
  expect((await post('/equipment/eq_1/connect?wait=0', 'null')).statusCode).toBe(202)
  expect((await post('/equipment', 'null')).json().errors).toMatchObject([{ pointer: '' }])
})

test('a record that was fetched is a body that registers another like it', async () => {
  const { body } = await app.inject({
    url: '/api/v1/equipment/eq_1',
    headers: { authorization: `Bearer ${token}` },
  })
  const clone = { ...JSON.parse(body), name: 'clone', port: 5002 }
  const answer = await post('/equipment', JSON.stringify(clone))
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toMatchObject({ name: 'clone', timers: clone.timers, revision: 1 })
  expect(answer.json().id).not.toBe('eq_1')
  const admin = `Bearer ${await gateway.tokenOf('admin')}`
  const me = (await app.inject({ url: '/api/v1/users/me', headers: { authorization: admin } })).json()
  const user = { ...me, email: 'clone@fab.example', password: 'correct horse battery' }
  const added = await post('/users', JSON.stringify(user), { authorization: admin })
  expect(added.statusCode).toBe(201)
  expect(added.json().id).not.toBe(me.id)
})

test('a bracket in a string nests nothing', async () => {
  const command = '[{"\\'.repeat(60)
  expect((await post('/equipment/eq_1/command', JSON.stringify({ command }))).statusCode).toBe(200)
  // Twice as many brackets as levels that are taken, behind quotes that end no string.
  const parameters = { A: '[{"\\'.repeat(DEEPEST) }
  const long = JSON.stringify({ command: 'START', parameters })
  expect((await post('/equipment/eq_1/command', long)).statusCode).toBe(200)
})

test('a body may have 1 MiB, and a message 24 MiB', async () => {
  const long = JSON.stringify({ command: 'START', parameters: { A: 'x'.repeat(BODY_LIMIT) } })
  expect((await post('/equipment/eq_1/command', long)).json()).toMatchObject({
    status: 413,
    code: 'body_too_large',
    detail: expect.stringContaining('1 MiB'),
  })
  const message = JSON.stringify({ stream: 7, function: 3, data: { PPBODY: 'x'.repeat(2 * BODY_LIMIT) } })
  expect((await post('/equipment/eq_1/messages', message)).statusCode).toBe(200)
})

test('a long body is read to its last byte, whether its length is said or not', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { readonly port: number }
  const body = JSON.stringify({ name: 'x'.repeat(BODY_LIMIT - 100), last: 1 })
  for (const length of [{ 'content-length': body.length }, {}]) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...length }
    const sent = request({ port, method: 'POST', path: '/api/v1/equipment', headers })
    for (let at = 0; at < body.length; at += 100_000) sent.write(body.slice(at, at + 100_000))
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(await text(response)).toContain('"pointer":"/last"')
  }
})

test.each([
  ['{"port":5000', 'JSON'],
  ['{"__proto__":{"port":1}}', '__proto__'],
])('what is no JSON to us says why: %s', async (body, why) => {
  const { code, detail } = (await post('/equipment', body)).json()
  expect(code).toBe('invalid_json')
  expect(detail).toMatch(/^The body cannot be read as JSON: ./)
  expect(detail).toContain(why)
})

test('others continue while a long body is read, and it is refused as a short one is', async () => {
  const long = 'x'.repeat(BODY_LIMIT - 1000)
  let turns = 0
  let counting = true
  const count = (): void => {
    turns++
    if (counting) setImmediate(count)
  }
  const cases: readonly (readonly [string | Buffer, string])[] = [
    [`{"name":"${long}"}`, 'invalid_request'],
    [`{"name":"${long}"`, 'invalid_json'],
    [Buffer.from(`{"name":"${long}é"}`, 'latin1'), 'invalid_json'],
    [`{"__proto__":{"admin":true},"name":"${long}"}`, 'invalid_json'],
    [`${'['.repeat(600)}${' '.repeat(BODY_LIMIT - 2000)}${']'.repeat(600)}`, 'invalid_request'],
  ]
  for (const [body, code] of cases) expect((await post('/equipment', body)).json()).toMatchObject({ code })
  setImmediate(count)
  await post('/equipment', `{"name":"${long}"}`)
  counting = false
  expect(turns).toBeGreaterThanOrEqual(3)
})
