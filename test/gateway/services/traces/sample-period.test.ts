import fc from 'fast-check'
import { expect, test } from 'vitest'
import { periodOf, periodText } from '../../../../src/gateway/services/traces/sample-period.js'

test.each([
  [1, '000001'],
  [59.99, '00005999'],
  [60, '000100'],
  [3661, '010101'],
  [0.05, '00000005'],
  [0.005, undefined],
])('a period of %f s is %s', (seconds, text) => {
  expect(periodText(seconds)).toBe(text)
  if (text !== undefined) expect(periodOf(text)).toBe(seconds)
})

test.each(['', '00001', '0000001', '000000001', 'x00001', '000001x', '-00001'])('%j is no period', (text) =>
  expect(periodOf(text)).toBeUndefined(),
)

test('every period of hundredths up to 100 hours is read as it was written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 35_999_999 }), (hundredths) => {
      expect(periodOf(periodText(hundredths / 100) ?? '')).toBe(hundredths / 100)
    }),
  )
})
