import { expect, test } from 'vitest'
import { timeOf } from '../../../src/gateway/records/time-range.js'

test.each([
  ['2026-01-01T00:00:01.629Z', '2026-01-01T00:00:01.629Z'],
  ['2026-01-01T00:00:01.62900Z', '2026-01-01T00:00:01.629Z'],
  ['2026-01-01T00:00:01.6290001Z', '2026-01-01T00:00:01.630Z'],
  ['2026-01-01T00:00:01.6299+02:00', '2025-12-31T22:00:01.630Z'],
  ['2026-01-01T00:00:01.9999Z', '2026-01-01T00:00:02.000Z'],
  ['1969-12-31T23:59:59.9991Z', '1970-01-01T00:00:00.000Z'],
  ['2026-01-01T00:00:01.62Z', '2026-01-01T00:00:01.620Z'],
])('the bound %s is the first millisecond that is not before it', (given, bound) => {
  expect(timeOf(given)).toBe(bound)
})
