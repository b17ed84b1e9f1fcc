import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { delay, systemClock } from '../../src/kit/clock.js'
import { L, U4 } from '../../src/secs2/item.js'
import type { Answer } from '../support/plain-client.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { until } from '../support/until.js'
import { NodeProcess } from './node-process.js'
import { PostgresServer } from './postgres-server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

/** As long as the daemons may get no processor on a busy machine without losing what they own. */
const LEASE_S = 8
/** Seconds that a call gives the equipment for its reply. */
const TIMEOUT_S = 60
/** The lease ends, a look later; the response is waited for 2 s; then comes the next daemon. All that is far less than this. */
const ENDS_WITHIN_MS = TIMEOUT_S * 500

const loopback = (text: string) => ({ sml: `S2F25 W <B ${Buffer.from(text).join(' ')}>` })

async function timed(call: Promise<Answer>): Promise<Answer & { readonly ms: number }> {
  const from = performance.now()
  return { ...(await call), ms: performance.now() - from }
}

/** Two daemons and a tool that one of them drives. */
async function site() {
  const store = server.flags(await server.database())
  const nodes = []
  for (const name of ['gateway-1', 'gateway-2'])
    nodes.push(await NodeProcess.start(name, store, `${LEASE_S}s`))
  const [{ client }] = nodes as [NodeProcess]
  const tool = await ScriptedEquipment.listen()
  const timers = { t3: 10, t5: 1, t6: 2, establish: 1 }
  const record = { name: 'etcher', ip_address: '127.0.0.1', port: tool.port, gem_startup: false, timers }
  const { id } = (await client.post('/equipment', record)).body
  expect((await client.post(`/equipment/${id}/connect?wait=60`)).status).toBe(200)
  const ownerIn = async (node: NodeProcess) => (await node.client.get(`/equipment/${id}`)).body.node
  const name = await ownerIn(nodes[0] as NodeProcess)
  const owner = nodes.find((node) => node.name === name) as NodeProcess
  const other = nodes.find((node) => node !== owner) as NodeProcess
  await until(async () => (await ownerIn(other)) === name)
  return { owner, other, tool, id, ownerIn }
}

test('calls do not wait for a daemon that is stopped by a signal, and when it goes on it has nothing left', async () => {
  const { owner, other, tool, id, ownerIn } = await site()
  /** What each S2F25 said, in the order of arrival. */
  const looped = (): string[] =>
    tool.received.flatMap(({ stream, function: fn, body }) =>
      stream === 2 && fn === 25 ? [Buffer.from(body.subarray(2)).toString()] : [],
    )
  tool.reply = ({ stream, function: fn, body }) => {
    if (stream === 1 && fn === 1) return { function: 2, item: L() }
    const isHeld = Buffer.from(body.subarray(2)).toString() === 'held'
    return stream === 2 && fn === 25 && !isHeld ? { function: 26, body } : undefined
  }
  const send = (text: string, key?: string) =>
    other.client.call('POST', `/equipment/${id}/messages?timeout=${TIMEOUT_S}`, loopback(text), {
      ...(key !== undefined && { 'idempotency-key': key }),
    })
  expect((await send('before', 'key-before')).status).toBe(200)
  const underWay = timed(send('held', 'key-held'))
  await until(() => looped().includes('held'))

  owner.daemon.child.kill('SIGSTOP')
  onTestFinished(() => void owner.daemon.child.kill('SIGCONT'))
  tool.send(6, 11, L(U4(1), U4(1), L()))
  const traffic = timed(other.client.get(`/equipment/${id}/traffic`))
  const keyed = timed(send('keyed', 'key-keyed'))
  const plain = timed(send('plain'))
  const ended = await Promise.all([underWay, traffic, keyed, plain])
  for (const { ms } of ended) expect(ms).toBeLessThan(ENDS_WITHIN_MS)
  // Of the message that was under way nobody knows whether the tool has taken it.
  expect(ended.map(({ status }) => status)).toEqual([409, 200, 200, 502])
  expect([ended[0]?.body.code, ended[3]?.body.code]).toEqual(['outcome_unknown', 'owner_lost'])
  expect(looped()).toEqual(['before', 'held', 'keyed'])

  owner.daemon.child.kill('SIGCONT')
  const nodes = [owner, other]
  for (const node of nodes) await until(async () => (await ownerIn(node)) === other.name)
  const asked = await Promise.all(
    nodes.map((node) =>
      node.client.call('POST', `/equipment/${id}/messages?timeout=${TIMEOUT_S}`, loopback(node.name)),
    ),
  )
  expect(asked.map(({ status }) => status)).toEqual([200, 200])
  // What was in the sockets of the stopped one is refused by it: another one has the equipment.
  await delay(systemClock, 3000)
  expect(looped().toSorted()).toEqual(['before', 'gateway-1', 'gateway-2', 'held', 'keyed'])
  expect(tool.late.map(({ stream, function: fn }) => `S${stream}F${fn}`)).toEqual([])
  expect(tool.connections).toBe(2)
})
