import { expect, onTestFinished, test } from 'vitest'
import { connectFleet, disconnectFleet, type FleetMember } from '../../src/cli/simulator/fleet.js'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { systemClock as clock } from '../../src/kit/clock.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { daemonHere } from '../support/daemon-here.js'
import { type FakeAnswer, FakeGateway, problem } from '../support/fake-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { LOOPBACK } from '../support/tcp.js'
import { untilLater } from '../support/until.js'

const folderOf = scratchFolders()
const member = (name: string, port: number): FleetMember => ({
  name,
  ip_address: LOOPBACK,
  port,
  mode: 'passive',
  device_id: 0,
})

test('a fleet is registered once, connected, and refused where a name stands for another address', async () => {
  const { client } = await daemonHere(folderOf())
  const listed = async () =>
    (await client.call(endpoints.listEquipment, { query: {} })).items
      .map(({ name, enabled }) => `${name} ${enabled}`)
      .sort()
  const fleet = [member('etcher-001', 1), member('etcher-002', 2)]
  const ids = await connectFleet(client, fleet)
  expect([...(await connectFleet(client, fleet))].sort()).toEqual([...ids].sort())
  expect(await listed()).toEqual(['etcher-001 true', 'etcher-002 true'])
  const moved = connectFleet(client, [member('etcher-003', 3), member('etcher-002', 4)])
  await expect(moved).rejects.toMatchObject({
    kind: 'state',
    message: 'etcher-002 is registered already, at 127.0.0.1:2 (passive)',
  })
  const respoken = connectFleet(client, [{ ...member('etcher-002', 2), transport: 'secs1-tcp' }])
  await expect(respoken).rejects.toMatchObject({ kind: 'state' })
  expect((await disconnectFleet(client, ids, clock)).done).toHaveLength(2)
  expect(await listed()).toEqual(['etcher-001 false', 'etcher-002 false'])

  const over = AbortSignal.abort()
  expect(await connectFleet(client, [member('etcher-004', 4)], over)).toEqual([])
})

/** A gateway that does so when it is asked to connect or to disconnect the equipment with this id. */
async function gatewayThat(answers: (id: string) => FakeAnswer) {
  const gateway = new FakeGateway(({ method, path }) => {
    if (method === 'GET') return { body: { items: TOOLS, next_cursor: null } }
    const [, , id = ''] = path.split('/')
    return answers(id)
  })
  const client = new GatewayClient({ url: await gateway.listen() })
  onTestFinished(() => gateway.close())
  return { client, gateway }
}
const TOOLS = ['etcher-001', 'etcher-002'].map((name, at) =>
  sampleEquipment({ id: `eq_${at}`, name, ip_address: LOOPBACK, port: at + 1 }),
)
const MEMBERS = TOOLS.map(({ name, port }) => member(name, port ?? 0))
const IDS = TOOLS.map(({ id }) => id)
const AWAY = { status: 503, body: problem(503, 'store_unavailable', 'The disk takes no records.') }

test('a fleet is disconnected although the gateway could not do it at first; without a gateway it is given up', async () => {
  const manual = new ManualClock()
  let refusals = 2
  const { client, gateway } = await gatewayThat((id) =>
    id === 'eq_1' && refusals-- > 0 ? AWAY : { body: TOOLS[0] },
  )
  const disconnecting = disconnectFleet(client, IDS, manual)
  await untilLater(manual, () => gateway.calls.length === 4, 1000)
  expect(await disconnecting).toEqual({ done: [TOOLS[0], TOOLS[0]] })

  refusals = Number.POSITIVE_INFINITY
  let isOver = false
  const failing = disconnectFleet(client, IDS, manual).finally(() => {
    isOver = true
  })
  await untilLater(manual, () => isOver, 1000)
  const { done, failure } = await failing
  expect({ done, failure }).toMatchObject({ done: [TOOLS[0]], failure: { code: 'store_unavailable' } })

  await gateway.close()
  expect((await disconnectFleet(client, IDS, manual)).failure).toMatchObject({ kind: 'unreachable' })
})

test('those that the gateway was told to connect are known where another one fails', async () => {
  const { client } = await gatewayThat((id) => (id === 'eq_1' ? AWAY : { body: TOOLS[0] }))
  const told: string[] = []
  await expect(connectFleet(client, MEMBERS, undefined, (id) => told.push(id))).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  expect(told).toEqual(IDS)
})
