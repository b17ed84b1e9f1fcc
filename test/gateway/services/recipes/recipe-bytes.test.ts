import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  bytesAfterHeader,
  itemOfBase64,
  recipeWith,
  sumOf,
} from '../../../../src/gateway/services/recipes/recipe-bytes.js'
import { jsonParts } from '../../../../src/kit/text/json-parts.js'
import { atOnce } from '../../../../src/kit/turns.js'
import { decodeItem } from '../../../../src/secs2/decode.js'
import { encodeItem } from '../../../../src/secs2/encode.js'
import { lengthOf } from '../../../../src/secs2/item.js'

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

test.each(['B', 'U4', 'F8', 'A'] as const)(
  '%s of Base64 is read in steps, and gives its bytes again',
  (format) => {
    for (const length of [0, 8, MIB, 3 * MIB + 8]) {
      const bytes = Buffer.alloc(length, 'recipes!')
      const steps = itemOfBase64(format, bytes.toString('base64'))
      let count = 0
      let step = steps.next()
      for (; !step.done; step = steps.next()) count++
      expect(count >= 4).toBe(length > 3 * MIB)
      const { value: item } = step
      const head = Buffer.of({ B: 0o10, U4: 0o54, F8: 0o40, A: 0o20 }[format] * 4 + 3, 0, 0, 0)
      head.writeUIntBE(length, 1, 3)
      expect(Buffer.compare(encodeItem(item), encodeItem(decodeItem(Buffer.concat([head, bytes]))))).toBe(0)
      expect(lengthOf(item)).toBe(length / { B: 1, U4: 4, F8: 8, A: 1 }[format])
      expect(Buffer.compare(atOnce(bytesAfterHeader(item)), bytes)).toBe(0)
    }
  },
)

test.each([
  ['padding within', `${'A'.repeat(MIB - 4)}QQ==${'A'.repeat(8)}`],
  ['no padding', `${'A'.repeat(MIB)}QQ`],
  ['white space', `${'A'.repeat(MIB)}QU FB`],
  ['letters of URLs', `${'A'.repeat(MIB)}QQ-_`],
])('long Base64 with %s is refused', (_, text) => {
  expect(() => atOnce(itemOfBase64('B', text))).toThrow(
    expect.objectContaining({ extra: { errors: [expect.objectContaining({ pointer: '/body' })] } }),
  )
})
