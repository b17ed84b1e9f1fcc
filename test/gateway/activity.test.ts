import { beforeEach, expect, test } from 'vitest'
import { RecordedActivity } from '../../src/gateway/activity.js'
import type { Observed } from '../../src/gateway/equipment/registry.js'
import { MESSAGE_ENDED, MESSAGE_RECEIVED, MESSAGE_SENT } from '../../src/gateway/records/journal-kinds.js'
import type { Kind, NewEntry } from '../../src/store/entry.js'
import { MemoryJournal } from '../support/memory-store.js'

let journal: MemoryJournal
let names: Map<string, string>
let activity: RecordedActivity

beforeEach(() => {
  journal = new MemoryJournal()
  names = new Map([['eq_1', 'etcher']])
  const allObserved = () => [...names].map(([id, name]) => ({ record: { id, name } }) as Observed)
  activity = new RecordedActivity(journal, { allObserved })
})

const entry = (
  kind: Kind & { readonly name: string },
  data: NewEntry['data'] = {},
  key = 'eq_1',
): NewEntry => ({
  ...kind,
  key,
  at: '2026-01-01T00:00:00.000Z',
  data,
})

test('messages and what became of them are counted by equipment', async () => {
  await journal.append(entry(MESSAGE_SENT))
  await journal.appendAll([entry(MESSAGE_RECEIVED), entry(MESSAGE_ENDED, { outcome: 'replied' })])
  await journal.append(entry(MESSAGE_SENT))
  await journal.append(entry(MESSAGE_ENDED, { outcome: 'timed_out' }))
  await journal.append(entry({ type: 'state', name: 'control_state' }))
  expect(activity.equipment()).toEqual([
    {
      name: 'etcher',
      sent: 2,
      received: 1,
      lastReceivedAt: '2026-01-01T00:00:00.000Z',
      outcomes: [
        ['replied', 1],
        ['timed_out', 1],
      ],
    },
  ])
})

test('equipment that has said nothing is counted with nothing, and what is gone is forgotten', async () => {
  expect(activity.equipment()).toEqual([
    { name: 'etcher', sent: 0, received: 0, lastReceivedAt: null, outcomes: [] },
  ])
  await journal.append(entry(MESSAGE_SENT))
  names.clear()
  expect(activity.equipment()).toEqual([])
  names.set('eq_1', 'etcher')
  expect(activity.equipment()).toMatchObject([{ sent: 0 }])
})
