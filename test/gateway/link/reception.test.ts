import { afterEach, expect, test, vi } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { JournaledAlarms } from '../../../src/gateway/alarms/alarm-board.js'
import { AlarmOccurrences } from '../../../src/gateway/alarms/alarm-occurrences.js'
import { Decisions } from '../../../src/gateway/decisions.js'
import { Reception } from '../../../src/gateway/link/reception.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { messageOf } from '../../../src/gateway/records/recorded-message.js'
import type { Primary, PrimaryReply } from '../../../src/gem/conversation.js'
import type { DataMessage } from '../../../src/hsms/message.js'
import { Signal } from '../../../src/kit/signal.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, type Item, L, U1, U4 } from '../../../src/secs2/item.js'
import { ItemReader } from '../../../src/secs2/item-reader.js'
import { StoreUnavailable, Unsettled } from '../../../src/store/failure.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { HeldJournal } from '../../support/memory-store.js'
import { until } from '../../support/until.js'

afterEach(() => void vi.restoreAllMocks())

const reply = (fn: number, item?: Item): PrimaryReply =>
  ({ kind: 'reply', message: { stream: 0, function: fn, item } }) as unknown as PrimaryReply
const NONE = { kind: 'none' } as PrimaryReply
const ABORT = { kind: 'abort' } as PrimaryReply

async function scene(
  replyTo: (primary: Primary) => PrimaryReply = ({ function: fn }) => reply(fn + 1, B(0)),
) {
  const [journal, clock] = [new HeldJournal(), new ManualClock()]
  const occurrences = new AlarmOccurrences(() => journal.first)
  await journal.attach([occurrences])
  const alarms = new JournaledAlarms(journal, occurrences, clock, new Decisions(journal, clock))
  const driver = {
    ...{ state: 'SELECTED', canSend: true, settings: { timers: { t3: 45_000 } } },
    received: new Signal<object>(),
    changed: new Signal<{ to: string }>(),
    sent: [] as string[],
    ended: [] as unknown[],
    send: ({ stream, function: fn, wait, systemBytes, sessionId }: DataMessage) => {
      expect(wait).toBe(false)
      if (driver.canSend) driver.sent.push(`S${stream}F${fn} ${systemBytes} ${sessionId}`)
      return driver.canSend
    },
    end: (about: object, outcome: object) => void driver.ended.push([about, outcome]),
  }
  const host = {
    isCommunicating: true,
    asked: [] as Primary[],
    missed: 0,
    missedAlarm: () => {
      host.missed += 1
    },
    replyTo: (primary: Primary) => {
      host.asked.push(primary)
      return replyTo(primary)
    },
  }
  const unload = {
    ends: 0,
    isSpooled: false,
    receive: () => unload.isSpooled,
    acknowledged: () => {},
    end: () => {
      unload.ends++
    },
  }
  const held = { bytes: 0 }
  const intake = {
    hold: (bytes: number) => {
      held.bytes += bytes
    },
    release: (bytes: number) => {
      held.bytes -= bytes
    },
    budget: { decoding: { run: <T>(work: () => Promise<T>) => work() } },
  }
  const unreplied: number[] = []
  const outcomes = {
    late: { primaryOf: () => 3 },
    willHaveNoReply: (seq: number) => void unreplied.push(seq),
  }
  const reception = new Reception(
    { id: 'eq', device_id: 7 },
    driver as never,
    () => plainReading(STANDARD_CATALOGUE),
    host,
    unload as never,
    intake as never,
    { journal, clock, alarms, outcomes: outcomes as never },
  )
  let systemBytes = 0
  const comes = (stream: number, fn: number, item?: Item | Uint8Array, kind = 'primary') => {
    const body = item instanceof Uint8Array ? item : encodeBody(item)
    driver.received.emit({
      kind,
      message: { stream, function: fn, wait: true, sessionId: 7, systemBytes: ++systemBytes, body },
    })
    return settle()
  }
  const select = () => driver.changed.emit({ to: 'SELECTED' })
  select()
  /** What is appended together. */
  const batches: number[] = []
  const appendAll = journal.appendAll.bind(journal)
  journal.appendAll = (entries) => {
    batches.push(entries.length)
    return appendAll(entries)
  }
  const recorded = () => journal.entries.map(({ name, topic }) => topic ?? name)
  const board = () => occurrences.active().map(({ alid }) => alid)
  return {
    journal,
    driver,
    host,
    unload,
    held,
    unreplied,
    reception,
    comes,
    select,
    recorded,
    board,
    batches,
  }
}

const EVENT = L(U4(1), U4(2), L())
const ALARM = L(B(0x84), U4(7), A('Hot'))

test('a primary is recorded, then replied to with its system bytes, and the reply is recorded', async () => {
  const { comes, driver, journal, held, unreplied, recorded, reception } = await scene()
  const seen: unknown[] = []
  reception.received.on(({ kind, message }) => seen.push([kind, message.topic]))
  journal.hold()
  await comes(6, 11, EVENT)
  expect([driver.sent, seen, held.bytes > 0]).toEqual([[], [['primary', 'S6F11']], true])
  journal.release()
  await settle()
  expect(driver.sent).toEqual(['S6F12 1 7'])
  expect([recorded(), held.bytes, unreplied, driver.ended]).toEqual([['S6F11', 'S6F12'], 0, [], []])
  expect(journal.entries[1]?.data).toMatchObject({ direction: 'sent', replyTo: 1, equipmentId: 'eq' })
})

test.each<[what: string, replied: PrimaryReply, sent: string[]]>([
  ['no reply', NONE, []],
  ['an abort', ABORT, ['S6F0 1 7']],
])('a primary that gets %s', async (_, replied, sent) => {
  const { comes, driver, unreplied } = await scene(() => replied)
  await comes(6, 11, EVENT)
  expect([driver.sent, unreplied]).toEqual([sent, sent.length === 0 ? [1] : []])
})

type Scene = Awaited<ReturnType<typeof scene>>

test.each<[what: string, meanwhile: (scene: Scene) => void]>([
  ['the connection is another one', ({ select }) => select()],
  ['the connection is lost', ({ driver }) => Object.assign(driver, { state: 'NOT_CONNECTED' })],
  ['the reply does not fit into the link', ({ driver }) => Object.assign(driver, { canSend: false })],
])('a primary is recorded and not replied to where %s', async (_, meanwhile) => {
  const one = await scene()
  one.journal.hold()
  await one.comes(6, 11, EVENT)
  meanwhile(one)
  one.journal.release()
  await settle()
  expect([one.driver.sent, one.unreplied, one.held.bytes]).toEqual([[], [1], 0])
})

test('a message for another device, and a secondary that nobody waits for, get no reply', async () => {
  const { comes, driver, host, unreplied, journal, held } = await scene()
  await comes(6, 11, EVENT, 'other_device')
  await comes(1, 2, L(), 'stray')
  expect([driver.sent, host.asked, unreplied, held.bytes]).toEqual([[], [], [1], 0])
  expect(journal.entries.map(({ data }) => data['replyTo'])).toEqual([null, 3])
})

test('a message about one of ours ends it', async () => {
  const { comes, driver } = await scene(() => NONE)
  await comes(9, 5, B(0, 7, 0x81, 1, 0, 0, 0, 0, 0, 9), 'other_device')
  expect(driver.ended).toMatchObject([
    [{ systemBytes: 9 }, { kind: 'error', reply: { stream: 9, function: 5 } }],
  ])
})

test.each([true, false])('what comes while the spool is sent is marked so: %s', async (isSpooled) => {
  const { comes, journal, unload, driver } = await scene()
  unload.isSpooled = isSpooled
  await comes(6, 11, EVENT)
  await comes(6, 12, B(0), 'stray')
  expect(journal.entries.map(({ data }) => data['mayBeSpooled'])).toEqual([isSpooled, false, false])
  expect(unload.ends).toBe(0)
  driver.changed.emit({ to: 'NOT_CONNECTED' })
  expect(unload.ends).toBe(1)
})

test('a message that the store refuses is not acknowledged, also where it is recorded later', async () => {
  const { comes, journal, driver, held, unreplied } = await scene()
  journal.failure = new StoreUnavailable('no disk')
  await comes(6, 11, EVENT)
  const append = journal.append.bind(journal)
  journal.failure = undefined
  journal.append = async (entry) => {
    throw new Unsettled(
      new Error('slow'),
      append(entry).then((made) => [made]),
    )
  }
  await comes(6, 11, EVENT)
  journal.append = async () => {
    throw new Unsettled(new Error('slow'), Promise.resolve(undefined))
  }
  await comes(6, 11, EVENT)
  expect([driver.sent, held.bytes, unreplied]).toEqual([[], 0, [1]])
})

test('a reply that cannot be recorded is none', async () => {
  const { comes, journal, held, unreplied } = await scene(() => {
    journal.failure = new StoreUnavailable('no disk')
    return reply(12)
  })
  await comes(6, 11, EVENT)
  expect([held.bytes, unreplied]).toEqual([0, [1]])
})

test('an alarm is on the board with its report, or not at all, and then all alarms are asked for', async () => {
  const { comes, recorded, board, journal, driver, batches, host } = await scene()
  for (const settled of [undefined, Promise.resolve([]), Promise.resolve(undefined)]) {
    journal.failure = settled
      ? new Unsettled(new StoreUnavailable(''), settled)
      : new StoreUnavailable('no disk')
    await comes(5, 1, ALARM)
    await settle()
  }
  journal.failure = undefined
  expect([recorded(), board(), host.missed]).toEqual([[], [], 2])
  await comes(5, 1, L(B(0x84), U4(8), A('')))
  expect([recorded(), board(), driver.sent]).toEqual([['S5F1', 'alarm_set', 'S5F2'], ['8'], ['S5F2 4 7']])
  expect(batches.slice(3)).toEqual([2, 1])
  // None of these is an alarm.
  for (const kind of ['stray', 'other_device']) await comes(5, 1, ALARM, kind)
  await comes(5, 3, ALARM)
  await comes(5, 1, L())
  expect(board()).toEqual(['8'])
})

test.each<[what: string, replied: (scene: Scene) => PrimaryReply, board: string[], sent: number]>([
  [
    'communication is established',
    ({ host }) => {
      host.isCommunicating = true
      return reply(2)
    },
    ['7'],
    1,
  ],
  [
    'it is aborted',
    ({ host }) => {
      host.isCommunicating = true
      return ABORT
    },
    [],
    1,
  ],
  ['communication is not established', () => reply(2), [], 1],
  [
    'the alarm cannot be recorded',
    ({ host, journal }) => {
      host.isCommunicating = true
      journal.failure = new StoreUnavailable('')
      return reply(2)
    },
    [],
    0,
  ],
])('an alarm before communication counts with its reply: %s', async (_, replied, board, sent) => {
  const one: Scene = await scene(() => replied(one))
  one.host.isCommunicating = false
  await one.comes(5, 1, ALARM)
  expect([one.board(), one.driver.sent.length, one.held.bytes]).toEqual([board, sent, 0])
  expect(one.unreplied).toEqual(sent === 0 ? [1] : [])
})

test('an alarm after one that is not decided yet is decided after it', async () => {
  const one: Scene = await scene(() => {
    one.host.isCommunicating = true
    return reply(2)
  })
  one.host.isCommunicating = false
  one.journal.hold()
  void one.comes(5, 1, ALARM)
  one.host.isCommunicating = true
  void one.comes(5, 1, L(B(4), U4(7), A('')))
  one.journal.release()
  await settle()
  expect(one.recorded().filter((name) => name.startsWith('alarm'))).toEqual(['alarm_set', 'alarm_cleared'])
  // Decided: the next one is recorded with its report.
  await one.comes(5, 1, ALARM)
  expect(one.recorded().slice(-3)).toEqual(['S5F1', 'alarm_set', 'S5F2'])
  expect(one.batches.slice(-2)).toEqual([2, 1])
})

test('an alarm before communication that the store refuses leaves the later ones as they are', async () => {
  const one = await scene()
  one.host.isCommunicating = false
  one.journal.failure = new StoreUnavailable('no disk')
  await one.comes(5, 1, ALARM)
  one.host.isCommunicating = true
  one.journal.failure = undefined
  await one.comes(5, 1, ALARM)
  expect(one.recorded()).toEqual(['S5F1', 'alarm_set', 'S5F2'])
  expect(one.batches.slice(-2)).toEqual([2, 1])
})

test('an alarm whose connection ends before its reply is known is none', async () => {
  const one = await scene()
  one.host.isCommunicating = false
  one.journal.hold()
  await one.comes(5, 1, ALARM)
  one.select()
  one.host.isCommunicating = true
  one.journal.release()
  await settle()
  expect([one.board(), one.driver.sent, one.unreplied]).toEqual([[], [], [1]])
})

const LONG = 256 * 1024

test('a long primary is read in steps, and those after it wait', async () => {
  const { comes, driver, host, held } = await scene()
  void comes(6, 11, L(U4(1), U4(2), L(L(U4(3), L(A('x'.repeat(LONG)))))))
  void comes(1, 1)
  await until(() => driver.sent.length === 2)
  expect(driver.sent).toEqual(['S6F12 1 7', 'S1F2 2 7'])
  expect(host.asked[0]).toMatchObject({ stream: 6, function: 11, wait: true, item: { format: 'L' } })
  expect(held.bytes).toBe(0)
})

test('a reply that repeats a long primary has the very bytes of it: they are not written anew', async () => {
  const { comes, journal } = await scene(({ function: fn, item }) => reply(fn + 1, item))
  const body = encodeBody({ format: 'B', value: new Uint8Array(300_000) })
  await comes(2, 25, body)
  await until(() => journal.entries.length === 2)
  expect(journal.entries.map((entry) => messageOf(entry).body === body)).toEqual([true, true])
})

test('of a primary of very many items the values are read, and no items are made', async () => {
  const { comes, driver, host } = await scene()
  const many = Array.from({ length: 130_000 }, () => U1(1))
  await comes(6, 11, L(U4(1), U4(2), L(L(U4(3), { format: 'L', items: many }))))
  await until(() => driver.sent.length === 1)
  expect(host.asked[0]).toMatchObject({ item: undefined, values: { CEID: '2' } })
})

test('an S5F1 that is longer than any alarm is on no board, not decoded and not acknowledged', async () => {
  const { comes, board, recorded, driver, host } = await scene(({ fault }) =>
    fault ? ABORT : reply(2, B(0)),
  )
  const decoding = vi.spyOn(ItemReader.prototype, 'items')
  await comes(5, 1, encodeBody(L(B(0x84), U4(7), A('x'.repeat(LONG)))))
  await until(() => driver.sent.length === 1)
  expect(decoding).not.toHaveBeenCalled()
  expect([board(), recorded(), driver.sent]).toEqual([[], ['S5F1', 'S5F0'], ['S5F0 1 7']])
  expect(host.asked).toMatchObject([{ item: undefined, fault: expect.any(String) }])
})

test('a long primary that is no SECS-II says so', async () => {
  const { comes, driver, host } = await scene()
  await comes(6, 11, new Uint8Array(LONG + 1).fill(0xff))
  await until(() => driver.sent.length === 1)
  expect(host.asked[0]).toMatchObject({ item: undefined, fault: expect.any(String) })
})
