import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { follow } from '../../../src/cli/events/event-follow.js'
import { GatewayClient } from '../../../src/client/client.js'
import { ManualClock } from '../../support/manual-clock.js'
import { eventOf } from '../../support/served-gateway.js'

const IDLE_MS = 12_000

/** Follows a gateway whose responses are left to the test. */
async function followed(waitsForGateway: boolean) {
  const clock = new ManualClock()
  const asked: ServerResponse[] = []
  const server = createServer((_, response) => void asked.push(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const seen: string[] = []
  let losses = 0
  const over = new AbortController()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const following = { idle: IDLE_MS, waitsForGateway, onLoss: () => void losses++ }
  const ending = follow(new GatewayClient({ url }), following, { clock, signal: over.signal }, ({ id }) => {
    seen.push(id)
  })
  onTestFinished(() => {
    over.abort()
    server.closeAllConnections()
    server.close()
  })
  /** The response to the attempt with this number, from 0. */
  const attempt = async (at: number): Promise<ServerResponse> => {
    await expect.poll(() => asked.length).toBe(at + 1)
    return asked[at] as ServerResponse
  }
  const sees = async (response: ServerResponse, id: number): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`id: ${id}\nevent: state\ndata: ${JSON.stringify(eventOf(id))}\n\n`)
    await expect.poll(() => seen.at(-1)).toBe(String(id))
  }
  const lost = async (count: number): Promise<void> => {
    await expect.poll(() => losses).toBe(count)
  }
  /** One event comes, and the connection is lost. */
  const losesFirst = async (): Promise<void> => {
    const first = await attempt(0)
    await sees(first, 1)
    first.destroy()
    await lost(1)
  }
  return { clock, ending, attempt, sees, lost, losesFirst }
}

test('while the gateway is away, what waits for it is not idle; once it is there again, it may be', async () => {
  const { clock, ending, attempt, sees, lost, losesFirst } = await followed(true)
  await losesFirst()
  clock.advance(IDLE_MS * 2)
  const away = await attempt(1)
  away.writeHead(503).end()
  await lost(2)
  clock.advance(IDLE_MS * 2)
  await sees(await attempt(2), 2)
  clock.advance(IDLE_MS)
  expect(await ending).toBe('idle')
})

test('a gateway that is there again and sends nothing is waited for no longer than when it was there', async () => {
  const { clock, ending, attempt, losesFirst } = await followed(true)
  await losesFirst()
  clock.advance(IDLE_MS * 2)
  const second = await attempt(1)
  second.writeHead(200, { 'content-type': 'text/event-stream' }).write(': there\n\n')
  await expect.poll(() => clock.next).toBe(clock.now() + IDLE_MS)
  clock.advance(IDLE_MS)
  expect(await ending).toBe('idle')
})

test('a time that was asked for goes on while the gateway is away', async () => {
  const { clock, ending, losesFirst } = await followed(false)
  await losesFirst()
  clock.advance(IDLE_MS)
  expect(await ending).toBe('idle')
})
