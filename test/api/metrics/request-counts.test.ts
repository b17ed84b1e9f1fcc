import { expect, test } from 'vitest'
import { prometheusParts } from '../../../src/api/metrics/prometheus-text.js'
import { RequestCounts } from '../../../src/api/metrics/request-counts.js'

test('requests are distinguished by route, method and status, and their times are cumulative', () => {
  const counts = new RequestCounts()
  counts.count('GET', '/a', 200, 0.001)
  counts.count('GET', '/a', 404, 0.5)
  counts.count('GET', '/a', 200, 200)
  counts.count('POST', '/a', 200, 0)
  const lines = [...prometheusParts(counts.metrics())].join('').split('\n')
  const of = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`secsctl_http_request${name}{`)).map((line) => line.slice(20))
  expect(of('s_total')).toEqual([
    's_total{method="GET",route="/a",status="200"} 2',
    's_total{method="GET",route="/a",status="404"} 1',
    's_total{method="POST",route="/a",status="200"} 1',
  ])
  const ofGet = of('_duration_seconds_bucket').filter((line) => line.includes('"GET"'))
  expect(ofGet.map((line) => line.replace(/.*le="([^"]+)".* /, '$1 '))).toEqual([
    '0.001 1',
    '0.005 1',
    '0.02 1',
    '0.1 1',
    '0.5 2',
    '2 2',
    '10 2',
    '45 2',
    '120 2',
    '+Inf 3',
  ])
  expect(of('_duration_seconds_sum')[0]).toBe('_duration_seconds_sum{method="GET",route="/a"} 200.501')
  expect(of('_duration_seconds_count')[0]).toBe('_duration_seconds_count{method="GET",route="/a"} 3')
})
