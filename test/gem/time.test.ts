import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatTime, parseTime } from '../../src/gem/time.js'

test('a time is written in 16 characters of local time', () => {
  expect(formatTime(new Date(2026, 10, 5, 7, 8, 9, 129))).toBe('2026110507080912')
})

test.each([
  ['16 characters', '2026110507080912', new Date(2026, 10, 5, 7, 8, 9, 120)],
  ['12 characters', '261105070809', new Date(2026, 10, 5, 7, 8, 9)],
  ['12 characters of the last century', '991231235959', new Date(1999, 11, 31, 23, 59, 59)],
  ['ISO 8601 with an offset', '2026-11-05T07:08:09+02:00', new Date('2026-11-05T05:08:09Z')],
])('a time of %s is read', (_, text, expected) => {
  expect(parseTime(text)).toEqual(expected)
})

test.each([
  '',
  '2026',
  '20261305070809',
  '2026023007080900',
  '2026110524080900',
  '261105076009',
  'now',
  '2026-13-05T07:08:09Z',
])('%j is no time', (text) => {
  expect(parseTime(text)).toBeUndefined()
})

test('what is written is read again to the hundredth of a second', () => {
  const dates = fc.date({ min: new Date(1970, 0, 2), max: new Date(2099, 11, 30), noInvalidDate: true })
  fc.assert(
    fc.property(dates, (date) => {
      const read = parseTime(formatTime(date))
      // An hour is there twice when summer time ends.
      const off = Math.abs((read?.getTime() ?? Number.NaN) - (date.getTime() - (date.getMilliseconds() % 10)))
      expect(off % 3_600_000).toBe(0)
      expect(off).toBeLessThanOrEqual(3_600_000)
    }),
  )
})
