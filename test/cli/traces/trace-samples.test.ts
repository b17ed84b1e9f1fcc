import { expect, test } from 'vitest'
import { gapBefore, samplesIn } from '../../../src/cli/traces/trace-samples.js'
import type { Event } from '../../../src/contract/topics/events.js'
import type { Trace } from '../../../src/contract/topics/traces.js'

const variable = (id: string) => ({ id, name: null, unit: null })
const TRACE: Trace = {
  ...{ trid: '7', period_seconds: 1, samples: 5, group_size: 2, received: 0 },
  ...{ started_at: '2026-01-01T00:00:00.000Z', variables: [variable('1'), variable('2')] },
}

const event = (data: object, given: Partial<Event> = {}): Event => ({
  id: '9',
  type: 'message',
  name: 'message_received',
  equipment_id: 'eq_1',
  equipment_name: 'etcher',
  at: '2026-01-01T00:00:01.000Z',
  data: { stream: 6, function: 1, direction: 'received', data },
  ...given,
})

const told = (given: Event): string[] =>
  samplesIn(given, TRACE).map(({ number, values }) => `${number}: ${values.map(({ text }) => text).join()}`)

test('a group is as many samples, of which SMPLN counts the last', () => {
  expect(told(event({ TRID: '7', SMPLN: '4', SV: ['a', 'b', 'c', ['1', '2']] }))).toEqual([
    '3: a,b',
    '4: c,[1, 2]',
  ])
})

test('the last group may be smaller, and values may be missing', () => {
  expect(told(event({ TRID: '7', SMPLN: '5', SV: ['a'] }))).toEqual(['5: a,'])
})

test('each sample of a group has its own time, a period before the next; STIME is that of the last', () => {
  const timesOf = (STIME: string): unknown[] =>
    samplesIn(event({ TRID: '7', SMPLN: '4', STIME, SV: ['a', 'b', 'c', 'd'] }), {
      ...TRACE,
      period_seconds: 0.5,
    }).map(({ number, sampledAt, receivedAt }) => [number, sampledAt, receivedAt])
  const received = '2026-01-01T00:00:01.000Z'
  expect(timesOf('2026010200000025')).toEqual([
    [3, '2026-01-01T23:59:59.75', received],
    [4, '2026-01-02T00:00:00.25', received],
  ])
  expect(timesOf('2026-01-02T00:00:00.250Z')).toEqual([
    [3, '2026-01-01T23:59:59.750Z', received],
    [4, '2026-01-02T00:00:00.250Z', received],
  ])
  expect(timesOf('soon')).toEqual([
    [3, null, received],
    [4, null, received],
  ])
})

test('values are typed as the equipment sent them', () => {
  const data = { TRID: '7', SMPLN: '2', SV: ['1.5', 'IDLE', '2.5'] }
  const values = { L: [{ F4: [1.5] }, { A: 'IDLE' }, { F4: [2.5] }] }
  const body = { L: [{ U4: [7] }, { U4: [2] }, { A: '' }, values] }
  const [first, second] = samplesIn(event(data, { data: { ...event(data).data, body } }), TRACE)
  expect(first?.values).toEqual([
    { ...variable('1'), value: { F4: [1.5] }, text: '1.5' },
    { ...variable('2'), value: { A: 'IDLE' }, text: 'IDLE' },
  ])
  expect(second?.values[1]).toEqual({ ...variable('2'), value: null, text: '' })
})

test('nothing else is a sample', () => {
  const data = { TRID: '7', SMPLN: '1', SV: ['a', 'b'] }
  expect(told(event({ ...data, TRID: '8' }))).toEqual([])
  expect(told(event(data, { name: 'message_sent' }))).toEqual([])
  expect(told(event({}, { data: { stream: 6, function: 11, direction: 'received', data } }))).toEqual([])
  expect(told(event({}, { data: { stream: 6, function: 1, direction: 'received', data: null } }))).toEqual([])
})

test('samples that were lost on the way are named', () => {
  const [third] = samplesIn(event({ TRID: '7', SMPLN: '3', SV: ['a', 'b'] }), TRACE)
  if (!third) throw new Error('there is no sample')
  expect(gapBefore(third, 2)).toEqual([])
  expect(gapBefore(third, 1)).toEqual(['sample 2'])
  expect(gapBefore(third, 0)).toEqual(['samples 1 to 2'])
})
