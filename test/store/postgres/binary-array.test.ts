import { expect, test } from 'vitest'
import { bigintArray, integerArray, textArray } from '../../../src/store/postgres/binary-array.js'
import { arrayOf } from '../../world/postgres/arrays.js'

// PostgreSQL itself reads them in test/system/database-model.test.ts.
test('arrays are read back as they were', () => {
  const texts = ['', 'plain', 'Grüße 你好', '{"a":"\\"b\\", {c}"}']
  const integers = [0, -1, 2 ** 31 - 1, -(2 ** 31)]
  const bigints = [0, -1, -5_000_000_000, 2 ** 32, Number.MAX_SAFE_INTEGER]
  expect([texts, []].map((values) => arrayOf(textArray(values)))).toEqual([texts, []])
  expect([integers, []].map((values) => arrayOf(integerArray(values)))).toEqual([integers, []])
  expect([bigints, []].map((values) => arrayOf(bigintArray(values)))).toEqual([bigints, []])
})
