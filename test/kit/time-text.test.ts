import fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentOf } from '../../src/kit/time-text.js'

test.each([
  ['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31t08:00:00.5z', '2026-01-31T08:00:00.500Z'],
  ['2026-01-31T08:00:00.123456789+02:00', '2026-01-31T06:00:00.123Z'],
  ['2024-02-29T23:59:59-12:30', '2024-03-01T12:29:59.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2017-01-01T08:59:60.25+09:00', '2017-01-01T00:00:00.250Z'],
  ['1960-12-31T23:59:60Z', '1961-01-01T00:00:00.000Z'],
])('%s is %s', (text, utc) => {
  expect(new Date(momentOf(text) ?? Number.NaN).toISOString()).toBe(utc)
})

test.each([
  '2026-01-31',
  '2026-01-31T08:00:00',
  '2026-01-31 08:00:00Z',
  '2026-02-29T08:00:00Z',
  '2026-13-01T08:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T08:60:00Z',
  '2026-01-31T08:00:61Z',
  '2026-01-31T08:00:60Z',
  '2026-01-30T23:59:60Z',
  '2016-12-31T23:59:60+01:00',
  '2026-01-31T08:00:00.Z',
  '2026-01-31T08:00:00+24:00',
  ' 2026-01-31T08:00:00Z',
])('%s is no time', (text) => {
  expect(momentOf(text)).toBeUndefined()
})

test('every moment is found again in its text', () => {
  const range = {
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  }
  fc.assert(
    fc.property(fc.date(range), (date) => {
      expect(momentOf(date.toISOString())).toBe(date.getTime())
    }),
  )
})
