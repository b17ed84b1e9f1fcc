import { signal } from '@preact/signals'
import { beforeEach, describe, expect, test } from 'vitest'
import { MAX_OPEN_ALARMS } from '../../src/client/site/open-alarms.js'
import { severityOf } from '../../src/contract/alarm-severity.js'
import type { Alarm } from '../../src/contract/topics/alarms.js'
import type { Event } from '../../src/contract/topics/events.js'
import { Site, type Tile } from '../../src/web/gateway/site.js'
import { kioskAlarms } from '../../src/web/wall/kiosk-alarms.js'
import { sampleEquipment } from '../support/sample-equipment.js'

const AT = '2026-01-31T08:00:00.000Z'
const NOW = Date.parse(AT)

let id = 0
const event = (type: Event['type'], name: string, data: object, change: Partial<Event> = {}): Event => ({
  id: String(++id),
  type,
  name,
  at: AT,
  equipment_id: 'eq_1',
  equipment_name: 'etcher-1',
  data: data as Event['data'],
  ...change,
})
/** The event that sets an alarm has its id. */
const alarmSet = (alarm_id: string, change: Partial<Event> = {}): Event => ({
  ...event(
    'alarm',
    'alarm_set',
    { alarm_id, alid: '4001', text: 'Pressure high', category: 4, category_text: 'control', count: 1 },
    change,
  ),
  id: alarm_id,
})
const report = (values: object, at = AT): Event =>
  event(
    'message',
    'message_received',
    {
      collection_event: {
        ceid: '1',
        name: null,
        reports: [
          {
            rptid: '1',
            values: Object.entries(values).map(([name, value]) => ({ vid: '1', unit: null, name, value })),
          },
        ],
      },
    },
    { at },
  )

let site: Site
const tile = (of = 'eq_1'): Tile => {
  site.flush()
  return site.get(of)?.tile.value as Tile
}

beforeEach(() => {
  id = 100
  site = new Site()
  site.records.alarms.set([])
  site.records.set([
    sampleEquipment({ id: 'eq_2', name: 'etcher-10', enabled: false, connection_state: 'NOT_CONNECTED' }),
    sampleEquipment({ id: 'eq_1', name: 'etcher-2' }),
  ])
  site.flush()
})

test('the alarm of a tile is the newest of the most urgent category', () => {
  const of = (id: string, category: number, text: string): Event => ({
    ...alarmSet(id),
    data: { ...alarmSet(id).data, category, text } as Event['data'],
  })
  for (const one of [of('1', 4, 'late'), of('2', 2, 'Vacuum lost'), of('3', 2, 'Door'), of('4', 6, 'drift')])
    site.records.apply(one)
  expect(tile()).toMatchObject({ alarm: 'Door', alarmSince: AT, activeAlarms: 4 })
  site.records.apply(of('5', 1, 'EMO pressed'))
  expect(tile().alarm).toBe('EMO pressed')
  for (const id of ['5', '3']) site.records.apply(event('alarm', 'alarm_cleared', { alarm_id: id }))
  // Which of the others is the most urgent now, only the gateway knows.
  expect(tile()).toMatchObject({ state: 'alarm', alarm: undefined, activeAlarms: 3, unacknowledged: 5 })
  expect([...site.records.counts.doubted]).toEqual(['eq_1'])
})

describe('the state of a tile', () => {
  test('is what the record says, in the order of the names', () => {
    expect(site.tools.value.map(({ record }) => record.name)).toEqual(['etcher-2', 'etcher-10'])
    expect([tile().state, tile('eq_2').state]).toEqual(['remote', 'disabled'])
  })

  test('follows events: a lost connection is grey, whatever alarm is active', () => {
    site.records.apply(alarmSet('7'))
    expect(tile()).toMatchObject({ state: 'alarm', activeAlarms: 1, unacknowledged: 1 })
    site.records.apply(event('connection', 'disconnected', { from: 'SELECTED', to: 'CONNECTING' }))
    expect(tile()).toMatchObject({ state: 'disconnected', activeAlarms: 1 })
    site.records.apply(event('connection', 'selected', { from: 'NOT_SELECTED', to: 'SELECTED' }))
    site.records.apply(event('state', 'communication_state', { to: 'WAIT_CRA' }))
    expect(tile().state).toBe('connecting')
    site.records.apply(event('state', 'communication_state', { to: 'COMMUNICATING' }))
    site.records.apply(event('alarm', 'alarm_cleared', { alarm_id: '7' }))
    site.records.apply(event('state', 'control_state', { to: 'ONLINE_LOCAL' }))
    expect(tile()).toMatchObject({ state: 'local', activeAlarms: 0, unacknowledged: 1 })
  })

  test.each([
    ['degraded', { health: 'degraded' }],
    ['failing', { health: 'failing' }],
    ['offline', { control_state: 'EQUIPMENT_OFFLINE' }],
    ['online', { control_state: 'UNKNOWN' }],
  ] as const)('is %s for %o', (state, change) => {
    site.records.put(sampleEquipment({ id: 'eq_1', ...change }))
    expect(tile().state).toBe(state)
  })

  test('is rendered again only where something that it shows has changed', () => {
    const before = tile()
    const { value } = site.version
    site.records.put(sampleEquipment({ id: 'eq_1', name: 'etcher-2', revision: 9 }))
    expect(tile()).toBe(before)
    expect(site.version.value).toBe(value)
  })

  test('equipment that is gone from the list, or by itself, is gone from the wall', () => {
    site.records.set([sampleEquipment({ id: 'eq_1' })])
    site.flush()
    expect(site.tools.value).toHaveLength(1)
    site.records.remove('eq_1')
    site.flush()
    expect(site.tools.value).toHaveLength(0)
    site.records.apply(alarmSet('7'))
  })
})

describe('the job of a tile', () => {
  test('is in reports, by the names that makers give it; an empty value ends it', () => {
    site.count(report({ PPID: 'OXIDE-01', LotID: 'L77', Pressure: '1' }), NOW)
    expect(tile().job).toEqual({ ppid: 'OXIDE-01', lot: 'L77' })
    site.count(report({ Pressure: '2' }), NOW)
    expect(tile().job).toEqual({ ppid: 'OXIDE-01', lot: 'L77' })
    site.count(report({ 'Lot-Id': '', pp_exec_name: 'METAL' }), NOW)
    expect(tile().job).toEqual({ ppid: 'METAL' })
  })

  test('that was read from the history does not replace a newer one', () => {
    site.count(report({ PPID: 'NEW' }), NOW)
    site.setJob('eq_1', { ppid: 'OLD', lot: 'L1' })
    expect(tile().job).toEqual({ ppid: 'NEW', lot: 'L1' })
  })
})

describe('the traffic of a tile', () => {
  const seconds = (count: number): void => {
    for (let at = 0; at < count; at++) site.tick()
  }

  test('is counted in bars of ten seconds, and never grows', () => {
    const traffic = site.get('eq_1')?.traffic
    for (let bar = 1; bar <= 30; bar++) {
      for (let sent = 0; sent < bar; sent++) site.count(report({}), NOW)
      seconds(10)
    }
    expect(traffic?.bars).toEqual(Array.from({ length: 23 }, (_, at) => at + 8))
    expect(traffic?.perMinute).toBe(25 + 26 + 27 + 28 + 29 + 30)
  })

  test('is not known before the first bar is over', () => {
    expect(site.get('eq_1')?.traffic.perMinute).toBeUndefined()
    site.count(report({}), NOW)
    seconds(10)
    expect(site.get('eq_1')?.traffic.perMinute).toBe(6)
  })

  test('has no messages of an interruption that is over, whatever the difference of the clocks', () => {
    const skew = 3_600_000
    site.count(report({}), NOW + skew)
    site.count(report({}, new Date(NOW - 60_000).toISOString()), NOW + skew)
    seconds(10)
    expect(site.get('eq_1')?.traffic.perMinute).toBe(6)
  })
})

describe('open alarms', () => {
  const ids = (): string[] => {
    site.flush()
    return site.alarms.value.list.map((alarm: Alarm) => alarm.id)
  }

  test('are those that are active or not acknowledged, the newest first', () => {
    site.records.apply(alarmSet('7'))
    site.records.apply(alarmSet('12', { equipment_id: 'eq_2' }))
    site.records.apply(
      event('alarm', 'alarm_acknowledged', { alarm_id: '7', acknowledged_by: 'ada', comment: 'ok' }),
    )
    expect(ids()).toEqual(['12', '7'])
    expect(site.alarms.value.list[1]).toMatchObject({ acknowledged_by: 'ada', comment: 'ok', active: true })
    site.records.apply(event('alarm', 'alarm_cleared', { alarm_id: '7' }))
    site.records.apply(event('alarm', 'alarm_cleared', { alarm_id: '12' }, { equipment_id: 'eq_2' }))
    expect(ids()).toEqual(['12'])
    expect(site.records.counts.of('eq_1')).toMatchObject({ active: 0, unacknowledged: 0 })
    expect(site.records.counts.of('eq_2')).toMatchObject({ active: 0, unacknowledged: 1 })
    expect(site.unacknowledged.value).toBe(1)
  })

  test('that are reported again stay one', () => {
    site.records.apply(alarmSet('7'))
    site.records.apply(event('alarm', 'alarm_set', { alarm_id: '7', count: 2 }))
    expect(ids()).toEqual(['7'])
    expect(site.alarms.value.list[0]).toMatchObject({ count: 2, text: 'Pressure high' })
  })

  test('are bounded: of a flood the active ones and the newest stay, and it is said how many are left out', () => {
    site.records.apply(alarmSet('1'))
    for (let at = 2; at <= MAX_OPEN_ALARMS + 3; at++) {
      site.records.apply(alarmSet(String(at)))
      site.records.apply(event('alarm', 'alarm_cleared', { alarm_id: String(at) }))
    }
    expect(ids()).toHaveLength(MAX_OPEN_ALARMS)
    expect(ids().slice(-2)).toEqual(['5', '1'])
    expect(site.alarms.value.leftOut).toBe(3)
    // All that are active are kept, however many.
    for (let at = 1; at <= 2 * MAX_OPEN_ALARMS; at++) site.records.apply(alarmSet(String(100_000 + at)))
    expect(ids()).toHaveLength(2 * MAX_OPEN_ALARMS + 1)
    expect(ids().at(-1)).toBe('1')
  })

  test('are named on a wall screen, but not while nobody knows what holds now', () => {
    const isStale = signal(false)
    const live = { site, isStale }
    expect(kioskAlarms(live, 110)).toBeUndefined()
    const counted = (equipment_id: string, category: number) => ({
      ...{ equipment_id, equipment_name: null, active: 3, unacknowledged: 3, shelved: 0 },
      worst: {
        ...{ id: equipment_id.slice(3), alid: '7', text: `of ${equipment_id}`, category },
        ...{ category_text: '', severity: severityOf(category), set_at: AT, acknowledged: false },
      },
    })
    site.records.setCounts({
      ...{ as_of: '9000', incomplete: ['eq_1', 'eq_gone'] },
      items: [counted('eq_2', 4), counted('eq_1', 1)],
    })
    site.flush()
    expect(kioskAlarms(live, 110)).toMatchObject({ more: 4 })
    // Of each equipment one, the most urgent first.
    expect(kioskAlarms(live, 110)?.named.map(({ name, text }) => [name, text])).toEqual([
      ['etcher-2', 'of eq_1'],
      ['etcher-10', 'of eq_2'],
    ])
    site.records.setCounts({ as_of: '9000', items: [], incomplete: ['eq_1', 'eq_gone'] })
    site.flush()
    expect(kioskAlarms(live, 110)).toBeDefined()
    expect(kioskAlarms(live, 110)?.incomplete).toMatch(/^.+, eq_gone$/)
    isStale.value = true
    expect(kioskAlarms(live, 110)).toBeUndefined()
  })
})
