import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { DEFAULT_TIMERS, type NewEquipment } from '../../../src/contract/equipment.js'
import {
  changedRecord,
  changesTheWire,
  type EquipmentRecord,
  encodingFaults,
  labelsAfter,
  memberFaults,
  newEquipmentRecord,
  refuseConnected,
  refuseImpossible,
  settingFaults,
  wholeRecord,
} from '../../../src/gateway/records/equipment-record.js'
import { etagOf, requireRevision, revisedBy, revisionOf } from '../../../src/gateway/records/revision.js'
import { IpNetworks } from '../../../src/kit/ip-networks.js'

const made = (given: object = {}): EquipmentRecord =>
  newEquipmentRecord(
    'eq_1',
    { name: 'etcher', ip_address: '10.0.0.1', port: 5000, ...given } as NewEquipment,
    'then',
  )
const ETCHER = made({ labels: { bay: '3', area: 'etch' } })
const TAP = { listen_port: 6000, host_address: '10.0.0.9' }
const AT_PORT = made({ transport: 'secs1-serial', serial_port: '/dev/ttyS0' })

test('a new record has its defaults', () => {
  expect(made()).toMatchObject({
    ...{ id: 'eq_1', name: 'etcher', ip_address: '10.0.0.1', port: 5000, serial_port: null, labels: {} },
    ...{ timers: DEFAULT_TIMERS, enabled: false, revision: 1, created_at: 'then', updated_at: 'then' },
  })
  expect(AT_PORT).toMatchObject({ ip_address: null, port: null, serial_port: '/dev/ttyS0' })
})

test.each([
  [{}, 0],
  [{ session_id: 32_767 }, 32_767],
  [{ session_id: 32_768 }, 0],
  [{ session_id: 7, device_id: 1 }, 1],
])('of %j the device ID is %i', (given, deviceId) => {
  expect(made(given).device_id).toBe(deviceId)
})

test('a record of an older version has the defaults of what it lacks', () => {
  const later = ['labels', 'transport', 'serial_port', 'gem_startup']
  const old = Object.fromEntries(Object.entries(ETCHER).filter(([name]) => !later.includes(name)))
  const whole = wholeRecord({ ...old, timers: { t3: 7 } } as never)
  expect(whole).toEqual({ ...ETCHER, labels: {}, timers: { ...DEFAULT_TIMERS, t3: 7 } })
})

test.each([
  [{ b: '1', a: '2' }, {}, ['a', 'b']],
  [{ b: '1' }, { a: '', b: null }, ['a']],
  [{ a: '1' }, undefined, ['a']],
])('labels %j after %j are %j, in order', (before, change, keys) => {
  expect(Object.keys(labelsAfter(before as never, change as never))).toEqual(keys)
})

test.each<[what: string, before: EquipmentRecord, change: object, changed: object | undefined]>([
  ['nothing', ETCHER, {}, undefined],
  ['nothing new', ETCHER, { name: 'etcher', labels: { area: 'etch' }, timers: { t3: 45 } }, undefined],
  ['the name', ETCHER, { name: 'x' }, { name: 'x' }],
  ['a timer', ETCHER, { timers: { t3: 7 } }, { timers: { ...DEFAULT_TIMERS, t3: 7 } }],
  ['a label', ETCHER, { labels: { bay: null } }, { labels: { area: 'etch' } }],
  ['the mode', ETCHER, { mode: 'active' }, { mode: 'active', ip_address: '10.0.0.1', port: 5000 }],
  ['the port', ETCHER, { port: 1 }, { port: 1, ip_address: '10.0.0.1' }],
  [
    'the transport',
    ETCHER,
    { transport: 'secs1-serial', serial_port: '/dev/ttyS1' },
    { ip_address: null, port: null, serial_port: '/dev/ttyS1', serial_port_since: 'now' },
  ],
  ['the serial port', AT_PORT, { serial_port: '/dev/ttyS1' }, { serial_port_since: 'now' }],
  [
    'the tap',
    ETCHER,
    { tap: TAP },
    { tap: { ...TAP, host_port: null, pause_seconds: 2, reads: 'short', writes: false } },
  ],
  [
    'the rights of a tap',
    made({ tap: TAP }),
    { tap: { reads: 'all' } },
    { tap: { ...TAP, host_port: null, pause_seconds: 2, reads: 'all', writes: false } },
  ],
  ['a tap that is removed', made({ tap: TAP }), { tap: null }, { tap: null }],
  ['the speed', AT_PORT, { baud_rate: 300 }, { baud_rate: 300, serial_port: '/dev/ttyS0' }],
])('a change of %s', (_, before, change, changed) => {
  const after = changedRecord(before, change as never, 'now')
  if (changed === undefined) expect(after).toBe(before)
  else expect(after).toMatchObject({ ...changed, revision: 2, updated_at: 'now', created_at: 'then' })
  if (changed && !('serial_port_since' in changed)) expect(after).not.toHaveProperty('serial_port_since')
})

test.each<[change: object, isOfWire: boolean]>([
  [{ name: 'x', labels: { a: '' }, item_formats: { SVID: 'U2' }, gem_startup: false }, false],
  [{ timers: { slow_reply: 1, presence: 7 } }, false],
  [{ timers: { t3: 1 } }, true],
  [{ ip_address: '10.0.0.2' }, true],
  [{ port: 1 }, true],
  [{ mode: 'active' }, true],
  [{ device_id: 7 }, true],
  [{ tap: TAP }, true],
])('a change of %j is one of the wire: %s', (change, isOfWire) => {
  expect(changesTheWire(ETCHER, changedRecord(ETCHER, change as never, 'now'))).toBe(isOfWire)
})

test.each([
  [{ host_address: '10.0.0.8' }, true],
  [{ pause_seconds: 0 }, true],
  [{ reads: 'all', writes: true }, false],
])('a change of a tap by %j is one of the wire: %s', (tap, isOfWire) => {
  const tapped = made({ tap: TAP })
  expect(changesTheWire(tapped, changedRecord(tapped, { tap } as never, 'now'))).toBe(isOfWire)
})

test('another serial port is one of the wire', () => {
  expect(changesTheWire(AT_PORT, { ...AT_PORT, serial_port: '/dev/ttyS1' })).toBe(true)
})

const NETWORKS = new IpNetworks(['10.0.0.0/8'])
const CHECKED = { catalogue: STANDARD_CATALOGUE, equipmentNetworks: NETWORKS }
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, '']))

/** `whole`: the faults that are found where the body is not checked otherwise. */
test.each<[change: object, before: EquipmentRecord | undefined, faults: string[], whole?: string[]]>([
  [{}, ETCHER, []],
  [{}, undefined, ['/ip_address', '/port'], []],
  [{ name: 'eq_7' }, ETCHER, ['/name']],
  [{ name: 'eq_7' }, { ...ETCHER, name: 'eq_7' }, [], ['/name']],
  [{ name: 'my_eq_7' }, ETCHER, []],
  [{ name: 'apply' }, ETCHER, ['/name']],
  [{ name: '..' }, { ...ETCHER, name: '..' }, [], ['/name']],
  [{ name: '...' }, ETCHER, []],
  [{ ip_address: '192.168.0.1' }, ETCHER, ['/ip_address']],
  [{ ip_address: '192.168.0.1' }, { ...ETCHER, ip_address: '192.168.0.1' }, [], ['/ip_address']],
  [{ ip_address: '10.9.9.9' }, ETCHER, []],
  [{ ip_address: '0.0.0.0', port: 1 }, undefined, ['/ip_address']],
  [{ ip_address: 'x' }, { ...ETCHER, ip_address: 'x' }, []],
  [{ serial_port: '/dev/ttyS0' }, ETCHER, ['/serial_port'], []],
  [{ ip_address: '10.0.0.1' }, AT_PORT, ['/ip_address'], []],
  [{ item_formats: { SVID: 'U2', RCMD: 'A' } }, ETCHER, []],
  [{ item_formats: { SVID: 'L' } }, ETCHER, ['/item_formats/SVID']],
  [{ item_formats: { SVID: 'U3' } }, ETCHER, ['/item_formats/SVID']],
  [{ item_formats: { NONE: 'U2' } }, ETCHER, ['/item_formats/NONE']],
  [{ text_encoding: 'gb18030' }, ETCHER, []],
  [{ text_encoding: 'klingon' }, ETCHER, ['/text_encoding']],
  [{ labels: { 'a/b': '' } }, ETCHER, ['/labels/a~1b']],
  [{ labels: many(32) }, undefined, ['/ip_address', '/port'], []],
  [{ labels: many(33) }, { ...ETCHER, labels: {} }, ['/labels']],
  [{ labels: many(31) }, ETCHER, ['/labels'], []],
  [{ tap: TAP }, ETCHER, []],
  [{ tap: {} }, ETCHER, ['/tap/host_address', '/tap/listen_port'], []],
  [{ tap: { ...TAP, host_address: '192.168.0.1' } }, ETCHER, ['/tap/host_address'], []],
  [{ tap: { ...TAP, host_port: 5000 } }, ETCHER, ['/tap/host_port'], []],
  [{ mode: 'active', tap: TAP }, ETCHER, ['/tap/host_port', '/tap/listen_port'], []],
  [{ mode: 'active', tap: { host_address: '10.0.0.9', host_port: 5000 } }, ETCHER, []],
  [{ tap: TAP }, AT_PORT, ['/tap'], []],
])('%#: %j has its faults at %j', (change, before, faults, whole = faults) => {
  expect(settingFaults(change as never, CHECKED, before).map(({ pointer }) => pointer)).toEqual(faults)
  expect(memberFaults(change, CHECKED).map(({ pointer }) => pointer)).toEqual(whole)
  const refuse = () => refuseImpossible(change as never, CHECKED, before)
  if (faults.length === 0) expect(refuse).not.toThrow()
  else expect(refuse).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

test.each([
  null,
  undefined,
  'x',
  [],
  { name: 7, ip_address: 7, item_formats: [], labels: [], text_encoding: 7 },
])('a body of %j has no members to check', (body) => {
  expect(memberFaults(body, CHECKED)).toEqual([])
})

test('an address that equipment has may be outside the networks', () => {
  const given = { ip_address: '192.168.0.1' }
  expect(memberFaults(given, CHECKED, (address) => address === '192.168.0.1')).toEqual([])
  expect(memberFaults(given, { catalogue: STANDARD_CATALOGUE })).toEqual([])
})

test('what is wrong says what would be right', () => {
  expect(encodingFaults('klingon')[0]?.detail).toContain('klingon')
  const [list] = memberFaults({ item_formats: { SVID: 'L' } }, CHECKED)
  const [other] = memberFaults({ item_formats: { SVID: 'U3' } }, CHECKED)
  expect(list?.detail).toMatch(/list.*A.*U4/)
  expect(other?.detail).toMatch(/U3.*A.*U4/)
})

test.each([
  ['SELECTED', true],
  ['NOT_SELECTED', true],
  ['NOT_CONNECTED', false],
  ['LISTENING', false],
] as const)('while %s a change of the wire is refused: %s', (state, isRefused) => {
  const next = [{ operation: 'disconnectEquipment', parameters: { id: 'eq_1' } }]
  const refuse = () => refuseConnected(ETCHER, state as never)
  if (isRefused)
    expect(refuse).toThrow(expect.objectContaining({ code: 'equipment_connected', extra: { next } }))
  else expect(refuse).not.toThrow()
})

test.each([
  ['Equipment', 'Equipment'],
  ['ApiKey', 'ApiKey'],
  ['Message', undefined],
  ['toString', undefined],
  [undefined, undefined],
])('a schema of %s is that of a revised record: %s', (component, revised) => {
  expect(revisedBy(component === undefined ? {} : { component })).toBe(revised)
})

test('a revision stays the same while only observed members change; the ETag does not', () => {
  const sink = { id: 's', name: 'a', position: '1', last_error: null }
  const moved = { ...sink, position: '2', last_error: 'x' }
  expect(revisionOf('Sink', sink)).toBe(revisionOf('Sink', moved))
  expect(revisionOf('Sink', sink)).not.toBe(revisionOf('Sink', { ...sink, name: 'b' }))
  expect(revisionOf('Sink', sink)).toMatch(/^[0-9a-f]{16}$/)
  expect(revisionOf('User', sink)).not.toBe(revisionOf('User', moved))
  expect(revisionOf('ApiKey', { name: 'k', expired: false, last_used_at: null })).toBe(
    revisionOf('ApiKey', { name: 'k', expired: true, last_used_at: 't' }),
  )
  expect(revisionOf('Equipment', { revision: 7 })).toBe('7')
  expect(etagOf('Equipment', { revision: 7, name: 'a' })).toMatch(/^"7-[0-9a-f]{16}"$/)
  expect(etagOf('Sink', sink)).not.toBe(etagOf('Sink', moved))
})

test.each<[revisions: string[] | undefined, isRefused: boolean]>([
  [undefined, false],
  [['7'], false],
  [['6', '7'], false],
  [['6'], true],
  [[], true],
])('of the revisions %j a record at 7 is refused: %s', (revisions, isRefused) => {
  const require = () => requireRevision('Equipment', { revision: 7 }, 'etcher', revisions)
  if (isRefused) expect(require).toThrow(expect.objectContaining({ code: 'revision_mismatch' }))
  else expect(require).not.toThrow()
})
