import { expect, test } from 'vitest'
import { mheadOf, STREAM9_FUNCTIONS } from '../../src/gem/message-header.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { A, B, type Item, L, U4 } from '../../src/secs2/item.js'
import { LiveGateway } from '../support/live-gateway.js'
import type { ScriptedEquipment } from '../support/scripted-equipment.js'
import { until } from '../support/until.js'

const REPORT = L(U4(1), U4(2), L())
const ALARM = L(B(0x84), U4(7), A('Hot'))

/** Reports of so many values that their items are not made, and this one after them. */
const manyReports = (last: Item): Item =>
  L(U4(1), U4(2), L(L(U4(3), L(...Array.from({ length: 90_000 }, (_, at) => U4(at)))), last))

async function connected() {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  return { live, equipment, id }
}

/** What the equipment has heard once all that it sent has been looked at: answers keep their order. */
async function heard(equipment: ScriptedEquipment): Promise<string[]> {
  const systemBytes = equipment.send(1, 1)
  await until(() => equipment.received.some((message) => message.systemBytes === systemBytes))
  return equipment.received
    .filter((message) => message.systemBytes !== systemBytes)
    .map(({ stream, function: fn, systemBytes: of }) => `S${stream}F${fn} ${of}`)
}

test.each<[string, number, number, Item | undefined]>([
  ['an event', 6, 11, REPORT],
  ['an alarm', 5, 1, ALARM],
  ['a stream that nobody knows', 99, 1, undefined],
  ['a function that nobody knows', 1, 99, undefined],
  ['a body that does not fit', 6, 11, A('no report')],
])('rule 14 (E5): without W-bit %s gets no reply', async (_, stream, fn, item) => {
  const { equipment } = await connected()
  equipment.send(stream, fn, item, { wait: false })
  expect(await heard(equipment)).toEqual([])
})

test('rule 14 (E37): without W-bit a body that does not decode gets no reply', async () => {
  const { equipment } = await connected()
  equipment.send(6, 11, undefined, { wait: false, body: Uint8Array.of(0x01, 0x05) })
  expect(await heard(equipment)).toEqual([])
})

test.each(Object.values(STREAM9_FUNCTIONS))(
  'rule 15 (E5): S9F%i is never answered, with or without W-bit',
  async (fn) => {
    const { equipment } = await connected()
    const about = { sessionId: 0, stream: 1, function: 1, wait: true, systemBytes: 4_000_000 }
    for (const wait of [true, false]) equipment.send(9, fn, B(...mheadOf(about)), { wait })
    expect(await heard(equipment)).toEqual([])
  },
)

test('rule 15 (E37.1): what is for another device is recorded and not answered', async () => {
  const { live, equipment } = await connected()
  equipment.send(6, 11, REPORT, { sessionId: 77 })
  expect(await heard(equipment)).toEqual([])
  const { items } = await live.gateway.messages.list({ stream: 6 })
  expect(items).toMatchObject([{ function: 11, session_id: 77 }])
})

test.each([
  ['a stream that nobody knows', 99, 1, undefined],
  ['a function that nobody knows', 1, 99, undefined],
  ['a body that does not decode', 6, 11, Uint8Array.of(0x01, 0x05)],
  ['a body that does not fit', 6, 11, Uint8Array.of(0x41, 0x00)],
])('rule 15 (E5): a host answers %s with F0, not by stream 9', async (_, stream, fn, body) => {
  const { equipment } = await connected()
  const systemBytes = equipment.send(stream, fn, undefined, body && { body })
  expect(await heard(equipment)).toEqual([`S${stream}F0 ${systemBytes}`])
})

test.each([
  ['is acknowledged', 6, 11, encodeBody(manyReports(L(U4(4), L()))), 12],
  ['that does not fit is answered with F0', 6, 11, encodeBody(manyReports(L(U4(4)))), 0],
  ['that nobody knows is answered with F0', 6, 99, encodeBody(manyReports(L(U4(4), L()))), 0],
  ['that is cut short is answered with F0', 6, 11, encodeBody(manyReports(L(U4(4), L()))).subarray(0, -1), 0],
] as const)('a report of very many items %s', async (_, stream, fn, body, answer) => {
  const { equipment } = await connected()
  const systemBytes = equipment.send(stream, fn, undefined, { body })
  expect(await heard(equipment)).toEqual([`S${stream}F${answer} ${systemBytes}`])
})

test.each([1, 3, 5, 7, 11])('rule 13 (E5): S9F%i that is about our primary ends it', async (fn) => {
  const { live, equipment, id } = await connected()
  const sending = live.gateway.messages.send(id, { stream: 1, function: 3, data: {} })
  const primary = await equipment.next()
  equipment.send(9, fn, B(...mheadOf(primary)), { wait: false })
  await expect(sending).rejects.toMatchObject({ code: 'equipment_error' })
})

test.each([
  ['S9F9, whose header is that of the equipment’s own primary', 9, {}],
  ['S9F7 about another stream', 7, { stream: 6 }],
  ['S9F7 about another function', 7, { function: 11 }],
  ['S9F7 about other system bytes', 7, { systemBytes: 4_000_000 }],
] as const)('rule 13 (E5): %s leaves ours open', async (_, fn, other) => {
  const { live, equipment, id } = await connected()
  const sending = live.gateway.messages.send(id, { stream: 1, function: 3, data: {} })
  const primary = await equipment.next()
  equipment.send(9, fn, B(...mheadOf({ ...primary, ...other })), { wait: false })
  await until(async () => (await live.gateway.messages.list({ stream: 9 })).items.length === 1)
  equipment.answer(primary, { function: 4, item: L() })
  expect((await sending).result.message.outcome).toBe('replied')
})

test('rule 18 (E37): replies leave in the order in which the primaries came', async () => {
  const { equipment } = await connected()
  const kinds: readonly (() => number)[] = [
    () => equipment.send(6, 11, REPORT),
    () => equipment.send(5, 1, ALARM),
    () => equipment.send(99, 1),
    () => equipment.send(1, 13, L()),
    () => equipment.send(6, 11, undefined, { body: Uint8Array.of(0x01, 0x05) }),
    () => equipment.send(2, 17),
  ]
  const sent = Array.from({ length: 120 }, (_, at) => kinds[(at * 7) % kinds.length]?.())
  await until(() => equipment.received.length >= sent.length)
  expect(equipment.received.map(({ systemBytes }) => systemBytes)).toEqual(sent)
})

test('rule 18 (ours): a caller who never reads on does not hold up what comes in', async () => {
  const { live, equipment, id } = await connected()
  const unanswered = live.gateway.messages.send(id, { stream: 1, function: 3, data: {} })
  await equipment.next()
  const systemBytes = equipment.send(6, 11, REPORT)
  expect(await equipment.next()).toMatchObject({ stream: 6, function: 12, systemBytes })
  equipment.cut()
  await expect(unanswered).rejects.toMatchObject({ code: 'connection_lost' })
})
