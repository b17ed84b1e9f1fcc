import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PASSWORD, ServedGateway } from '../support/served-gateway.js'
import { until } from '../support/until.js'

let gateway: ServedGateway
let app: FastifyInstance
let port: number

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
  await gateway.tokenOf('admin')
})
afterEach(() => app.close())

/** A request whose header has arrived and whose caller was known then, and the half of its body; `finish` sends the rest and gives the answer. */
class SlowRequest {
  #text = ''

  private constructor(
    readonly socket: Socket,
    readonly rest: string,
  ) {
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text
    })
  }

  static async send(method: string, path: string, token: string, body: string): Promise<SlowRequest> {
    const socket = connect(port, '127.0.0.1')
    const half = Math.floor(body.length / 2)
    const lines = [
      `${method} /api/v1${path} HTTP/1.1`,
      'host: here',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'expect: 100-continue',
      '',
      body.slice(0, half),
    ]
    const authenticated = vi.spyOn(gateway.accounts, 'authenticate')
    socket.write(lines.join('\r\n'))
    const request = new SlowRequest(socket, body.slice(half))
    await until(() => authenticated.mock.settledResults.some(({ type }) => type === 'fulfilled'))
    authenticated.mockRestore()
    return request
  }

  async finish(): Promise<string> {
    this.socket.write(this.rest)
    await expect.poll(() => this.#text).toMatch(/HTTP\/1.1 [2-5]/)
    this.socket.destroy()
    return /HTTP\/1.1 ([2-5]\d\d)/.exec(this.#text)?.[1] ?? ''
  }
}

const NEW_USER = JSON.stringify({ email: 'eve@example.com', name: 'Eve', role: 'admin', password: PASSWORD })

async function second(): Promise<{ id: string; token: string }> {
  const { id } = await gateway.accounts.create({
    email: 'bob@example.com',
    name: 'Bob',
    role: 'admin',
    password: PASSWORD,
  })
  const { token } = await gateway.accounts.login(
    { email: 'bob@example.com', password: PASSWORD },
    '192.0.2.2',
  )
  return { id, token }
}

test.each([
  [
    'demoted and deleted',
    async (id: string) => {
      await gateway.accounts.update(id, { role: 'viewer' })
      await gateway.accounts.delete(id)
    },
  ],
  ['demoted', (id: string) => gateway.accounts.update(id, { role: 'viewer' })],
  [
    'given another password',
    (id: string) => gateway.accounts.update(id, { password: 'another long password' }),
  ],
])('a user who is %s while the body is under way changes nothing', async (_, change) => {
  const { id, token } = await second()
  const request = await SlowRequest.send('POST', '/users', token, NEW_USER)
  await change(id)
  expect(await request.finish()).toBe('401')
  expect((await gateway.users.all()).map(({ email }) => email)).not.toContain('eve@example.com')
})

test('a token that is revoked while the body is under way changes nothing', async () => {
  const { token } = await second()
  const request = await SlowRequest.send(
    'POST',
    '/equipment/eq_1/messages',
    token,
    '{"stream":1,"function":1}',
  )
  await gateway.accounts.logout(await gateway.accounts.authenticate(token))
  expect(await request.finish()).toBe('401')
  expect(gateway.sent).toEqual([])
})

test('an API key that is revoked while the body is under way changes nothing', async () => {
  const admin = await gateway.accounts.authenticate(await gateway.tokenOf('admin'))
  const given = { name: 'mes', role: 'engineer', expires_at: null } as const
  const { id, key } = await gateway.accounts.keys.create(given, admin)
  const message = '{"stream":1,"function":1}'
  const request = await SlowRequest.send('POST', '/equipment/eq_1/messages', key, message)
  await gateway.accounts.keys.revoke(id, admin)
  expect(await request.finish()).toBe('401')
  expect(gateway.sent).toEqual([])
})

test('a token that expires while the body is under way changes nothing', async () => {
  const { token } = await second()
  const request = await SlowRequest.send('PUT', '/equipment/eq_1', token, '{"name":"furnace"}')
  gateway.clock.advance(12 * 60 * 60_000)
  expect(await request.finish()).toBe('401')
  expect(await gateway.records.get('eq_1')).toMatchObject({ name: 'etcher' })
})

test('a token whose password was changed while the body of refresh is under way gives no new one', async () => {
  const { id, token } = await second()
  const request = await SlowRequest.send('POST', '/auth/refresh', token, '{ }')
  await gateway.accounts.update(id, { password: 'another long password' })
  expect(await request.finish()).toBe('401')
})
