import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FIRST_CERTIFICATE } from '../support/certificates.js'
import { ServedGateway } from '../support/served-gateway.js'
import { turns } from '../support/until.js'

let gateway: ServedGateway
let app: FastifyInstance
let port: number
const dialled: Socket[] = []

/** Sixteen connections, four of them for each address. */
async function serve(options: Parameters<ServedGateway['app']>[0] = {}): Promise<void> {
  app = await gateway.app({ maxConnections: 16, ...options })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
}

beforeEach(async () => {
  gateway = new ServedGateway()
  await serve()
})
afterEach(async () => {
  for (const socket of dialled.splice(0)) socket.destroy()
  await app.close()
})

/** A connection from one of the addresses of the loopback, on which `bytes` are sent and no more. */
async function dial(localAddress: string, bytes = ''): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  socket.on('error', () => undefined).resume()
  dialled.push(socket)
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

const dialMany = (count: number, address: string, bytes = ''): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => dial(address, bytes)))

const ask = (localAddress: string, path = '/healthz', headers = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = `http://127.0.0.1:${port}${path}`
    get(url, { localAddress, headers, agent: false }, resolve).on('error', reject)
  })

const isOpen = ({ closed, readableEnded }: Socket): boolean => !closed && !readableEnded

const connected = (): Promise<number> =>
  new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))

test('one address with silent connections has its share, and nobody is locked out', async () => {
  const silent = await dialMany(60, '127.0.0.2')
  await expect.poll(() => silent.filter(isOpen).length).toBe(4)
  for (const address of ['127.0.0.1', '127.0.0.2']) expect((await ask(address)).statusCode).toBe(200)
  expect((await app.inject('/metrics')).body).toMatch(/secsctl_http_connections_closed_total 5\d/)
})

test('where an address has its share in idle connections, new ones that come together are served', async () => {
  const idle = await dialMany(4, '127.0.0.2', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  await Promise.all(idle.map((socket) => once(socket, 'data')))
  const responses = await Promise.all(Array.from({ length: 4 }, () => ask('127.0.0.2')))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
})

test('many addresses with silent connections lock nobody out', async () => {
  for (let host = 2; host < 8; host++) await dialMany(4, `127.0.0.${host}`)
  await expect.poll(connected).toBeLessThanOrEqual(16)
  for (const address of ['127.0.0.1', '127.0.0.2']) expect((await ask(address)).statusCode).toBe(200)
})

test('bodies that do not arrive lock nobody out', async () => {
  const half =
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'
  for (let host = 2; host < 8; host++) await dialMany(4, `127.0.0.${host}`, half)
  expect((await ask('127.0.0.1')).statusCode).toBe(200)
})

test('a connection that is answered is not closed for another', async () => {
  const token = await gateway.tokenOf('viewer')
  const stream = () => ask('127.0.0.2', '/api/v1/events/stream', { authorization: `Bearer ${token}` })
  const first = await stream()
  // The quota of streams for one user is smaller than the share of connections.
  expect((await stream()).statusCode).toBe(429)
  await dialMany(30, '127.0.0.2')
  await dialMany(30, '127.0.0.3')
  expect((await ask('127.0.0.2')).statusCode).toBe(200)
  expect(first.closed).toBe(false)
  first.destroy()
})

test('over TLS a share is counted alike, and a connection that is answered stays', async () => {
  await app.close()
  await serve({ tls: FIRST_CERTIFICATE })
  const silent = await dialMany(20, '127.0.0.2')
  await expect.poll(() => silent.filter(isOpen).length).toBe(4)
})

test('callers of a trusted proxy have its address, and may use all connections', async () => {
  await app.close()
  await serve({ trustedProxies: ['127.0.0.0/8'] })
  const silent = await dialMany(16, '127.0.0.2')
  await turns()
  expect(silent.filter(isOpen)).toHaveLength(16)
  expect((await ask('127.0.0.3')).statusCode).toBe(200)
})

test('a caller that was refused is hung up on, also when it does not hang up itself', async () => {
  await app.close()
  app = await gateway.app()
  Object.assign(app.server, { headersTimeout: 50, requestTimeout: 60, connectionsCheckingInterval: 20 })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
  const silent = await dial('127.0.0.1', 'GET /healthz HTTP/1.1\r\n')
  await once(silent, 'end')
  await expect.poll(connected).toBe(0)
})
