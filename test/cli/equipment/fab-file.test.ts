import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { fabScope } from '../../../src/cli/equipment/apply.js'
import { exported, fabFailure, fabText, readFabFile } from '../../../src/cli/equipment/fab-file.js'
import { type EquipmentEntry, NewEquipment } from '../../../src/contract/equipment.js'
import { IGNORED } from '../../../src/contract/schema.js'
import { parseSelector } from '../../../src/contract/selector.js'
import { SETTABLE } from '../../../src/contract/topics/equipment/equipment-settings.js'
import { equipmentPlan } from '../../../src/gateway/equipment/equipment-plan.js'
import type { EquipmentRecord } from '../../../src/gateway/records/equipment-record.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const ETCHER = sampleEquipment({ labels: { area: 'etch', bay: '3' }, item_formats: { SVID: 'U2' } })
const COATER = sampleEquipment({ id: 'eq_coater0000', name: 'coater', port: 5001, labels: { area: 'litho' } })
const ALL = [ETCHER, COATER]

const CHECKED = { catalogue: STANDARD_CATALOGUE, equipmentNetworks: undefined }
const recordOf = (name: string) =>
  ALL.find((one) => one.name === name) as unknown as EquipmentRecord | undefined
function fileOf(text: string) {
  const file = readFabFile(text, 'fab.yaml')
  if (file.faults.length > 0) throw fabFailure(file.faults, file)
  return file.entries
}
const entriesIn = (text: string) => fileOf(text).map(({ entry }) => entry)

test('the members of a file are all that can be set', () => {
  const settable = Object.entries<object>(NewEquipment.properties)
    .filter(([, schema]) => !('description' in schema) || schema.description !== IGNORED)
    .map(([name]) => name)
  expect([...SETTABLE].sort()).toEqual(settable.sort())
})

test('what is exported changes nothing where it is applied', () => {
  const unmapped = ALL.map((equipment) => ({ equipment, gem300: null }))
  const text = fabText(unmapped)
  expect(text).toContain('labels: {area: etch, bay: "3"}')
  expect(entriesIn(text)).toEqual(exported(unmapped).equipment)
  const { changes } = equipmentPlan(
    entriesIn(text) as EquipmentEntry[],
    (name) => recordOf(name),
    CHECKED,
    '',
  )
  expect(changes).toEqual([])
})

test.each([
  ['x: 1', ['1:1: equipment: is required']],
  ['- etcher', ['1:1', 'has to be a map with a list: equipment']],
  ['equipment: {}', ['1:12: equipment: has to be a list']],
  ['equipment: []\nnope: 1', ['2:7: nope: is not known here; known is equipment']],
  ['equipment: [etcher]', ['1:13: equipment.0: has to be a map with a name']],
  ['equipment:\n  - port: 1', ['2:5: equipment.0.name: is required']],
  ['equipment:\n  - {name: a}\n  - {name: a}', ['3:12: equipment.1.name: a is in the file twice']],
  ['equipment:\n  - {name: a, prot: 1}', ['2:21: equipment.0.prot: is not known here; known are name,']],
  [
    'equipment:\n  - {name: a, address: "10.0.0.5:5000"}',
    ['2:24: equipment.0.address: is not known here: write ip_address and port'],
  ],
  [
    'equipment:\n  - {name: a, <<: {port: 1}}',
    ['2:19: equipment.0.<<: is not known here: YAML has no merge keys'],
  ],
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

test('what the file does not have is removed, of what is selected alone', () => {
  const scope = (text: string, selector?: string) => {
    const { meant, removed } = fabScope(fileOf(text), ALL, {
      prune: true,
      selector: selector === undefined ? undefined : parseSelector(selector),
    })
    return [
      ...meant.map(({ entry, at }) => `${at} ${entry.name}`),
      ...removed.map(({ equipment }) => `remove ${equipment}`),
    ]
  }
  expect(scope('equipment: [{name: etcher}]')).toEqual(['0 etcher', 'remove coater'])
  expect(scope('equipment: [{name: etcher}]', 'area=etch')).toEqual(['0 etcher'])
  expect(scope('equipment: [{name: x, port: 1, labels: {area: etch}}]', 'area=etch')).toEqual([
    '0 x',
    'remove etcher',
  ])
  expect(scope('equipment: [{name: coater, port: 1}, {name: etcher, port: 2}]', 'area=etch')).toEqual([
    '1 etcher',
  ])
})
