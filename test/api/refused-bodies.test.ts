import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BODY_LIMIT } from '../../src/contract/body-limit.js'
import { ServedGateway } from '../support/served-gateway.js'

const MiB = 1024 * 1024

let gateway: ServedGateway
let app: FastifyInstance
let port: number
let token: string

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
  token = await gateway.tokenOf('viewer')
})
afterEach(() => app.close())

/** Sends a body of so many bytes to its end, and then only reads: nothing of the response may be lost by then. */
async function sendAll(
  path: string,
  bearer: string,
  size: number,
  headers: readonly string[] = [],
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const failure = once(socket, 'error').then(([error]) => Promise.reject(error))
  failure.catch(() => undefined)
  const length = headers.some((line) => line.startsWith('transfer')) ? [] : [`content-length: ${size}`]
  const head = ['host: here', `authorization: Bearer ${bearer}`, 'content-type: application/json']
  socket.write([`POST /api/v1${path} HTTP/1.1`, ...head, ...length, ...headers, '', ''].join('\r\n'))
  const part = Buffer.alloc(64 * 1024, 0x20)
  for (let sent = 0; sent < size; sent += part.length) {
    const chunk =
      length.length > 0 ? part : Buffer.concat([Buffer.from('10000\r\n'), part, Buffer.from('\r\n')])
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), failure])
    // So that the server sends its response, and closes the connection if it does, in the middle of the body.
    await new Promise(setImmediate)
  }
  if (length.length === 0) socket.write('0\r\n\r\n')
  await Promise.race([expect.poll(() => text).toMatch(/"code":/), failure])
  socket.destroy()
  return text
}

test.each([
  ['413', '/auth/login', [], 'body_too_large'],
  ['413', '/auth/login', ['transfer-encoding: chunked'], 'body_too_large'],
  ['413', '/auth/login', ['connection: close'], 'body_too_large'],
  ['401', '/equipment', ['connection: close'], 'unauthenticated'],
  ['404', '/nowhere', ['connection: close'], 'not_found'],
  ['403', '/equipment', ['connection: close'], 'forbidden'],
])('a client that is still sending reads %s of %s %j', async (status, path, headers, code) => {
  const bearer = status === '401' ? 'none' : token
  const text = await sendAll(path, bearer, 16 * MiB, headers)
  expect(text).toMatch(new RegExp(`HTTP/1.1 ${status}`))
  expect(text).toContain(`"code":"${code}"`)
})

test('fetch gets the 413', async () => {
  const url = `http://127.0.0.1:${port}/api/v1/auth/login`
  const headers = { 'content-type': 'application/json' }
  const body = `{"email":"${'x'.repeat(16 * BODY_LIMIT)}"}`
  for (let round = 0; round < 3; round++) {
    const answer = await fetch(url, { method: 'POST', headers, body })
    const { code } = (await answer.json()) as { readonly code: string }
    expect([answer.status, code]).toEqual([413, 'body_too_large'])
  }
})

test('a client that sends no more, or too much, has its connection closed', async () => {
  const ask = (length: number) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.resume()
    const head = ['host: here', 'content-type: application/json', `content-length: ${length}`, '', '{']
    socket.write(['POST /api/v1/auth/login HTTP/1.1', ...head].join('\r\n'))
    return { socket, closed }
  }
  const silent = ask(2 * MiB)
  await once(silent.socket, 'data')
  gateway.clock.advance(2000)
  await silent.closed
  const long = ask(1024 * MiB)
  const part = Buffer.alloc(MiB, 0x20)
  let sent = 0
  while (!long.socket.destroyed && sent < 1024) {
    sent++
    if (!long.socket.write(part))
      await Promise.race([new Promise((resolve) => long.socket.once('drain', resolve)), long.closed])
  }
  expect(sent).toBeLessThan(200)
})
