import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MESSAGE_BODY_LIMIT } from '../../src/contract/body-limit.js'
import type { Sent } from '../../src/contract/topics/messages.js'
import { type Deferred, deferred } from '../../src/kit/deferred.js'
import { ServedGateway } from '../support/served-gateway.js'
import { turns, until } from '../support/until.js'

const MiB = 1024 * 1024
/** Of bodies that are so long one at a time is worked on. */
const LONG = 20 * MiB

let gateway: ServedGateway
let app: FastifyInstance
let port: number
let token: string
let sockets: Socket[]
/** The messages whose equipment has not replied yet. */
let held: Deferred<Sent>[]

beforeEach(async () => {
  gateway = new ServedGateway()
  held = []
  sockets = []
  const answer = await gateway.answer()
  gateway.answer = async () => {
    const reply = deferred<Sent>()
    held.push(reply)
    await reply.promise
    return answer
  }
  app = await gateway.app()
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
  token = await gateway.tokenOf('engineer')
})
afterEach(async () => {
  for (const reply of held) reply.resolve({} as Sent)
  for (const socket of sockets) socket.destroy()
  await app.close()
})

/** A message of so many bytes, the most of which are white space. */
const bodyOf = (length: number): Buffer => {
  const body = Buffer.alloc(length, 0x20)
  body.write('{"stream":1,"function":1')
  body.write('}', length - 1)
  return body
}

/** A request, and what has come of its response. */
class Request {
  text = ''

  constructor(readonly socket: Socket) {
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        this.text += bytes.toString('latin1')
      })
  }

  get status(): string | undefined {
    return /^HTTP\/1.1 (\d+)/.exec(this.text)?.[1]
  }
}

/** Sends a header, and then what is given of the body. */
function post(length: number | 'chunked', body: Buffer = Buffer.alloc(0), bearer = token): Request {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const request = new Request(socket)
  const framing = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`
  const lines = ['host: here', `authorization: Bearer ${bearer}`, 'content-type: application/json', framing]
  socket.write(['POST /api/v1/equipment/eq_1/messages HTTP/1.1', ...lines, '', ''].join('\r\n'))
  socket.write(body)
  return request
}

const whole = (length: number): Request => post(length, bodyOf(length))

/** As many chunks of 64 KiB as the body has, and its end. */
function chunked(length: number): Request {
  const request = post('chunked')
  const body = bodyOf(length)
  for (let at = 0; at < length; at += 65_536) {
    const part = body.subarray(at, at + 65_536)
    request.socket.write(`${part.length.toString(16)}\r\n`)
    request.socket.write(part)
    request.socket.write('\r\n')
  }
  request.socket.write('0\r\n\r\n')
  return request
}

test('a long body waits unread while another one is worked on, and short ones pass', async () => {
  const first = whole(LONG)
  await until(() => held.length === 1)
  const second = whole(LONG)
  const short = [whole(100), whole(200_000), chunked(100), chunked(200_000)]
  await until(() => held.length === 5)
  await turns(50)
  expect(second.socket.writableLength).toBeGreaterThan(10 * MiB)
  expect([first.status, second.status, held.length]).toEqual([undefined, undefined, 5])
  for (const reply of held.splice(0)) reply.resolve({} as Sent)
  await until(() => held.length === 1)
  expect([first, ...short].map(({ status }) => status)).toEqual(['200', '200', '200', '200', '200'])
  held[0]?.resolve({} as Sent)
  await until(() => second.status === '200')
})

test('one that has waited for a minute is refused, and nothing of it is done', async () => {
  whole(LONG)
  await until(() => held.length === 1)
  const second = whole(LONG)
  await until(() => gateway.clock.scheduled > 0 && second.socket.bytesWritten > 0)
  await turns(50)
  for (let seconds = 0; seconds < 60; seconds++) gateway.clock.advance(1000)
  await until(() => second.text.includes('gateway_busy'))
  expect(second.status).toBe('503')
  expect(second.text).toMatch(/\r\nretry-after: 5\r\n/i)
  expect(gateway.sent).toHaveLength(1)
})

test.each<[what: string, end: (request: Request) => void]>([
  ['hangs up amid its body', ({ socket }) => socket.destroy()],
  ['sends what is no JSON', ({ socket }) => socket.write(Buffer.alloc(LONG - MiB, 0x78))],
])('the place of a client that %s is free again', async (_, end) => {
  const first = post(LONG, bodyOf(LONG).subarray(0, MiB))
  const second = whole(LONG)
  await turns(50)
  expect(held).toHaveLength(0)
  end(first)
  await until(() => held.length === 1)
  held[0]?.resolve({} as Sent)
  await until(() => second.status === '200')
})

test('a client that goes away while its message is under way keeps its place until that has ended', async () => {
  const first = whole(LONG)
  await until(() => held.length === 1)
  first.socket.destroy()
  const second = whole(LONG)
  await turns(1000)
  expect([second.socket.writableLength > 10 * MiB, held.length]).toEqual([true, 1])
  held[0]?.resolve({} as Sent)
  await until(() => held.length === 2)
  held[1]?.resolve({} as Sent)
  await until(() => second.status === '200')
})

test('a body that does not say how long it is takes more as more comes, and at most what its call may have', async () => {
  chunked(LONG)
  await until(() => held.length === 1)
  const second = chunked(LONG)
  await turns(50)
  expect(second.socket.writableLength).toBeGreaterThan(10 * MiB)
  held[0]?.resolve({} as Sent)
  await until(() => held.length === 2)
  held[1]?.resolve({} as Sent)
  await until(() => second.status === '200')
  const longer = chunked(MESSAGE_BODY_LIMIT + MiB)
  await until(() => longer.text.includes('body_too_large'))
  const third = whole(LONG)
  await until(() => held.length === 3)
  held[2]?.resolve({} as Sent)
  await until(() => third.status === '200')
})

test('a body that comes drop by drop is given up only where another one waits for it', async () => {
  const first = post(LONG, bodyOf(LONG).subarray(0, MiB))
  await until(() => gateway.clock.scheduled > 0)
  await turns(50)
  for (let seconds = 0; seconds < 20; seconds++) gateway.clock.advance(1000)
  await turns(20)
  expect(first.status).toBeUndefined()
  const second = whole(LONG)
  await turns(50)
  await until(() => {
    gateway.clock.advance(100)
    return held.length === 1
  })
  expect(first.status).toBe('408')
  expect(first.text).toContain('request_timeout')
  held[0]?.resolve({} as Sent)
  await until(() => second.status === '200')
})

test('after a body that came whole, and one that was refused, nothing is held', async () => {
  for (let n = 0; n < 3; n++) {
    const request = whole(LONG)
    await until(() => held.length === n + 1)
    held[n]?.resolve({} as Sent)
    await until(() => request.status === '200')
    const refused = post(LONG, bodyOf(LONG), 'no token')
    await until(() => refused.status === '401')
  }
})

test('a message that equipment has, and does not reply to, leaves the place to others', async () => {
  const bodies: object[] = []
  const reply = deferred<void>()
  const { send } = gateway.messages
  const { answer } = gateway
  gateway.answer = async () => {
    await reply.promise
    return answer()
  }
  Object.assign(gateway.messages, {
    send: async (...[id, body, options]: Parameters<typeof send>) => {
      bodies.push(body)
      options?.onSent?.({} as never)
      return send(id, body, options)
    },
  })
  const given = bodyOf(LONG)
  given.write('{"stream":1,"function":1,"sml":"S1F1"')
  const requests = [post(LONG, given), post(LONG, given)]
  await until(() => bodies.length === 2)
  expect(bodies).toEqual([
    { stream: 1, function: 1 },
    { stream: 1, function: 1 },
  ])
  expect(requests.map(({ status }) => status)).toEqual([undefined, undefined])
  reply.resolve()
  await until(() => held.length === 2)
})
