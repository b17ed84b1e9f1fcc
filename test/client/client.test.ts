import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { GatewayClient } from '../../src/client/client.js'
import { NoResponse, ResponseProblem, Unreachable } from '../../src/client/failures.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Equipment } from '../../src/contract/equipment.js'
import { freePort } from '../support/free-port.js'
import { ManualClock } from '../support/manual-clock.js'
import { PASSWORD, ServedGateway } from '../support/served-gateway.js'
import { until } from '../support/until.js'

let gateway: ServedGateway
let app: FastifyInstance
let url: string
let client: GatewayClient

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  client = new GatewayClient({ url, token: await gateway.tokenOf('admin') })
})
afterEach(() => app.close())

/** A server that is no gateway: it answers everything with the same. */
async function answering<T>(
  status: number,
  headers: Record<string, string>,
  body: string,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}

const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: Error) => error,
  )

test('a login, and what it opens', async () => {
  const { token } = await new GatewayClient({ url }).call(endpoints.login, {
    body: { email: 'admin@example.com', password: PASSWORD },
  })
  const me = await new GatewayClient({ url: `${url}/`, token: `${token}\n` }).call(endpoints.getOwnUser, {})
  expect(me).toMatchObject({ email: 'admin@example.com', role: 'admin' })
})

test('a call is typed by the contract', async () => {
  const record = await client.call(endpoints.getEquipment, { params: { id: 'eq_1' } })
  expectTypeOf(record).toEqualTypeOf<Equipment>()
  expect(record).toMatchObject({ id: 'eq_1', name: 'etcher' })
  // @ts-expect-error an endpoint with a parameter cannot be called without it
  const without = client.call(endpoints.getEquipment, {})
  await expect(without).rejects.toThrow('The id must not be empty.')
})

test('the status shows whether connect was there in time', async () => {
  const params = { id: 'eq_1' }
  expect((await client.callFull(endpoints.connectEquipment, { params })).status).toBe(200)
  expect((await client.callFull(endpoints.connectEquipment, { params, query: { wait: 0 } })).status).toBe(202)
})

test('an answer without a body is an empty object', async () => {
  expect(await client.call(endpoints.deleteEquipment, { params: { id: 'eq_1' } })).toEqual({})
})

test('a problem comes back as it was thrown, with all that it carries', async () => {
  const error = await failureOf(
    client.call(endpoints.createEquipment, { body: { name: '', ip_address: 'x', port: -1 } }),
  )
  expect(error).toBeInstanceOf(ResponseProblem)
  expect(error).toMatchObject({ code: 'invalid_request', status: 400, kind: 'usage' })
  expect((error as ResponseProblem).extra.errors?.map(({ pointer }) => pointer)).toEqual([
    '/name',
    '/ip_address',
    '/port',
  ])
  expect((error as ResponseProblem).body).toMatchObject({
    title: 'The request is not valid',
    instance: '/api/v1/equipment',
  })
})

test.each(['..', '.', 'a/b', 'ä ?#', '%2e%2e'])('the id %j stays one step of the path', async (id) => {
  await expect(client.call(endpoints.getEquipment, { params: { id } })).rejects.toMatchObject({
    code: 'equipment_not_found',
    message: `There is no equipment ${id}.`,
  })
})

test('a repeated query parameter, an If-Match and an Idempotency-Key arrive', async () => {
  await client.call(endpoints.listEvents, { query: { type: ['alarm', 'state'], limit: 5 } })
  const change = { params: { id: 'eq_1' }, body: { name: 'other' } }
  await expect(client.call(endpoints.updateEquipment, change, { ifMatch: '"9"' })).rejects.toMatchObject({
    code: 'revision_mismatch',
  })
  const message = { params: { id: 'eq_1' }, body: { stream: 1, function: 1 } }
  const first = await client.callFull(endpoints.sendMessage, message, { idempotencyKey: 'k1' })
  const second = await client.callFull(endpoints.sendMessage, message, { idempotencyKey: 'k1' })
  expect(second.body).toEqual(first.body)
  expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
    undefined,
    'true',
  ])
  expect(gateway.sent).toHaveLength(1)
})

test('a code of a newer gateway is an internal error with its own status and body', async () => {
  const body = JSON.stringify({ code: 'brand_new', detail: 'Something else.', status: 418 })
  const error = await answering(418, { 'content-type': 'application/problem+json' }, body, (other) =>
    failureOf(new GatewayClient({ url: other }).call(endpoints.getOwnUser, {})),
  )
  expect(error).toMatchObject({
    code: 'internal_error',
    status: 418,
    message: 'Something else.',
    body: { code: 'brand_new' },
  })
})

test('nobody there is Unreachable, and says where', async () => {
  await app.close()
  const error = await failureOf(client.call(endpoints.getOwnUser, {}))
  expect(error).toBeInstanceOf(Unreachable)
  expect(error).toMatchObject({
    kind: 'unreachable',
    message: `No gateway responds at ${url}: nothing listens there.`,
  })
})

test.each([
  { status: 200, body: '<html>', says: 'not a gateway: it responded with 200, text/html' },
  { status: 404, body: '<html>', says: 'not a gateway: it responded with 404, text/html' },
  { status: 301, body: '', says: 'not a gateway: it responded with 301' },
  { status: 500, body: '{"error":"oops"}', says: 'not a gateway: it responded with 500' },
])('an answer $status $body is not taken for a gateway', async ({ status, body, says }) => {
  const error = await answering(status, { 'content-type': 'text/html' }, body, (other) =>
    failureOf(new GatewayClient({ url: other }).call(endpoints.getOwnUser, {})),
  )
  expect(error).toBeInstanceOf(Unreachable)
  expect(error.message).toContain(says)
})

test('a call is given up after its timeout, and when its signal says so', async () => {
  gateway.answer = () => new Promise(() => {})
  const given = { params: { id: 'eq_1' }, body: { stream: 1, function: 1 } }
  const late = await failureOf(client.call(endpoints.sendMessage, given, { timeout: 300 }))
  expect(late.message).toBe(
    `No gateway responds at ${url}: it does not respond in time. The message may have been sent, and the equipment may have acted on it.`,
  )
  const stop = new AbortController()
  const stopped = failureOf(client.call(endpoints.sendMessage, given, { signal: stop.signal }))
  stop.abort(new Error('enough'))
  expect((await stopped).message).toBe('enough')
})

/** A server that takes connections, and responds to `/readyz` alone while `isThere` says so. */
async function hanging(isThere: () => boolean, use: (url: string, asked: string[]) => Promise<void>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/readyz' && isThere()) response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a call waits as long as the gateway responds to others, and is given up when it does not', async () => {
  let isThere = true
  await hanging(
    () => isThere,
    async (other, asked) => {
      const clock = new ManualClock()
      const given = { params: { id: 'eq_1' }, body: { stream: 1, function: 1 } }
      let ended = false
      const failure = failureOf(
        new GatewayClient({ url: other, clock }).call(endpoints.sendMessage, given),
      ).finally(() => {
        ended = true
      })
      await until(() => asked.length === 1)
      clock.advance(9999)
      expect(asked).toHaveLength(1)
      clock.advance(1)
      await until(() => asked.length === 2 && clock.next === clock.now() + 10_000)
      isThere = false
      clock.advance(10_000)
      await until(() => asked.length === 3)
      clock.advance(19_999)
      expect(ended).toBe(false)
      clock.advance(1)
      const error = await failure
      expect(error).toBeInstanceOf(NoResponse)
      expect(error.message).toContain(`No gateway responds at ${other}: it does not respond in time.`)
      expect(asked.slice(1)).toEqual(['/readyz', '/readyz'])
      expect(clock.scheduled).toBe(0)
    },
  )
})

describe('a call that is refused before anything was done', () => {
  /** Refuses all calls with `code` but those from the `after`th on; how often it was asked, and what the call ended with. */
  async function refusing(code: string, after: number, timeout?: number) {
    let asked = 0
    const told: string[] = []
    const clock = new ManualClock()
    const server = createServer((request, response) => {
      request.resume()
      asked += 1
      const isOver = asked >= after
      response.writeHead(isOver ? 200 : 503, { 'retry-after': '4' })
      response.end(JSON.stringify(isOver ? { id: 'eq_2' } : { code, detail: 'Nothing was done.' }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const onRepeat = (refusal: ResponseProblem): void => void told.push(refusal.code)
    const caller = new GatewayClient({ url: `http://127.0.0.1:${port}`, clock, timeout, onRepeat })
    const body = { name: 'etcher', ip_address: '10.0.0.5', port: 5000 }
    let isOver = false
    const outcome = caller
      .call(endpoints.createEquipment, { body })
      .then(
        ({ id }) => id,
        (error: ResponseProblem) => error.code,
      )
      .finally(() => {
        isOver = true
      })
    while (!isOver) {
      await until(() => isOver || clock.next === clock.now() + 4000)
      if (isOver) break
      const before = asked
      clock.advance(3999)
      expect(asked).toBe(before)
      clock.advance(1)
    }
    server.close()
    return { outcome: await outcome, asked, told, waited: clock.now() }
  }

  test.each(['equipment_unowned', 'gateway_busy'])(
    'as %s is repeated after the pause it says',
    async (code) => {
      expect(await refusing(code, 3)).toEqual({ outcome: 'eq_2', asked: 3, told: [code, code], waited: 8000 })
    },
  )

  test('is repeated until the pauses add up to 15 s', async () => {
    expect(await refusing('gateway_busy', 99)).toMatchObject({
      outcome: 'gateway_busy',
      asked: 5,
      waited: 16_000,
    })
  })

  test.each([
    ['with a limit of its own', 'gateway_busy', 60_000],
    ['for a reason that may last', 'store_unavailable', undefined],
  ])('%s is not repeated', async (_, code, timeout) => {
    expect(await refusing(code, 99, timeout)).toEqual({ outcome: code, asked: 1, told: [], waited: 0 })
  })
})

test.each(['', 'nonsense', 'ftp://127.0.0.1', '127.0.0.1:7327'])('%j is no URL of a gateway', (text) => {
  expect(() => new GatewayClient({ url: text })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

test('a gateway below a path of its host is reached', async () => {
  const path = await answering(200, {}, '{}', async (other) => {
    const { status } = await new GatewayClient({ url: `${other}/fab/one/` }).request('GET', '/healthz')
    return status
  })
  expect(path).toBe(200)
})

describe('a gateway that hangs up on a request', () => {
  /** Calls `endpoint` of a server that ends each connection once all of a request is there. */
  async function cutOff(call: (client: GatewayClient) => Promise<unknown>): Promise<Error> {
    const server = createServer((request) => request.resume().on('end', () => request.socket.destroy()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      return await failureOf(call(new GatewayClient({ url: `http://127.0.0.1:${port}` })))
    } finally {
      server.close()
    }
  }
  const START = { params: { id: 'eq_1' }, body: { command: 'START' } }

  test('may have sent a message that was asked for', async () => {
    const error = await cutOff((client) => client.call(endpoints.sendCommand, START))
    expect(error).toBeInstanceOf(NoResponse)
    expect(error.message).toContain('the equipment may have acted on it')
  })

  const MAY_HAVE = 'The request may have been carried out.'

  test.each<[string, (client: GatewayClient) => Promise<unknown>]>([
    ['a call', (client) => client.call(endpoints.disconnectEquipment, { params: { id: 'eq_1' } })],
    ['a request', (client) => client.request('POST', '/api/v1/equipment', '{}')],
  ])('may have carried out %s that changes something', async (_, call) => {
    const error = await cutOff(call)
    expect(error).toMatchObject({ name: 'Unreachable', mayHaveActed: false })
    expect(error.message).toContain(`it hung up. ${MAY_HAVE}`)
  })

  test.each<[string, (client: GatewayClient) => Promise<unknown>]>([
    ['call', (client) => client.call(endpoints.readVariables, { params: { id: 'eq_1' } })],
    [
      'call with a body',
      (client) => client.call(endpoints.previewMessage, { params: { id: 'eq_1' }, body: {} }),
    ],
    ['request', (client) => client.request('GET', '/api/v1/equipment')],
  ])('has done nothing for a %s that only reads', async (_, call) => {
    const error = await cutOff(call)
    expect(error).toBeInstanceOf(Unreachable)
    expect(error).not.toBeInstanceOf(NoResponse)
  })

  test('may have carried out what a server between them responds to with an error', async () => {
    const [late, wrong] = await Promise.all(
      [504, 404].map((status) =>
        answering(status, { 'content-type': 'text/html' }, '<html>', (other) =>
          failureOf(
            new GatewayClient({ url: other }).call(endpoints.disconnectEquipment, { params: { id: 'eq_1' } }),
          ),
        ),
      ),
    )
    expect(late?.message).toContain(`it responded with 504, text/html. ${MAY_HAVE}`)
    expect(wrong?.message).not.toContain(MAY_HAVE)
  })

  test('has done nothing where it was never reached', async () => {
    const gone = new GatewayClient({ url: `http://127.0.0.1:${await freePort()}` })
    const error = await failureOf(gone.call(endpoints.sendCommand, START))
    expect(error).toBeInstanceOf(Unreachable)
    expect(error).not.toBeInstanceOf(NoResponse)
  })
})
