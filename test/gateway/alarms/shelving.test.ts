import { describe, expect, onTestFinished, test } from 'vitest'
import { MAX_SHELVED } from '../../../src/contract/topics/alarm-shelving.js'
import { JournaledAlarms } from '../../../src/gateway/alarms/alarm-board.js'
import { AlarmOccurrences } from '../../../src/gateway/alarms/alarm-occurrences.js'
import { AlarmShelves } from '../../../src/gateway/alarms/alarm-shelves.js'
import { AlarmShelving } from '../../../src/gateway/alarms/shelving.js'
import { Decisions } from '../../../src/gateway/decisions.js'
import type { JsonObject } from '../../../src/kit/text/json.js'
import { EntryNumber } from '../../../src/store/entry.js'
import { StoreUnavailable } from '../../../src/store/failure.js'
import { ADA } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { HeldJournal } from '../../support/memory-store.js'

const SET = 0x80
const HOUR = 3_600_000
const GIVEN = { for_seconds: 7200, reason: 'sensor is exchanged' }
const START = Date.parse('2026-01-01T00:00:00.000Z')
const at = (ms: number): string => new Date(START + ms).toISOString()

/** A clock whose wall clock can be set. */
class JumpingClock extends ManualClock {
  ahead = 0
  override date(): Date {
    return new Date(super.date().getTime() + this.ahead)
  }
}

/** What is shelved over a journal; opened again, what a process knows that starts then. */
async function opened(
  journal = new HeldJournal(),
  clock = new JumpingClock(),
  isOwner = true,
  listed?: readonly string[],
) {
  const occurrences = new AlarmOccurrences(() => journal.first)
  const shelves = new AlarmShelves(clock)
  await journal.attach([occurrences, shelves])
  const decisions = new Decisions(journal, clock)
  const nameOf = (): string => 'etcher'
  const board = new JournaledAlarms(journal, occurrences, clock, decisions, nameOf, shelves)
  const ownership = { owns: () => isOwner }
  const alarms = new Map((listed ?? []).map((alid) => [alid, { text: '', category: 4 }]))
  const knowledgeOf = () => ({ alarms, hasWhole: () => listed !== undefined })
  const shelving = new AlarmShelving({
    ...{ journal, clock, shelves, occurrences, decisions, ownership, nameOf, knowledgeOf },
  })
  onTestFinished(() => shelving.close())
  const report = async (alcd: number, alid: string, equipment = 'eq_1') => {
    const said = { alcd, alid, text: `text ${alid}` }
    return journal.append(board.entryFor(equipment, said, new EntryNumber(0), clock.date().toISOString()))
  }
  const shelve = (alid: string, given: object = {}) =>
    shelving.shelve('eq_1', alid, ADA, { ...GIVEN, ...given })
  const events = async (name: string) =>
    (await journal.query({ kinds: [{ type: 'alarm', name }], order: 'asc', limit: 1000 })).map(
      ({ data }) => data,
    )
  const counts = async () => {
    const [of] = (await board.summary('eq_1')).items
    return of && [of.active, of.unacknowledged, of.shelved, of.worst?.alid]
  }
  return { journal, clock, shelves, board, shelving, report, shelve, events, counts }
}
/** Lets appended entries be shown. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('a shelved alarm is in no count, is shown with who, until when and why, and is recorded as ever', async () => {
  const { board, shelving, report, shelve, events, counts } = await opened()
  await report(SET | 4, '7')
  await report(SET | 5, '8')
  expect(await counts()).toEqual([2, 2, 0, '8'])
  const shelf = { by: ADA.email, reason: GIVEN.reason, since: at(0), until: at(2 * HOUR) }
  expect(await shelve('8')).toEqual({
    ...{ equipment_id: 'eq_1', equipment_name: 'etcher', alid: '8', known: true },
    ...{ text: 'text 8', severity: 'error' },
    ...{ ...shelf, personal_safety: false },
  })
  expect(await counts()).toEqual([1, 1, 1, '7'])
  const listed = async (query: object) =>
    (await board.list(query)).items.map(({ alid, shelved }) => [alid, shelved])
  expect(await listed({ shelved: true })).toEqual([['8', shelf]])
  expect(await listed({ shelved: false })).toEqual([['7', null]])
  expect(await listed({ active: true })).toHaveLength(2)
  // Later occurrences are shelved, too, and those that are over but not acknowledged.
  await report(5, '8')
  await report(SET | 5, '8')
  expect(await counts()).toEqual([1, 1, 2, '7'])
  expect((await events('alarm_set')).map(({ alid, shelved }) => [alid, shelved])).toEqual([
    ['7', undefined],
    ['8', undefined],
    ['8', shelf],
  ])
  expect(await events('alarm_shelved')).toMatchObject([
    { alid: '8', shelved_by: ADA.email, until: at(2 * HOUR) },
  ])
  await shelving.unshelve('eq_1', '8', ADA)
  await shelving.unshelve('eq_1', '8', ADA)
  expect(await events('alarm_unshelved')).toMatchObject([
    { alid: '8', cause: 'call', unshelved_by: ADA.email },
  ])
  expect(await counts()).toEqual([2, 3, 0, '8'])
})

describe('a shelf of two hours ends', () => {
  test.each([
    ['after two hours', (clock: JumpingClock) => clock.advance(2 * HOUR + 1000), true],
    ['not before', (clock: JumpingClock) => clock.advance(2 * HOUR - 2000), false],
    [
      'when the wall clock jumps beyond its end',
      (clock: JumpingClock) => {
        clock.ahead = 3 * HOUR
        clock.advance(1000)
      },
      true,
    ],
    [
      'after two hours also where the wall clock was set back by a day',
      (clock: JumpingClock) => {
        clock.ahead = -24 * HOUR
        clock.advance(2 * HOUR + 1000)
      },
      true,
    ],
  ])('%s', async (_, pass, isOver) => {
    const { clock, shelve, report, events, counts, shelving } = await opened()
    await report(SET | 4, '7')
    await shelve('7')
    pass(clock)
    await settle()
    expect(await counts()).toEqual(isOver ? [1, 1, 0, '7'] : [0, 0, 1, undefined])
    expect(shelving.list(undefined)).toHaveLength(isOver ? 0 : 1)
    clock.advance(5000)
    await settle()
    if (isOver)
      expect(await events('alarm_unshelved')).toMatchObject([{ cause: 'ended', unshelved_by: null }])
    if (isOver) expect(clock.scheduled).toBe(0)
  })
})

test('a shelf lives through a restart, ends where its time passed meanwhile, and no later than it was to end', async () => {
  const { journal, clock, shelve, report } = await opened()
  await report(SET | 4, '7')
  await shelve('7')
  await shelve('8', { for_seconds: 60 })
  clock.advance(HOUR)
  // The wall clock is set back: what is left is at most what was asked for.
  const later = new JumpingClock()
  later.ahead = HOUR
  const again = await opened(journal, later)
  expect(again.shelving.list(undefined).map(({ alid }) => alid)).toEqual(['7'])
  expect(await again.counts()).toEqual([0, 0, 1, undefined])
  later.advance(1000)
  await settle()
  expect(await again.events('alarm_unshelved')).toMatchObject([{ alid: '8', cause: 'ended' }])
  const lines = [...again.shelves.lines()].map((line) => JSON.parse(JSON.stringify(line)) as JsonObject)
  const fromSnapshot = new AlarmShelves(later)
  for (const line of lines) fromSnapshot.load(line)
  expect(fromSnapshot.current()).toEqual(again.shelves.current())
  expect([...fromSnapshot.pinned()]).toEqual(fromSnapshot.current().map(({ seq }) => seq))
  later.advance(HOUR)
  expect(fromSnapshot.current()).toEqual([])
})

test('an alarm that is shelved anew has the new end, and the end of the first shelf does not end it', async () => {
  const { journal, clock, shelve, shelving, events } = await opened()
  await shelve('7', { for_seconds: 60 })
  journal.hold()
  clock.advance(61_000)
  const anew = shelve('7', { for_seconds: 600, reason: 'longer' })
  journal.release()
  expect(await anew).toMatchObject({ reason: 'longer', text: null })
  await settle()
  clock.advance(5000)
  await settle()
  expect(shelving.list('eq_1')).toMatchObject([{ reason: 'longer' }])
  expect(shelving.list('eq_2')).toEqual([])
  expect((await events('alarm_unshelved')).length).toBeLessThanOrEqual(1)
})

test('an alarm of personal safety is shelved only where that is said, also one that turns out to be one', async () => {
  const { shelve, report, counts } = await opened()
  await report(SET | 1, '7')
  await expect(shelve('7')).rejects.toMatchObject({ code: 'personal_safety_alarm' })
  expect(await counts()).toEqual([1, 1, 0, '7'])
  await shelve('7', { personal_safety: true })
  expect(await counts()).toEqual([0, 0, 1, undefined])
  // Nobody knew it when it was shelved.
  await shelve('9')
  await report(SET | 1, '9')
  expect(await counts()).toEqual([1, 1, 1, '9'])
})

test('a process that does not have the equipment leaves the end to the one that does', async () => {
  const { clock, shelve, events, shelving } = await opened(new HeldJournal(), new JumpingClock(), false)
  await shelve('7', { for_seconds: 60 })
  clock.advance(65_000)
  await settle()
  expect([await events('alarm_unshelved'), shelving.list(undefined)]).toEqual([[], []])
})

test('an end that cannot be recorded is tried again', async () => {
  const { journal, clock, shelve, events } = await opened()
  await shelve('7', { for_seconds: 60 })
  const { append } = journal
  journal.append = async () => {
    throw new StoreUnavailable('away')
  }
  clock.advance(65_000)
  await settle()
  expect(await events('alarm_unshelved')).toEqual([])
  journal.append = append
  clock.advance(2000)
  await settle()
  expect(await events('alarm_unshelved')).toHaveLength(1)
})

test('so many alarms of an equipment are shelved at once, and the shelves go with the equipment', async () => {
  const { board, shelve, events, shelving } = await opened()
  for (let alid = 0; alid < MAX_SHELVED; alid++) await shelve(String(alid))
  await expect(shelve('more')).rejects.toMatchObject({ code: 'quota_exceeded' })
  await shelve('0', { reason: 'again' })
  await board.clearAll((id) => id === 'eq_1')
  expect(shelving.list(undefined)).toEqual([])
  expect(new Set((await events('alarm_unshelved')).map(({ cause }) => cause))).toEqual(
    new Set(['equipment_deleted']),
  )
})

const listing = (listed?: readonly string[]) => opened(new HeldJournal(), new JumpingClock(), true, listed)
const NUMBERS = ['0', '4001', '4002']
const TEXTS = [...NUMBERS, 'PUMP-1']

test.each([
  ['', undefined],
  [' ', undefined],
  [' ', TEXTS],
  ['4001\n', TEXTS],
  ['\u0085', undefined],
  ['04001', undefined],
  ['04001', NUMBERS],
  ['-04', NUMBERS],
  ['00', NUMBERS],
  ['4001-4003', undefined],
  ['4001 - 4003', NUMBERS],
])('%j can be no ALID where the equipment lists %j, and is not recorded', async (alid, listed) => {
  const { shelve, events } = await listing(listed)
  await expect(shelve(alid)).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer: 'alid' }] },
  })
  expect(await events('alarm_shelved')).toEqual([])
})

test.each([
  ['4001', NUMBERS, true],
  ['4003', NUMBERS, false],
  ['abc', NUMBERS, false],
  ['-1', NUMBERS, false],
  ['abc', undefined, null],
  ['0', undefined, null],
  ['04001', TEXTS, false],
  ['4001-4003', TEXTS, false],
  ['04001', ['04001'], true],
  [' ', [' '], true],
] as const)('%j is shelved where the equipment lists %j: known is %j', async (alid, listed, known) => {
  const { shelve, shelving } = await listing(listed)
  expect(await shelve(alid)).toMatchObject({ alid, known })
  expect(shelving.list(undefined)).toMatchObject([{ alid, known }])
})

test('an ALID that the equipment has reported is shelved, whatever it looks like', async () => {
  const { report, shelve } = await listing(NUMBERS)
  await report(SET | 4, '04001')
  expect(await shelve('04001')).toMatchObject({ alid: '04001', known: true })
})
