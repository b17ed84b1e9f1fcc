import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Equipment } from '../../src/contract/equipment.js'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { type EquipmentRecord, newEquipmentRecord } from '../../src/gateway/records/equipment-record.js'
import { freePort } from '../support/free-port.js'
import { startSimulator } from '../support/live-gateway.js'
import { MemoryCollection, type MemoryJournal, MemoryStore } from '../support/memory-store.js'
import { openTestGateway } from '../support/test-gateway.js'
import { until } from '../support/until.js'
import { type SharedOwnership, Site } from './shared-ownership.js'

// Two gateways of one site in this process, each on an address of its own, as on two machines.

interface Member {
  readonly gateway: Gateway
  readonly ownership: SharedOwnership
  readonly journal: MemoryJournal
  readonly host: string
}

let site: Site
let equipment: MemoryCollection<EquipmentRecord>
let record: EquipmentRecord & { readonly port: number }

beforeEach(async () => {
  site = new Site()
  equipment = new MemoryCollection()
  const given = {
    name: 'etcher',
    ip_address: '127.0.0.1',
    port: await freePort(),
    mode: 'active',
    gem_startup: false,
    timers: { t5: 0.1, establish: 0.1 },
  } as const
  const { port } = given
  record = { ...newEquipmentRecord('eq_1', given, '2026-01-01T00:00:00.000Z'), port, enabled: true }
  await equipment.put(record)
})

async function member(host: string, secret = 7): Promise<Member> {
  const ownership = site.join(host)
  const store = new MemoryStore({ ownership, secret, collections: { equipment } })
  const gateway = await openTestGateway({ store, hsmsHost: host })
  onTestFinished(() => gateway.close())
  return { gateway, ownership, journal: store.journal, host }
}

const stateAt = ({ gateway }: Member): Promise<Equipment> => gateway.equipment.get(record.id)

const communicates = (at: Member): Promise<unknown> =>
  until(async () => (await stateAt(at)).communication_state === 'COMMUNICATING')

test('equipment reaches its owner whichever gateway it dials, and the next owner after a takeover', async () => {
  const one = await member('127.0.0.2')
  const two = await member('127.0.0.3')
  await site.give(record.id, two.ownership)
  const simulator = await startSimulator({ role: 'active', host: one.host, port: record.port })
  await communicates(two)
  expect(one.gateway.traffic.ports).toMatchObject({
    forwardedConnections: 1,
    refused: { strangers: 0, headers: 0 },
  })
  const sent = await two.gateway.messages.send(record.id, { stream: 1, function: 1 })
  expect(sent.result.reply?.data).toMatchObject({ MDLN: 'MINIMAL' })

  await site.give(record.id, one.ownership)
  await communicates(one)
  await until(() => one.gateway.traffic.ports.forwardedConnections === 0)
  expect((await stateAt(one)).last_error).toBeNull()

  // The other way round: it dials the same gateway, which owns it no more.
  await site.give(record.id, two.ownership)
  await communicates(two)
  expect(one.gateway.traffic.ports.forwardedConnections).toBe(1)
  await simulator.stop()
  await until(() => one.gateway.traffic.ports.forwardedConnections === 0)
})

test('a gateway of another site hands nothing on to this one', async () => {
  const one = await member('127.0.0.2', 8)
  const two = await member('127.0.0.3')
  await site.give(record.id, two.ownership)
  await startSimulator({ role: 'active', host: one.host, port: record.port })
  await until(() => two.gateway.traffic.ports.refused.headers > 0)
  expect((await stateAt(two)).connection_state).toBe('LISTENING')
})
