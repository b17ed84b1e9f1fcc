import { expect, test } from 'vitest'
import { trafficFields, trafficRows } from '../../../src/cli/equipment/traffic-output.js'
import { NO_TRAFFIC } from '../../support/served-gateway.js'

const message = (stream: number, fn: number, frames: number) => ({
  stream,
  function: fn,
  name: `S${stream}F${fn} Name`,
  frames,
  bytes: 14,
})
const bucketsOf = (...counts: [number | null, number][]) => counts.map(([le, count]) => ({ le, count }))
const fieldsOf = (traffic: Partial<typeof NO_TRAFFIC>) =>
  Object.fromEntries(trafficFields({ ...NO_TRAFFIC, ...traffic }, (at) => at ?? ''))

test('messages stand in the order of stream and function, both ways beside each other', () => {
  const traffic = {
    ...NO_TRAFFIC,
    in: {
      ...NO_TRAFFIC.in,
      frames: 9,
      bytes: 1,
      messages: [message(6, 11, 2), message(10, 1, 1)],
      control: [{ name: 'Linktest.req', count: 3 }],
    },
    out: {
      ...NO_TRAFFIC.out,
      messages: [message(6, 11, 1), message(1, 13, 4)],
      rejects: [{ reason: 4, text: 'not selected', count: 1 }],
    },
  }
  expect(trafficRows(traffic).map((row) => [row.what, row.in, row.out])).toEqual([
    ['messages', 9, 0],
    ['bytes', 1, 0],
    ['S1F13 Name', 0, 4],
    ['S6F11 Name', 2, 1],
    ['S10F1 Name', 1, 0],
    ['Linktest.req', 3, 0],
    ['rejects, 4 not selected', 0, 1],
  ])
})

test('what went wrong is listed, the most frequent first', () => {
  const timeouts = [
    { timer: 't3' as const, count: 1 },
    { timer: 't6' as const, count: 0 },
    { timer: 'dial' as const, count: 5 },
  ]
  expect(fieldsOf({ timeouts })).toMatchObject({ timeouts: 'dial 5, t3 1', lost: 'none' })
})

test('the round trip is reported by its middle, its slowest and its mean', () => {
  const buckets = bucketsOf([0.001, 60], [0.01, 99], [1, 99], [null, 100])
  expect(fieldsOf({ round_trip: { count: 100, sum: 0.25, buckets } })['round trip']).toBe(
    'half within 1 ms, 99 % within 10 ms, mean 2.5 ms',
  )
  const slow = bucketsOf([1, 0], [120, 1], [null, 100])
  expect(fieldsOf({ round_trip: { count: 100, sum: 20_000, buckets: slow } })['round trip']).toBe(
    'half beyond 120 s, 99 % beyond 120 s, mean 200 s',
  )
  expect(fieldsOf({})['round trip']).toBe('')
})
