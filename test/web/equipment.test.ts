import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Change,
  changeOf,
  GATEWAY_STOPS,
  LANES,
  restartsIn,
  segmentsOf,
  withOutage,
} from '../../src/contract/state-changes.js'
import type { Event } from '../../src/contract/topics/events.js'
import type { RecordedValue } from '../../src/contract/topics/variables.js'
import { numberOf, RecordedVariable, seriesOf, summaryOf } from '../../src/web/equipment/recorded-series.js'
import { readChanges } from '../../src/web/equipment/state-changes.js'
import { MAX_CHANGES, marksOf, withChange } from '../../src/web/equipment/state-segments.js'
import type { GatewayCalls } from '../../src/web/gateway/call.js'

const NOW = {
  connection_state: 'SELECTED',
  communication_state: 'COMMUNICATING',
  control_state: 'ONLINE_REMOTE',
} as const
const lane = 'control_state'
const change = (at: number, to: string, from?: string): Change => ({ lane, at, from, to })

test('a lane has its state before the first change, and the state of now where nothing changed', () => {
  const window = { from: 0, to: 100 }
  expect(segmentsOf([], lane, window, NOW)).toEqual([{ from: 0, to: 100, value: 'ONLINE_REMOTE' }])
  const changes = [change(40, 'ONLINE_LOCAL', 'HOST_OFFLINE'), change(60, 'ONLINE_REMOTE', 'ONLINE_LOCAL')]
  expect(segmentsOf(changes, lane, window, NOW)).toEqual([
    { from: 0, to: 40, value: 'HOST_OFFLINE' },
    { from: 40, to: 60, value: 'ONLINE_LOCAL' },
    { from: 60, to: 100, value: 'ONLINE_REMOTE' },
  ])
  expect(segmentsOf(changes, lane, { from: 50, to: 70 }, NOW).map(({ value }) => value)).toEqual([
    'ONLINE_LOCAL',
    'ONLINE_REMOTE',
  ])
})

test('segments are without a gap and in order, whatever changed', () => {
  const any = fc.record({
    lane: fc.constantFrom(...LANES),
    at: fc.nat(1000),
    from: fc.option(fc.constantFrom('A', 'B'), { nil: undefined }),
    to: fc.constantFrom('A', 'B', 'C'),
  })
  fc.assert(
    fc.property(fc.array(any), fc.nat(500), fc.integer({ min: 501, max: 1200 }), (given, from, to) => {
      const changes = given.reduce<readonly Change[]>((all, one) => withChange(all, one), [])
      const segments = segmentsOf(changes, lane, { from, to }, NOW)
      expect(segments[0]?.from).toBe(from)
      expect(segments.at(-1)?.to).toBe(to)
      for (const [at, segment] of segments.entries()) {
        expect(segment.from).toBeLessThanOrEqual(segment.to)
        if (at > 0) expect(segment.from).toBe(segments[at - 1]?.to)
        if (at > 0) expect(segment.value).not.toBe(segments[at - 1]?.value)
      }
    }),
  )
})

test('nothing is known of a lane from the last sign of the gateway until its restart', () => {
  const connection = (at: number, from: string, to: string): Change => ({
    lane: 'connection_state',
    at,
    from,
    to,
  })
  const changes = [
    connection(10, 'NOT_SELECTED', 'SELECTED'),
    change(12, 'ONLINE_REMOTE', 'UNKNOWN'),
    connection(50, 'NOT_CONNECTED', 'CONNECTING'),
    connection(51, 'CONNECTING', 'NOT_SELECTED'),
    change(60, 'ONLINE_LOCAL', 'UNKNOWN'),
  ]
  const [restart, ...others] = restartsIn(changes)
  expect([restart, others]).toEqual([{ at: 50, connection: 'NOT_CONNECTED' }, []])
  if (!restart) return
  // The first sign of the gateway after it is the communication that is enabled just before.
  const enabled = { lane: 'communication_state', at: 49, from: 'DISABLED', to: 'NOT_COMMUNICATING' } as const
  expect(restartsIn([...changes.slice(0, 2), enabled, ...changes.slice(2)])).toMatchObject([{ at: 49 }])
  const all = withOutage(changes, 30, restart)
  expect(restartsIn(all)).toEqual([])
  const shown = (one: 'connection_state' | 'control_state') =>
    segmentsOf(all, one, { from: 0, to: 70 }, NOW)
      .filter(({ from, to }) => to > from)
      .map(({ from, to, value }) => `${from}-${to} ${value}`)
  expect(shown('connection_state').slice(1)).toEqual([
    '10-30 SELECTED',
    '30-50 UNKNOWN',
    '50-51 CONNECTING',
    '51-70 NOT_SELECTED',
  ])
  expect(shown('control_state').slice(1)).toEqual([
    '12-30 ONLINE_REMOTE',
    '30-60 UNKNOWN',
    '60-70 ONLINE_LOCAL',
  ])
})

test('no more than so many changes are kept, the newest', () => {
  let kept: readonly Change[] = []
  for (let at = 0; at <= MAX_CHANGES; at++) kept = withChange(kept, change(at, 'A'))
  expect([kept.length, kept[0]?.at]).toEqual([MAX_CHANGES, 1])
})

test('events of connections and states are changes; others are not', () => {
  const event = (type: string, name: string, data: object): Event =>
    ({ type, name, at: '2026-01-31T08:00:00.000Z', data }) as Event
  expect(changeOf(event('connection', 'selected', { from: 'NOT_SELECTED', to: 'SELECTED' }))).toMatchObject({
    lane: 'connection_state',
    to: 'SELECTED',
  })
  expect(changeOf(event('state', 'control_state', { to: 'ONLINE_LOCAL' }))).toMatchObject({ lane })
  // Switched off by a user, and a gateway that stops.
  expect(changeOf(event('connection', 'disconnected', { to: 'NOT_CONNECTED', cause: 'x' }))?.to).toBe(
    'NOT_CONNECTED',
  )
  expect(
    changeOf(event('connection', 'disconnected', { to: 'NOT_CONNECTED', cause: GATEWAY_STOPS }))?.to,
  ).toBe('UNKNOWN')
  expect(changeOf(event('state', 'reports', { to: 'x' }))).toBeUndefined()
  expect(changeOf(event('message', 'control_state', { to: 'x' }))).toBeUndefined()
  expect(changeOf(event('connection', 'attempt_failed', {}))).toBeUndefined()
})

test('an axis has at most six marks, at whole steps', () => {
  const HOUR = 3_600_000
  const from = Date.UTC(2026, 0, 31, 8, 7)
  for (const hours of [1, 8, 24]) {
    const marks = marksOf({ from, to: from + hours * HOUR })
    expect(marks.length).toBeGreaterThan(2)
    expect(marks.length).toBeLessThanOrEqual(7)
    expect(marks.every((at) => new Date(at).getMinutes() % 10 === 0)).toBe(true)
  }
})

test('numbers are drawn, text and lists are not', () => {
  const recorded = (value: object | null, text: string, at = 0): RecordedValue =>
    ({ id: '7', name: 'Pressure', unit: 'Pa', value, text, at: new Date(at).toISOString() }) as RecordedValue
  expect(numberOf(recorded({ F4: [1.5] }, '1.5'))).toBe(1.5)
  expect(numberOf(recorded({ U8: 12 }, '12'))).toBe(12)
  expect(numberOf(recorded({ A: '12' }, '12'))).toBeUndefined()
  expect(numberOf(recorded({ U4: [1, 2] }, '1 2'))).toBeUndefined()
  expect(numberOf(recorded({ F4: ['NaN'] }, 'NaN'))).toBeUndefined()
  expect(numberOf(recorded(null, ''))).toBeUndefined()
  const series = seriesOf([recorded({ U1: [3] }, '3', 2000), recorded({ U1: [5] }, '5', 1000)])
  const pressure = series.get('Pressure')
  expect(pressure).toMatchObject({ unit: 'Pa', times: [1, 2], values: [5, 3] })
  expect(pressure && summaryOf(pressure)).toEqual({ least: 3, greatest: 5, last: 3 })
})

test('a variable is read once, then from its newest value on, whether that is a number or not', async () => {
  const at = (second: number): string => new Date(second * 1000).toISOString()
  const stored = (value: object, text: string, id: string, second: number) =>
    ({
      id: '2001',
      name: 'Pressure',
      value,
      text,
      unit: 'Pa',
      message_id: id,
      at: at(second),
    }) as RecordedValue
  const number = (id: string, second: number) => stored({ U4: Number(id) }, id, id, second)
  const pages: RecordedValue[][] = [[stored({ A: 'off' }, 'off', '2', 20), number('1', 10)]]
  const asked: (string | undefined)[] = []
  const calls = {
    call: async (_endpoint: unknown, given: { readonly query?: { readonly from?: string } }) => {
      asked.push(given.query?.from)
      return { items: pages.shift() ?? [], next_cursor: null }
    },
  } as unknown as GatewayCalls
  const variable = new RecordedVariable('A', { id: '2001', name: 'Pressure' })
  const read = () => variable.read(calls, { from: 5000 }, new AbortController().signal)
  await read()
  // The values of the newest message come once more, since others may have been recorded in the same millisecond.
  pages.push([number('3', 30), stored({ A: 'off' }, 'off', '2', 20)])
  await read()
  await read()
  expect(asked).toEqual([at(5), at(20), at(30)])
  expect(variable.series.value).toMatchObject({ times: [10, 30], values: [1, 3], unit: 'Pa' })
})

test('what the objects of a 300 mm tool report takes no place of the states of equipment', async () => {
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString()
  const event = (id: number, type: string, name: string, to: string) => ({
    ...{ id: String(id), type, name, at: at(id), equipment_id: 'eq_1', equipment_name: 'etcher' },
    data: { from: null, to },
  })
  const all = [
    event(1, 'state', 'control_state', 'ONLINE_REMOTE'),
    ...Array.from({ length: 3 * MAX_CHANGES }, (_, nth) =>
      event(nth + 2, 'state', 'carrier_state', 'IN_ACCESS'),
    ),
    event(9000, 'connection', 'selected', 'SELECTED'),
  ]
  // As the gateway does it: newest first, by name and type, a page after the other.
  const call = async (
    _: unknown,
    { query }: { query: Partial<Record<'name' | 'type', string[]>> & { cursor?: string } },
  ) => {
    const found = all
      .toReversed()
      .filter(({ name, type }) => query.name?.includes(name) ?? query.type?.includes(type) ?? true)
    const start = Number(query.cursor ?? 0)
    return {
      items: found.slice(start, start + 500),
      next_cursor: start + 500 < found.length ? String(start + 500) : null,
    }
  }
  const calls = { call } as unknown as GatewayCalls
  const view = { needed: { from: 0 }, past: undefined }
  const { changes, isCut } = await readChanges({ calls }, 'eq_1', view, new AbortController().signal)
  expect(isCut).toBe(false)
  expect(changes.map(({ to }) => to)).toEqual(['ONLINE_REMOTE', 'SELECTED'])
})

test('what was written while the clock was far behind is not the last sign of the gateway', async () => {
  const event = (second: number, name: string, from: string | null, to: string) => ({
    ...{ id: '1', type: name === 'object' ? 'state' : 'connection', name },
    ...{ at: new Date(second * 1000).toISOString(), equipment_id: 'eq_1', equipment_name: 'etcher' },
    data: { from, to },
  })
  const all = [
    event(1000, 'selected', 'NOT_SELECTED', 'SELECTED'),
    event(1100, 'object', null, 'IN_ACCESS'),
    event(1, 'object', null, 'IN_ACCESS'),
    event(2000, 'connecting', 'NOT_CONNECTED', 'CONNECTING'),
  ]
  const call = async (_: unknown, { query }: { query: { name?: string[]; from?: string; to?: string } }) => {
    const { name: names, from = '', to = '9' } = query
    const items = all
      .toReversed()
      .filter(({ name, at }) => (names?.includes(name) ?? true) && at >= from && at < to)
    return { items, next_cursor: null }
  }
  const calls = { call } as unknown as GatewayCalls
  const view = { needed: { from: 900_000 }, past: undefined }
  const { changes } = await readChanges({ calls }, 'eq_1', view, new AbortController().signal)
  const unknown = changes.find(({ lane, to }) => lane === 'connection_state' && to === 'UNKNOWN')
  expect(unknown?.at).toBe(1_100_000)
})
