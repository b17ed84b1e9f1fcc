import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FollowOptions, followEvents } from '../../src/client/events.js'
import { Unreachable } from '../../src/client/failures.js'
import type { Event, StreamQuery } from '../../src/contract/topics/events.js'
import { ManualClock } from '../support/manual-clock.js'
import { eventOf, ServedGateway } from '../support/served-gateway.js'

let gateway: ServedGateway
let app: FastifyInstance
let options: FollowOptions
let clock: ManualClock
let stop: AbortController
let losses: number[]

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  clock = new ManualClock()
  stop = new AbortController()
  losses = []
  options = {
    url: await app.listen({ port: 0, host: '127.0.0.1' }),
    token: await gateway.tokenOf('viewer'),
    clock,
    onLoss: (_, retryIn) => void losses.push(retryIn),
  }
})
afterEach(async () => {
  stop.abort()
  await app.close()
})

/** Follows in the background: what came, and how it ended. */
class Following {
  readonly events: Event[] = []
  error: unknown
  readonly done: Promise<void>

  constructor(query: StreamQuery = {}, given: FollowOptions = options) {
    this.done = this.#run(query, given)
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id)
  }

  async #run(query: StreamQuery, given: FollowOptions): Promise<void> {
    try {
      for await (const event of followEvents(given, query, stop.signal)) this.events.push(event)
    } catch (error) {
      this.error = error
    }
  }
}

/** A server that answers each connection with the next of `answers`, and hangs up. */
async function scripted(answers: readonly (string | number)[]): Promise<[Server, string, string[]]> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const answer = answers[asked.length] ?? ': \n\n'
    asked.push(String(request.headers['last-event-id'] ?? ''))
    const status = typeof answer === 'number' ? answer : 200
    response.writeHead(status, { 'content-type': 'text/event-stream' })
    response.end(
      status === 200 ? answer : JSON.stringify({ code: 'x', status, detail: `answered ${status}` }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked]
}
const sse = (id: number): string => `id: ${id}\nevent: state\ndata: ${JSON.stringify(eventOf(id))}\n\n`

test('events come as the records they are, and the following ends when it is stopped', async () => {
  gateway.events.add(eventOf(1, { text: 'äöü 漢字' }), eventOf(2))
  const following = new Following({ after: '0' })
  await expect.poll(() => following.events).toEqual([eventOf(1, { text: 'äöü 漢字' }), eventOf(2)])
  stop.abort()
  await following.done
  expect(following.error).toBeUndefined()
})

test('after a loss it continues after the last event, without a gap or a repeat', async () => {
  const following = new Following({ after: '0' })
  gateway.events.add(eventOf(1))
  await expect.poll(() => following.ids).toEqual(['1'])
  app.server.closeAllConnections()
  await expect.poll(() => losses).toEqual([250])
  gateway.events.add(eventOf(2))
  clock.advance(250)
  await expect.poll(() => following.ids).toEqual(['1', '2'])
})

test('a stream that the gateway broke off is told in words, not in those of a library', async () => {
  const told: string[] = []
  const following = new Following(
    { after: '0' },
    { ...options, onLoss: ({ message }) => void told.push(message) },
  )
  gateway.events.add(eventOf(1))
  await expect.poll(() => following.ids).toEqual(['1'])
  app.server.closeAllConnections()
  await expect.poll(() => told).toEqual([`No gateway responds at ${options.url}: it hung up.`])
})

test('also where nothing had come before the loss, nothing in between is missed', async () => {
  gateway.events.add(eventOf(1))
  const following = new Following()
  await expect.poll(async () => (await app.inject('/metrics')).body).toContain('secsctl_http_streams 1')
  app.server.closeAllConnections()
  await expect.poll(() => losses.length).toBe(1)
  gateway.events.add(eventOf(2))
  clock.advance(250)
  await expect.poll(() => following.ids).toEqual(['2'])
})

test('a gateway that is away is tried again, each time later, up to ten seconds', async () => {
  const [server, url, asked] = await scripted([sse(1), 503, 503, 502, 500, 429, 503, 503, sse(2)])
  const following = new Following({}, { ...options, url })
  const waits = [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]
  for (const [at, wait] of waits.entries()) {
    await expect.poll(() => losses.length).toBe(at + 1)
    expect(losses[at]).toBe(wait)
    clock.advance(wait)
  }
  await expect.poll(() => following.ids).toEqual(['1', '2'])
  expect(asked).toEqual(['', ...Array(8).fill('1')])
  stop.abort()
  await following.done
  server.closeAllConnections()
  server.close()
})

test('a token that has ended ends the following', async () => {
  const following = new Following()
  await expect.poll(async () => (await app.inject('/metrics')).body).toContain('secsctl_http_streams 1')
  await gateway.accounts.logout(await gateway.accounts.authenticate(options.token ?? ''))
  await expect.poll(() => losses.length).toBe(1)
  clock.advance(250)
  await following.done
  expect(following.error).toMatchObject({ code: 'token_revoked', status: 401 })
})

test('an event that retention has passed ends the following', async () => {
  gateway.events.add(eventOf(100))
  const following = new Following({ after: '1' })
  await following.done
  expect(following.error).toMatchObject({ code: 'cursor_expired', status: 410 })
})

test('a problem that the stream tells of is thrown where trying again is no use', async () => {
  const problem = JSON.stringify({ code: 'cursor_expired', status: 410, detail: 'Too late.' })
  const [server, url] = await scripted([`${sse(1)}event: problem\ndata: ${problem}\n\n`])
  const following = new Following({}, { ...options, url })
  await following.done
  expect(following.ids).toEqual(['1'])
  expect(following.error).toMatchObject({ code: 'cursor_expired', message: 'Too late.' })
  server.close()
})

test('nobody there at the first attempt is reported at once', async () => {
  await app.close()
  const following = new Following()
  await following.done
  expect(following.error).toBeInstanceOf(Unreachable)
  expect(following.error).toMatchObject({
    message: `No gateway responds at ${options.url}: nothing listens there.`,
  })
})
