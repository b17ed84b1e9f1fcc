import { expect, test } from 'vitest'
import { inChunks } from '../../../../src/store/files/segments/chunks.js'

const MIB = 1024 ** 2

test.each([
  ['nothing', [], []],
  ['many short values', Array<number>(401).fill(1), [200, 200, 1]],
  ['values that fill 4 MiB, and one more', [2 * MIB, 2 * MIB, 1], [2, 1]],
  ['values that are too long together', [3 * MIB, 2 * MIB, 2 * MIB], [1, 2]],
  ['values that are too long alone', [5 * MIB, 5 * MIB, 1], [1, 1, 1]],
])('%s come in chunks of 200 values and 4 MiB at most, unless one alone has more', (_, values, lengths) => {
  const chunks = [...inChunks(values, (bytes) => bytes)]
  expect(chunks.map(({ length }) => length)).toEqual(lengths)
  expect(chunks.flat()).toEqual(values)
})
