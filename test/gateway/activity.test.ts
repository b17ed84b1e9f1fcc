import { beforeEach, expect, test } from 'vitest'
import { RecordedActivity } from '../../src/gateway/activity.js'
import type { Observed } from '../../src/gateway/equipment/registry.js'
import { MeasuredJournal } from '../../src/gateway/measured-journal.js'
import { MESSAGE_ENDED, MESSAGE_RECEIVED, MESSAGE_SENT } from '../../src/gateway/records/journal-kinds.js'
import type { Kind, NewEntry } from '../../src/store/entry.js'
import { HeldJournal } from '../support/held-journal.js'
import { ManualClock } from '../support/manual-clock.js'

let clock: ManualClock
let held: HeldJournal
let journal: MeasuredJournal
let names: Map<string, string>
let activity: RecordedActivity

beforeEach(() => {
  clock = new ManualClock()
  held = new HeldJournal()
  journal = new MeasuredJournal(held, clock)
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
  await journal.appendAll(() => [entry(MESSAGE_RECEIVED), entry(MESSAGE_ENDED, { outcome: 'replied' })])
  await journal.append(entry(MESSAGE_SENT))
  await journal.append(entry(MESSAGE_ENDED, { outcome: 'timed_out' }))
  await journal.append(entry({ type: 'state', name: 'control_state' }))
  expect(activity.equipment()).toEqual([
    {
      name: 'etcher',
      sent: 2,
      received: 1,
      outcomes: [
        ['replied', 1],
        ['timed_out', 1],
      ],
    },
  ])
})

test('equipment that has said nothing is counted with nothing, and what is gone is forgotten', async () => {
  expect(activity.equipment()).toEqual([{ name: 'etcher', sent: 0, received: 0, outcomes: [] }])
  await journal.append(entry(MESSAGE_SENT))
  names.clear()
  expect(activity.equipment()).toEqual([])
  names.set('eq_1', 'etcher')
  expect(activity.equipment()).toMatchObject([{ sent: 0 }])
})

test('the lag is how long the oldest record has waited for the disk', async () => {
  held.hold()
  const first = journal.append(entry(MESSAGE_SENT))
  clock.advance(300)
  const second = journal.append(entry(MESSAGE_SENT))
  clock.advance(200)
  expect(activity.journal).toEqual({ lag: 500, waiting: 2, last: 0 })
  held.release()
  await Promise.all([first, second])
  expect(activity.journal).toEqual({ lag: 0, waiting: 0, last: 2 })
})

test('a record that the disk refuses waits no more', async () => {
  held.failure = new Error('no space')
  await expect(journal.append(entry(MESSAGE_SENT))).rejects.toThrow('no space')
  expect(activity.journal).toMatchObject({ lag: 0, waiting: 0 })
  expect(journal.failure).toBe(held.failure)
})
