import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { JournaledAlarms } from '../../../src/gateway/alarms/alarm-board.js'
import { AlarmOccurrences } from '../../../src/gateway/alarms/alarm-occurrences.js'
import { Decisions } from '../../../src/gateway/decisions.js'
import { AlarmAlignment } from '../../../src/gateway/link/alarm-alignment.js'
import type { Transaction } from '../../../src/gateway/link/transactions.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { turnOver } from '../../../src/kit/turns.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, type Item, L, U4 } from '../../../src/secs2/item.js'
import { type Entry, EntryNumber, numbered } from '../../../src/store/entry.js'
import { StoreUnavailable } from '../../../src/store/failure.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { AwayJournal } from '../../support/memory-store.js'
import { until } from '../../support/until.js'

const AT = '2026-01-01T00:00:00.000Z'
const SET = 0x80

async function scene() {
  const clock = new ManualClock()
  const journal = new AwayJournal(clock)
  const occurrences = new AlarmOccurrences(() => journal.first)
  await journal.attach([occurrences])
  const alarms = new JournaledAlarms(journal, occurrences, clock, new Decisions(journal, clock))
  const reading = () => plainReading(STANDARD_CATALOGUE)
  const alignment = new AlarmAlignment('eq', alarms, journal, clock, reading)
  const report = (alid: string, alcd = SET, id = 'eq') =>
    journal.append(alarms.entryFor(id, { alcd, alid, text: '' }, new EntryNumber(1), AT))
  /** Aligns with the reply, during which `meanwhile` runs. */
  const align = async (reply: Entry | undefined, meanwhile = async (): Promise<unknown> => undefined) => {
    const transaction = { ended: Promise.resolve({ reply }) } as unknown as Transaction
    const sent = await alignment.during(async () => {
      await meanwhile()
      return transaction
    })
    expect(sent).toBe(transaction)
    await settle()
  }
  const board = () =>
    occurrences
      .active()
      .map(({ equipmentId, alid }) => `${equipmentId} ${alid}`)
      .toSorted()
  return { journal, clock, alarms, alignment, report, align, board }
}

const listed = (items: readonly Item[], fn = 6, stream = 5): Entry => {
  const wire = {
    sessionId: 0,
    stream,
    function: fn,
    wait: false,
    systemBytes: 1,
    body: encodeBody(L(...items)),
  }
  return numbered(new RecordedMessage({ direction: 'received', equipmentId: 'eq' }, wire).entry(AT), 50)
}
const row = (alid: number, alcd = SET): Item => L(B(alcd), U4(alid), A('Hot'))

test.each([6, 8])(
  'what S5F%i shows as set is set, what it shows as clear is cleared, the rest stays',
  async (fn) => {
    const { journal, report, align, board } = await scene()
    for (const alid of ['1', '2', '3']) await report(alid)
    const before = journal.entries.length
    await align(listed([row(1, 0), row(2), row(4, SET | 4), row(5, 0)], fn))
    expect(board()).toEqual(['eq 2', 'eq 3', 'eq 4'])
    expect(journal.entries.slice(before)).toMatchObject([
      { name: 'alarm_cleared', at: AT, data: { alid: '1', cause: 'alignment' } },
      { name: 'alarm_set', at: AT, data: { alid: '4', cause: 'alignment', category: 4, text: 'Hot' } },
    ])
  },
)

test('A list that came while the database is away for some seconds is not lost', async () => {
  const { journal, clock, align, board } = await scene()
  journal.leave()
  await align(listed([row(1)]))
  clock.advance(20_000)
  await settle()
  journal.comeBack()
  await until(() => board().length > 0)
  expect(board()).toEqual(['eq 1'])
})

test('rows without an ALCD are no alarms, and no more than 10,000 rows count', async () => {
  const { align, board } = await scene()
  const rows = Array.from({ length: 10_001 }, (_, at) => L(B(), U4(at), A('')))
  await align(listed([...rows.slice(0, 9_999), row(1), row(2)]))
  await until(() => board().length > 0)
  expect(board()).toEqual(['eq 1'])
})

test('a list of very many alarms is read in many turns of the event loop', async () => {
  const { alignment, board } = await scene()
  const rows = Array.from({ length: 30_000 }, (_, at) => row(at + 10, 0))
  const list = { ended: Promise.resolve({ reply: listed([row(1), ...rows]) }) } as unknown as Transaction
  await alignment.during(async () => list)
  let turns = 0
  for (; board().length === 0; turns += 1) await turnOver()
  // 29 to make their items.
  expect(turns).toBeGreaterThan(35)
})

test('the alarms of a long list are set in steps; one that reports itself in between is left as it is', async () => {
  const { journal, report, align, board } = await scene()
  const sizes: number[] = []
  const appendAll = journal.appendAll.bind(journal)
  journal.appendAll = (entries) => {
    sizes.push(entries.length)
    return appendAll(entries)
  }
  let isFirst = true
  journal.appended.on(() => {
    if (!isFirst) return
    isFirst = false
    void report('900')
    void report('900', 0)
  })
  await align(listed(Array.from({ length: 1000 }, (_, at) => row(at + 1))))
  await until(() => board().length === 999)
  await settle()
  expect(board()).toHaveLength(999)
  expect(board()).not.toContain('eq 900')
  expect(sizes).toEqual([250, 1, 1, 250, 250, 249])
})

test('of two lists the one that came later is right, also where the first one is long', async () => {
  const { alignment, board } = await scene()
  const lists = [
    listed(Array.from({ length: 1000 }, (_, at) => row(at + 1))),
    listed([row(1000, 0), row(1001)]),
  ]
  for (const reply of lists)
    await alignment.during(async () => ({ ended: Promise.resolve({ reply }) }) as unknown as Transaction)
  await until(() => board().includes('eq 1001'))
  expect(board()).toHaveLength(1000)
  expect(board()).not.toContain('eq 1000')
})

test('a step waits for a store that is slow for a twentieth of a second', async () => {
  const { journal, clock, align } = await scene()
  let handed = 0
  journal.appendAll = (entries) => {
    handed += entries.length
    return new Promise(() => {})
  }
  await align(listed(Array.from({ length: 1000 }, (_, at) => row(at + 1))))
  for (const many of [250, 500, 750, 1000]) {
    await until(() => handed === many)
    clock.advance(49)
    await settle()
    expect(handed).toBe(many)
    clock.advance(1)
  }
})

test.each([
  ['no reply', undefined],
  ['another message', listed([row(1)], 2)],
  ['a list that has not its structure', listed([U4(1)])],
  ['a long list whose last row has not its structure', listed([...Array(3000).fill(row(1)), U4(1)])],
  ['an empty list', listed([])],
])('%s changes nothing', async (_, reply) => {
  const { journal, report, align, board } = await scene()
  await report('7')
  const before = journal.entries.length
  await align(reply)
  expect([board(), journal.entries.length]).toEqual([['eq 7'], before])
})

test('an alarm that reports itself meanwhile is left as it is; one of other equipment is not', async () => {
  const { report, align, board } = await scene()
  await report('1')
  await align(listed([row(1), row(2)]), async () => {
    await report('1', 0)
    await report('2', SET, 'other')
  })
  expect(board()).toEqual(['eq 2', 'other 2'])
  // Only while that list was asked for.
  await align(listed([row(1)]))
  expect(board()).toEqual(['eq 1', 'eq 2', 'other 2'])
})

test('what cannot be sent is thrown, and nobody listens any more', async () => {
  const { alignment, alarms } = await scene()
  let listeners = 0
  const { reported } = alarms
  const on = reported.on.bind(reported)
  reported.on = (listener) => {
    listeners++
    const stop = on(listener)
    return () => {
      listeners--
      stop()
    }
  }
  const failing = async () => {
    expect(listeners).toBe(1)
    throw new Error('not sent')
  }
  await expect(alignment.during(failing)).rejects.toThrow('not sent')
  expect(listeners).toBe(0)
})

test('after a list that the store refused the board follows what is on disk', async () => {
  const { journal, align, report, board, alarms } = await scene()
  await report('1')
  const doubted: unknown[] = []
  const notRecorded = alarms.notRecorded.bind(alarms)
  alarms.notRecorded = (id, error) => {
    doubted.push(id)
    notRecorded(id, error)
  }
  journal.failure = new StoreUnavailable('no disk')
  await align(listed([row(1, 0), row(2)]))
  journal.failure = undefined
  expect([board(), doubted]).toEqual([['eq 1'], ['eq']])
  await align(listed([row(1, 0), row(2)]))
  expect(board()).toEqual(['eq 2'])
})
