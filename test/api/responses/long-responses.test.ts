import { get, type IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Message } from '../../../src/contract/topics/messages.js'
import { writtenInParts } from '../../../src/kit/text/json-parts.js'
import { heldMemory } from '../../support/held-memory.js'
import { ServedGateway } from '../../support/served-gateway.js'
import { turns, until } from '../../support/until.js'

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

const MOST = 64 * 1024 * 1024
const PART = 'x'.repeat(8192)

/** A message of 64 MiB, or of `most` bytes, that is made as it is written; how much of it was. */
async function longMessage({ fails = Number.POSITIVE_INFINITY, most = MOST } = {}) {
  const made = { bytes: 0, over: false }
  const message = await gateway.messages.get('1')
  gateway.messages.get = async () =>
    writtenInParts<Message>(
      { ...message },
      function* () {
        try {
          yield '"'
          for (made.bytes = 0; made.bytes < most; made.bytes += PART.length) {
            if (made.bytes >= fails) throw new TypeError('secret of the house')
            yield PART
          }
          yield '"'
        } finally {
          made.over = true
        }
      },
      MOST,
    )
  return made
}

const open = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    get(`${url}/api/v1/messages/1`, { headers, agent: false }, resolve).on('error', reject)
  })

/** What `count` stays at, while the event loop goes round many times. */
async function settled(count: () => number): Promise<number> {
  let before = -1
  let looks = 0
  await until(async () => {
    await turns()
    looks = count() === before ? looks + 1 : 0
    before = count()
    return looks === 10
  })
  return before
}

test('a caller that stops reading holds no more than what the sockets hold', async () => {
  const made = await longMessage()
  const response = await open()
  response.pause()
  expect(await settled(() => made.bytes)).toBeLessThan(MOST / 2)
  expect(made.over).toBe(false)
  response.destroy()
  await until(() => made.over)
})

test('a caller that takes nothing for a minute is hung up on', async () => {
  const made = await longMessage()
  const response = await open()
  response.pause()
  const before = await settled(() => made.bytes)
  gateway.clock.advance(60_000)
  await until(() => made.over)
  expect(made.bytes).toBe(before)
  response.destroy()
})

test('who takes nothing has ten seconds while others wait for their turn', async () => {
  const made = await longMessage()
  const silent = await Promise.all(Array.from({ length: app.json.places.all }, open))
  onTestFinished(() => silent.forEach((each) => void each.destroy()))
  for (const each of silent) each.pause()
  await settled(() => made.bytes)
  gateway.clock.advance(30_000)
  let bytes = 0
  const waiting = open().then((response) => {
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
  })
  await until(() => app.json.places.isAwaited)
  gateway.clock.advance(9_999)
  await settled(() => bytes)
  expect(bytes).toBe(0)
  gateway.clock.advance(1)
  await waiting
  await until(() => bytes === MOST + 2)
})

test('what waits for its turn is not kept in memory, and is read again when its turn has come', async () => {
  const made = await longMessage({ most: MOST / 4 })
  const { get } = gateway.messages
  const length = 4 * 1024 * 1024
  let reads = 0
  gateway.messages.get = async (...of) => {
    reads += 1
    return Object.assign(await get(...of), { bytes: Buffer.alloc(length) })
  }
  const { all } = app.json.places
  const silent = await Promise.all(Array.from({ length: all }, open))
  for (const each of silent) each.pause()
  await settled(() => made.bytes)
  const before = heldMemory().arrayBuffers
  let complete = 0
  for (let at = 0; at < 10; at++)
    void open().then((response) => response.resume().on('end', () => (complete += 1)))
  await until(() => reads === all + 10)
  await turns()
  expect(heldMemory().arrayBuffers - before).toBeLessThan(2 * length)
  expect([app.json.places.used, complete]).toEqual([all, 0])
  for (const each of silent) each.destroy()
  await until(() => complete === 10)
  expect(reads).toBe(all + 20)
  await until(() => app.json.places.used === 0)
})

test('one that has waited for a minute is refused, and short responses wait for none', async () => {
  const made = await longMessage()
  const silent = await Promise.all(Array.from({ length: app.json.places.all }, open))
  onTestFinished(() => silent.forEach((each) => void each.destroy()))
  await settled(() => made.bytes)
  const waiting = open()
  await until(() => app.json.places.isAwaited)
  const headersOfViewer = { authorization: `Bearer ${token}` }
  expect((await fetch(`${url}/api/v1/messages`, { headers: headersOfViewer })).status).toBe(200)
  // The places of those who are disconnected meanwhile are not free in the same turn.
  gateway.clock.advance(60_000)
  const { statusCode, headers } = await waiting
  expect([statusCode, headers['retry-after']]).toEqual([503, '5'])
})

test('others are answered while a long message is written', async () => {
  const made = await longMessage()
  const response = await open()
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const other = await fetch(`${url}/healthz`)
  expect([other.status, made.over]).toEqual([200, false])
  await until(() => made.over)
  await until(() => response.complete)
  expect(bytes).toBe(MOST + 2)
})

test('what fails before the first byte is a problem; what fails after it ends the connection', async () => {
  const headers = { authorization: `Bearer ${token}` }
  await longMessage({ fails: 0 })
  const answer = await app.inject({ url: '/api/v1/messages/1', headers })
  expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal_error'])
  await longMessage({ fails: 8 * 1024 * 1024 })
  const response = await open()
  expect(response.statusCode).toBe(200)
  response.resume()
  await new Promise((resolve) => response.on('close', resolve))
  expect(response.complete).toBe(false)
})

test('HEAD of a long message makes none of it but the beginning', async () => {
  const made = await longMessage()
  const response = await fetch(`${url}/api/v1/messages/1`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}` },
  })
  expect([response.status, response.headers.get('content-length')]).toEqual([200, null])
  expect(made.bytes).toBeLessThan(1024 * 1024)
})
