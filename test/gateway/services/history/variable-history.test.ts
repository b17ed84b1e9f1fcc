import { beforeEach, describe, expect, test } from 'vitest'
import type { HistoryQuery, RecordedValue } from '../../../../src/contract/topics/variables.js'
import { RecordedMessage } from '../../../../src/gateway/records/recorded-message.js'
import { encodeBody } from '../../../../src/secs2/encode.js'
import { A, B, F4, type Item, L, U4 } from '../../../../src/secs2/item.js'
import { LiveGateway } from '../../../support/live-gateway.js'
import type { ScriptedEquipment } from '../../../support/scripted-equipment.js'
import { until } from '../../../support/until.js'

const ANSWERS: Readonly<Record<string, Item>> = {
  S1F11: L(L(U4(10), A('Pressure'), A('Pa')), L(U4(11), A('Power'), A('W'))),
  S1F23: L(L(U4(100), A('Started'), L())),
  S1F3: L(F4(1.5), L()),
  S2F33: B(0),
  S2F23: B(0),
  S2F29: L(
    ...['Limit', 'Limit', 'Gap'].map((name, at) => L(U4(20 + at), A(name), A(''), A(''), A(''), A('K'))),
  ),
}

let live: LiveGateway
let equipment: ScriptedEquipment
let id: string

beforeEach(async () => {
  live = await LiveGateway.open()
  ;({ equipment, id } = await live.connectScripted())
  equipment.reply = ({ stream, function: fn }) => {
    const item = ANSWERS[`S${stream}F${fn}`]
    return item && { function: fn + 1, item }
  }
  await send(1, 11, {})
  await send(1, 23, {})
})

const send = async (stream: number, fn: number, data: object): Promise<unknown> =>
  live.gateway.messages.send(id, { stream, function: fn, data: { ...data } })
const define = (...VID: number[]) => send(2, 33, { DATAID: 1, REPORTS: [{ RPTID: 1, VID }] })
const arrived = async (stream: number, fn: number): Promise<number> =>
  (await live.gateway.messages.list({ equipment_id: id, stream, function: fn, limit: 1000 })).items.length

async function says(fn: number, item: Item): Promise<void> {
  const before = await arrived(6, fn)
  equipment.send(6, fn, item)
  await until(async () => (await arrived(6, fn)) > before)
}
const report = (...values: number[]) =>
  says(11, L(U4(0), U4(100), L(L(U4(1), L(...values.map((value) => F4(value)))))))

const history = (query: HistoryQuery = {}) => live.gateway.history.list(id, { order: 'asc', ...query })
const seen = ({ items }: { readonly items: readonly RecordedValue[] }) =>
  items.map(({ name, text, source }) => `${name} ${text} ${source}`)

test('values of a report belong to the variables that it had when it came, also after a restart', async () => {
  await report(1, 2)
  await define(10, 11)
  await report(3, 4)
  await define(11)
  await report(5)
  const expected = ['Pressure 3 report', 'Power 4 report', 'Power 5 report']
  expect(seen(await history())).toEqual(expected)
  expect(await history()).toMatchObject({ unread: 1, next_cursor: null })
  await live.reopen()
  expect(seen(await history())).toEqual(expected)
  expect(seen(await history({ id: ['power'], order: 'desc' }))).toEqual(['Power 5 report', 'Power 4 report'])
  expect(seen(await history({ id: ['Pow*'] }))).toEqual(['Power 4 report', 'Power 5 report'])
  const [value] = (await history({ id: ['10'] })).items
  expect(value).toMatchObject({
    ...{ id: '10', name: 'Pressure', unit: 'Pa', value: { F4: [3] }, text: '3' },
    ...{ source: 'report', event: 'Started', sampled_at: null },
  })
})

test('a message with a known and an unknown report is counted, and its known values are shown', async () => {
  await define(10)
  await says(11, L(U4(0), U4(100), L(L(U4(1), L(F4(1))), L(U4(2), L(F4(2))))))
  const read = await history()
  expect([seen(read), read.unread]).toEqual([['Pressure 1 report'], 1])
})

test('a reading has the variables that S1F3 named; of one that asked for all nothing is guessed', async () => {
  await send(1, 3, { SVID: [11, 10] })
  await send(1, 3, { SVID: [] })
  const { items, unread } = await history()
  expect(items.map(({ id, text, source }) => [id, text, source])).toEqual([['11', '1.5', 'reading']])
  expect(unread).toBe(1)
})

/** Reports that the journal has from earlier. */
const recorded = (at: string, fn: number, body: Uint8Array) => {
  const header = { sessionId: 0, stream: 6, function: fn, wait: false, systemBytes: 1, body }
  return live.journal.append(
    new RecordedMessage({ direction: 'received', equipmentId: id }, header).entry(at),
  )
}

test('from and to choose a time, of which the end is not part', async () => {
  await define(10)
  for (const minute of [1, 2, 3])
    await recorded(
      `2026-01-31T08:0${minute}:00.000Z`,
      11,
      encodeBody(L(U4(0), U4(100), L(L(U4(1), L(F4(minute)))))),
    )
  const texts = async (query: HistoryQuery) => (await history(query)).items.map(({ text }) => text)
  const [from, to] = ['2026-01-31T08:02:00Z', '2026-01-31T08:03:00Z']
  expect([await texts({ from }), await texts({ to }), await texts({ from, to })]).toEqual([
    ['2', '3'],
    ['1', '2'],
    ['2'],
  ])
})

test('what cannot be read is counted; a report without values is whole, an annotated one names its variables', async () => {
  const at = '2026-01-31T08:00:00.000Z'
  await recorded(at, 11, Uint8Array.of(0x41, 9))
  await recorded(at, 11, encodeBody(A('no list')))
  await recorded(at, 11, encodeBody(L(U4(0), U4(100), L(L(U4(9), L())))))
  await recorded(at, 13, encodeBody(L(U4(0), U4(999), L(L(U4(9), L(L(U4(11), F4(8))))))))
  const read = await history()
  expect([seen(read), read.unread]).toEqual([['Power 8 report'], 2])
  expect(read.items).toMatchObject([{ event: '999' }])
})

test.each([
  [['Gap'], ['22']],
  [['Lim*'], ['20', '21']],
  [
    ['?ap', '20'],
    ['20', '22'],
  ],
  [['77'], []],
])('%j stands for the variables and constants %j', async (given, ids) => {
  await send(2, 29, {})
  const values = [20, 21, 22].map((vid) => L(U4(vid), F4(vid)))
  await recorded('2026-01-31T08:00:00.000Z', 13, encodeBody(L(U4(0), U4(100), L(L(U4(9), L(...values))))))
  expect((await history({ id: given })).items.map(({ id: vid }) => vid)).toEqual(ids)
})

test.each([
  ['Limit', 'invalid_message'],
  ['7x', 'name_not_found'],
  ['x7', 'name_not_found'],
  ['Q*', 'name_not_found'],
])('the name %s is refused: %s', async (name, code) => {
  await send(2, 29, {})
  await expect(history({ id: [name] })).rejects.toMatchObject({
    code,
    extra: { errors: [{ pointer: 'id/0' }], next: [{ operation: 'listVariables', parameters: { id } }] },
  })
})

describe('samples of a trace', () => {
  const sample = (trid: number, number: number, stime: string, ...values: number[]) =>
    says(1, L(U4(trid), U4(number), A(stime), L(...values.map((value) => F4(value)))))
  const trace = (TRID: number, SVID: readonly number[]) =>
    send(2, 23, { TRID, DSPER: '00000200', TOTSMP: 9, REPGSZ: 2, SVID })

  test('belong to the S2F23 before them with the same TRID; earlier samples of a group are a period apart', async () => {
    await sample(1, 1, '20260131080000.00Z', 7)
    await trace(1, [10])
    await trace(2, [11, 10])
    await sample(1, 2, '2026-01-31T08:00:10Z', 1, 2)
    await sample(2, 1, '2026-01-31T08:00:11Z', 3, 4)
    await trace(1, [11])
    await sample(1, 1, '2026-01-31T08:00:12Z', 5)
    await sample(2, 2, '2026-01-31T08:00:13Z', 6)
    const expected = ['Pressure 1', 'Pressure 2', 'Power 3', 'Pressure 4', 'Power 5'].map(
      (one) => `${one} trace`,
    )
    const asc = await history()
    expect(seen(asc)).toEqual(expected)
    expect(asc.unread).toBe(2)
    expect(asc.items[0]?.sampled_at).toBe('2026-01-31T08:00:08.000Z')
    expect(asc.items[1]?.sampled_at).toBe('2026-01-31T08:00:10.000Z')
    expect(seen(await history({ order: 'desc' }))).toEqual(expected.toReversed())
  })

  test('belong to the trace before where its S2F23 was refused, or ended it', async () => {
    await trace(1, [10, 11])
    equipment.reply = ({ function: fn }) => ({ function: fn + 1, item: B(1) })
    await trace(1, [11, 10])
    equipment.reply = ({ function: fn }) => ({ function: fn + 1, item: B(0) })
    await send(2, 23, { TRID: 1, DSPER: '00000200', TOTSMP: 0, REPGSZ: 1, SVID: [11, 10] })
    await sample(1, 1, '2026-01-31T08:00:10Z', 1, 2, 3, 4)
    const { items } = await history()
    expect(items.map(({ name, text, sampled_at }) => [name, text, sampled_at?.slice(17, 19)])).toEqual([
      ['Pressure', '1', '08'],
      ['Power', '2', '08'],
      ['Pressure', '3', '10'],
      ['Power', '4', '10'],
    ])
  })

  test('of a trace that may have been started again before many others, nothing is guessed', async () => {
    await trace(1, [10])
    await sample(1, 1, '2026-01-31T08:00:10Z', 1)
    await trace(1, [11])
    for (let other = 0; other < 201; other++) await trace(7, [10])
    await sample(1, 1, '2026-01-31T08:00:12Z', 2)
    const read = await history()
    expect([seen(read), read.unread]).toEqual([['Pressure 1 trace'], 1])
  })
})

describe('pages', () => {
  test.each([
    ['asc', 3, 2],
    ['desc', 3, 2],
    ['asc', 2, 2],
    ['asc', 1, 2],
    ['asc', 4, 4],
  ] as const)('%s, %i at most: each value once, and no message is cut', async (order, limit, length) => {
    await define(10, 11)
    for (let at = 0; at < 7; at++) await report(at, at + 0.5)
    const whole = await history({ order })
    const read: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof history>> = await history({
        ...{ order, limit },
        ...(cursor !== null && { cursor }),
      })
      expect(page.items).toHaveLength(cursor !== null && length === 4 && read.length === 12 ? 2 : length)
      read.push(...seen(page))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(read).toEqual(seen(whole))
    expect(read).toHaveLength(14)
  })

  test('a call examines a bounded number of messages, and the next continues', async () => {
    const body = encodeBody(L(U4(0), U4(100), L()))
    const header = { sessionId: 0, stream: 6, function: 11, wait: false, systemBytes: 1, body }
    const empty = new RecordedMessage({ direction: 'received', equipmentId: id }, header).entry(
      '2026-01-31T08:00:00.000Z',
    )
    await define(10)
    await live.journal.appendAll(Array.from({ length: 5001 }, () => empty))
    equipment.send(6, 11, L(U4(0), U4(100), L(L(U4(1), L(F4(1))))))
    await until(async () => (await history({ order: 'desc' })).items.length > 0)
    const first = await history()
    expect(first.items).toEqual([])
    expect(seen(await history({ cursor: first.next_cursor ?? '' }))).toEqual(['Pressure 1 report'])
  })

  test('a cursor belongs to its equipment and its query', async () => {
    await define(10)
    await report(1)
    await report(2)
    const { next_cursor: cursor } = await history({ limit: 1 })
    await expect(history({ limit: 1, id: ['10'], cursor: cursor ?? '' })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })
})

test('a cursor to what retention has removed has expired, unlike one to the first entry that is kept', async () => {
  await define(10)
  await report(1)
  await report(2)
  await report(3)
  const { next_cursor } = await history({ limit: 1 })
  const cursor = next_cursor ?? ''
  const second = Number((await history()).items[1]?.message_id)
  const retainFrom = (value: number) =>
    Object.defineProperty(live.journal, 'first', { value, configurable: true })
  retainFrom(second)
  expect(seen(await history({ limit: 1, cursor }))).toEqual(['Pressure 2 report'])
  retainFrom(second + 1)
  await expect(history({ limit: 1, cursor })).rejects.toMatchObject({ code: 'cursor_expired' })
})

test('a name that the gateway does not know is an error, and the equipment is not asked', async () => {
  const before = equipment.received.length
  await expect(history({ id: ['10', 'Flow'] })).rejects.toMatchObject({
    code: 'name_not_found',
    extra: { errors: [{ pointer: 'id/1' }] },
  })
  expect(equipment.received).toHaveLength(before)
})
