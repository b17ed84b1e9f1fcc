import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../src/contract/topics/events.js'
import { alarmMark, chartMarks, type Mark } from '../../src/web/equipment/chart-marks.js'
import { readingAt, stepOf } from '../../src/web/equipment/chart-reading.js'
import { heldAt } from '../../src/web/equipment/recorded-series.js'
import {
  addressOf,
  lastHours,
  moved,
  pastAround,
  spanIn,
  within,
  zoomed,
} from '../../src/web/equipment/time-span.js'

const HOUR = 3_600_000
const query = (from: string, to: string) => new URLSearchParams({ from, to })

test('a span of the address is read as it was written, and no other text is one', () => {
  const span = { from: Date.UTC(2026, 0, 31, 8), to: Date.UTC(2026, 0, 31, 8, 1, 2, 3) }
  expect(spanIn(new URLSearchParams(addressOf(span)))).toEqual(span)
  for (const [from, to] of [
    ['', ''],
    ['2026-01-31T08:00:00Z', ''],
    ['2026-01-31T08:00:00Z', 'soon'],
    ['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.500Z'],
    ['2026-01-31T09:00:00Z', '2026-01-31T08:00:00Z'],
  ] as const)
    expect(spanIn(query(from, to)), `${from} ${to}`).toBeUndefined()
})

test('the whole time ends now, and begins with the equipment', () => {
  const now = 100 * HOUR
  expect(lastHours(8, now, 0)).toEqual({ from: 92 * HOUR, to: now })
  expect(lastHours(8, now, 99 * HOUR)).toEqual({ from: 99 * HOUR, to: now })
  expect(lastHours(8, now, now - 1000)).toEqual({ from: now - 60_000, to: now })
})

test('a span before the last hours is in a whole time of the past, which stays while one moves a little', () => {
  const now = 100 * HOUR
  expect(pastAround({ from: 93 * HOUR, to: 94 * HOUR }, 8, now)).toBeUndefined()
  const past = pastAround({ from: 50 * HOUR, to: 51 * HOUR }, 8, now)
  expect(past).toEqual({ from: 48 * HOUR, to: 60 * HOUR })
  expect(pastAround({ from: 51 * HOUR, to: 52 * HOUR }, 8, now)).toEqual(past)
  expect(pastAround({ from: 91 * HOUR, to: 95 * HOUR }, 8, now)).toEqual({ from: 88 * HOUR, to: now })
})

test('however one zooms and moves, what is shown stays within the limits and is not too long', () => {
  const steps = fc.array(fc.constantFrom('in', 'out', 'earlier', 'later'), { maxLength: 40 })
  const limits = { from: 0, to: 100 * HOUR }
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 90 }), (given, hour) => {
      let span = { from: hour * HOUR, to: (hour + 1) * HOUR }
      for (const step of given) {
        const next =
          step === 'in' || step === 'out'
            ? zoomed(span, step === 'in')
            : moved(span, step === 'later' ? 1 : -1)
        span = within(next, limits, 8 * HOUR)
        expect(span.from).toBeGreaterThanOrEqual(limits.from)
        expect(span.to).toBeLessThanOrEqual(limits.to)
        expect(span.to - span.from).toBeGreaterThanOrEqual(1000)
        expect(span.to - span.from).toBeLessThanOrEqual(8 * HOUR + 1)
      }
    }),
  )
})

test('the value of a time is the last one before it', () => {
  const times = [10, 20, 20, 30]
  expect([5, 10, 15, 20, 29, 30, 99].map((at) => heldAt(times, at))).toEqual([undefined, 0, 0, 2, 2, 3, 3])
  expect(heldAt([], 5)).toBeUndefined()
})

const series = { name: 'Pressure', unit: 'Pa', times: [10, 20, 30], values: [1, 2, 3] }
const marks: readonly Mark[] = [
  { at: 15_000, kind: 'alarm', text: 'hot' },
  { at: 15_400, kind: 'cleared', text: 'hot cleared' },
  { at: 26_000, kind: 'state', text: 'Control: ONLINE_LOCAL' },
]
const shown = { from: 0, to: 60_000 }
const today = new Date(50_000)

test('at the pointer are the value, the time and the marks that are near', () => {
  const at = (time: number) => readingAt(series, marks, { at: time, near: 500, shown, today }).join('\n')
  expect(at(5000)).not.toMatch(/\d Pa/)
  expect(at(20_000)).toMatch(/^2 Pa/)
  expect(at(20_000)).not.toContain('since')
  expect(at(25_000)).toMatch(/^2 Pa\n.*\nsince/)
  expect(at(15_000)).toMatch(/hot\n.*hot cleared$/)
  expect(at(25_600)).toContain('ONLINE_LOCAL')
  const many = Array.from({ length: 9 }, (_, number) => ({ ...marks[0], text: `a${number}` }) as Mark)
  expect(readingAt(series, many, { at: 15_000, near: 500, shown, today })).toHaveLength(3 + 3 + 1)
})

test('a time has its day unless it is today by the clock of the gateway', () => {
  const timeOf = (now: Date) => readingAt(series, [], { at: 20_000, near: 0, shown, today: now })[1]
  expect(timeOf(today)).not.toContain('Jan')
  expect(timeOf(new Date(3 * 24 * HOUR))).toContain('Jan')
})

test('each step of the arrow keys changes the text, also between equal values of one second', () => {
  const close = { ...series, times: [10.1, 10.5, 10.9, 12, 13], values: [1, 1, 1, 1, 1] }
  const texts: string[] = []
  for (let at: number | undefined; ; ) {
    at = stepOf('ArrowRight', { series: close, marks: [], shown, at })
    if (at === undefined) break
    texts.push(readingAt(close, [], { at, near: 0, shown, today }).join('\n'))
  }
  expect(texts).toHaveLength(5)
  expect(new Set(texts).size).toBe(5)
})

test.each([
  ['ArrowRight', 10_000, 20_000],
  ['ArrowRight', 30_000, undefined],
  ['ArrowRight', undefined, 10_000],
  ['ArrowLeft', 30_000, 20_000],
  ['ArrowLeft', undefined, 30_000],
  ['PageDown', 10_000, 15_000],
  ['PageUp', 26_000, 15_400],
  ['Home', 30_000, 10_000],
  ['End', undefined, 30_000],
  ['x', 30_000, undefined],
])('the key %s moves the pointer from %s to %s', (key, at, to) => {
  expect(stepOf(key, { series, marks, shown, at })).toBe(to)
})

test('keys stay within the time that is shown', () => {
  const part = { series, marks, shown: { from: 12_000, to: 22_000 }, at: undefined }
  expect(['Home', 'End', 'PageUp'].map((key) => stepOf(key, part))).toEqual([20_000, 20_000, 15_400])
})

test('changes of states and alarms are marks in the order of time', () => {
  const event = (name: string, at: number) =>
    ({
      type: 'alarm',
      name,
      at: new Date(at).toISOString(),
      data: { text: '', alid: '7' },
    }) as unknown as Event
  const alarms = [
    event('alarm_set', 20),
    event('alarm_acknowledged', 25),
    event('alarm_cleared', 40),
  ].flatMap((one) => alarmMark(one) ?? [])
  const changes = [
    { lane: 'control_state', at: 30, from: 'HOST_OFFLINE', to: 'ONLINE_LOCAL' },
    { lane: 'control_state', at: 31, from: 'ONLINE_LOCAL', to: 'ONLINE_LOCAL' },
  ] as const
  const found = chartMarks(changes, alarms)
  expect(found.map(({ at, kind }) => [at, kind])).toEqual([
    [20, 'alarm'],
    [30, 'state'],
    [40, 'cleared'],
  ])
  expect(found[0]?.text).toContain('7')
})
