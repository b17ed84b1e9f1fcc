import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { A, L, U4 } from '../../src/secs2/item.js'
import { WebhookServer } from '../gateway/sinks/webhook-server.js'
import { freePort } from '../support/free-port.js'
import { type PlainBody, PlainClient } from '../support/plain-client.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'
import { PostgresServer } from './postgres-server.js'

const ADMIN = { email: 'ada@fab.example', password: 'correct horse battery' }
const PATIENCE_MS = 90_000
let server: PostgresServer

beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

interface Daemon {
  readonly pid: number
  readonly client: PlainClient
}

/** A daemon in a process of its own, on this store. */
async function startDaemon(store: readonly string[], name: string): Promise<Daemon> {
  const home = new Secsctl()
  const env = {
    ...{ SECSCTL_KEYCHAIN: 'file', SECSCTL_ADMIN_EMAIL: ADMIN.email, SECSCTL_ADMIN_PASSWORD: ADMIN.password },
  }
  onTestFinished(async () => {
    await home.runProcess(['daemon', 'stop'], { env })
    home.remove()
  })
  const flags = ['--port', String(await freePort()), '--hsms-host', '127.0.0.1', '--lease', '10s']
  const start = ['daemon', 'start', '--allow-local-sinks', ...store, '--node-name', name, ...flags]
  expect(await home.runProcess(start, { env })).toMatchObject({ code: 0 })
  const status = JSON.parse((await home.runProcess(['daemon', 'status', '--json'], { env })).stdout)
  return { pid: status.pid, client: await new PlainClient(status.url).login(ADMIN) }
}

/** Equipment that reports all the time, and goes on to when it is connected again. */
async function startTool(client: PlainClient, name: string): Promise<() => void> {
  const tool = await ScriptedEquipment.listen()
  const record = { name, ip_address: '127.0.0.1', port: tool.port, gem_startup: false, timers: { t5: 1 } }
  const { status, body } = await client.post('/equipment', record)
  expect({ status, errors: body.errors }).toEqual({ status: 201 })
  const { id } = body
  expect((await client.post(`/equipment/${id}/connect?wait=60`)).status).toBe(200)
  let n = 0
  const timer = setInterval(() => {
    n += 1
    tool.send(6, 11, L(U4(n), U4(1), L(L(U4(1), L(A(`report ${n}`))))))
  }, 25)
  const stop = (): void => clearInterval(timer)
  onTestFinished(stop)
  return stop
}

async function allEvents(client: PlainClient): Promise<PlainBody[]> {
  const events: PlainBody[] = []
  let cursor: string | null = null
  do {
    const paging: string = cursor === null ? '' : `&cursor=${cursor}`
    const { body } = await client.get(`/events?order=asc&limit=1000${paging}`)
    events.push(...body.items)
    cursor = body.next_cursor
  } while (cursor !== null)
  return events
}

test('when the daemon that delivers is killed, another one goes on: nothing is missing, and the order stays', async () => {
  const store = server.flags(await server.database())
  const daemons = [await startDaemon(store, 'gateway-1'), await startDaemon(store, 'gateway-2')]
  const [one] = daemons as [Daemon]
  const target = await WebhookServer.listen()
  // It has each message before it answers, so what is answered too late comes again.
  target.answer = () => (response) => void setTimeout(() => response.writeHead(204).end(), 20)
  const stops = await Promise.all(['a', 'b', 'c'].map((name) => startTool(one.client, `tool-${name}`)))
  const webhook = { url: target.url, batch: 5 }
  const secret = `whsec_${Buffer.from('a key of thirty-two whole bytes!').toString('base64')}`
  const { id } = (await one.client.post('/sinks', { name: 'mes', webhook, start: 'oldest', secret })).body
  await until(() => target.messages.length > 300, PATIENCE_MS)

  const nodes = (await one.client.get('/nodes')).body.items as PlainBody[]
  const duty = nodes.find(({ has_site_duties }) => has_site_duties).name === 'gateway-1' ? 0 : 1
  const [killed, left] = [daemons[duty], daemons[1 - duty]] as [Daemon, Daemon]
  process.kill(killed.pid, 'SIGKILL')
  await until(async () => {
    const all = ((await left.client.get('/nodes')).body.items ?? []) as PlainBody[]
    return all.some(({ self, has_site_duties }) => self && has_site_duties)
  }, PATIENCE_MS)
  const atTakeover = target.messages.length
  await until(() => target.messages.length > atTakeover + 200, PATIENCE_MS)
  for (const stop of stops) stop()
  const sink = async () => (await left.client.get(`/sinks/${id}`)).body
  await until(async () => (await sink()).lag_entries === 0, PATIENCE_MS)

  expect(await sink()).toMatchObject({ state: 'active', dead: 0 })
  const numbers = target.messages.map((message) => Number(message.id.split('-').at(-1)))
  expect(target.messages.filter(({ type }) => type === 'secsctl.gap')).toEqual([])
  const recorded = (await allEvents(left.client)).map((event) => Number(event.id))
  expect([...new Set(numbers)]).toEqual(recorded)
  expect(recorded.length).toBeGreaterThan(500)
  // All repeats are of what the killed daemon had sent and not noted: the numbers go back once.
  const steps = numbers.filter((n, at) => n <= (numbers[at - 1] ?? 0))
  expect(steps.length).toBeLessThanOrEqual(1)
  const duplicates = numbers.length - recorded.length
  expect(duplicates).toBeLessThan(atTakeover)
  // Both daemons open the secret.
  expect(target.calls.filter(({ headers }) => headers['webhook-signature'] === undefined)).toEqual([])
  // The same message has the same text.
  const texts = new Map(target.messages.map((message) => [message.id, JSON.stringify(message.data)]))
  for (const message of target.messages) expect(JSON.stringify(message.data)).toBe(texts.get(message.id))
})

test('a sink by name gets what happened under that name, though the daemon was killed and the equipment is deleted', async () => {
  const store = server.flags(await server.database())
  const first = await startDaemon(store, 'gateway-1')
  const target = await WebhookServer.listen()
  target.answer = () => 503
  const webhook = { url: target.url, batch: 10 }
  const { status } = await first.client.post('/sinks', { name: 'etch', webhook, equipment: ['etch-*'] })
  expect(status).toBe(201)
  const record = { name: 'etch-1', ip_address: '127.0.0.1', port: await freePort(), timers: { t5: 1 } }
  const { id } = (await first.client.post('/equipment', record)).body
  const happen = async () => {
    await first.client.post(`/equipment/${id}/connect`)
    await first.client.post(`/equipment/${id}/disconnect`)
    return (await allEvents(first.client)).map((event) => String(event.id))
  }
  const wanted = await happen()
  expect(wanted.length).toBeGreaterThan(0)
  await first.client.put(`/equipment/${id}`, { name: 'litho-1' })
  await happen()
  expect((await first.client.delete(`/equipment/${id}`)).status).toBe(204)
  process.kill(first.pid, 'SIGKILL')
  const second = await startDaemon(store, 'gateway-2')
  target.answer = () => 204
  target.calls.length = 0
  const lag = async () => (await second.client.get('/sinks')).body.items[0].lag_entries
  await until(async () => (await lag()) === 0, PATIENCE_MS)
  expect([...new Set(target.messages.map(({ data }) => String(data['id'])))]).toEqual(wanted)
})
