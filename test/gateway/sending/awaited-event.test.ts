import { expect, test } from 'vitest'
import { A, B, type Item, L, U4 } from '../../../src/secs2/item.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'
import type { ScriptedEquipment } from '../../support/scripted-equipment.js'

const STARTED = 100
const DONE = 200
const report = (ceid: number, value = 'L1'): Item => L(U4(0), U4(ceid), L(L(U4(1), L(A(value)))))
const NAMES = L(L(U4(STARTED), A('Started'), L()), L(U4(DONE), A('Done'), L()))

/** An equipment with two named events; `onCommand` is carried out when S2F41 comes, and gives its HCACK. */
async function bench(onCommand: (equipment: ScriptedEquipment) => number = () => 0) {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted({ gem_startup: false })
  equipment.reply = ({ stream, function: fn }) => {
    if (stream === 1 && fn === 23) return { function: 24, item: NAMES }
    if (stream === 2 && fn === 41) return { function: 42, item: L(B(onCommand(equipment)), L()) }
    return { function: 0 }
  }
  const commands = () => equipment.received.filter(({ stream }) => stream === 2).length
  return { live, equipment, id, commands, call: callsOf(live.gateway) }
}

const START = { command: 'START', wait_event: 'Done', within: 600 }

test('a command waits for its event by name, also one that comes before the reply', async () => {
  const { id, call } = await bench((equipment) => {
    equipment.send(6, 11, report(STARTED))
    equipment.send(6, 11, report(DONE, 'L7'))
    return 0
  })
  const result = await call.sendCommand({ id }, { body: START })
  expect(result).toMatchObject({
    accepted: true,
    event_outcome: 'arrived',
    event: { name: expect.stringContaining('S6F11'), collection_event: { ceid: '200', name: 'Done' } },
  })
  expect(result.event?.collection_event?.reports).toMatchObject([{ values: [{ value: 'L7' }] }])
})

test('an event that comes after the reply ends the wait; one from before the command does not', async () => {
  const { live, id, equipment, call } = await bench()
  await call.listCollectionEvents({ id })
  equipment.send(6, 11, report(DONE, 'old'))
  await live.event(({ name, data }) => name === 'message_received' && data['function'] === 11)
  const asked = call.sendCommand({ id }, { body: { ...START, wait_event: '200' } })
  await live.event(({ name, data }) => name === 'message_received' && data['function'] === 42)
  equipment.send(6, 11, report(DONE, 'new'))
  const { event } = await asked
  expect(event?.collection_event?.reports[0]?.values).toMatchObject([{ value: 'new' }])
})

test('the CEID may be a number', async () => {
  const { id, equipment, live, call } = await bench()
  await call.listCollectionEvents({ id })
  const asked = call.sendCommand({ id }, { body: { ...START, wait_event: 200 } })
  await live.event(({ name, data }) => name === 'message_received' && data['function'] === 42)
  equipment.send(6, 11, report(DONE, 'new'))
  expect(await asked).toMatchObject({ event_outcome: 'arrived' })
})

test('a refused command ends at once, without an event', async () => {
  const { id, call } = await bench(() => 2)
  expect(await call.sendCommand({ id }, { body: START })).toMatchObject({
    accepted: false,
    hcack: 2,
    event_outcome: 'refused',
    event: null,
  })
})

test('an event that does not come in time is told, and the command is not lost', async () => {
  const { id, call, commands } = await bench()
  expect(await call.sendCommand({ id }, { body: { ...START, within: 0.1 } })).toMatchObject({
    accepted: true,
    event_outcome: 'not_in_time',
    event: null,
  })
  expect(commands()).toBe(1)
})

test('a connection that ends, ends the wait', async () => {
  const { live, id, equipment, call } = await bench()
  const asked = call.sendCommand({ id }, { body: START })
  await live.event(({ name, data }) => name === 'message_received' && data['function'] === 42)
  equipment.cut()
  expect(await asked).toMatchObject({ accepted: true, event_outcome: 'connection_lost', event: null })
})

test('nothing is sent where the event is not known, or the wait makes no sense', async () => {
  const { id, call, commands } = await bench()
  const refused = (body: object) => call.sendCommand({ id }, { body: { ...START, ...body } })
  await expect(refused({ wait_event: 'Finished' })).rejects.toMatchObject({ code: 'name_not_found' })
  await expect(refused({ wait_for_reply: false })).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(call.sendCommand({ id }, { body: { command: 'START', within: 3 } })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  expect(commands()).toBe(0)
})

test('the number of waits of one equipment is bounded, and each that ends makes room', async () => {
  const { live, id, equipment, call, commands } = await bench()
  await call.listCollectionEvents({ id })
  const all = Array.from({ length: 64 }, () => call.sendCommand({ id }, { body: START }))
  await expect(call.sendCommand({ id }, { body: START })).rejects.toMatchObject({ code: 'quota_exceeded' })
  await live.event(() => commands() === 64)
  equipment.send(6, 11, report(DONE))
  equipment.cut()
  for (const { event_outcome } of await Promise.all(
    all.map((one) => one.catch(() => ({ event_outcome: undefined }))),
  ))
    expect(event_outcome).not.toBe('not_in_time')
  await expect(call.sendCommand({ id }, { body: START })).rejects.not.toMatchObject({
    code: 'quota_exceeded',
  })
})
