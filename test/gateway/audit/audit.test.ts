import { expect, test } from 'vitest'
import type { Caller } from '../../../src/gateway/accounts/caller.js'
import { Audit } from '../../../src/gateway/audit/audit.js'
import type { AuditedCall } from '../../../src/gateway/audit/audited-call.js'
import { EntryNumber } from '../../../src/store/entry.js'
import { StoreUnavailable, Unsettled } from '../../../src/store/failure.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'

const HOUR = 60 * 60_000
const KEY = { id: 'key_1', name: 'mes' }
const CALL: AuditedCall = {
  ...{ action: 'updateUser', equipment_id: null, user: 'Ada@x', api_key: null, address: '10.0.0.1' },
  ...{ request_id: 'r1', reason: 'shift', details: { id: 'u' } },
}
const OK = { status: 200, code: null, message_id: null }

const EQUIPMENT: Readonly<Record<string, string>> = { 1: 'eq_1', 2: 'eq_1', 3: 'eq_2' }

function scene() {
  const [journal, main, clock] = [new MemoryJournal(), new MemoryJournal(), new ManualClock()]
  const audit = new Audit({
    ...{ journal, clock },
    nameOf: (id) => (id === 'eq_1' ? 'etcher' : undefined),
    equipmentOf: async (id) => EQUIPMENT[id],
  })
  const list = async (query: object = {}) => (await audit.list(query)).items
  /** Records a call that sends a message in the main journal, as the session does; gives the message's id. */
  const send = async (call: AuditedCall = CALL) => {
    const sent = audit.sending(call)
    const number = new EntryNumber()
    const noted = sent.noting(number)
    const at = clock.date().toISOString()
    await main.appendAll([
      { type: 'message', name: 'message_sent', key: 'eq_1', at, data: {}, number },
      ...noted.map(({ numbers, ...entry }) => ({
        ...entry,
        data: { ...entry.data, message_id: String(main.last + 1) },
      })),
    ])
    return { sent, id: String(number.seq) }
  }
  return { audit, journal, main, clock, list, send }
}

test('a call has one entry from its begin to its end', async () => {
  const { audit, list, clock } = scene()
  const seq = await audit.begin(CALL)
  const begun = {
    ...{ id: '1', at: '2026-01-01T00:00:00.000Z', action: 'updateUser', user: 'Ada@x', api_key: null },
    ...{ address: '10.0.0.1', request_id: 'r1', traceparent: null, reason: 'shift', details: { id: 'u' } },
    ...{ equipment_id: null, equipment_name: null, status: null, code: null, message_id: null, count: 1 },
  }
  expect(await list()).toEqual([begun])
  clock.advance(HOUR - 1)
  audit.ended(seq, CALL, { status: 409, code: 'conflict', message_id: '7' })
  expect(await list()).toEqual([{ ...begun, status: 409, code: 'conflict', message_id: '7' }])
})

test('each call has its own end, and one that lasted longer than an hour has none', async () => {
  const { audit, list, clock } = scene()
  const first = await audit.begin(CALL)
  const second = await audit.begin({ ...CALL, equipment_id: 'eq_1', traceparent: 'trace' })
  await audit.begin(CALL)
  audit.ended(second, CALL, { ...OK, status: 202 })
  clock.advance(HOUR + 1)
  audit.ended(first, CALL, OK)
  expect((await list()).map(({ id, status }) => [id, status])).toEqual([
    ['3', null],
    ['2', 202],
    ['1', null],
  ])
  expect((await list())[1]).toMatchObject({ equipment_name: 'etcher', traceparent: 'trace' })
})

test('a call that adds equipment is about it', async () => {
  const { audit, list } = scene()
  audit.ended(await audit.begin(CALL), CALL, { ...OK, equipment_id: 'eq_1' })
  expect(await list()).toMatchObject([{ equipment_id: 'eq_1', equipment_name: 'etcher' }])
})

test.each<[query: object, found: string]>([
  [{}, '4 3 2 1'],
  [{ user: 'ada@X' }, '2 1'],
  [{ api_key: 'mes' }, '3'],
  [{ user: 'ada@x', api_key: 'mes' }, '3 2 1'],
  [{ action: ['createUser', 'login'] }, '4 2'],
  [{ action: ['createUser'], user: 'ada@x' }, '2'],
  [{ after: 2 }, '4 3'],
  [{ order: 'asc', limit: 2 }, '1 2'],
  [{ equipment_id: 'eq_1' }, '3'],
])('%j lists the calls %s', async (query, found) => {
  const { audit, list } = scene()
  await audit.begin(CALL)
  await audit.begin({ ...CALL, action: 'createUser', user: 'ADA@x' })
  await audit.begin({ ...CALL, api_key: KEY, user: null, equipment_id: 'eq_1' })
  await audit.loggedIn({ ...CALL, action: 'login', user: 'bob@x' })
  expect((await list(query)).map(({ id }) => id).join(' ')).toBe(found)
})

test('a call that the store took too late has an end, so that it is known not to be carried out', async () => {
  const { audit, journal, list } = scene()
  const append = journal.append.bind(journal)
  journal.append = async (entry) => {
    throw new Unsettled(
      new Error('slow'),
      append(entry).then((made) => [made]),
    )
  }
  await expect(audit.begin(CALL)).rejects.toBeInstanceOf(Unsettled)
  await settle()
  journal.append = async () => {
    throw new StoreUnavailable('no disk')
  }
  await expect(audit.begin(CALL)).rejects.toBeInstanceOf(StoreUnavailable)
  expect(await list()).toMatchObject([{ status: 503, code: 'store_unavailable' }])
})

test('logins that fail are recorded 20 times an hour from one network, 60 in all; the others are counted', async () => {
  const { audit, list, clock, journal } = scene()
  const failed = (address: string | null, count: number) =>
    Promise.all(
      Array.from({ length: count }, () => audit.loginFailed({ ...CALL, address }, { ...OK, status: 401 })),
    )
  await failed('10.0.0.1', 21)
  expect(journal.entries).toHaveLength(20)
  await failed('10.0.0.2', 20)
  await failed(null, 30)
  expect(journal.entries).toHaveLength(60)
  // What is counted is told also where the store is away at the end of the hour.
  journal.failure = new StoreUnavailable('away')
  clock.advance(HOUR)
  await settle()
  journal.failure = undefined
  clock.advance(1000)
  await settle()
  const summaries = (await list({ limit: 100 })).filter(({ count }) => count > 1)
  expect(
    summaries.map(({ count, user, request_id, reason, details, status }) => [
      count,
      user,
      request_id,
      reason,
      details,
      status,
    ]),
  ).toEqual([[10, null, null, null, {}, 401]])
  const single = (await list({ limit: 1, order: 'asc' }))[0]
  expect(single).toMatchObject({ status: 401, user: 'Ada@x', count: 1 })
})

test('refused calls are recorded 60 times an hour for a caller; the others are counted under the first', async () => {
  const { audit, list, clock, journal } = scene()
  const call = { ...CALL, traceparent: 'trace', equipment_id: 'eq_1' }
  const refused = (id: string) => audit.forbidden({ id } as Caller, call, 'forbidden_role')
  for (let at = 0; at < 63; at++) await refused('usr_1')
  await refused('usr_2')
  expect(journal.entries).toHaveLength(61)
  clock.advance(HOUR)
  await settle()
  const [summary] = await list({ limit: 1 })
  expect(summary).toMatchObject({
    ...{ action: 'updateUser', user: 'Ada@x', count: 3, status: 403, code: 'forbidden_role' },
    ...{ traceparent: null, request_id: null, reason: null, details: {}, equipment_id: 'eq_1' },
  })
})

test('what is refused beyond all sources is counted without a name', async () => {
  const { audit, list, clock } = scene()
  for (let at = 0; at < 602; at++) await audit.forbidden({ id: `usr_${at}` } as Caller, CALL, 'forbidden')
  for (let at = 0; at < 63; at++)
    await audit.loginFailed({ ...CALL, address: `10.${at}.0.1` }, { ...OK, status: 401 })
  clock.advance(HOUR)
  await settle()
  const summaries = (await list({ limit: 5 })).filter(({ count }) => count > 1)
  expect(summaries).toMatchObject([
    { action: 'login', count: 3, user: null, address: null, status: 401 },
    { action: 'several', count: 2, user: null, address: null, status: 403, code: 'forbidden' },
  ])
})

test.each<[ids: string[], equipment: string | null]>([
  [['1'], 'eq_1'],
  [['1', '2'], 'eq_1'],
  [['1', '9'], 'eq_1'],
  [['1', '3'], null],
  [['9'], null],
  [[], null],
])('the equipment of the alarms %j is %s', async (ids, equipment) => {
  expect(await scene().audit.equipmentOf(ids)).toBe(equipment)
})

test('a call that sends a message is copied from the journal, with its end', async () => {
  const { audit, journal, main, list, send } = scene()
  const early = await send()
  await early.sent.ended(OK)
  await audit.copyFrom(main, 'node-1')
  const { sent, id } = await send({ ...CALL, equipment_id: 'eq_1' })
  await sent.ended({ ...OK, status: 202 })
  expect(
    (await list()).map(({ status, message_id, equipment_id }) => [status, message_id, equipment_id]),
  ).toEqual([
    [202, id, 'eq_1'],
    [200, early.id, null],
  ])
  expect(journal.entries.filter(({ type }) => type === 'ownership')).toMatchObject([
    { data: { node: 'node-1' } },
  ])
  // The end that came before its copy was written is part of the copy.
  expect(journal.entries.map(({ type }) => type)).toEqual([
    'ownership',
    'audit_sent',
    'audit_end',
    'audit_sent',
  ])
  await audit.stopCopying(false)
  await send()
  expect(await list()).toHaveLength(2)
})

test('a process that is alone does not say that it copies', async () => {
  const { audit, main } = scene()
  await audit.copyFrom(main, null)
  expect(main.entries).toEqual([])
})

test('a call whose message was not recorded has an entry of its own', async () => {
  const { audit, list } = scene()
  await audit.sending(CALL).ended({ ...OK, status: 503 })
  expect(await list()).toMatchObject([{ status: 503, message_id: null, action: 'updateUser' }])
})

test('the last ends and the counts are written when it is closed', async () => {
  const { audit, journal, clock } = scene()
  const seq = await audit.begin(CALL)
  audit.ended(seq, CALL, OK)
  for (let at = 0; at < 22; at++) await audit.loginFailed(CALL, OK)
  for (let at = 0; at < 62; at++) await audit.forbidden({ id: 'u' } as Caller, CALL, 'forbidden')
  await audit.close()
  await settle()
  expect(journal.entries.filter(({ type }) => type === 'audit_end')).toHaveLength(1)
  expect(journal.entries.flatMap(({ data }) => data['count'] ?? [])).toEqual([2, 2])
  expect(clock.scheduled).toBe(0)
})
