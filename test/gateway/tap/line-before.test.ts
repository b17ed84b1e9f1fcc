import { expect, test } from 'vitest'
import { GATEWAY_STOPS } from '../../../src/contract/state-changes.js'
import { TAP_GAP } from '../../../src/gateway/records/journal-kinds.js'
import { lineBefore } from '../../../src/gateway/tap/line-before.js'
import type { NewEntry } from '../../../src/store/entry.js'
import { NUMBERS_LEFT_OUT } from '../../../src/store/gap.js'
import { MemoryJournal } from '../../support/memory-store.js'
import { messageEntry } from '../wire/wire-records.js'

const BEGAN = Date.parse('2026-03-01T08:00:00.000Z')
const AT = '2026-03-01T08:00:05.000Z'

const state = (name: string, from: string, to: string, cause = 'it passed', at = AT): NewEntry => ({
  ...{ type: 'state', name, key: 'eq', at },
  data: { from, to, cause },
})
const communication = (...given: [from: string, to: string, cause?: string, at?: string]): NewEntry =>
  state('communication_state', ...given)
const control = (...given: [from: string, to: string, cause?: string, at?: string]): NewEntry =>
  state('control_state', ...given)

const LEARNT = [
  communication('NOT_COMMUNICATING', 'COMMUNICATING'),
  control('UNKNOWN', 'ONLINE_REMOTE'),
] as const
const STOPPED = [
  communication('COMMUNICATING', 'NOT_COMMUNICATING', GATEWAY_STOPS),
  control('ONLINE_REMOTE', 'UNKNOWN', GATEWAY_STOPS),
  communication('NOT_COMMUNICATING', 'DISABLED', GATEWAY_STOPS),
  communication('DISABLED', 'NOT_COMMUNICATING', 'the tap is open'),
] as const
const GAP = { ...TAP_GAP, key: 'eq', at: AT, data: { messages: 3 } }
const EARLIER = '2026-03-01T07:59:59.000Z'

async function journalOf(entries: readonly NewEntry[]): Promise<MemoryJournal> {
  const journal = new MemoryJournal()
  for (const entry of entries) await journal.append(entry)
  return journal
}

test.each<
  [what: string, entries: readonly NewEntry[], isCommunicating: boolean, control: string | undefined]
>([
  ['of nothing', [], false, undefined],
  ['of a daemon that was killed', LEARNT, true, 'ONLINE_REMOTE'],
  ['of one that has stopped in order', [...LEARNT, ...STOPPED], true, 'ONLINE_REMOTE'],
  [
    'of one that was stopped twice',
    [
      ...LEARNT,
      ...STOPPED,
      communication('NOT_COMMUNICATING', 'COMMUNICATING'),
      control('UNKNOWN', 'ONLINE_REMOTE'),
      ...STOPPED,
    ],
    true,
    'ONLINE_REMOTE',
  ],
  ['after messages that nobody has seen', [...LEARNT, GAP, ...STOPPED], true, undefined],
  [
    'that was shown again after them',
    [...LEARNT, GAP, control('UNKNOWN', 'ONLINE_LOCAL')],
    true,
    'ONLINE_LOCAL',
  ],
  [
    'of a session that has ended on the same line',
    [
      ...LEARNT,
      communication('COMMUNICATING', 'NOT_COMMUNICATING', 'the link is lost'),
      control('ONLINE_REMOTE', 'UNKNOWN', 'communication ended'),
      ...STOPPED,
    ],
    false,
    undefined,
  ],
  [
    'of a line before this one',
    [
      communication('NOT_COMMUNICATING', 'COMMUNICATING', 'it passed', EARLIER),
      control('UNKNOWN', 'ONLINE_REMOTE', 'it passed', EARLIER),
    ],
    false,
    undefined,
  ],
])('what is known %s', async (_, entries, isCommunicating, known) => {
  const journal = await journalOf(entries)
  expect(await lineBefore(journal, 'eq', BEGAN)).toEqual({
    ...{ isCommunicating, control: known, model: undefined, deviceId: undefined },
  })
  expect(await lineBefore(journal, 'other', BEGAN)).toMatchObject({ isCommunicating: false })
})

test('a restored backup does not know the control state: what came after it is not in it', async () => {
  const journal = await journalOf(LEARNT)
  Object.defineProperty(journal, 'last', { get: () => NUMBERS_LEFT_OUT + 3 })
  expect(await lineBefore(journal, 'eq', BEGAN)).toMatchObject({ isCommunicating: true, control: undefined })
})

test('the model and the device ID are those of the last messages', async () => {
  const message = (fn: number, sessionId: number) =>
    messageEntry(
      fn % 2 === 0 ? 'received' : 'sent',
      'eq',
      { stream: 1, function: fn, wait: false, sessionId, systemBytes: 1, body: Uint8Array.of(1, 0) },
      null,
      AT,
    )
  const journal = await journalOf([message(13, 2), message(14, 3), message(3, 4)])
  const before = await lineBefore(journal, 'eq', BEGAN)
  expect(before.deviceId).toBe(4)
  expect(before.model).toMatchObject({ topic: 'S1F14', sessionId: 3 })
})
