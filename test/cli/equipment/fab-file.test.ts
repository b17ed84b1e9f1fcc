import { describe, expect, test } from 'vitest'
import { exported, fabText, parseFabFile, SETTABLE } from '../../../src/cli/equipment/fab-file.js'
import { fabPlan } from '../../../src/cli/equipment/fab-plan.js'
import { NewEquipment } from '../../../src/contract/equipment.js'
import { IGNORED } from '../../../src/contract/schema.js'
import { parseSelector } from '../../../src/contract/selector.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const ETCHER = sampleEquipment({ labels: { area: 'etch', bay: '3' }, item_formats: { SVID: 'U2' } })
const COATER = sampleEquipment({ id: 'eq_coater0000', name: 'coater', port: 5001, labels: { area: 'litho' } })
const ALL = [ETCHER, COATER]

const entriesIn = (text: string) => parseFabFile(text, 'fab.yaml').entries

test('the members of a file are all that can be set', () => {
  const settable = Object.entries<object>(NewEquipment.properties)
    .filter(([, schema]) => !('description' in schema) || schema.description !== IGNORED)
    .map(([name]) => name)
  expect([...SETTABLE].sort()).toEqual(settable.sort())
})

test('what is exported changes nothing where it is applied', () => {
  const text = fabText(ALL)
  expect(text).toContain('labels: {area: etch, bay: "3"}')
  expect(entriesIn(text)).toEqual(exported(ALL).equipment)
  expect(fabPlan(entriesIn(text), ALL, { prune: true })).toEqual([])
})

test.each([
  ['x: 1', ['1:1: equipment: is required: a list']],
  ['equipment: {}', ['1:12: equipment: is required: a list']],
  ['equipment: []\nnope: 1', ['2:7: nope: is not known here; known is equipment']],
  ['equipment: [etcher]', ['1:13: equipment.0: has to be a map with a name']],
  ['equipment:\n  - port: 1', ['2:5: equipment.0.name: has to be a text']],
  ['equipment:\n  - {name: a}\n  - {name: a}', ['3:12: equipment.1.name: a is in the file twice']],
  ['equipment:\n  - {name: a, prot: 1}', ['2:21: equipment.0.prot: is not known here; known are name,']],
  ['equipment:\n  - {name: a, timers: 3}', ['2:23: equipment.0.timers: has to be a map']],
  ['equipment:\n  - {name: a, timers: {t3: null}}', ['2:28: equipment.0.timers.t3: is null: leave it out']],
  [
    'equipment:\n  - {name: a, labels: {bay: 03, -x: a, y: "a b"}}',
    [
      'labels.bay: has to be a text: put it in quotes',
      'labels.-x: is not a label key',
      'labels.y: is not a label value',
    ],
  ],
])('a file with faults is refused with their places: %j', (text, faults) => {
  const refusal = (() => {
    try {
      entriesIn(text)
    } catch (error) {
      return error as Error
    }
    return undefined
  })()
  expect(refusal).toMatchObject({ kind: 'usage' })
  for (const fault of faults) expect(refusal?.message).toContain(fault)
})

describe('the plan of a file', () => {
  test('adds what is not registered, and changes what differs', () => {
    const plan = fabPlan(
      entriesIn(`equipment:
  - {name: new, ip_address: 10.0.0.9, port: 5009}
  - {name: etcher, port: 5007, mode: null, labels: {bay: "4", new: ""}, timers: {t3: 60}, item_formats: {}}
  - {name: coater, port: 5001}`),
      ALL,
      { prune: false },
    )
    expect(plan).toMatchObject([
      { change: 'add', equipment: 'new', at: 0, body: { name: 'new', ip_address: '10.0.0.9', port: 5009 } },
      {
        change: 'change',
        id: ETCHER.id,
        at: 1,
        members: [
          { member: 'port', before: 5000, after: 5007 },
          { member: 'labels.area', before: 'etch', after: null },
          { member: 'labels.bay', before: '3', after: '4' },
          { member: 'labels.new', before: null, after: '' },
          { member: 'timers.t3', before: 45, after: 60 },
          { member: 'item_formats.SVID', before: 'U2', after: null },
        ],
      },
    ])
    expect(plan[1]).toHaveProperty('body', {
      port: 5007,
      labels: { area: null, bay: '4', new: '' },
      timers: { t3: 60 },
      item_formats: {},
    })
  })

  test('removes what the file does not have, of what is selected alone', () => {
    const removed = (text: string, selector?: string) =>
      fabPlan(entriesIn(text), ALL, {
        prune: true,
        selector: selector === undefined ? undefined : parseSelector(selector),
      }).map(({ change, equipment }) => `${change} ${equipment}`)
    expect(removed('equipment: [{name: etcher}]')).toEqual(['remove coater'])
    expect(removed('equipment: [{name: etcher}]', 'area=etch')).toEqual([])
    expect(removed('equipment: [{name: x, port: 1, labels: {area: etch}}]', 'area=etch')).toEqual([
      'add x',
      'remove etcher',
    ])
    expect(removed('equipment: [{name: etcher, port: 1}, {name: coater, port: 2}]', 'area=etch')).toEqual([
      'change etcher',
    ])
  })
})
