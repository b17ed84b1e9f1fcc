import { connect } from 'node:net'
import pino from 'pino'
import { expect, test } from 'vitest'
import { RequestLog } from '../../src/api/request-log.js'
import { ManualClock } from '../support/manual-clock.js'
import { PASSWORD, ServedGateway } from '../support/served-gateway.js'

type Line = Readonly<Record<string, unknown>>

function recorded(): { log: RequestLog; clock: ManualClock; lines: Line[] } {
  const lines: Line[] = []
  const clock = new ManualClock()
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log: new RequestLog(clock, logger), clock, lines }
}

test('of requests without a valid token so many are logged of one network, and so many of all', () => {
  const { log, clock, lines } = recorded()
  const admitted = (address: string, count: number): number =>
    Array.from({ length: count }, () => log.admits(address)).filter(Boolean).length
  expect(admitted('192.0.2.1', 1000)).toBe(60)
  expect(admitted('2001:db8::1', 50)).toBe(50)
  expect(admitted('2001:db8::2', 50)).toBe(10)
  let all = 120
  for (let n = 0; n < 200; n++) all += admitted(`198.51.100.${n}`, 5)
  expect(all).toBe(600)
  expect(lines).toEqual([])
  clock.advance(60_000)
  expect(lines).toMatchObject([
    { level: 40, requests: 2100 - 600, msg: 'requests without a valid token not logged' },
  ])
  expect(log.suppressed).toBe(1500)
  expect(admitted('192.0.2.1', 100)).toBe(60)
  log.close()
  expect(lines.at(-1)).toMatchObject({ requests: 40 })
  expect(clock.scheduled).toBe(0)
})

test('a stranger fills no log, and hides nobody who has a token', async () => {
  const lines: Line[] = []
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const gateway = new ServedGateway()
  const app = await gateway.app({ logger })
  const requests = (): Line[] => lines.filter(({ msg }) => msg === 'request')
  for (let n = 0; n < 100; n++) await app.inject(`/api/v1/equipment/${'x'.repeat(2000)}`)
  expect(requests()).toHaveLength(60)
  expect(Math.max(...requests().map(({ path }) => String(path).length))).toBe(512)
  const email = 'viewer@example.com'
  const token = await gateway.tokenOf('viewer')
  const payload = { email, password: PASSWORD }
  expect((await app.inject({ method: 'POST', url: '/api/v1/auth/login', payload })).statusCode).toBe(200)
  await app.inject({ url: '/api/v1/users/me', headers: { authorization: `Bearer ${token}` } })
  expect(requests().slice(60)).toMatchObject([
    { path: '/api/v1/auth/login', status: 200 },
    { path: '/api/v1/users/me', status: 200 },
  ])
  expect((await app.inject('/metrics')).body).toContain('secsctl_log_requests_suppressed_total 40')
  await app.close()
  expect(lines.at(-1)).toMatchObject({ requests: expect.any(Number) })
})

test.each([
  ['is no valid chunk', 'zz\r\n', 400],
  ['is cut off by a client that hangs up', '5\r\n{"a"', undefined],
])('a body that %s is no error of the gateway', async (_, body, status) => {
  const lines: Line[] = []
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const gateway = new ServedGateway()
  const app = await gateway.app({ logger })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const head = 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined).resume()
  if (status === undefined) app.server.once('request', () => socket.destroy())
  socket.write(head + body)
  await new Promise((resolve) => socket.once('close', resolve))
  await expect.poll(() => lines.filter(({ msg }) => msg !== 'Server listening')).not.toEqual([])
  await app.close()
  expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([])
})
