import { expect, test } from 'vitest'
import { clockDifference } from '../../src/inspection/clock-difference.js'

const NOW = new Date(2026, 2, 1, 8, 0, 0)

test.each([
  ['2026030108000150', { right: true, zone: false, text: 'right to 1.5 s' }],
  ['260301080059', { right: true, zone: false, text: 'right to 59.0 s' }],
  ['2026030108060000', { right: false, zone: false, text: '6 min fast' }],
  ['2026030107540000', { right: false, zone: false, text: '6 min slow' }],
  ['2026030101001000', { right: false, zone: true, text: '7 h 0 min slow' }],
  ['2026030113301000', { right: false, zone: true, text: '5 h 30 min fast' }],
  ['2020030108000000', { right: false, zone: false, text: '2191 days slow' }],
])('the clock that says %s', (time, difference) => {
  expect(clockDifference(time, NOW)).toEqual(difference)
})

test('what is no time has no difference', () => {
  expect(clockDifference('noon', NOW)).toBeUndefined()
})
