import { beforeEach, describe, expect, test } from 'vitest'
import { contentMapItem, slotMapItem } from '../../../src/gem300/carrier-attributes.js'
import type { SlotState } from '../../../src/gem300/slot-map.js'
import { L, U1 } from '../../../src/secs2/item.js'
import { CommandError } from '../../../src/simulator/control/arguments.js'
import { slotsBySeed } from '../../../src/simulator/gem300/carrier.js'
import type { ToolSettings } from '../../../src/simulator/gem300/tool-settings.js'
import { SEED_OF_CARRIERS, TestTool } from './test-tool.js'
import { toolModel } from './tool-variants.js'

let one: TestTool

beforeEach(() => {
  one = new TestTool(toolModel().tool as ToolSettings)
})

const carrier = (id: string) => one.tool.ports.carriers.get(id)
const refused = (CAACK: string, ERRCODE: number) => ({
  CAACK,
  ERRORS: [expect.objectContaining({ ERRCODE })],
})
const slotMap = (slots: readonly SlotState[]) => ({ SlotMap: slotMapItem(slots, one.tool.view) })
const own = (id: string): readonly SlotState[] => slotsBySeed(SEED_OF_CARRIERS, id)

/** FOUP7 on port 1, its ID accepted and its slots read. */
async function readSlots(): Promise<void> {
  one.tool.load(1, 'FOUP7')
  one.pass()
  await one.host.carrier('ProceedWithCarrier', 'FOUP7', 1)
  one.pass()
}

test('the same seed and ID give the same slots, others others', () => {
  expect(slotsBySeed(1, 'FOUP7')).toEqual(slotsBySeed(1, 'FOUP7'))
  const maps = ['A', 'B', 'C', 'D'].flatMap((id) => [1, 2].map((seed) => slotsBySeed(seed, id).join()))
  expect(new Set(maps).size).toBe(maps.length)
})

describe('an operator', () => {
  test('places a carrier that nobody knows: the host is asked for its ID', () => {
    one.happened()
    one.tool.load(1, 'FOUP7')
    expect(one.happened()).toEqual(['port_transfer 6 1', 'carrier_placed 1'])
    one.pass()
    expect(one.happened()).toEqual([
      'slot_map 12 FOUP7',
      'carrier_accessing 17 FOUP7',
      'association 2 1',
      'id_read 1',
      'carrier_id 3 FOUP7',
    ])
  })

  test.each([
    ['a port that is not empty', () => one.tool.load(1, 'B')],
    ['a carrier that is at the tool', () => one.tool.load(2, 'FOUP7')],
    ['an ID that is none', () => one.tool.load(2, 'A*')],
    ['a port that is not there', () => one.tool.load(3, 'B')],
    ['a carrier that is in use', () => one.tool.unload(1)],
    ['a job where none runs', () => one.tool.operate('pause')],
  ])('cannot have %s', (_, act) => {
    one.tool.load(1, 'FOUP7')
    expect(act).toThrow(CommandError)
  })
})

describe('a host', () => {
  test('accepts ID and slot map, and the substrates appear', async () => {
    await readSlots()
    expect(carrier('FOUP7')).toMatchObject({ reason: 'VERIFICATION_NEEDED', isVerified: false })
    one.happened()
    expect(await one.host.carrier('ProceedWithCarrier', 'FOUP7', 1)).toEqual({
      CAACK: 'PERFORMED',
      ERRORS: [],
    })
    const filled = own('FOUP7').filter((slot) => slot !== 'EMPTY').length
    expect(one.happened().filter((event) => event.startsWith('substrate 1'))).toHaveLength(filled)
  })

  test('gives lots and names with the slot map', async () => {
    await readSlots()
    const contents = own('FOUP7').map((slot, at) => ({
      lotId: 'LOT',
      substrateId: slot === 'EMPTY' ? '' : `W${at + 1}`,
    }))
    await one.host.carrier('ProceedWithCarrier', 'FOUP7', 1, {
      ContentMap: contentMapItem(contents, one.tool.view),
    })
    expect([...one.tool.cluster.substrates.keys()].every((id) => /^W\d+$/.test(id))).toBe(true)
    expect([...one.tool.cluster.substrates.values()].every(({ lotId }) => lotId === 'LOT')).toBe(true)
  })

  test('cancels in place of each of the two', async () => {
    one.tool.load(1, 'FOUP7')
    one.pass()
    expect(await one.host.carrier('CancelCarrier', 'FOUP7', 1)).toMatchObject({ CAACK: 'PERFORMED' })
    expect(one.happened().slice(-2)).toEqual(['carrier_id 9 FOUP7', 'port_transfer 9 1'])
    one.tool.unload(1)
    await readSlots()
    one.happened()
    expect(await one.host.carrier('CancelCarrier', 'FOUP7', 1)).toMatchObject({ CAACK: 'PERFORMED' })
    expect(one.happened()).toEqual(['slot_map 16 FOUP7', 'port_transfer 9 1'])
    expect(await one.host.carrier('CancelCarrier', 'FOUP7', 1)).toEqual(refused('INVALID_STATE', 17))
  })

  test('is not asked for a carrier that it has bound with its slot map', async () => {
    expect(await one.host.carrier('Bind', 'FOUP7', 2, slotMap(own('FOUP7')))).toMatchObject({
      CAACK: 'PERFORMED',
    })
    expect(one.happened().slice(-5)).toEqual([
      'slot_map 12 FOUP7',
      'carrier_accessing 17 FOUP7',
      'association 2 2',
      'reservation 2 2',
      'carrier_id 2 FOUP7',
    ])
    one.tool.load(2, 'FOUP7')
    one.pass()
    const events = one.happened()
    expect(events).toContain('reservation 3 2')
    expect(events.filter((event) => /^(carrier_id|slot_map)/.test(event))).toEqual([
      'carrier_id 6 FOUP7',
      'slot_map 13 FOUP7',
    ])
    expect(carrier('FOUP7')?.isVerified).toBe(true)
  })

  test('is asked where what it announced differs', async () => {
    const other = own('FOUP7').map((slot): SlotState => (slot === 'EMPTY' ? 'CORRECTLY_OCCUPIED' : 'EMPTY'))
    await one.host.carrier('CarrierNotification', 'FOUP7', undefined, slotMap(other))
    one.tool.load(1, 'FOUP7')
    one.pass()
    expect(carrier('FOUP7')).toMatchObject({ port: 1, reason: 'VERIFICATION_FAILED' })
    expect(carrier('FOUP7')?.slotMapStatus.state).toBe('WAITING_FOR_HOST')
  })

  test('bound another carrier than the one that comes', async () => {
    await one.host.carrier('Bind', 'OTHER', 1)
    one.happened()
    one.tool.load(1, 'FOUP7')
    one.pass()
    expect(one.happened()).toContain('association 4 1')
    expect([...one.tool.ports.carriers.keys()]).toEqual(['FOUP7'])
  })

  test('takes back what it announced', async () => {
    await one.host.carrier('Bind', 'A', 1)
    await one.host.carrier('CarrierNotification', 'B')
    expect(await one.host.carrier('CancelBind', 'A', 1)).toMatchObject({ CAACK: 'PERFORMED' })
    expect(await one.host.carrier('CancelCarrierNotification', 'B')).toMatchObject({ CAACK: 'PERFORMED' })
    expect(one.tool.ports.carriers.size).toBe(0)
    expect(one.tool.ports.port(1)).toMatchObject({ carrier: undefined })
    expect(one.tool.ports.port(1)?.reservation.state).toBe('NOT_RESERVED')
  })

  test.each([
    ['an action that is none', 'CarrierOut', 'FOUP7', 1, {}, refused('INVALID_COMMAND', 14)],
    ['a carrier that is not there', 'ProceedWithCarrier', 'X', 1, {}, refused('INVALID_DATA', 3)],
    ['a carrier at the other port', 'ProceedWithCarrier', 'FOUP7', 2, {}, refused('INVALID_DATA', 50)],
    ['a port that is not there', 'ProceedWithCarrier', 'FOUP7', 7, {}, refused('INVALID_DATA', 48)],
    [
      'a slot map that does not fit',
      'ProceedWithCarrier',
      'FOUP7',
      1,
      { SlotMap: L(...Array.from({ length: 25 }, () => U1(1))) },
      refused('INVALID_DATA', 7),
    ],
    [
      'a slot map of another length',
      'ProceedWithCarrier',
      'FOUP7',
      1,
      { SlotMap: L(U1(3)) },
      refused('INVALID_DATA', 7),
    ],
    [
      'contents of another length',
      'ProceedWithCarrier',
      'FOUP7',
      1,
      { ContentMap: L(L()) },
      refused('INVALID_DATA', 7),
    ],
    ['a release that is too early', 'CarrierRelease', 'FOUP7', 1, {}, refused('INVALID_STATE', 17)],
    ['a carrier that is here already', 'Bind', 'FOUP7', 2, {}, refused('INVALID_DATA', 11)],
    ['a port in use', 'Bind', 'B', 1, {}, refused('INVALID_DATA', 49)],
    ['an ID that is none', 'Bind', 'A*', 2, {}, refused('INVALID_DATA', 7)],
  ])('is refused %s', async (_, action, id, port, attributes, expected) => {
    await readSlots()
    one.happened()
    expect(await one.host.carrier(action, id, port, attributes)).toEqual(expected)
    expect(one.happened()).toEqual([])
  })

  test('may ask and not change anything while the tool is local', async () => {
    await readSlots()
    one.isRemote = false
    expect(await one.host.carrier('ProceedWithCarrier', 'FOUP7', 1)).toEqual({
      CAACK: 'CANNOT_PERFORM_NOW',
      ERRORS: [{ ERRCODE: 16, ERRTEXT: 'Equipment is not ONLINE REMOTE' }],
    })
    expect((await one.host.get('Carrier')).OBJECTS).toHaveLength(1)
  })
})

describe('ports', () => {
  test('go out of service and in again, and are reserved', async () => {
    one.happened()
    expect(await one.host.port('ChangeServiceStatus', 1, { ServiceStatus: 0 })).toMatchObject({
      CAACK: 'PERFORMED',
    })
    expect(await one.host.port('ReserveAtPort', 1)).toEqual(refused('CANNOT_PERFORM_NOW', 15))
    expect(await one.host.port('In Service', 1)).toMatchObject({ CAACK: 'PERFORMED' })
    expect(await one.host.port('ReserveAtPort', 1)).toMatchObject({ CAACK: 'PERFORMED' })
    expect(await one.host.port('CancelReservationAtPort', 1)).toMatchObject({ CAACK: 'PERFORMED' })
    expect(one.happened()).toEqual([
      'port_transfer 3 1',
      'port_transfer 2 1',
      'port_transfer 4 1',
      'port_transfer 5 1',
      'reservation 2 1',
      'reservation 3 1',
    ])
  })

  test('with a carrier in use stay in service', async () => {
    await readSlots()
    expect(await one.host.port('OutOfService', 1)).toEqual(refused('CANNOT_PERFORM_NOW', 15))
    expect(await one.host.port('ChangeServiceStatus', 1)).toEqual(refused('INVALID_DATA', 12))
  })

  test('change their access mode, all of them where none is named', async () => {
    const ask = (PTN: readonly number[]) => one.host.ask('S3F27', 'S3F28', { ACCESSMODE: 'AUTO', PTN })
    expect(await ask([1, 9])).toEqual({
      CAACK: 'PERFORMED_WITH_ERRORS',
      ERRORS: [{ PTN: 9, ERRCODE: 48, ERRTEXT: 'PTN 9 invalid' }],
    })
    expect(await ask([])).toEqual({ CAACK: 'PERFORMED', ERRORS: [] })
    expect(one.tool.ports.ports.map(({ access }) => access.state)).toEqual(['AUTO', 'AUTO'])
  })
})

describe('faults', () => {
  test('unreadable: the host names the carrier by its port', async () => {
    one.faults.unreadable = true
    one.tool.load(1, 'FOUP7')
    one.pass()
    expect(one.happened().at(-1)).toBe('id_not_read 1')
    expect(one.tool.ports.carriers.size).toBe(0)
    expect(await one.host.carrier('ProceedWithCarrier', 'NAMED', 1)).toMatchObject({ CAACK: 'PERFORMED' })
    expect(one.happened()).toContain('carrier_id 4 NAMED')
    one.pass()
    expect(carrier('NAMED')?.slotMapStatus.state).toBe('WAITING_FOR_HOST')
  })

  test('unreadable: the host sends the carrier away', async () => {
    one.faults.unreadable = true
    one.tool.load(1, 'FOUP7')
    one.pass()
    one.happened()
    expect(await one.host.carrier('CancelCarrier', 'NAMED', 1)).toMatchObject({ CAACK: 'PERFORMED' })
    expect(one.happened().slice(-2)).toEqual(['carrier_id 5 NAMED', 'port_transfer 9 1'])
    one.tool.unload(1)
    expect(one.tool.ports.carriers.size).toBe(0)
  })

  test('differ: the host sees that the slot map is not its own', async () => {
    one.faults.differ = 3
    await one.host.carrier('Bind', 'FOUP7', 1, slotMap(own('FOUP7')))
    one.tool.load(1, 'FOUP7')
    one.pass()
    expect(carrier('FOUP7')?.reason).toBe('VERIFICATION_FAILED')
    expect(carrier('FOUP7')?.slotMap?.[2]).not.toBe(own('FOUP7')[2])
  })

  test('double: the host is asked although it has announced the carrier, and no job takes from the slot', async () => {
    one.faults.double = 5
    await one.host.carrier('Bind', 'FOUP7', 1, slotMap(own('FOUP7')))
    one.tool.load(1, 'FOUP7')
    one.pass()
    expect(carrier('FOUP7')).toMatchObject({ reason: 'IMPROPER_SUBSTRATE_POSITION' })
    await one.host.carrier('ProceedWithCarrier', 'FOUP7', 1)
    expect(await one.host.createJob('PJ1', 'FOUP7', [5])).toMatchObject({
      ACKA: false,
      ERRORS: [{ ERRCODE: 7 }],
    })
  })
})
