import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServedGateway } from '../support/served-gateway.js'

let gateway: ServedGateway
let app: FastifyInstance
let socket: Socket
let received = ''
let closed: Promise<unknown>

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  await app.listen({ port: 0, host: '127.0.0.1' })
  await dial()
})

async function dial(): Promise<void> {
  const { port } = app.server.address() as AddressInfo
  received = ''
  socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined).on('data', (bytes) => (received += bytes))
  closed = once(socket, 'close')
  await once(socket, 'connect')
}
afterEach(async () => {
  socket.destroy()
  await app.close()
})

const statuses = (): string[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string)

/** The bytes of a request. */
async function request(path: string, body?: object): Promise<string> {
  const content = body ? JSON.stringify(body) : ''
  const ofBody = body ? `Content-Type: application/json\r\nContent-Length: ${content.length}\r\n` : ''
  const line = `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nHost: a\r\n`
  return `${line}Authorization: Bearer ${await gateway.tokenOf('admin')}\r\n${ofBody}\r\n${content}`
}

const metric = async (name: string): Promise<string | undefined> =>
  (await app.inject('/metrics')).body.match(new RegExp(`^${name} (.*)$`, 'm'))?.[1]

const equipment = (name: string) => ({ name, ip_address: '127.0.0.1', port: 5000, device_id: 0 })

test('requests that are sent without waiting for responses are served one after the other', async () => {
  const first = await request('/api/v1/equipment', equipment('first'))
  const rest = [await request('/api/v1/equipment/first'), await request('/api/v1/equipment/none')]
  socket.write(first + rest.join(''))
  await expect.poll(statuses).toEqual(['201', '200', '404'])
})

test('requests that were sent after that of a stream do not begin, and hold nothing once the connection is closed', async () => {
  const stream = await request('/api/v1/events/stream')
  const create = await request('/api/v1/equipment', equipment('late'))
  socket.write(stream.repeat(60) + create)
  await expect.poll(() => metric('secsctl_http_streams')).toBe('1')
  socket.destroy()
  await expect.poll(() => metric('secsctl_http_streams')).toBe('0')
  await expect.poll(() => metric('secsctl_http_connections')).toBe('0')
  const headers = { authorization: `Bearer ${await gateway.tokenOf('admin')}` }
  expect((await app.inject({ url: '/api/v1/equipment/late', headers })).statusCode).toBe(404)
})

test('what is no request gets its response after those that are owed, and what follows "Connection: close" gets none', async () => {
  const create = await request('/api/v1/equipment', equipment('first'))
  const list = await request('/api/v1/equipment')
  socket.write(`${create}${list.repeat(8)}BLAH\r\n\r\n`)
  await expect.poll(statuses).toEqual(['201', ...Array(8).fill('200'), '400'])
  await closed

  const last = 'GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  await dial()
  socket.write(list.repeat(4) + last + list.repeat(200))
  await closed
  expect(statuses()).toEqual(Array(5).fill('200'))
})
