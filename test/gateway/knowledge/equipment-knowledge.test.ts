import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { EquipmentKnowledge } from '../../../src/gateway/knowledge/equipment-knowledge.js'
import { EquipmentKnowledgeBook } from '../../../src/gateway/knowledge/knowledge-book.js'
import { PlainNames } from '../../../src/gateway/knowledge/plain-names.js'
import { MESSAGE_ENDED } from '../../../src/gateway/records/journal-kinds.js'
import type { JsonObject } from '../../../src/kit/text/json.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, BOOLEAN, type Item, L, U2, U4 } from '../../../src/secs2/item.js'
import { ItemReader } from '../../../src/secs2/item-reader.js'
import { messageEntry } from '../wire/wire-records.js'

const AT = '2026-01-01T00:00:00.000Z'
const newBook = () => new EquipmentKnowledgeBook(STANDARD_CATALOGUE)

let book: EquipmentKnowledgeBook
let seq: number

beforeEach(() => {
  book = newBook()
  seq = 0
})

/** The journal shows it a message; gives its sequence number. */
function message(
  way: 'sent' | 'received',
  stream: number,
  fn: number,
  item?: Item,
  replyTo?: number,
): number {
  seq += 1
  const wire = { sessionId: 0, stream, function: fn, wait: fn % 2 === 1, systemBytes: seq }
  book.apply({ ...messageEntry(way, 'eq_1', { ...wire, body: encodeBody(item) }, replyTo ?? null, AT), seq })
  return seq
}

function ended(primary: number, outcome: string, s9: string | null = null): void {
  seq += 1
  book.apply({
    ...MESSAGE_ENDED,
    key: 'eq_1',
    at: AT,
    seq,
    data: { message_id: String(primary), outcome, s9 },
  })
}

/** A primary of ours and the equipment's answer to it; gives the answer's sequence number. */
function exchange(stream: number, fn: number, asked: Item | undefined, answer: Item): number {
  const primary = message('sent', stream, fn, asked)
  const reply = message('received', stream, fn + 1, answer, primary)
  ended(primary, 'replied')
  return reply
}

const define = (reports: readonly Item[], code = 0): number =>
  exchange(2, 33, L(U4(1), L(...reports)), B(code))
const report = (rptid: number, ...vids: number[]): Item => L(U4(rptid), L(...vids.map((vid) => U4(vid))))
const known = (): EquipmentKnowledge => book.of('eq_1')

describe('names', () => {
  test('come from the namelists, whoever asked for them', () => {
    exchange(1, 11, L(), L(L(U4(1), A('Clock'), A('')), L(U4(2), A('Pressure'), A('mTorr'))))
    exchange(1, 21, L(U4(9)), L(L(U4(9), A('LotID'), A(''))))
    exchange(1, 23, L(), L(L(U4(3010), A('ProcessingStarted'), L(U4(9)))))
    exchange(2, 29, L(), L(L(U4(7), A('Limit'), U4(0), U4(9), U4(5), A('W'))))
    exchange(5, 5, U4(), L(L(B(0x84), U4(1), A('Door open'))))
    expect(Object.fromEntries(known().variables)).toEqual({
      1: { name: 'Clock', unit: '', kind: 'status' },
      2: { name: 'Pressure', unit: 'mTorr', kind: 'status' },
      9: { name: 'LotID', unit: '', kind: 'data' },
    })
    expect([...known().events]).toEqual([['3010', { name: 'ProcessingStarted', variables: ['9'] }]])
    expect([...known().constants]).toEqual([
      ['7', { name: 'Limit', unit: 'W', minimum: '0', maximum: '9', default: '5' }],
    ])
    expect([...known().alarms]).toEqual([['1', { text: 'Door open', category: 4 }]])
    expect([known().hasWhole('S1F11'), known().hasWhole('S1F21')]).toEqual([true, false])
  })

  test.each([
    ['Control State', '0'],
    ['controlstate', '0'],
    ['Limit -', '2'],
    ['limit', undefined],
    ['SPARE', undefined],
    ['Spare', undefined],
    ['%', '5'],
    ['#', undefined],
    ['ölstand1', '7'],
    ['Olstand-1', undefined],
    ['Missing', undefined],
  ])('are found however they are spelled, and not guessed where several may be meant: %s', (name, id) => {
    const names = ['Control State', 'Limit +', 'Limit -', 'Spare', 'Spare', '%', 'SPARE?', 'Ölstand-1']
    exchange(1, 11, L(), L(...names.map((each, at) => L(U2(at), A(each), A('')))))
    expect(known().idOf('variables', name)).toBe(id)
    expect(known().idsOf('variables', 'spare')).toEqual(['3', '4', '6'])
    // After some names there is an index.
    for (let at = 0; at < 10; at++) expect(known().idOf('variables', `Other${at}`)).toBeUndefined()
    expect(known().idOf('variables', name)).toBe(id)
    expect(known().idsOf('variables', 'spare')).toEqual(['3', '4', '6'])
  })

  test('are found where one character is written as two', () => {
    expect(new PlainNames(() => new Map([['1', { name: 'O\u0308lstand' }]])).idOf('ölstand')).toBe('1')
  })

  test('of a whole list take the place of those before, and a row without a name is no name', () => {
    exchange(1, 11, L(), L(L(U4(1), A('Old'), A(''))))
    exchange(1, 11, L(U4(5)), L(L(U4(5), A(''), A(''))))
    expect([...known().variables.keys()]).toEqual(['1'])
    expect(known().idOf('variables', 'old')).toBe('1')
    exchange(1, 11, L(), L(L(U4(2), A('New'), A(''))))
    expect([...known().variables.keys()]).toEqual(['2'])
    expect(known().idOf('variables', 'old')).toBeUndefined()
  })

  test.each([
    ['the same', L(L(U4(1), A('Clock'), A('s')), L(U4(2), A('Lot'), A(''))), '1 Clock s, 2 Lot '],
    ['in another order', L(L(U4(2), A('Lot'), A('')), L(U4(1), A('Clock'), A('s'))), '2 Lot , 1 Clock s'],
    ['with another unit', L(L(U4(1), A('Clock'), A('ms')), L(U4(2), A('Lot'), A(''))), '1 Clock ms, 2 Lot '],
    [
      'with another name',
      L(L(U4(1), A('Clock'), A('s')), L(U4(2), A('Batch'), A(''))),
      '1 Clock s, 2 Batch ',
    ],
    ['with another id', L(L(U4(1), A('Clock'), A('s')), L(U4(3), A('Lot'), A(''))), '1 Clock s, 3 Lot '],
    ['without the last', L(L(U4(1), A('Clock'), A('s'))), '1 Clock s'],
    [
      'with one more',
      L(L(U4(1), A('Clock'), A('s')), L(U4(2), A('Lot'), A('')), L(U4(3), A('New'), A(''))),
      '1 Clock s, 2 Lot , 3 New ',
    ],
  ])('of a whole list that is told again are those of the last one: %s', (_, again, expected) => {
    exchange(1, 21, L(), L(L(U4(9), A('LotID'), A(''))))
    exchange(1, 11, L(), L(L(U4(1), A('Clock'), A('s')), L(U4(2), A('Lot'), A(''))))
    exchange(1, 11, L(), again)
    const status = [...known().variables].filter(([, { kind }]) => kind === 'status')
    expect(status.map(([id, { name, unit }]) => `${id} ${name} ${unit}`).join(', ')).toBe(expected)
    expect(known().variables.get('9')?.name).toBe('LotID')
    expect(known().idOf('variables', 'clock')).toBe(status.find(([, { name }]) => name === 'Clock')?.[0])
  })

  test('may be empty: of a whole list such an identifier is one that the equipment has', () => {
    exchange(1, 11, L(), L(L(U4(1), A(''), A(''))))
    exchange(1, 23, L(), L(L(U4(3010), A(''), L())))
    expect([[...known().variables.keys()], [...known().events.keys()]]).toEqual([['1'], ['3010']])
    expect(known().idOf('variables', '?')).toBeUndefined()
  })

  test('of a status variable stay so where the equipment lists it as a data variable as well', () => {
    exchange(1, 11, L(), L(L(U4(1), A('Clock'), A('s'))))
    exchange(1, 21, L(), L(L(U4(1), A('Clock'), A('')), L(U4(2), A('LotID'), A(''))))
    expect([...known().variables.values()].map(({ kind }) => kind)).toEqual(['status', 'data'])
    exchange(1, 11, L(), L())
    expect([...known().variables.keys()]).toEqual(['2'])
  })

  test('are twenty thousand at most', () => {
    exchange(1, 11, L(), L(...Array.from({ length: 20_005 }, (_, id) => L(U4(id), A(`V${id}`), A('')))))
    expect(known().variables.size).toBe(20_000)
  })

  test('are forgotten when other equipment or other software answers S1F13', () => {
    exchange(1, 13, L(), L(B(0), L(A('ETCHER'), A('1.0'))))
    exchange(1, 11, L(), L(L(U4(1), A('Clock'), A(''))))
    define([report(1, 1)])
    message('received', 1, 13, L(A('ETCHER'), A('1.0')))
    expect(known().hasWhole('S1F11')).toBe(true)
    message('received', 1, 13, L(A('ETCHER'), A('1.1')))
    expect(known().model).toEqual({ mdln: 'ETCHER', softrev: '1.1' })
    expect([known().variables.size, known().reports.size, known().hasWhole('S1F11')]).toEqual([0, 0, false])
  })
})

describe('report definitions', () => {
  test('hold from the moment they are accepted, and for a message of before those of before', () => {
    const first = define([report(1, 10, 11), report(2, 12)])
    const second = define([report(1, 13)])
    expect(Object.fromEntries(known().reports)).toEqual({ 1: ['13'], 2: ['12'] })
    expect(known().variablesOf('1', first - 1)).toBeNull()
    expect(known().variablesOf('1', first)).toEqual(['10', '11'])
    expect(known().variablesOf('1', second)).toEqual(['13'])
    expect(known().variablesOf('9', second)).toBeNull()
  })

  test('that were refused or aborted change nothing', () => {
    define([report(1, 10)])
    define([report(1, 99)], 3)
    const aborted = message('sent', 2, 33, L(U4(1), L()))
    message('received', 2, 0, undefined, aborted)
    ended(aborted, 'aborted')
    const complained = message('sent', 2, 33, L(U4(1), L()))
    ended(complained, 'error', 'S9F7')
    expect([...known().reports]).toEqual([['1', ['10']]])
  })

  test.each(['timed_out', 'lost', 'error'])('nobody can be sure of when S2F33 ended as %s', (outcome) => {
    define([report(1, 10), report(2, 11)])
    ended(message('sent', 2, 33, L(U4(1), L(report(1, 12)))), outcome)
    expect([...known().reports]).toEqual([['2', ['11']]])
    expect(known().variablesOf('1', seq)).toBeNull()
  })

  test('nobody can be sure of where S2F34 has no acknowledgement, and an S2F34 to nothing teaches nothing', () => {
    define([report(1, 10), report(2, 11)])
    message('received', 2, 34, B(0))
    message('received', 2, 34, A('?'))
    expect([...known().reports]).toEqual([
      ['1', ['10']],
      ['2', ['11']],
    ])
    exchange(2, 33, L(U4(1), L(report(1, 12))), A('?'))
    expect([...known().reports]).toEqual([['2', ['11']]])
  })

  const link = (event: number, ...reports: number[]): Item =>
    L(U4(1), L(L(U4(event), L(...reports.map((id) => U4(id))))))

  test('are deleted one by one, with their links, or all at once', () => {
    define([report(1, 10), report(2, 11)])
    exchange(2, 35, link(100, 1, 2), B(0))
    define([report(1)])
    expect([...known().reports.keys()]).toEqual(['2'])
    expect([known().reportsOf('100'), known().reportsOf('101')]).toEqual([['2'], null])
    define([])
    expect(known().reports.size).toBe(0)
    expect([known().reportsOf('100'), known().reportsOf('101')]).toEqual([[], []])
  })

  test('of no event are there once all were deleted, until nobody can be sure of a link', () => {
    define([])
    define([report(1, 10)])
    exchange(2, 35, link(100, 1), B(0))
    expect([known().reportsOf('100'), known().reportsOf('101')]).toEqual([['1'], []])
    ended(message('sent', 2, 35, link(101, 1)), 'timed_out')
    expect([known().reportsOf('100'), known().reportsOf('101')]).toEqual([['1'], null])
  })

  test('are kept of the last eight times', () => {
    const at = Array.from({ length: 10 }, (_, version) => define([report(1, version)]))
    expect(at.map((seq) => known().variablesOf('1', seq))).toEqual([
      null,
      null,
      ...[2, 3, 4, 5, 6, 7, 8, 9].map((version) => [String(version)]),
    ])
  })

  test('are learned from an equipment that tells them', () => {
    exchange(2, 53, L(), L(report(5, 1, 2)))
    exchange(2, 55, L(), L(L(U4(100), A('Started'), L(U4(5)))))
    exchange(2, 57, undefined, L(U4(100)))
    expect([known().reports.get('5'), known().reportsOf('100')]).toEqual([['1', '2'], ['5']])
    expect([known().isEnabled('100'), known().isEnabled('101')]).toEqual([true, false])
  })

  const requested = (rptid: number, ...vids: number[]): number =>
    exchange(6, 21, U4(rptid), L(...vids.map((vid) => L(U4(vid), A('x')))))

  test('that the equipment had are learned from S6F22, and held since communication began', () => {
    const established = message('received', 1, 13, L(A('ETCHER'), A('1.0')))
    const event = message('received', 6, 11, L(U4(1), U4(100), L()))
    requested(5, 1, 2)
    requested(6, 3)
    expect(['5', '6'].map((id) => known().variablesOf(id, event))).toEqual([['1', '2'], ['3']])
    expect(known().variablesOf('5', established - 1)).toBeNull()
  })

  test('that S6F22 tells hold no longer than since the last change of reports', () => {
    message('received', 1, 13, L(A('ETCHER'), A('1.0')))
    const event = message('received', 6, 11, L(U4(1), U4(100), L()))
    define([report(1, 10)])
    const told = requested(5, 1)
    expect([known().variablesOf('5', event), known().variablesOf('5', told)]).toEqual([null, ['1']])
  })

  test('that differ from what was known are others from S6F22 on', () => {
    const before = define([report(1, 10)])
    const told = requested(1, 11, 12)
    expect([known().variablesOf('1', before), known().variablesOf('1', told)]).toEqual([['10'], ['11', '12']])
  })

  test('are not learned from an S6F22 without values, which says that there is none, or one that nobody asked for', () => {
    requested(5)
    message('received', 6, 22, L(L(U4(1), A('x'))))
    expect(known().reports.size).toBe(0)
  })
})

describe('a message that the equipment does not know', () => {
  const aborted = (stream: number, fn: number): void => {
    const primary = message('sent', stream, fn, stream === 6 ? U4(1) : L())
    message('received', stream, 0, undefined, primary)
    ended(primary, 'aborted')
  }
  const present = (): number => exchange(1, 1, undefined, L(A('ETCHER'), A('1.0')))

  test('is one that it aborts, and then answers S1F1', () => {
    aborted(1, 11)
    aborted(6, 21)
    expect(known().isRefused('S1F11')).toBe(false)
    present()
    expect(['S1F11', 'S6F21', 'S1F21'].map((each) => known().isRefused(each))).toEqual([true, true, false])
  })

  test('is one that it does not answer in time, and then answers S1F1, until an answer comes late', () => {
    const spool = message('sent', 6, 23, B(0))
    ended(spool, 'timed_out')
    const byList = message('sent', 5, 5, L())
    ended(byList, 'timed_out')
    expect(known().isRefused('S6F23')).toBe(false)
    present()
    const refused = () => ['S6F23', 'S5F5', 'S5F5 <L>'].filter((each) => known().isRefused(each))
    expect(refused()).toEqual(['S6F23', 'S5F5 <L>'])
    message('received', 6, 24, B(0), spool)
    exchange(5, 5, L(), L())
    expect(refused()).toEqual([])
  })

  test('is none that it does not answer while it does not answer S1F1 either', () => {
    ended(message('sent', 6, 23, B(0)), 'timed_out')
    ended(message('sent', 1, 1), 'timed_out')
    present()
    expect(known().isRefused('S6F23')).toBe(false)
  })

  test('is none that it aborts because it is offline, or before communication began anew', () => {
    aborted(1, 11)
    aborted(1, 1)
    present()
    aborted(1, 21)
    message('received', 1, 13, L(A('ETCHER'), A('1.0')))
    present()
    expect(['S1F11', 'S1F21'].map((each) => known().isRefused(each))).toEqual([false, false])
  })

  test('is none where S1F1 was on its way before the abort', () => {
    const early = message('sent', 1, 1)
    aborted(1, 11)
    message('received', 1, 2, L(A('ETCHER'), A('1.0')), early)
    ended(early, 'replied')
    expect(known().isRefused('S1F11')).toBe(false)
  })

  test.each([
    ['S9F3', true],
    ['S9F5', true],
    ['S9F7', false],
  ])('is one about which it says %s: %s', (s9, isRefused) => {
    ended(message('sent', 6, 23, B(0)), 'error', s9)
    expect(known().isRefused('S6F23')).toBe(isRefused)
  })

  test('is not S6F23 for an abort, which may mean that there is no spool now', () => {
    aborted(6, 23)
    present()
    expect(known().isRefused('S6F23')).toBe(false)
  })

  test('stays so over a start of the gateway, until it is answered or the software is other', () => {
    message('received', 1, 13, L(A('ETCHER'), A('1.0')))
    for (const fn of [11, 21]) aborted(1, fn)
    present()
    const lines = book.lines()
    book = newBook()
    for (const line of lines) book.load(JSON.parse(JSON.stringify(line)) as JsonObject)
    const refused = () => ['S1F11', 'S1F21'].filter((each) => known().isRefused(each))
    expect(refused()).toEqual(['S1F11', 'S1F21'])
    exchange(1, 11, L(), L())
    expect(refused()).toEqual(['S1F21'])
    message('received', 1, 13, L(A('ETCHER'), A('1.1')))
    expect(refused()).toEqual([])
  })
})

describe('a report that another host may have defined anew while the equipment was away', () => {
  const come = (): number => message('received', 1, 13, L(A('ETCHER'), A('1.0')))
  const show = (...vids: number[]): number =>
    exchange(6, 21, U4(1), L(...vids.map((vid) => L(U4(vid), A('x')))))

  test('is doubted from the time when it came back first, until a reply shows what it is', () => {
    define([report(1, 10, 11)])
    expect(known().doubtedSince('1')).toBeNull()
    const back = come()
    come()
    expect(known().doubtedSince('1')).toBe(back)
    const told = show(10, 11)
    expect([known().doubtedSince('1'), known().variablesOf('1', told)]).toEqual([null, ['10', '11']])
  })

  test('is not doubted once it was defined again, or deleted', () => {
    define([report(1, 10), report(2, 11)])
    come()
    define([report(1, 10), report(2)])
    expect([known().doubtedSince('1'), known().doubtedSince('2')]).toEqual([null, null])
  })

  test('has no known variables from then until a reply shows others', () => {
    const defined = define([report(1, 10, 11)])
    const back = come()
    const told = show(11, 10)
    const at = (seq: number) => known().variablesOf('1', seq)
    expect([at(defined), at(back - 1)]).toEqual([
      ['10', '11'],
      ['10', '11'],
    ])
    expect([at(back), at(told - 1), at(told)]).toEqual([null, null, ['11', '10']])
    // Nobody can have changed it since.
    const other = show(12, 13)
    expect([at(other - 1), at(other)]).toEqual([
      ['11', '10'],
      ['12', '13'],
    ])
  })

  test('is doubted after a restart of the gateway, too', () => {
    define([report(1, 10, 11)])
    const back = come()
    const lines = book.lines()
    book = newBook()
    for (const line of lines) book.load(JSON.parse(JSON.stringify(line)) as JsonObject)
    expect([known().doubtedSince('1'), known().variablesOf('1', back)]).toEqual([back, ['10', '11']])
  })
})

test('whether an event is enabled is known once the equipment has accepted it', () => {
  const enable = (on: boolean, ...ceids: number[]): Item => L(BOOLEAN(on), L(...ceids.map((id) => U4(id))))
  expect(known().isEnabled('1')).toBeNull()
  exchange(2, 37, enable(true, 1), B(0))
  exchange(2, 37, enable(false, 2), B(1))
  expect([known().isEnabled('1'), known().isEnabled('2')]).toEqual([true, null])
  exchange(2, 37, enable(false), B(0))
  expect([known().isEnabled('1'), known().isEnabled('2')]).toEqual([false, false])
  ended(message('sent', 2, 37, enable(true, 1)), 'lost')
  expect([known().isEnabled('1'), known().isEnabled('2')]).toEqual([null, null])
})

test('what is open and what is known live on in its lines, as they were when they were asked for', () => {
  exchange(1, 13, L(), L(B(0), L(A('ETCHER'), A('1.0'))))
  exchange(1, 11, L(), L(...Array.from({ length: 1200 }, (_, id) => L(U4(id), A(`V${id}`), A('')))))
  define([])
  define([report(1, 10)])
  exchange(2, 35, L(U4(1), L(L(U4(100), L(U4(1))))), B(0))
  exchange(2, 37, L(BOOLEAN(true), L()), B(0))
  const open = message('sent', 2, 33, L(U4(1), L(report(2, 11))))
  const lines = book.lines()
  define([])
  const again = newBook()
  for (const line of lines) again.load(JSON.parse(JSON.stringify(line)) as JsonObject)
  book = again
  expect(known().model?.mdln).toBe('ETCHER')
  expect([known().variables.size, known().idOf('variables', 'V1199')]).toEqual([1200, '1199'])
  expect([known().reportsOf('100'), known().reportsOf('101')]).toEqual([['1'], []])
  expect([known().isEnabled('5'), known().hasWhole('S1F11')]).toEqual([true, true])
  message('received', 2, 34, B(0), open)
  expect([...known().reports.keys()]).toEqual(['1', '2'])
  book.forget(() => true)
  expect([known().variables.size, book.lines()]).toEqual([0, []])
})

test('lines of an earlier version are read: what they do not say is not known', () => {
  const row = ['5', [{ from: 3, variables: null }]] as const
  for (const line of [
    {
      equipment_id: 'eq_1',
      model: { mdln: 'ETCHER', softrev: '1.0' },
      told: ['S1F11'],
      others_enabled: null,
    },
    { equipment_id: 'eq_1', part: 'reports', rows: [row] },
  ])
    book.load(JSON.parse(JSON.stringify(line)) as JsonObject)
  expect([known().hasWhole('S1F11'), known().isRefused('S1F11')]).toEqual([true, false])
  seq = 10
  const told = exchange(6, 21, U4(5), L(L(U4(1), A('x'))))
  expect([known().variablesOf('5', told - 1), known().variablesOf('5', told)]).toEqual([null, ['1']])
})

test('a body that is no SECS-II, or does not fit, teaches nothing', () => {
  const primary = message('sent', 2, 33, L(U4(1), L(report(1, 10))))
  message('received', 2, 34, A('?'), primary)
  expect(known().reports.size).toBe(0)
  message('received', 1, 12, A('?'))
  const entry = messageEntry(
    'received',
    'eq_1',
    { sessionId: 0, stream: 1, function: 12, wait: false, systemBytes: 1, body: Uint8Array.of(0xff) },
    null,
    AT,
  )
  book.apply({ ...entry, seq: 99 })
  expect(known().variables.size).toBe(0)
})

describe('a long list of names is read in steps before it is shown', () => {
  const NAMES = 10_000
  const variables = (count: number): Item => ({
    format: 'L',
    items: Array.from({ length: count }, (_, at) => L(U4(at), A(`Variable${at}`), A('mm'))),
  })

  /** The entry of an S1F12 that is not shown yet. */
  function listed(body: Uint8Array) {
    const primary = message('sent', 1, 11)
    seq += 1
    const wire = { sessionId: 0, stream: 1, function: 12, wait: false, systemBytes: seq, body }
    return { ...messageEntry('received', 'eq_1', wire, primary, AT), seq }
  }

  test('and then nothing of it is read again', () => {
    const entry = listed(encodeBody(variables(NAMES)))
    expect([...(book.ahead(entry) ?? [])].length).toBeGreaterThanOrEqual(8)
    const reading = vi.spyOn(ItemReader.prototype, 'items')
    onTestFinished(() => reading.mockRestore())
    book.apply(entry)
    expect(reading).not.toHaveBeenCalled()
    expect([...known().variables].map(([id, { name }]) => `${id} ${name}`)).toEqual(
      Array.from({ length: NAMES }, (_, at) => `${at} Variable${at}`),
    )
    expect(known().hasWhole('S1F11')).toBe(true)
  })

  test('one that is no SECS-II tells nothing, and is not read again', () => {
    const entry = listed(encodeBody(variables(NAMES)).subarray(0, -1))
    for (const _ of book.ahead(entry) ?? []);
    const reading = vi.spyOn(ItemReader.prototype, 'items')
    onTestFinished(() => reading.mockRestore())
    book.apply(entry)
    expect(reading).not.toHaveBeenCalled()
    expect(known().hasWhole('S1F11')).toBe(false)
  })

  test('one that is no list of names tells nothing', () => {
    const entry = listed(encodeBody(A('x'.repeat(100_000))))
    for (const _ of book.ahead(entry) ?? []);
    book.apply(entry)
    expect(known().hasWhole('S1F11')).toBe(false)
  })

  test('a short one is read at once', () => {
    const entry = listed(encodeBody(variables(3)))
    expect(book.ahead(entry)).toBeUndefined()
    book.apply(entry)
    expect(known().variables.size).toBe(3)
  })
})
