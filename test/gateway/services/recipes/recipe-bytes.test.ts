import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sumOf } from '../../../../src/gateway/services/recipes/recipe-bytes.js'

const MIB = 2 ** 20

test.each([0, 1, MIB, MIB + 1, 3 * MIB])(
  'the sum of %i bytes is that of all of them, and other work is done in between where it is long',
  async (length) => {
    const bytes = Buffer.alloc(length, 'recipe')
    let isOtherWorkDone = false
    setImmediate(() => {
      isOtherWorkDone = true
    })
    const sum = await sumOf(bytes)
    expect(sum).toEqual({ bytes: length, sha256: createHash('sha256').update(bytes).digest('hex') })
    expect(isOtherWorkDone).toBe(length > MIB)
  },
)
