import { expect, test } from 'vitest'
import type { Change } from '../../src/contract/state-changes.js'
import type { Event } from '../../src/contract/topics/events.js'
import type { GatewayCalls } from '../../src/web/gateway/call.js'
import { mappingFor, mappingOf, mappingQuery, USUAL_MAPPING } from '../../src/web/shift/e10.js'
import { lanePaths } from '../../src/web/shift/lane-paths.js'
import { readSiteChanges } from '../../src/web/shift/site-changes.js'
import { sharesOf, timelineOf, timesOf } from '../../src/web/shift/timeline.js'
import { spanOf, windowOf } from '../../src/web/shift/window.js'

const EVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
const NOW = {
  connection_state: 'SELECTED',
  communication_state: 'COMMUNICATING',
  control_state: 'ONLINE_REMOTE',
  created_at: '1970-01-01T00:00:00.000Z',
} as const
const control = (at: number, from: string, to: string): Change => ({ lane: 'control_state', at, from, to })
const wordsOf = (timeline: ReturnType<typeof timelineOf>) =>
  timeline.map(({ from, to, word }) => `${word} ${from}-${to}`)

test('labels of equipment take precedence over the address, and the address over the usual mapping', () => {
  const mapping = mappingOf(['remote.productive', 'offline.scheduled-down', 'nonsense', 'local.nonsense'])
  expect(mappingQuery(mapping)).toEqual(['remote.productive', 'offline.scheduled-down'])
  expect(mappingOf([])).toEqual(USUAL_MAPPING)
  const own = mappingFor({ e10: 'engineering', 'e10.disconnected': 'scheduled-down', bay: '1' }, mapping)
  expect(own).toMatchObject({
    remote: 'engineering',
    disconnected: 'scheduled-down',
    disabled: 'engineering',
  })
  expect(mappingFor({ e10: 'no such word' }, mapping)).toEqual(mapping)
})

test('states become words of E10, with shares of the known time', () => {
  const changes = [control(40, 'HOST_OFFLINE', 'ONLINE_LOCAL'), control(60, 'ONLINE_LOCAL', 'ONLINE_REMOTE')]
  const mapping = mappingOf(['remote.productive'])
  const timeline = timelineOf(changes, { from: 0, to: 100 }, EVER, NOW, mapping)
  expect(wordsOf(timeline)).toEqual(['unknown 0-40', 'standby 40-60', 'productive 60-100'])
  expect(sharesOf(timesOf([timeline]))).toEqual({ productive: 2 / 3, up: 1, unknown: 0.4 })
  expect(sharesOf(timesOf([]))).toEqual({ productive: undefined, up: undefined, unknown: undefined })
})

test('the time in which a gateway that has started connects again is unknown, unless it is long', () => {
  const outage = (at: number): Change => ({ lane: 'connection_state', at, from: undefined, to: 'UNKNOWN' })
  const connection = (at: number, to: string): Change => ({
    lane: 'connection_state',
    at,
    from: undefined,
    to,
  })
  const statesAfter = (seconds: number) => {
    const back = 20_000 + seconds * 1000
    const changes = [
      outage(10_000),
      connection(20_000, 'CONNECTING'),
      connection(back - 10, 'NOT_SELECTED'),
      connection(back, 'SELECTED'),
    ]
    const timeline = timelineOf(changes, { from: 0, to: 500_000 }, EVER, NOW, USUAL_MAPPING)
    return timeline.map(({ from, state }) => `${from} ${state ?? 'unknown'}`).slice(1)
  }
  expect(statesAfter(5)).toEqual(['10000 unknown', '25000 remote'])
  expect(statesAfter(100)).toEqual([
    '10000 unknown',
    '20000 disconnected',
    '119990 connecting',
    '120000 remote',
  ])
})

test('a past window ends in the state from which the next change goes on, not in the state of now', () => {
  const changes = [control(500, 'HOST_OFFLINE', 'ONLINE_REMOTE')]
  expect(timelineOf(changes, { from: 0, to: 100 }, EVER, NOW, USUAL_MAPPING)).toMatchObject([
    { from: 0, to: 100, state: 'offline' },
  ])
})

test('before equipment was registered, and where changes were not read, nothing is known', () => {
  const record = { ...NOW, created_at: '1970-01-01T00:00:00.030Z' }
  expect(wordsOf(timelineOf([], { from: 0, to: 100 }, EVER, record, USUAL_MAPPING))).toEqual([
    'unknown 0-30',
    'standby 30-100',
  ])
  expect(wordsOf(timelineOf([], { from: 0, to: 100 }, { from: 50, to: 80 }, NOW, USUAL_MAPPING))).toEqual([
    'unknown 0-50',
    'standby 50-80',
    'unknown 80-100',
  ])
  expect(wordsOf(timelineOf([], { from: 0, to: 20 }, EVER, record, USUAL_MAPPING))).toEqual(['unknown 0-20'])
})

test('a lane has one path for each word, and leaves the future open', () => {
  const timeline = timelineOf(
    [control(25, 'HOST_OFFLINE', 'ONLINE_LOCAL')],
    { from: 0, to: 50 },
    EVER,
    NOW,
    USUAL_MAPPING,
  )
  expect(lanePaths(timeline, { from: 0, to: 100 })).toEqual([
    ['standby', 'M250.0 0h250.0v1h-250.0z'],
    ['future', 'M500.0 0h500.0v1h-500.0z'],
  ])
})

test('the address has the begin of a shift; without one the window ends now', () => {
  const shift = windowOf(new URLSearchParams('from=2026-01-31T06:00Z&hours=12'))
  expect(spanOf(shift, 0)).toEqual({ from: Date.UTC(2026, 0, 31, 6), to: Date.UTC(2026, 0, 31, 18) })
  const last = windowOf(new URLSearchParams('from=yesterday&hours=7'))
  expect(spanOf(last, 10 * 3_600_000)).toEqual({ from: 2 * 3_600_000, to: 10 * 3_600_000 })
})

const TIME = Date.UTC(2026, 0, 31)
/** Milliseconds of a step of time in the tests below. */
const STEP = 10_000
let sequence = 0
const connection = (id: string, at: number, from: string, to: string): Event => ({
  id: String(++sequence),
  type: 'connection',
  name: 'connecting',
  equipment_id: id,
  equipment_name: id,
  at: new Date(TIME + at * STEP).toISOString(),
  data: { from, to },
})

/** A gateway that has these events, oldest first, and pages of `size`. */
function gatewayWith(events: readonly Event[], size = 1000) {
  const asked: Record<string, unknown>[] = []
  const call = async (_: unknown, { query }: { query: Record<string, string> }) => {
    asked.push(query)
    const { from = '', to = '9', order = 'desc', limit, cursor = '0', equipment_id } = query
    const found = events.filter(
      ({ at, equipment_id: id }) =>
        at >= from && at < to && (equipment_id === undefined || [equipment_id].flat().includes(id)),
    )
    if (order === 'desc') found.reverse()
    const end = Number(cursor) + Math.min(Number(limit), size)
    return { items: found.slice(Number(cursor), end), next_cursor: end < found.length ? String(end) : null }
  }
  return { asked, calls: { call } as unknown as Pick<GatewayCalls, 'call'> }
}

const read = (
  events: readonly Event[],
  connections: Record<string, string>,
  span: { from: number; to: number },
  now: number,
  size?: number,
) => {
  const { calls, asked } = gatewayWith(events, size)
  const reading = {
    calls,
    scope: {},
    signal: new AbortController().signal,
    connections: new Map(Object.entries(connections)),
  }
  return {
    asked,
    result: readSiteChanges(
      reading,
      { from: TIME + span.from * STEP, to: TIME + span.to * STEP },
      TIME + now * STEP,
    ),
  }
}

const statesOf = (changes: readonly Change[] | undefined, to: number, connection_state = 'SELECTED') =>
  timelineOf(
    changes ?? [],
    { from: TIME, to: TIME + to * STEP },
    EVER,
    { ...NOW, connection_state } as typeof NOW,
    USUAL_MAPPING,
  ).map(({ from, state }) => `${(from - TIME) / STEP} ${state ?? 'unknown'}`)

test('while the gateway did not run, all its equipment is unknown: also what was not connected before and after', async () => {
  const events = [
    connection('a', 10, 'NOT_SELECTED', 'SELECTED'),
    connection('b', 20, 'CONNECTING', 'NOT_SELECTED'),
    // The restart, seen by two that connect again.
    connection('a', 70, 'NOT_CONNECTED', 'CONNECTING'),
    connection('b', 75, 'NOT_CONNECTED', 'CONNECTING'),
  ]
  const { asked, result } = read(
    events,
    { a: 'CONNECTING', b: 'CONNECTING', off: 'NOT_CONNECTED' },
    { from: 0, to: 100 },
    100,
  )
  const { changes } = await result
  expect(statesOf(changes.get('a'), 100, 'CONNECTING')).toEqual([
    '0 connecting',
    '10 remote',
    '20 unknown',
    '70 disconnected',
  ])
  expect(statesOf(changes.get('b'), 100, 'CONNECTING')).toEqual([
    '0 disconnected',
    '20 unknown',
    '75 disconnected',
  ])
  expect(statesOf(changes.get('off'), 100, 'NOT_CONNECTED')).toEqual([
    '0 disabled',
    '20 unknown',
    '70 disabled',
  ])
  // One query for the changes, and one for the restart: not one for each equipment.
  expect(asked).toHaveLength(2)
})

test('a window that begins while the gateway did not run begins with the unknown', async () => {
  const events = [
    connection('new', -60, 'NOT_CONNECTED', 'NOT_CONNECTED'),
    connection('a', -50, 'NOT_SELECTED', 'SELECTED'),
    connection('a', 30, 'NOT_CONNECTED', 'CONNECTING'),
    connection('new', 60, 'NOT_CONNECTED', 'CONNECTING'),
  ]
  const { changes } = await read(events, {}, { from: 0, to: 100 }, 100).result
  expect(statesOf(changes.get('a'), 100, 'CONNECTING')).toEqual(['0 unknown', '30 disconnected'])
  expect(statesOf(changes.get('new'), 100, 'CONNECTING')).toEqual([
    '0 unknown',
    '30 disabled',
    '60 disconnected',
  ])
})

const FAR_BEHIND = -100_000

test('what was written while the clock was far behind is not the last sign of the gateway', async () => {
  const sign = (at: number): Event => ({
    ...connection('a', at, '', ''),
    type: 'state',
    name: 'carrier_state',
  })
  const events = [
    connection('a', 10, 'NOT_SELECTED', 'SELECTED'),
    sign(20),
    sign(FAR_BEHIND),
    connection('a', 70, 'NOT_CONNECTED', 'CONNECTING'),
  ]
  const { changes } = await read(events, {}, { from: 0, to: 100 }, 100).result
  expect(statesOf(changes.get('a'), 100, 'CONNECTING')).toEqual([
    '0 connecting',
    '10 remote',
    '20 unknown',
    '70 disconnected',
  ])
})

test('too many changes leave the time without them unknown, the earlier or of a past window the later', async () => {
  const flapping = Array.from({ length: 200 }, (_, at) =>
    connection('a', at, at % 2 ? 'CONNECTING' : 'NOT_SELECTED', at % 2 ? 'NOT_SELECTED' : 'CONNECTING'),
  )
  const live = await read(flapping, {}, { from: 0, to: 200 }, 200, 2).result
  expect(live.known.from).toBeGreaterThan(TIME + 100 * STEP)
  const past = await read(flapping, {}, { from: 0, to: 150 }, 200, 2).result
  expect(past.known.to).toBeLessThan(TIME + 150 * STEP)
  expect(past.known.from).toBeLessThan(TIME)
})
