import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { recipeWith, sumOf } from '../../../../src/gateway/services/recipes/recipe-bytes.js'
import { jsonParts } from '../../../../src/kit/text/json-parts.js'

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

test.each([0, 1, 98_304, MIB + 2])(
  'a recipe of %i bytes is written in parts, and is the same JSON',
  (length) => {
    const sum = { bytes: length, sha256: '' }
    const others = {
      ppid: 'X',
      ...sum,
      item_format: 'B',
      formatted: null,
      message_id: '1',
      reply_id: '2',
    } as const
    const bytes = Buffer.alloc(length + 1, 'recipe').subarray(1)
    const recipe = recipeWith(bytes, others)
    const parts = [...jsonParts(recipe)]
    expect(parts.length > 10).toBe(length > MIB)
    expect(JSON.parse(parts.join(''))).toEqual({ ...others, body: bytes.toString('base64') })
    expect(JSON.stringify(recipe)).toBe(parts.join(''))
  },
)
