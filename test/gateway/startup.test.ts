import { expect, test } from 'vitest'
import { A, B, type Item, L, U4 } from '../../src/secs2/item.js'
import { callsOf, LiveGateway } from '../support/live-gateway.js'
import { ScriptedEquipment, type ScriptedReply } from '../support/scripted-equipment.js'
import { until } from '../support/until.js'

const sentBy = async (live: LiveGateway, id: string): Promise<string[]> =>
  (
    await live.gateway.messages.list({ equipment_id: id, direction: 'sent', limit: 100, order: 'asc' })
  ).items.map(({ stream, function: fn }) => `S${stream}F${fn}`)

test('after connecting the gateway asks a simulator for state, names, spool and alarms, for names only once', async () => {
  const live = await LiveGateway.open()
  const { id, simulator } = await live.connectSimulator({ gem_startup: true })
  const known = () => live.gateway.equipment.get(id)
  await until(async () => (await known()).control_state === 'ONLINE_REMOTE')
  expect((await sentBy(live, id)).filter((name) => name !== 'S1F14')).toEqual([
    ...['S1F13', 'S1F1', 'S6F23', 'S5F5', 'S1F11', 'S1F21', 'S1F23', 'S1F3'],
  ])
  await live.reopen()
  await live.gateway.equipment.connect(id, 30)
  await until(async () => (await sentBy(live, id)).filter((name) => name === 'S5F5').length === 2)
  expect((await sentBy(live, id)).filter((name) => name === 'S1F11')).toHaveLength(1)
  expect((await known()).control_state).toBe('ONLINE_REMOTE')
  await simulator.stop()
})

/** An equipment that answers by name, and aborts the rest. */
async function answering(
  replies: Readonly<Record<string, () => Item | undefined>>,
): Promise<ScriptedEquipment> {
  const equipment = await ScriptedEquipment.listen()
  equipment.reply = ({ stream, function: fn }): ScriptedReply | undefined => {
    if (fn % 2 === 0) return undefined
    const reply = replies[`S${stream}F${fn}`]
    if (!reply) return { function: 0 }
    const item = reply()
    return { function: fn + 1, ...(item && { item }) }
  }
  return equipment
}

test('values of reports that an equipment has from its factory are named, by one S6F21 a report', async () => {
  const live = await LiveGateway.open()
  const { id, simulator } = await live.connectSimulator({ gem_startup: true })
  const asked = async () => (await sentBy(live, id)).filter((name) => name === 'S6F21')
  const started = (times: number) =>
    until(async () => (await sentBy(live, id)).filter((name) => name === 'S5F5').length === times)
  await started(1)
  await simulator.equipment.fireEvent('3')
  await until(async () => (await live.gateway.messages.list({ stream: 6, function: 22 })).items.length === 1)
  await live.reopen()
  await live.gateway.equipment.connect(id, 30)
  await started(2)
  await simulator.equipment.fireEvent('3')
  const { items } = await live.gateway.messages.list({ stream: 6, function: 11, order: 'asc' })
  const value = [{ vid: '2', name: 'ControlState', unit: null, value: '5' }]
  expect(items.map(({ collection_event }) => collection_event?.reports[0]?.values)).toEqual([value, value])
  expect(await asked()).toHaveLength(1)
})

test('what an equipment does not know is not asked again after a restart', async () => {
  const equipment = await answering({ S1F1: () => L(A('X'), A('1')) })
  const live = await LiveGateway.open()
  const { id } = await live.connect({ port: equipment.port, gem_startup: true })
  const count = async (name: string): Promise<number> =>
    (await sentBy(live, id)).filter((each) => each === name).length
  const answered = async (): Promise<number> =>
    (await live.gateway.messages.list({ equipment_id: id, stream: 1, function: 2 })).items.length
  // One more than those that are refused: S6F23, S5F5 in either form, S5F7, S1F11.
  await until(async () => (await answered()) === 6)
  await live.reopen()
  await live.gateway.equipment.connect(id, 30)
  await until(async () => (await answered()) === 11)
  expect([await count('S5F7'), await count('S1F11')]).toEqual([2, 1])
})

const alarm = (alcd: number, alid: number): Item => L(B(alcd), U4(alid), A(`alarm ${alid}`))

test('the alarm board is brought in line with the alarms that the equipment says are set', async () => {
  let list: Item = L(alarm(0x84, 1), alarm(0x84, 2), alarm(4, 3))
  const equipment = await answering({ S1F1: () => L(A('X'), A('1')), S5F5: () => list })
  const live = await LiveGateway.open()
  const { id } = await live.connect({ port: equipment.port, gem_startup: true })
  const board = async (): Promise<string[]> =>
    (await live.gateway.alarms.list({ equipment_id: id, order: 'asc' })).items.map(
      ({ alid, active, count, text }) => `${alid} ${active ? 'set' : 'clear'} ${count} ${text}`,
    )
  await until(async () => (await board()).length === 2)
  expect(await board()).toEqual(['1 set 1 alarm 1', '2 set 1 alarm 2'])

  // One reports itself while the list is under way, and the list knows nothing of it yet.
  list = L(alarm(4, 1), alarm(0x84, 2), alarm(4, 3), L(B(), U4(9), A('')))
  const before = equipment.reply
  equipment.reply = (primary) => {
    if (primary.stream === 5) equipment.send(5, 1, alarm(0x84, 3))
    return before(primary)
  }
  await live.gateway.messages.send(id, { stream: 5, function: 5, data: {} })
  await until(async () => (await board())[0]?.includes('clear'))
  expect(await board()).toEqual(['1 clear 1 alarm 1', '2 set 1 alarm 2', '3 set 1 alarm 3'])
  const cleared = await live.event(({ name }) => name === 'alarm_cleared')
  expect(cleared.data).toMatchObject({ alid: '1', cause: 'alignment' })
  const { reply_id } = await live.gateway.messages.get(
    String((await live.gateway.messages.list({ stream: 5, function: 5, direction: 'sent' })).items[0]?.id),
  )
  expect(cleared.data['message_id']).toBe(reply_id)
})

test('online waits for equipment that accepts, and goes online a little later', async () => {
  let states = [3, 3, 5]
  const equipment = await answering({
    S1F1: () => L(A('X'), A('1')),
    S1F11: () => L(L(U4(42), A('ControlState'), A(''))),
    S1F3: () => L(U4(states.shift() ?? 5)),
    S1F17: () => B(0),
  })
  const live = await LiveGateway.open()
  const { id } = await live.connect({ port: equipment.port, gem_startup: true })
  await until(async () => (await live.gateway.equipment.get(id)).control_state === 'HOST_OFFLINE')
  states = [3, 3, 5]
  const call = callsOf(live.gateway)
  expect(await call.goOnline({ id })).toMatchObject({ accepted: true, control_state: 'ONLINE_REMOTE' })
  await live.gateway.equipment.update(id, { gem_startup: false })
  states = [3, 4]
  expect(await call.goOnline({ id })).toMatchObject({ control_state: 'ONLINE_LOCAL' })
})

test('an abort by equipment that answers S1F1 is not said to come of its being offline', async () => {
  const equipment = await answering({ S1F1: () => L(A('X'), A('1')) })
  const live = await LiveGateway.open()
  const { id } = await live.connect({ port: equipment.port })
  const ask = (fn: number) => live.gateway.messages.send(id, { stream: 1, function: fn, data: {} })
  await expect(ask(3)).rejects.toThrow('may be offline')
  await ask(1)
  await expect(ask(3)).rejects.toThrow('It replied to S1F1 on this connection')
})

test('online and offline tell what the equipment said, and which state it is in then', async () => {
  const live = await LiveGateway.open()
  const { id, simulator } = await live.connectSimulator({ gem_startup: true })
  const call = callsOf(live.gateway)
  expect(await call.goOffline({ id })).toMatchObject({
    accepted: true,
    oflack: 0,
    control_state: 'HOST_OFFLINE',
  })
  const refused = live.gateway.messages.send(id, { stream: 1, function: 3, data: {} })
  await expect(refused).rejects.toThrow(/It is offline\. .*ask it to go online/)
  expect(await call.goOnline({ id })).toMatchObject({
    accepted: true,
    onlack: 0,
    onlack_text: 'accepted',
    control_state: 'ONLINE_REMOTE',
  })
  expect(await call.goOnline({ id })).toMatchObject({ accepted: true, onlack: 2 })
  await simulator.equipment.operate('offline')
  expect(await call.goOnline({ id })).toMatchObject({ accepted: false, onlack: 1 })
  const read = () => live.gateway.messages.send(id, { stream: 1, function: 3, data: {} })
  await expect(read()).rejects.toThrow(/refused to go online for its host \(ONLACK 1\): its operator has to/)
  await simulator.equipment.operate('online')
  expect(await call.goOnline({ id })).toMatchObject({ accepted: true, onlack: 2 })
  expect(await call.goOffline({ id })).toMatchObject({ accepted: true })
  await expect(read()).rejects.toThrow(/It is offline\. .*ask it to go online/)
  await simulator.stop()
})
