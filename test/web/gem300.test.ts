import { describe, expect, test } from 'vitest'
import type { KnownObject } from '../../src/contract/topics/gem300/mapping.js'
import { SLOT_WORDS, slotMapText } from '../../src/gem300/slot-map.js'
import { fillOf } from '../../src/web/equipment/gem300/slot-sign.js'
import { carrierAt, slotIn, slotsOf } from '../../src/web/equipment/gem300/slots.js'

const AT = '2026-01-31T08:00:00.000Z'
const object = (
  kind: KnownObject['kind'],
  object_id: string,
  details: KnownObject['details'] = {},
  states: Readonly<Record<string, string>> = {},
): KnownObject => ({
  ...{ kind, object_id, details, since: AT },
  states: Object.fromEntries(
    Object.entries(states).map(([name, state]) => [
      name,
      { state, source: 'event', since: AT, message_id: '1' },
    ]),
  ),
})

test.each([
  ['FOUP7.07', 7],
  ['FOUP7-7', 7],
  ['FOUP7:25', 25],
  ['FOUP7/Slot 3', 3],
  ['FOUP7_SLOT03', 3],
  ['LP1.12', 12],
  ['FOUP71', undefined],
  ['FOUP71.07', undefined],
  ['CH1', undefined],
  ['FOUP7', undefined],
  ['', undefined],
])('%s is the slot %s of FOUP7 at LP1', (location, slot) => {
  expect(slotIn(location, ['FOUP7', 'LP1'])).toBe(slot)
})

describe('a carrier', () => {
  test('has the letters of its slot map, and a word for each', () => {
    const states = Object.values(SLOT_WORDS.standard)
    const map = slotMapText([...states, 'unknown (7)'])
    const slots = slotsOf(object('carrier', 'FOUP7', { slot_map: map }), [])
    expect(slots.map(({ word }) => word)).toEqual([...states, 'UNKNOWN'])
    const contents = slots.map(({ slot }) => ({ slot, state: 'unknown (7)', lot_id: '', substrate_id: '' }))
    const asked = slotsOf(object('carrier', 'FOUP7', { slot_map: map }), [], contents)
    expect(asked.at(-1)?.text).toBe('unknown (7)')
    expect(asked[1]?.text).toBe('EMPTY')
  })

  test('has 25 slots that nobody has read, and never more than 255', () => {
    expect(slotsOf(object('carrier', 'FOUP7'), []).map(({ word }) => word)).toEqual(
      Array.from({ length: 25 }, () => 'NOT_READ'),
    )
    expect(slotsOf(object('carrier', 'FOUP7', { slot_map: 'o'.repeat(256) }), [])).toHaveLength(255)
  })

  test('has its substrates in the slots that they came from, and says where they are', () => {
    const carrier = object('carrier', 'FOUP7', { slot_map: 'ooo......................', location: 'LP1' })
    const slots = slotsOf(carrier, [
      object(
        'substrate',
        'W1',
        { source: 'FOUP7.01', location: 'CH1', lot: 'L1' },
        { processing: 'IN_PROCESS' },
      ),
      object('substrate', 'W2', { location: 'LP1.02' }),
      object('substrate', 'FOUP7.03', {}),
      object('substrate', 'other', { source: 'FOUP8.01' }),
    ])
    expect(slots.slice(0, 4).map(({ substrateId, lot, away }) => [substrateId, lot, away])).toEqual([
      ['W1', 'L1', 'CH1'],
      ['W2', '', undefined],
      ['FOUP7.03', '', undefined],
      ['', '', undefined],
    ])
  })

  test('has the substrates that it named itself when it was asked', () => {
    const carrier = object('carrier', 'FOUP7', { slot_map: 'oo' })
    const contents = [
      { slot: 1, state: 'CORRECTLY_OCCUPIED', lot_id: 'L1', substrate_id: 'W9' },
      { slot: 2, state: 'CORRECTLY_OCCUPIED', lot_id: 'L1', substrate_id: 'W8' },
    ]
    const [first, second] = slotsOf(
      carrier,
      [object('substrate', 'W9', {}, { processing: 'ABORTED' })],
      contents,
    )
    expect([first?.substrate?.object_id, first?.lot]).toEqual(['W9', 'L1'])
    expect([second?.substrateId, second?.substrate]).toEqual(['W8', undefined])
  })
})

test('the carrier at a port is the one that the port names, or the one that is there', () => {
  const named = object('carrier', 'FOUP7')
  const there = object('carrier', 'FOUP8', { location: 'LP2' })
  const told = object('carrier', 'FOUP9', { port: '3' })
  const carriers = [named, there, told]
  expect(carrierAt(object('port', '1', { carrier: 'FOUP7' }), carriers)).toBe(named)
  expect(carrierAt(object('port', '2', { carrier: 'gone' }), carriers)).toBe(there)
  expect(carrierAt(object('port', '3'), carriers)).toBe(told)
  expect(carrierAt(object('port', '4', { carrier: '' }), carriers)).toBeUndefined()
})

test.each([
  [undefined, 'plain'],
  ['IN_PROCESS', 'half'],
  ['LOST', 'bad'],
  ['unknown (9)', 'unknown'],
  ['constructor', 'unknown'],
])('%s is drawn as %s', (state, fill) => {
  expect(fillOf(state)).toBe(fill)
})
