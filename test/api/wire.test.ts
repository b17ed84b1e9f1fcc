import { get, type IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Role } from '../../src/contract/roles.js'
import type { WireRecord } from '../../src/contract/topics/wire.js'
import { Accounts } from '../../src/gateway/accounts/accounts.js'
import { deferred } from '../../src/kit/deferred.js'
import { controlPassing, dataPassing } from '../gateway/wire/wire-records.js'
import { ServedGateway } from '../support/served-gateway.js'
import { until } from '../support/until.js'

const AT = '2026-01-01T00:00:00.000Z'
const ENDS = { local: '10.0.0.1:40000', remote: '10.0.0.5:5000' }

let gateway: ServedGateway
let app: FastifyInstance
let url: string
let token: string

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  token = await gateway.tokenOf('viewer')
})
afterEach(() => app.close())

/** One who watches: what has come so far, and whether it is over. */
class Watcher {
  bytes = Buffer.alloc(0)
  ended = false

  constructor(readonly response: IncomingMessage) {
    response.on('data', (chunk: Buffer) => {
      this.bytes = Buffer.concat([this.bytes, chunk])
    })
    response.on('close', () => {
      this.ended = true
    })
  }

  get text(): string {
    return this.bytes.toString()
  }

  get records(): WireRecord[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  }
}

const open = (
  query = '',
  accept?: string,
  id = 'eq_1',
  localAddress = '127.0.0.1',
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(accept !== undefined && { accept }) }
    get(`${url}/api/v1/equipment/${id}/wire${query}`, { headers, agent: false, localAddress }, resolve).on(
      'error',
      reject,
    )
  })
const watch = async (query = '', accept?: string) => new Watcher(await open(query, accept))
const pass = (...records: Parameters<typeof gateway.wire.wire.emit>[0][]): void => {
  for (const record of records) gateway.wire.wire.emit(record)
}

test('what passes comes as one object a line, from the moment of the call', async () => {
  pass(dataPassing('in'))
  const watcher = await watch()
  expect(watcher.response.headers).toMatchObject({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
  })
  pass(
    { kind: 'opened', ...ENDS },
    dataPassing('out'),
    controlPassing('in', 'rejectReq', 4),
    { kind: 'unreadable', bytes: Buffer.from('GET '), detail: 'the peer speaks HTTP, not HSMS' },
    { kind: 'closed', detail: 'not_hsms' },
  )
  await expect.poll(() => watcher.records.length).toBe(6)
  expect(watcher.records).toEqual([
    { at: AT, kind: 'watching', local: null, remote: null },
    { at: AT, kind: 'opened', ...ENDS },
    {
      at: AT,
      kind: 'frame',
      direction: 'out',
      header: {
        session_id: 0,
        stream: 1,
        function: 13,
        w_bit: true,
        byte_2: 0x81,
        byte_3: 13,
        p_type: 0,
        s_type: 0,
        s_type_name: 'data',
        system_bytes: 42,
      },
      name: expect.stringMatching(/^S1F13 Establish Communications Request/),
      detail: null,
      length: 12,
      sml: 'S1F13 W\n<L [0]>.',
      hex: '0000000c0000810d00000000002a0100',
      cut: false,
    },
    {
      at: AT,
      kind: 'frame',
      direction: 'in',
      header: {
        session_id: 65535,
        stream: null,
        function: null,
        w_bit: null,
        byte_2: 0,
        byte_3: 4,
        p_type: 0,
        s_type: 7,
        s_type_name: 'Reject.req',
        system_bytes: 1,
      },
      name: 'Reject.req',
      detail: 'reason 4: not selected',
      length: 10,
      sml: null,
      hex: '0000000affff000400070000 0001'.replace(' ', ''),
      cut: false,
    },
    {
      at: AT,
      kind: 'unreadable',
      direction: 'in',
      detail: 'the peer speaks HTTP, not HSMS',
      length: 4,
      hex: '47455420',
      cut: false,
    },
    { at: AT, kind: 'closed', detail: 'not_hsms' },
  ])
})

test('for people it comes as lines, with the bytes where they are asked for', async () => {
  gateway.wire.endpoints = ENDS
  const watcher = await watch('?hex=true', 'text/plain')
  expect(watcher.response.headers['content-type']).toBe('text/plain; charset=utf-8')
  pass(dataPassing('out'), controlPassing('in', 'selectRsp', 1), { kind: 'closed', detail: 'separated' })
  await expect.poll(() => watcher.text).toContain('separated')
  const [first, message, ...rest] = watcher.text.split('\n')
  expect(first).toBe(`${AT} -- watching; connected, 10.0.0.1:40000 to 10.0.0.5:5000`)
  expect(message).toMatch(/ -> S1F13 W Establish Communications Request.* session=0 system=42 length=12$/)
  expect(rest).toEqual([
    '  <L [0]>.',
    '  000000  00 00 00 0c 00 00 81 0d 00 00 00 00 00 2a 01 00  .............*..',
    `${AT} <- Select.rsp (status 1: already active)  session=65535 system=1 length=10`,
    '  000000  00 00 00 0a ff ff 00 01 00 02 00 00 00 01        ..............',
    `${AT} -- closed: separated`,
    '',
  ])
})

test('for Wireshark it comes as a pcapng file', async () => {
  const watcher = await watch('?count=1', 'application/x-pcapng')
  expect(watcher.response.headers['content-type']).toBe('application/x-pcapng')
  pass({ kind: 'opened', ...ENDS }, dataPassing('out'))
  await expect.poll(() => watcher.ended).toBe(true)
  expect(watcher.bytes.subarray(0, 4).toString('hex')).toBe('0a0d0d0a')
  expect(watcher.bytes.includes('secsctl 1.2.3')).toBe(true)
  expect(watcher.bytes.includes('HSMS of etcher, dialled at 127.0.0.1:5000')).toBe(true)
  // SYN, SYN ACK, ACK, and the message.
  const types: number[] = []
  for (let at = 0; at < watcher.bytes.length; at += watcher.bytes.readUInt32LE(at + 4)) {
    types.push(watcher.bytes.readUInt32LE(at))
  }
  expect(types.slice(1)).toEqual([1, 6, 6, 6, 6])
})

test('a body that is no SECS-II comes with what is wrong with it', async () => {
  const watcher = await watch('?count=1')
  pass(dataPassing('in', { body: Uint8Array.of(0x41, 9) }))
  await expect.poll(() => watcher.ended).toBe(true)
  expect(watcher.records.at(-1)).toMatchObject({
    kind: 'frame',
    sml: null,
    detail: expect.any(String),
    length: 12,
  })
})

test('of a long message the beginning is told, and that there is more', async () => {
  const [json, text] = [await watch('?count=1'), await watch('?count=1&hex=true', 'text/plain')]
  const body = Buffer.concat([Buffer.from('430f4240', 'hex'), Buffer.alloc(1_000_000, 'x')])
  pass(dataPassing('in', { stream: 7, function: 3, body }))
  await expect.poll(() => json.ended && text.ended).toBe(true)
  const record = json.records.at(-1)
  if (record?.kind !== 'frame') throw new Error('no frame')
  expect(record).toMatchObject({ length: 1_000_014, cut: true })
  expect(record.hex).toMatch(/^000f424e00008703/)
  expect(record.hex).toHaveLength(2 * 16 * 1024)
  expect(record.sml).toMatch(/^S7F3 W\n<A "x+$/)
  expect(record.sml?.length).toBeLessThan(64 * 1024 + 10)
  expect(text.text.endsWith('\n  ... cut: 1000014 bytes in all\n')).toBe(true)
})

describe('a wire log ends', () => {
  test('with as many messages as were asked for', async () => {
    const watcher = await watch('?count=2')
    pass({ kind: 'opened', ...ENDS }, dataPassing('in'), dataPassing('in'), dataPassing('in'))
    await expect.poll(() => watcher.ended).toBe(true)
    expect(watcher.records.map(({ kind }) => kind)).toEqual(['watching', 'opened', 'frame', 'frame'])
    await expect.poll(() => gateway.watched).toBe(false)
  })

  test('when its token does', async () => {
    const watcher = await watch()
    gateway.clock.advance(12 * 60 * 60 * 1000)
    await expect.poll(() => watcher.ended).toBe(true)
    await expect.poll(() => gateway.watched).toBe(false)
  })

  test('when its token is revoked', async () => {
    const watcher = await watch()
    await gateway.accounts.logout(await gateway.accounts.authenticate(token))
    await expect.poll(() => watcher.ended).toBe(true)
  })

  test('when the equipment is removed', async () => {
    const watcher = await watch()
    gateway.watch.end()
    await expect.poll(() => watcher.ended).toBe(true)
  })

  test('when the server closes', async () => {
    const watcher = await watch()
    await app.close()
    await expect.poll(() => watcher.ended).toBe(true)
  })

  test('when its client leaves; then the wire is watched no longer', async () => {
    const watcher = await watch()
    expect(gateway.watched).toBe(true)
    expect((await app.inject('/metrics')).body).toContain('secsctl_wire_logs 1')
    watcher.response.destroy()
    await expect.poll(() => gateway.watched).toBe(false)
    expect((await app.inject('/metrics')).body).toContain('secsctl_wire_logs 0')
  })

  /** The next look at a token takes until `release` is called. */
  function slowAuthentication() {
    const { authenticate } = Accounts.prototype
    const asked = deferred<void>()
    const released = deferred<void>()
    vi.spyOn(gateway.accounts, 'authenticate').mockImplementationOnce(async (given) => {
      asked.resolve()
      await released.promise
      return authenticate.call(gateway.accounts, given)
    })
    return { asked: asked.promise, release: () => released.resolve() }
  }

  test('at once when the server began to close before it did', async () => {
    const authentication = slowAuthentication()
    const opened = open()
    await authentication.asked
    const closed = app.close()
    await new Promise((resolve) => setImmediate(resolve))
    authentication.release()
    const watcher = new Watcher(await opened)
    await closed
    await expect.poll(() => watcher.ended).toBe(true)
  })

  test('at once when its client has left before it began', async () => {
    const authentication = slowAuthentication()
    const follow = vi.spyOn(gateway.wires, 'follow')
    const left = new Promise((resolve) =>
      app.server.once('connection', (socket) => socket.once('close', resolve)),
    )
    const headers = { authorization: `Bearer ${token}` }
    const request = get(`${url}/api/v1/equipment/eq_1/wire`, { headers, agent: false })
    request.on('error', () => {})
    await authentication.asked
    request.destroy()
    await left
    authentication.release()
    await expect.poll(() => follow.mock.calls.length).toBe(1)
    await expect.poll(() => gateway.watched).toBe(false)
    expect((await app.inject('/metrics')).body).toContain('secsctl_wire_logs 0')
  })
})

test('a client that reads slowly loses records, is told how many, and is given what comes then', async () => {
  const response = await open()
  response.pause()
  const body = Buffer.concat([Buffer.from('4303d090', 'hex'), Buffer.alloc(250_000, 'x')])
  let passed = 0
  await until(async () => {
    for (let at = 0; at < 50; at++) pass(dataPassing('in', { body }))
    passed += 50
    return passed === 1000
  })
  const watcher = new Watcher(response)
  response.resume()
  const lost = () =>
    watcher.records.reduce((sum, record) => sum + (record.kind === 'gap' ? record.lost : 0), 0)
  const frames = () => watcher.records.filter(({ kind }) => kind === 'frame').length
  await expect.poll(() => frames() + lost()).toBe(passed)
  expect(lost()).toBeGreaterThan(0)
  pass(dataPassing('out'))
  await expect.poll(() => watcher.records.at(-1)).toMatchObject({ kind: 'frame', direction: 'out' })
})

test.each([
  ['an equipment that is not there', '', undefined, 'eq_none', 404, 'equipment_not_found'],
  ['a count of none', '?count=0', undefined, 'eq_1', 400, 'invalid_request'],
  ['a form that there is not', '', 'image/png', 'eq_1', 406, 'not_acceptable'],
])('%s is answered as a problem', async (_, query, accept, id, status, code) => {
  const watcher = new Watcher(await open(query, accept, id))
  expect(watcher.response.statusCode).toBe(status)
  await expect.poll(() => watcher.ended).toBe(true)
  expect(JSON.parse(watcher.text)).toMatchObject({ code })
})

test('a user has eight at most, an address sixteen, all thirty-two; and one more when one has gone', async () => {
  /** How many of eight are given to a user at an address. */
  const eight = async (role: Role, from: string): Promise<IncomingMessage[]> => {
    token = await gateway.tokenOf(role)
    const opened = await Promise.all(Array.from({ length: 8 }, () => open('', undefined, 'eq_1', from)))
    return opened.filter(({ statusCode }) => statusCode === 200)
  }
  const first = await eight('viewer', '127.0.0.1')
  expect(first).toHaveLength(8)
  const ninth = new Watcher(await open('', undefined, 'eq_1', '127.0.0.2'))
  await until(() => ninth.ended)
  expect(JSON.parse(ninth.text)).toMatchObject({ status: 429, code: 'quota_exceeded' })
  expect(await eight('operator', '127.0.0.1')).toHaveLength(8)
  expect(await eight('engineer', '127.0.0.1')).toHaveLength(0)
  expect(await eight('engineer', '127.0.0.2')).toHaveLength(8)
  expect(await eight('admin', '127.0.0.2')).toHaveLength(8)
  token = await gateway.tokenOf('viewer')
  first[0]?.destroy()
  await until(async () => (await open('', undefined, 'eq_1', '127.0.0.3')).statusCode === 200)
})
