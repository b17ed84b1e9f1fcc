import { expect, test } from 'vitest'
import { localTime } from '../../../src/cli/output/local-time.js'

const NOW = new Date(2026, 2, 1, 12, 0, 0)
const iso = (...parts: [number, number, number, number, number, number]): string =>
  new Date(...parts).toISOString()

test('a time of today is told without its day, any other with it', () => {
  expect(localTime(iso(2026, 2, 1, 6, 14, 13), NOW)).toBe('06:14:13')
  expect(localTime(iso(2026, 1, 28, 23, 59, 59), NOW)).toBe('2026-02-28 23:59:59')
  expect(localTime(iso(2025, 2, 1, 6, 14, 13), NOW)).toBe('2025-03-01 06:14:13')
})
