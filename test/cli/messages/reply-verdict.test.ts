import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { replyVerdict } from '../../../src/cli/messages/reply-verdict.js'

const verdict = (stream: number, fn: number, body: Record<string, unknown> | null) =>
  replyVerdict({ stream, function: fn, body }, STANDARD_CATALOGUE)

test('a reply’s code is read beside text of any encoding', () => {
  const body = { L: [{ B: [2] }, { L: [{ L: [{ A: '批号' }, { B: [1] }] }] }] }
  expect(verdict(2, 42, body)).toMatchObject({ item: 'HCACK', code: 2, accepted: false })
})

test('a reply without a code or without a body says nothing', () => {
  expect(verdict(1, 4, { L: [{ A: '温度' }] })).toBeUndefined()
  expect(verdict(5, 10, null)).toBeUndefined()
})
