import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { EquipmentEntry, NewEquipment } from '../../../src/contract/equipment.js'
import { equipmentPlan, planProblem } from '../../../src/gateway/equipment/equipment-plan.js'
import { newEquipmentRecord } from '../../../src/gateway/records/equipment-record.js'

const CHECKED = { catalogue: STANDARD_CATALOGUE, equipmentNetworks: undefined } as never
const recordOf = (id: string, given: object) =>
  newEquipmentRecord(id, { name: id, ip_address: '10.0.0.1', port: 5000, ...given } as NewEquipment, 'then')

const ETCHER = recordOf('eq_1', {
  ...{ name: 'etcher', labels: { area: 'etch', bay: '3' }, item_formats: { SVID: 'U2' } },
})
const RECORDS = [ETCHER, recordOf('eq_2', { name: 'Ätzer'.normalize('NFC') })]

const planOf = (entries: object[], reaches?: (id: string) => boolean) =>
  equipmentPlan(
    entries as EquipmentEntry[],
    (name) => RECORDS.find((record) => record.name.normalize() === name.normalize()),
    CHECKED,
    'now',
    reaches,
  )

type Members = readonly (readonly [member: string, before: unknown, after: unknown])[]

test.each<[entry: object, members: Members, after: object]>([
  [{}, [], {}],
  [{ port: 5000, labels: { bay: '3', area: 'etch' }, timers: {} }, [], {}],
  [{ port: 5001 }, [['port', 5000, 5001]], { port: 5001 }],
  [{ port: undefined, ip_address: null }, [], {}],
  [{ labels: { area: 'etch' } }, [['labels.bay', '3', null]], { labels: { area: 'etch' } }],
  [
    { labels: { area: 'etch', bay: '4', x: '' } },
    [
      ['labels.bay', '3', '4'],
      ['labels.x', null, ''],
    ],
    { labels: { area: 'etch', bay: '4', x: '' } },
  ],
  [{ timers: { t3: 60, t5: 10 } }, [['timers.t3', 45, 60]], { timers: { ...ETCHER.timers, t3: 60 } }],
  [{ item_formats: {} }, [['item_formats.SVID', 'U2', null]], { item_formats: {} }],
  [{ item_formats: { SVID: 'U2' } }, [], {}],
])('an entry with %j changes %j', (entry, members, after) => {
  const { changes, records } = planOf([{ name: 'other' }, { name: 'etcher', ...entry }])
  const change = changes.find(({ at }) => at === 1)
  expect(change?.members ?? []).toEqual(members.map(([member, before, after]) => ({ member, before, after })))
  if (members.length === 0) expect(change).toBeUndefined()
  else expect(change).toMatchObject({ before: ETCHER, after: { ...after, id: 'eq_1', updated_at: 'now' } })
  expect(records).toEqual(changes.map(({ after }) => after))
})

test('an entry of another name is new, with all its members', () => {
  const { changes, faults } = planOf([{ name: 'new', ip_address: '10.0.0.9', port: 1, labels: { a: 'b' } }])
  expect(faults).toEqual([])
  expect(changes).toMatchObject([
    {
      ...{ at: 0, before: undefined },
      after: { id: expect.stringMatching(/^eq_/), name: 'new', revision: 1, created_at: 'now' },
      members: [
        { member: 'ip_address', before: null, after: '10.0.0.9' },
        { member: 'port', before: null, after: 1 },
        { member: 'labels.a', before: null, after: 'b' },
      ],
    },
  ])
})

test.each<[what: string, entries: object[], faults: string[]]>([
  ['a name twice', [{ name: 'etcher' }, { name: 'etcher' }], ['/equipment/1/name']],
  [
    'a name twice in two forms',
    ['NFC', 'NFD'].map((form) => ({ name: 'Ätzer'.normalize(form) })),
    ['/equipment/1/name'],
  ],
  ['no address of a new one', [{ name: 'new' }], ['/equipment/0/ip_address', '/equipment/0/port']],
  [
    'a wrong format, and a wrong label',
    [{ name: 'etcher', item_formats: { SVID: 'X' }, labels: { 'a b': '' } }],
    ['/equipment/0/item_formats/SVID', '/equipment/0/labels/a b'],
  ],
  ['nothing wrong', [{ name: 'etcher', port: 7 }], []],
])('a list with %s has faults at %j', (_, entries, faults) => {
  expect(planOf(entries).faults.map(({ pointer }) => pointer)).toEqual(faults)
})

test('equipment out of reach is not compared with its entry', () => {
  const entries = [
    { name: 'etcher', port: 7 },
    { name: 'Ätzer', port: 8 },
  ]
  const { changes, faults } = planOf(entries, (id) => id === 'eq_2')
  expect(changes.map(({ at }) => at)).toEqual([1])
  expect(faults).toMatchObject([{ code: 'equipment_name_taken', pointer: '/equipment/0/name' }])
  expect(planOf(entries).faults).toEqual([])
})

test.each([
  [['invalid_request', 'equipment_connected', 'equipment_name_taken'], 'equipment_connected'],
  [['invalid_request', 'invalid_request'], 'invalid_request'],
] as const)('of the faults %j the problem is %s, with all of them', (codes, code) => {
  const faults = codes.map((code, at) => ({ code, pointer: `/${at}`, detail: `d${at}` }))
  expect(planProblem(faults)).toMatchObject({
    code,
    extra: { errors: codes.map((_, at) => ({ pointer: `/${at}`, detail: `d${at}` })) },
  })
})
