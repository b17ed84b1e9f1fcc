import { expect, test } from 'vitest'
import type { AuditedEnd } from '../../../src/gateway/audit/audited-call.js'
import { SentCall } from '../../../src/gateway/audit/sent-call.js'
import { EntryNumber } from '../../../src/store/entry.js'

test.each([
  ['that was recorded', 7, '7'],
  ['that was not recorded', undefined, undefined],
])('the end of a call with a message %s', async (_, seq, id) => {
  const ended: (readonly [AuditedEnd, string | undefined])[] = []
  const call = new SentCall({
    entry: (number) => ({
      key: '',
      type: 'audit',
      name: 'sendMessage',
      at: '',
      data: {},
      numbers: { number },
    }),
    ended: async (end, messageId) => void ended.push([end, messageId]),
  })
  const number = new EntryNumber()
  expect(call.noting(number)).toHaveLength(1)
  expect(call.noting(new EntryNumber())).toEqual([])
  number.seq = seq
  const end = { status: 503, code: 'store_unavailable', message_id: null }
  await call.ended(end)
  expect(ended).toEqual([[end, id]])
})
