import { expect, test } from 'vitest'
import { plainId } from '../../src/gateway/services/reports/kept-reports.js'
import { unpadded } from '../../src/gem/content.js'

/** A regular expression that begins again at each of them takes hours; the test then ends by its time limit. */
const MANY = 2_000_000

test('names of equipment that are long and nearly blank are read at once', () => {
  const blanks = ' '.repeat(MANY)
  expect(unpadded(`\0 a${blanks}b${blanks}`)).toBe(`a${blanks}b`)
  expect(unpadded(blanks)).toBe('')
})

test('ids of reports that are long are compared at once', () => {
  const zeros = '0'.repeat(MANY)
  expect(plainId(`${zeros}7`)).toBe('7')
  expect(plainId(zeros)).toBe('0')
  expect(plainId(`${zeros}x`)).toBe(`${zeros}x`)
})
