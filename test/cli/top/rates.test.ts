import { expect, test } from 'vitest'
import { rateText, sparkline } from '../../../src/cli/top/line.js'
import { rateNow, withSample } from '../../../src/cli/top/rates.js'
import { trafficOf } from './top-samples.js'

test('a rate is what came between two looks, whatever lies between them', () => {
  const first = withSample(undefined, trafficOf(100, 100), 1000)
  expect(rateNow(first)).toBeUndefined()
  expect(rateNow(withSample(first, trafficOf(110, 130), 11_000))).toBe(4)
})

test('a gateway that counts anew gives no rate, and the graph stays', () => {
  const first = withSample(withSample(undefined, trafficOf(0, 0), 0), trafficOf(10, 0), 1000)
  const anew = withSample(first, trafficOf(2, 2, '2026-03-01T09:00:00.000Z'), 2000)
  expect(anew.in).toEqual([10])
  expect(withSample(anew, trafficOf(3, 2, '2026-03-01T09:00:00.000Z'), 3000).in).toEqual([10, 1])
})

test('an equipment keeps no more samples than a screen is wide', () => {
  let rates = withSample(undefined, trafficOf(0, 0), 0)
  for (let at = 1; at <= 500; at++) rates = withSample(rates, trafficOf(at, 0), at * 1000)
  expect(rates.in).toHaveLength(120)
})

test.each([
  [[0, 1, 2, 4], 6, false, '  ▁▃▅█'],
  [[0, 1, 2, 4], 2, false, '▅█'],
  [[0, 1, 2, 4], 4, true, '_-=#'],
  [[0, 0], 2, false, '▁▁'],
  [[1], 0, false, ''],
])('the graph of %j in %i columns', (values, width, ascii, graph) => {
  expect(sparkline(values, width, ascii)).toBe(graph)
})

test.each([
  [0, '0'],
  [0.256, '0.26'],
  [9.34, '9.3'],
  [250.4, '250'],
  [12_345, '12k'],
])('the rate %d is %s', (rate, text) => {
  expect(rateText(rate)).toBe(text)
})
