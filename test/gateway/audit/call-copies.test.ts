import { expect, test } from 'vitest'
import { CallCopies, SENT, topicOf } from '../../../src/gateway/audit/call-copies.js'
import { LateEntries } from '../../../src/gateway/audit/late-entries.js'
import { deferred } from '../../../src/kit/deferred.js'
import type { JournalQuery } from '../../../src/store/journal.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'

const AT = '2026-01-01T00:00:00.000Z'
const KEY = { id: 'key_1', name: 'mes' }

test.each([
  ['ada@x.test', KEY, 'key:mes'],
  ['Ada@X.test', null, 'ada@x.test'],
  [null, null, undefined],
])('calls of %s with the key %j are found by %s', (user, api_key, topic) => {
  expect(topicOf({ user, api_key })).toBe(topic)
})

/** A journal that reads up to two entries at once, after `gate`. */
class PagedJournal extends MemoryJournal {
  gate = Promise.resolve()
  reads = 0

  override async read(query: JournalQuery) {
    this.reads++
    await this.gate
    return super.read({ ...query, limit: 2 })
  }
}

function scene() {
  const [journal, audit, clock] = [new PagedJournal(), new MemoryJournal(), new ManualClock()]
  const late = new LateEntries(audit, clock)
  const copies = new CallCopies(audit, late)
  /** Records a call, or another entry. */
  const record = (message_id: string, type = 'audit', user: string | null = 'Ada@x') =>
    journal.append({ type, name: 'send', key: 'eq_1', at: AT, data: { message_id, user, api_key: null } })
  const copied = () => audit.entries.filter(({ type }) => type === SENT).map(({ data }) => data['message_id'])
  return { journal, audit, clock, late, copies, record, copied }
}

test('what was recorded is copied once, over several pages, and then what comes', async () => {
  const { journal, audit, late, copies, record, copied } = scene()
  for (const id of ['1', '2', '3', '4']) await record(id)
  await record('x', 'message')
  await copies.begin(journal)
  expect(copied()).toEqual(['1', '2', '3', '4'])
  expect(journal.reads).toBe(3)
  expect(audit.entries[0]).toMatchObject({
    ...{ name: 'send', key: 'eq_1', at: AT, topic: 'ada@x' },
    data: { message_id: '1', user: 'Ada@x', seq: 1 },
  })
  await record('5', 'audit', null)
  await record('y', 'message')
  expect(late.about('5')).toMatchObject({ type: SENT, byAnyone: true, data: { seq: 6 } })
  expect(late.about('5')).not.toHaveProperty('topic')
  expect(late.about('y')).toBeUndefined()
  await late.write()
  const { reads } = journal
  await copies.begin(journal)
  expect(copied()).toEqual(['1', '2', '3', '4', '5'])
  expect(journal.reads).toBe(reads + 1)
})

test('what comes while old calls are copied comes after them', async () => {
  const { journal, late, copies, record, copied } = scene()
  await record('1')
  const gate = deferred<void>()
  journal.gate = gate.promise
  const begun = copies.begin(journal)
  await settle()
  await record('2')
  await record('x', 'message')
  expect(late.about('2')).toBeUndefined()
  gate.resolve()
  await begun
  await late.write()
  expect(copied()).toEqual(['1', '2'])
})

test('an audit that is ahead of a restored journal gets its new calls', async () => {
  const { journal, audit, copies, record, copied } = scene()
  await record('1')
  await audit.append({ type: SENT, name: '', key: '', at: AT, data: { seq: 9, message_id: 'old' } })
  await copies.begin(journal)
  await record('2')
  await copies.end(false)
  expect(copied()).toEqual(['old', '2'])
})

test.each([
  [false, ['1']],
  [true, []],
])('copying ends, with what another process copies lost: %s', async (isLost, expected) => {
  const { journal, late, copies, record, copied } = scene()
  await copies.begin(journal)
  await record('1')
  await copies.end(isLost)
  await record('2')
  await late.write()
  expect(copied()).toEqual(expected)
})

test.each(['end', 'begin'] as const)(
  'copying that meets its %s while it begins leaves the rest to it',
  async (what) => {
    const { journal, late, copies, record, copied } = scene()
    await record('1')
    const gate = deferred<void>()
    journal.gate = gate.promise
    const begun = copies.begin(journal)
    await settle()
    await record('2')
    const next = what === 'end' ? copies.end(true) : copies.begin(journal)
    gate.resolve()
    await Promise.all([begun, next])
    await record('3')
    await late.write()
    expect(copied()).toEqual(what === 'end' ? [] : ['1', '2', '3'])
  },
)
