import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Equipment } from '../../../src/contract/equipment.js'
import type { FlatEvent } from '../../../src/contract/topics/sinks/sink-message.js'
import type { Publication } from '../../../src/gateway/sinks/kinds/mqtt/broker.js'
import { EdgeNode } from '../../../src/gateway/sinks/kinds/mqtt/edge-node.js'
import { asksForRebirth } from '../../../src/gateway/sinks/kinds/mqtt/sparkplug-payload.js'
import { encodeSparkplug, SparkplugHost } from './sparkplug-host.js'

const START = Date.UTC(2026, 0, 1)

const equipmentOf = (id: string, connection_state: string, name = `tool ${id}`) =>
  ({
    id,
    name,
    connection_state,
    communication_state: 'COMMUNICATING',
    control_state: null,
  }) as unknown as Equipment

const eventOf = (id: string, members: Partial<FlatEvent> = {}, at = START): FlatEvent => ({
  id: '1',
  type: 'message',
  name: 'message_received',
  equipment_id: id,
  equipment_name: `tool ${id}`,
  at: new Date(at).toISOString(),
  message: 'S6F11',
  event: null,
  values: {},
  units: {},
  whole: true,
  ...members,
})

function opened(...tools: Equipment[]) {
  const equipment = new Map(tools.map((tool) => [tool.id, tool]))
  const node = new EdgeNode(
    { group: 'fab', edgeNode: 'gw' },
    { now: () => START, equipment: (id) => equipment.get(id) },
  )
  const host = new SparkplugHost('fab', 'gw')
  const take = (sent: readonly Publication[] | undefined): void => {
    for (const { topic, payload } of sent ?? []) host.take({ topic, payload: Buffer.from(payload) })
  }
  return { equipment, node, host, take }
}

test('values, units, alarms and the collection event are metrics of a device that is born', () => {
  const { node, host, take } = opened(equipmentOf('a', 'SELECTED'), equipmentOf('b', 'NOT_CONNECTED'))
  take(node.birth(3, ['a', 'b']))
  expect(host.messages.map(({ type, device }) => [type, device])).toEqual([
    ['NBIRTH', undefined],
    ['DBIRTH', 'tool a'],
    ['DDATA', 'tool a'],
  ])
  const values = { Pressure: 12.5, Lot: 'L1', Open: true, Slots: [1, 2] }
  take(node.event(eventOf('a', { event: 'Started', values, units: { Pressure: 'Pa' } })))
  take(node.event(eventOf('a', { type: 'alarm', name: 'alarm_set', message: null, values: { alid: '7' } })))
  const metrics = [...(host.devices.get('tool a') ?? [])].map(([name, { type, value }]) => [
    name,
    type,
    value,
  ])
  expect(metrics).toEqual([
    ['State/Connection', 'String', 'SELECTED'],
    ['State/Communication', 'String', 'COMMUNICATING'],
    ['State/Control', 'String', ''],
    ['Collection Event', 'String', 'Started'],
    ['Variables/Pressure', 'Double', 12.5],
    ['Variables/Lot', 'String', 'L1'],
    ['Variables/Open', 'Boolean', true],
    ['Variables/Slots', 'String', '[1,2]'],
    ['Alarms/7', 'Boolean', true],
  ])
  const birth = host.messages.filter(({ type }) => type === 'DBIRTH').at(-1)
  const pressure = birth?.metrics.find(({ name }) => name === 'Variables/Pressure')
  expect(pressure?.properties?.['engUnit']?.value).toBe('Pa')
})

test('what was recorded before the birth is historical, also of equipment that is not connected now', () => {
  const { node, host, take } = opened(equipmentOf('a', 'NOT_CONNECTED'))
  take(node.birth(0, ['a']))
  take(node.event(eventOf('a', { values: { Lot: 'L0' } }, START - 1)))
  take(node.state('a'))
  expect(host.messages.map(({ type }) => type)).toEqual(['NBIRTH', 'DBIRTH', 'DDATA', 'DDEATH'])
  expect(host.messages[2]?.metrics).toMatchObject([{ name: 'Variables/Lot', isHistorical: true }])
  const { node: other, host: live, take: taken } = opened(equipmentOf('a', 'SELECTED'))
  taken(other.birth(0, ['a']))
  taken(other.event(eventOf('a', { values: { Lot: 'L0' } })))
  expect(live.messages.at(-1)?.metrics[0]?.isHistorical).toBeFalsy()
})

test('equipment with another name is another device', () => {
  const { node, host, take, equipment } = opened(equipmentOf('a', 'SELECTED'))
  take(node.birth(0, ['a']))
  equipment.set('a', equipmentOf('a', 'SELECTED', 'bay/3'))
  take(node.state('a'))
  expect([...host.devices.keys()]).toEqual(['bay%2F3'])
  equipment.delete('a')
  take(node.state('a'))
  expect([...host.devices.keys()]).toEqual([])
})

test('equipment that exchanges its names, and names that differ by a slash, are devices that live', () => {
  const { node, host, take, equipment } = opened(
    equipmentOf('a', 'SELECTED', 'ETCH/1'),
    equipmentOf('b', 'SELECTED', 'ETCH_1'),
  )
  take(node.birth(0, ['a', 'b']))
  expect([...host.devices.keys()].sort()).toEqual(['ETCH%2F1', 'ETCH_1'])
  equipment.set('a', equipmentOf('a', 'SELECTED', 'ETCH_1'))
  equipment.set('b', equipmentOf('b', 'SELECTED', 'ETCH/1'))
  take(node.state('a'))
  take(node.state('b'))
  expect([...host.devices.keys()].sort()).toEqual(['ETCH%2F1', 'ETCH_1'])
  // Equipment that is gone had this name before.
  take(node.event({ ...eventOf('c', { values: { Lot: 'L9' } }, START - 1), equipment_name: 'ETCH_1' }))
  take(node.state('c'))
  expect([...host.devices.keys()].sort()).toEqual(['ETCH%2F1', 'ETCH_1'])
})

test('whatever equipment does, a host finds every message in order, and after a birth', () => {
  const id = fc.constantFrom('a', 'b')
  const value = fc.oneof(
    fc.double({ noNaN: true }),
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.constant(null),
  )
  const step = fc.oneof(
    fc.record({ state: fc.constantFrom('SELECTED', 'NOT_CONNECTED', 'gone'), id }),
    fc.record({
      values: fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), value),
      old: fc.boolean(),
      id,
    }),
    fc.record({ birth: fc.nat(255) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const { node, host, take, equipment } = opened(equipmentOf('a', 'SELECTED'))
      take(node.birth(0, ['a', 'b']))
      for (const one of steps) {
        if ('birth' in one) take(node.birth(one.birth, equipment.keys()))
        else if ('state' in one) {
          if (one.state === 'gone') equipment.delete(one.id)
          else equipment.set(one.id, equipmentOf(one.id, one.state))
          take(node.state(one.id))
        } else {
          take(node.event(eventOf(one.id, { values: one.values }, START - (one.old ? 1 : 0))))
          take(node.state(one.id))
        }
      }
      const alive = [...equipment.values()].filter((tool) => tool.connection_state === 'SELECTED')
      expect([...host.devices.keys()].sort()).toEqual(alive.map(({ name }) => name).sort())
    }),
  )
})

test('a device has no more than 10,000 metrics', () => {
  const { node, take } = opened(equipmentOf('a', 'SELECTED'))
  take(node.birth(0, ['a']))
  const values = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`v${at}`, at]))
  expect(node.event(eventOf('a', { values }))).toBeUndefined()
})

test('the command for a rebirth is found, and no other', () => {
  const command = (name: string, value: boolean) =>
    encodeSparkplug({ timestamp: START, metrics: [{ name, type: 'Boolean', value }] })
  expect(asksForRebirth(command('Node Control/Rebirth', true))).toBe(true)
  expect(asksForRebirth(command('Node Control/Rebirth', false))).toBe(false)
  expect(asksForRebirth(command('Node Control/Reboot', true))).toBe(false)
  fc.assert(fc.property(fc.uint8Array(), (bytes) => !asksForRebirth(bytes)))
})
