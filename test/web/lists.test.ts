import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { severityOf } from '../../src/contract/alarm-severity.js'
import { parseSelector } from '../../src/contract/selector.js'
import type { Alarm } from '../../src/contract/topics/alarms.js'
import type { Event } from '../../src/contract/topics/events.js'
import { type AlarmFilter, filteredAlarms } from '../../src/web/alarms/alarm-filter.js'
import { groupedAlarms } from '../../src/web/alarms/alarm-groups.js'
import { AlarmsSince, startOfDay } from '../../src/web/alarms/alarms-since.js'
import { EventList, MAX_EVENTS, USUAL_TYPES } from '../../src/web/events/event-list.js'
import { eventText, eventWords } from '../../src/web/events/event-words.js'
import type { GatewayCalls } from '../../src/web/gateway/call.js'
import { Site } from '../../src/web/gateway/site.js'
import { csvOf } from '../../src/web/parts/csv.js'
import { selectorOf } from '../../src/web/parts/labels.js'
import { renderedOf } from '../../src/web/parts/virtual-list.js'
import { sampleEquipment } from '../support/sample-equipment.js'

const AT = '2026-01-31T08:00:00.000Z'
const alarm = (id: string, change: Partial<Alarm> = {}): Alarm => ({
  id,
  equipment_id: 'eq_1',
  equipment_name: 'etcher-1',
  alid: '4001',
  text: 'Pressure high',
  category: 4,
  category_text: 'control',
  severity: 'error',
  active: true,
  set_at: AT,
  cleared_at: null,
  count: 1,
  acknowledged: false,
  acknowledged_by: null,
  acknowledged_at: null,
  comment: null,
  shelved: null,
  ...change,
})
const event = (id: number, change: Partial<Event> = {}): Event => ({
  id: String(id),
  type: 'alarm',
  name: 'alarm_set',
  at: AT,
  equipment_id: 'eq_1',
  equipment_name: 'etcher-1',
  data: { alarm_id: String(id), alid: '4001', text: 'Pressure high' },
  ...change,
})
const site = new Site()
site.records.set([sampleEquipment({ id: 'eq_1', labels: { bay: '3' } })])
site.flush()

/** Calls whose lists are these pages, one after the other. */
function paged(...pages: readonly (readonly object[])[]) {
  const asked: object[] = []
  const call = async (_: unknown, { query }: { readonly query: object }) => {
    asked.push(query)
    const at = asked.length - 1
    return { items: pages[at] ?? [], next_cursor: at + 1 < pages.length ? `c${at + 1}` : null }
  }
  return { asked, calls: { call } as unknown as GatewayCalls }
}
const never = new AbortController().signal

test('a row is saved for a spreadsheet: no text becomes a formula, and numbers stay numbers', () => {
  const columns = [
    ['text', (text: string) => text],
    ['length', (text: string) => text.length],
  ] as const
  expect(csvOf(['=1+1', '@SUM(A1)', '-5', '+x', 'a,"b"\nc', '温度'], columns)).toBe(
    ['text,length', "'=1+1,4", "'@SUM(A1),8", '-5,2', "'+x,2", '"a,""b""\nc",7', '温度,2', ''].join('\r\n'),
  )
})

describe('the list of alarms', () => {
  const alarms = [
    alarm('9', { active: false, text: 'Door open', equipment_id: 'eq_gone', equipment_name: null }),
    alarm('8', { acknowledged: true }),
    alarm('7'),
  ]
  const ids = (filter: Partial<AlarmFilter>) =>
    filteredAlarms(alarms, { show: 'open', search: '', ...filter }, site).map(({ id }) => id)

  test('has what is active first', () => {
    expect(ids({})).toEqual(['8', '7', '9'])
  })

  test('is narrowed by state, words and labels', () => {
    expect(ids({ show: 'unacknowledged' })).toEqual(['7', '9'])
    expect(ids({ show: 'active' })).toEqual(['8', '7'])
    expect(ids({ search: 'DOOR 4001' })).toEqual(['9'])
    expect(ids({ selector: parseSelector('bay=3') })).toEqual(['8', '7'])
    expect(ids({ selector: parseSelector('bay=4') })).toEqual([])
  })

  test('is narrowed and sorted by severity: within what is active the most urgent first, then the newest', () => {
    const of = (id: string, category: number, active = true) =>
      alarm(id, { category, severity: severityOf(category), active })
    const mixed = [of('9', 7), of('8', 1, false), of('7', 3), of('6', 64), of('5', 2), of('4', 5), of('3', 5)]
    const found = (filter: Partial<AlarmFilter>) =>
      filteredAlarms(mixed, { show: 'open', search: '', ...filter }, site).map(({ id }) => id)
    expect(found({ sort: 'severity' })).toEqual(['5', '4', '3', '6', '7', '9', '8'])
    expect(found({ severity: 'error' })).toEqual(['4', '3'])
    expect(found({ severity: 'personal_safety' })).toEqual(['8'])
  })

  test('has what is shelved for itself', () => {
    const shelved = { by: 'ada', reason: 'sensor', since: AT, until: AT }
    const some = [alarm('9', { shelved }), alarm('8')]
    const found = (show: AlarmFilter['show']) =>
      filteredAlarms(some, { show, search: '' }, site).map(({ id }) => id)
    expect([found('open'), found('active'), found('shelved')]).toEqual([['8'], ['8'], ['9']])
  })

  test('has repeats of an alarm in one row', () => {
    const groups = groupedAlarms([
      ...[alarm('9', { count: 3 }), alarm('8', { alid: '2' }), alarm('7', { acknowledged: true })],
      ...[alarm('6', { equipment_id: 'eq_2' }), alarm('5')],
    ])
    expect(groups.map(({ alarm, all, times }) => [alarm.id, all.length, times])).toEqual([
      ['9', 3, 5],
      ['8', 1, 1],
      ['6', 1, 1],
    ])
  })
})

describe('the pareto of a day', () => {
  const from = new Date('2026-01-31T00:00:00.000Z')

  test('counts each alarm once, whether it came in the list or as an event', async () => {
    const day = new AlarmsSince(from)
    day.take(event(12))
    const { calls, asked } = paged([alarm('12'), alarm('11', { alid: '2', text: '' })], [alarm('10')])
    await day.load(calls, { label_selector: 'bay=3' }, never)
    day.take(event(13, { equipment_id: 'eq_2', equipment_name: 'etcher-2' }))
    // Reported again while it is active.
    day.take(event(14, { data: { alarm_id: '13' } }))
    day.take(event(15, { at: '2026-01-30T23:59:59.000Z' }))
    day.take(event(16, { name: 'alarm_cleared' }))
    expect(asked).toEqual([
      { label_selector: 'bay=3', from: from.toISOString(), limit: 1000 },
      { label_selector: 'bay=3', from: from.toISOString(), limit: 1000, cursor: 'c1' },
    ])
    expect(day.count).toBe(4)
    expect(day.pareto('alarm')).toEqual([
      { key: '4001\nPressure high', label: 'Pressure high', detail: '4001', count: 3, cumulative: 0.75 },
      { key: '2\n', label: '2', detail: '2', count: 1, cumulative: 1 },
    ])
    expect(day.pareto('equipment').map(({ label, count }) => [label, count])).toEqual([
      ['etcher-1', 3],
      ['etcher-2', 1],
    ])
  })

  test('says when there are more than are read, also where a page ends exactly there; later ones count', async () => {
    const pages = Array.from({ length: 21 }, (_, page) =>
      Array.from({ length: 1000 }, (_, at) => alarm(String(1e6 - page * 1000 - at))),
    )
    const week = new AlarmsSince(from)
    const { calls, asked } = paged(...pages)
    await week.load(calls, {}, never)
    expect([asked.length, week.count, week.isCut.value]).toEqual([20, 20_000, true])
    week.take(event(2e6))
    expect(week.count).toBe(20_001)
    const whole = new AlarmsSince(from)
    await whole.load(paged(...pages.slice(0, 20)).calls, {}, never)
    expect([whole.count, whole.isCut.value]).toEqual([20_000, false])
  })

  test('begins at midnight, local time, of this day or of an earlier one', () => {
    expect(startOfDay(new Date(2026, 2, 5, 17, 3), 6)).toEqual(new Date(2026, 1, 27))
    expect(startOfDay(new Date(2026, 2, 5, 17, 3)).getTime()).toBe(new Date(2026, 2, 5).getTime())
  })
})

describe('the list of events', () => {
  const filter = { types: USUAL_TYPES, equipmentId: undefined, labels: undefined, selector: undefined }
  const ids = (list: EventList): number[] => list.events.value.map(({ id }) => Number(id))

  test('has no gap and no repeat between the page that was read and the stream', async () => {
    const list = new EventList(filter, site)
    const { calls } = paged([event(5), event(4)], [event(3)])
    const loaded = list.load(calls, never)
    for (const id of [4, 5, 6, 7]) list.take(event(id))
    await loaded
    list.take(event(8))
    list.flush()
    expect(ids(list)).toEqual([8, 7, 6, 5, 4])
    await list.loadOlder(calls)
    expect(ids(list)).toEqual([8, 7, 6, 5, 4, 3])
    expect(list.hasOlder.value).toBe(false)
  })

  test('keeps a bounded number, the newest', async () => {
    const list = new EventList(filter, site)
    await list.load(paged([event(1)], []).calls, never)
    for (let id = 2; id < MAX_EVENTS + 10; id++) list.take(event(id))
    list.flush()
    expect(ids(list)).toHaveLength(MAX_EVENTS)
    expect(ids(list)[0]).toBe(MAX_EVENTS + 9)
    expect(list.hasOlder.value).toBe(false)
  })

  test('stands still while it is held, and continues without a gap', async () => {
    const list = new EventList(filter, site)
    await list.load(paged([event(2)], [event(1)]).calls, never)
    list.hold(true)
    for (const id of [3, 4]) list.take(event(id))
    list.flush()
    expect([ids(list), list.fresh.value]).toEqual([[2], 2])
    await list.loadOlder(paged([event(1)]).calls)
    list.hold(false)
    expect([ids(list), list.fresh.value]).toEqual([[4, 3, 2, 1], 0])
  })

  test('a long time without rendering leaves no gap in it, and counts all', async () => {
    const list = new EventList(filter, site)
    await list.load(paged([event(1)]).calls, never)
    list.hold(true)
    for (let id = 2; id <= 3 * MAX_EVENTS; id++) list.take(event(id))
    list.flush()
    expect(list.fresh.value).toBe(3 * MAX_EVENTS - 1)
    list.hold(false)
    const shown = ids(list)
    expect(shown[0]).toBe(3 * MAX_EVENTS)
    expect(shown).toEqual(shown.map((_, at) => 3 * MAX_EVENTS - at))
  })

  test('asks the gateway for what it shows, and takes nothing else of the stream', async () => {
    const list = new EventList(
      { types: ['alarm'], equipmentId: 'eq_1', labels: 'bay=3', selector: parseSelector('bay=3') },
      site,
    )
    const { calls, asked } = paged([])
    await list.load(calls, never)
    expect(asked).toEqual([{ type: ['alarm'], limit: 100, equipment_id: 'eq_1', label_selector: 'bay=3' }])
    expect(list.matches(event(1))).toBe(true)
    expect(list.matches(event(1, { type: 'message' }))).toBe(false)
    expect(list.matches(event(1, { equipment_id: 'eq_2' }))).toBe(false)
  })
})

test('the rows between two edges are rendered, and all others are a height', () => {
  expect(renderedOf([10, 10, 10, 10], -40, 25)).toEqual({ first: 0, end: 3, before: 0, after: 10 })
  expect(renderedOf([10, 10, 10, 10], 15, 25)).toEqual({ first: 1, end: 3, before: 10, after: 10 })
  expect(renderedOf([], 0, 100)).toEqual({ first: 0, end: 0, before: 0, after: 0 })
  const heights = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 60 })
  fc.assert(
    fc.property(heights, fc.integer({ min: -500, max: 5000 }), fc.nat(2000), (given, top, height) => {
      const { first, end, before, after } = renderedOf(given, top, top + height)
      const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
      expect(before).toBe(sum(given.slice(0, first)))
      expect(before + sum(given.slice(first, end)) + after).toBe(sum(given))
      // Each row of which a part is between the edges is rendered.
      let from = 0
      for (const [at, one] of given.entries()) {
        if (from < top + height && from + one > top) expect(at >= first && at < end).toBe(true)
        from += one
      }
    }),
  )
})

describe('an event in words', () => {
  test.each([
    [event(1), 'Alarm set', 'Pressure high · ALID 4001'],
    [
      event(1, {
        type: 'connection',
        name: 'selected',
        data: { from: 'NOT_SELECTED', to: 'SELECTED', cause: 'Select.rsp' },
      }),
      'Selected',
      'NOT_SELECTED → SELECTED · Select.rsp',
    ],
    [
      event(1, {
        type: 'message',
        name: 'message_received',
        data: {
          name: 'S6F11 Event Report Send',
          collection_event: { ceid: '7', name: 'Started', reports: [] },
        },
      }),
      'Received · S6F11 Event Report Send',
      'Started',
    ],
    [event(1, { type: 'state', name: 'something_new', data: {} }), 'something_new', ''],
  ])('%# says what happened', (given, title, detail) => {
    expect(eventWords(given)).toEqual({ title, detail })
  })

  test('is SML for a message, and JSON for everything else', () => {
    expect(eventText(event(1, { data: { sml: 'S1F1 W.' } }))).toBe('S1F1 W.')
    expect(eventText(event(1, { data: { to: 'x' } }))).toBe('{\n  "to": "x"\n}')
  })
})

test('labels of the address that cannot be read select everything, and why is said', () => {
  expect(selectorOf(' ')).toEqual({})
  expect(selectorOf('bay=3')).toEqual({ selector: parseSelector('bay=3') })
  expect(selectorOf('bay=3,=')).toEqual({ fault: expect.stringMatching(/^position 7: expected /) })
})
