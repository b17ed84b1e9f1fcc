import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { systemClock } from '../../src/kit/clock.js'
import { A, B, L, U4 } from '../../src/secs2/item.js'
import { openStore } from '../../src/store/files/data-folder.js'
import type { Store } from '../../src/store/store.js'
import { freePort } from '../support/free-port.js'
import { ADA, LiveGateway, TIMERS } from '../support/live-gateway.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { LOOPBACK } from '../support/tcp.js'
import { openTestGateway } from '../support/test-gateway.js'
import { until } from '../support/until.js'

test('a gateway that closes answers who waits, records what was open, and keeps the wishes', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  const absent = await live.add({ port: await freePort(), timers: { t5: 600 } })
  const connecting = live.gateway.equipment.connect(absent.id, 120)
  const sending = live.gateway.messages.send(id, { stream: 1, function: 1 }).catch((error: unknown) => error)
  await equipment.next()
  await live.gateway.close()
  expect(await connecting).toMatchObject({ enabled: true, connection_state: 'NOT_CONNECTED' })
  expect(await sending).toMatchObject({ code: 'connection_lost' })
  await until(() => equipment.separated)
  expect((await live.gateway.messages.list({ direction: 'sent', function: 1 })).items).toMatchObject([
    { outcome: 'lost' },
  ])
  expect((await live.collection.all()).map(({ enabled }) => enabled)).toEqual([true, true])
})

test('a gateway that has closed connects no more', async () => {
  const live = await LiveGateway.open()
  const equipment = await ScriptedEquipment.listen()
  const { id } = await live.add({ port: equipment.port })
  await live.gateway.close()
  expect(await live.gateway.equipment.connect(id, 1)).toMatchObject({
    enabled: true,
    connection_state: 'NOT_CONNECTED',
  })
  expect(await live.gateway.equipment.update(id, { device_id: 3 })).toMatchObject({
    connection_state: 'NOT_CONNECTED',
  })
  expect(equipment.connections).toBe(0)
})

test('over the real store everything is after a restart what it was before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-gateway-'))
  let opened: { store: Store; gateway: Gateway } | undefined
  const close = async (): Promise<void> => {
    await opened?.gateway.close()
    await opened?.store.close()
    opened = undefined
  }
  const open = async (): Promise<Gateway> => {
    const store = await openStore(folder, { clock: systemClock })
    const gateway = await openTestGateway({ store })
    opened = { store, gateway }
    return gateway
  }
  onTestFinished(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })

  const gateway = await open()
  const tool = await ScriptedEquipment.listen()
  tool.reply = ({ function: fn }) => (fn === 3 ? { function: 4, item: L(U4(1)) } : undefined)
  const { id } = await gateway.equipment.create({
    name: 'tool',
    ip_address: LOOPBACK,
    port: tool.port,
    timers: TIMERS,
  })
  await gateway.equipment.connect(id, 30)
  await gateway.messages.send(id, { stream: 1, function: 3, data: { SVID: '1' } })
  tool.send(6, 11, L(U4(1), U4(2), L()))
  for (const alcd of [0x84, 0x84, 4]) tool.send(5, 1, L(B(alcd), U4(7), A('Hot')))
  await until(() => tool.received.length >= 5)
  const [alarm] = (await gateway.alarms.list({})).items
  await gateway.alarms.acknowledge(alarm?.id ?? '', ADA, { comment: 'seen' })
  await gateway.equipment.disconnect(id)
  const seen = async (at: Gateway) => ({
    // The model and the reply times are of the process.
    equipment: { ...(await at.equipment.get(id)), model: null, responsiveness: null },
    messages: await at.messages.list({}),
    alarms: await at.alarms.list({}),
    events: await at.events.list({ limit: 1000 }),
  })
  const before = await seen(gateway)
  expect(before.alarms.items).toMatchObject([{ count: 2, active: false, comment: 'seen' }])
  await close()
  expect(await seen(await open())).toEqual(before)
})
