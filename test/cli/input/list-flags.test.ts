import { expect, test } from 'vitest'
import { rangeGiven } from '../../../src/cli/input/list-flags.js'

const NOW = new Date('2026-03-01T08:00:00Z')

test('times are a range, each end as it is given', () => {
  expect(rangeGiven({}, NOW)).toEqual({})
  expect(rangeGiven({ since: '20m', until: '10m' }, NOW)).toEqual({
    from: '2026-03-01T07:40:00.000Z',
    to: '2026-03-01T07:50:00.000Z',
  })
  expect(rangeGiven({ since: '10m', until: '2026-03-01T07:50:00Z' }, NOW)).toMatchObject({
    from: '2026-03-01T07:50:00.000Z',
  })
})

test('a range that ends before it begins is an error, not an empty list', () => {
  expect(() => rangeGiven({ since: '10m', until: '20m' }, NOW)).toThrow('--until 20m is before --since 10m')
})
