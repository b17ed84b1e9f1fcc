import { describe, expect, test } from 'vitest'
import type { NewEquipment } from '../../src/contract/equipment.js'
import type { Message, NewMessage } from '../../src/contract/topics/messages.js'
import { mheadOf } from '../../src/gem/message-header.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { A, B, F8, I8, type Item, L, U2, U4, U8 } from '../../src/secs2/item.js'
import { LiveGateway } from '../support/live-gateway.js'
import type { ScriptedEquipment } from '../support/scripted-equipment.js'
import { until } from '../support/until.js'
import { hexOf } from '../support/vectors.js'

interface Bench {
  readonly live: LiveGateway
  readonly equipment: ScriptedEquipment
  readonly id: string
  send(message: NewMessage): Promise<Message>
  /** The body that reached the equipment last, in hex. */
  lastBody(): string
}

/** An equipment that acknowledges every primary with a header-only reply. */
async function bench(given: Partial<NewEquipment> = {}): Promise<Bench> {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted(given)
  equipment.reply = ({ wait, function: fn }) => (wait ? { function: fn + 1 } : undefined)
  return {
    live,
    equipment,
    id,
    send: async (message) => (await live.gateway.messages.send(id, message)).result.message,
    lastBody: () => hexOf(equipment.received.at(-1)?.body ?? Uint8Array.of(0xff)),
  }
}

const bytesOf = (item: Item): string => hexOf(encodeBody(item))
const S2F41 = { stream: 2, function: 41 }
const START = L(A('START'), L(L(A('LOTID'), A('L1'))))

describe('a body', () => {
  test('is the same bytes as named data, as typed items and as SML', async () => {
    const { send, lastBody } = await bench()
    const forms: NewMessage[] = [
      { ...S2F41, data: { RCMD: 'START', CPNAME: 'LOTID', CPVAL: 'L1' } },
      { ...S2F41, data: { RCMD: 'START', PARAMS: [{ CPNAME: 'LOTID', CPVAL: 'L1' }] } },
      { ...S2F41, body: { L: [{ A: 'START' }, { L: [{ L: [{ A: 'LOTID' }, { A: 'L1' }] }] }] } },
      { sml: 'S2F41 W <L <A "START"> <L <L <A "LOTID"> <A "L1">>>>.' },
    ]
    for (const form of forms) {
      await send(form)
      expect(lastBody()).toBe(bytesOf(START))
    }
  })

  test('is none, or an empty list, when nothing is given and the message allows it', async () => {
    const { send, lastBody } = await bench()
    await send({ stream: 1, function: 1 })
    expect(lastBody()).toBe('')
    await send({ stream: 1, function: 3, data: {} })
    expect(lastBody()).toBe('0100')
    await send({ stream: 1, function: 1, data: {} })
    expect(lastBody()).toBe('')
  })

  test('follows the formats of the equipment, from the moment they are changed', async () => {
    const { live, id, send, lastBody } = await bench({ item_formats: { SVID: 'U2' } })
    await send({ stream: 1, function: 3, data: { SVID: ['1', '2'] } })
    expect(lastBody()).toBe(bytesOf(L(U2(1), U2(2))))
    await live.gateway.equipment.update(id, { item_formats: {} })
    await send({ stream: 1, function: 3, data: { SVID: ['1', '2'] } })
    expect(lastBody()).toBe(bytesOf(L(U4(1), U4(2))))
  })

  test.each(['gb18030', 'shift_jis'])('of text in %s is readable in all its views', async (encoding) => {
    const { send, lastBody } = await bench({ text_encoding: encoding })
    const sent = await send({ stream: 10, function: 3, data: { TID: '0', TEXT: '開始' } })
    expect(sent).toMatchObject({ data: { TEXT: '開始' }, body: { L: [{ B: [0] }, { A: '開始' }] } })
    expect(sent.sml).toContain('開始')
    const named = lastBody()
    await send({ stream: 10, function: 3, body: { L: [{ B: [0] }, { A: '開始' }] } })
    expect(lastBody()).toBe(named)
    await send({ sml: sent.sml ?? '' })
    expect(lastBody()).toBe(named)
  })

  test('keeps integers beyond 2^53 and NaN exact, there and back', async () => {
    const { send, lastBody } = await bench()
    const body = { L: [{ U8: ['18446744073709551615'] }, { I8: ['-9223372036854775808'] }, { F8: ['NaN'] }] }
    const sent = await send({ stream: 2, function: 25, body })
    expect(lastBody()).toBe(bytesOf(L(U8(2n ** 64n - 1n), I8(-(2n ** 63n)), F8(Number.NaN))))
    expect(sent.body).toEqual(body)
  })

  test('that is no SECS-II is kept as its bytes, with what is wrong with it', async () => {
    const { live, equipment, id } = await bench()
    equipment.send(6, 11, undefined, { body: Uint8Array.of(0x01, 0x02, 0x41) })
    const { data } = await live.event(({ name, data }) => name === 'message_received' && data['stream'] === 6)
    const kept = await live.gateway.messages.get(String(data['id']))
    expect(kept).toMatchObject({ equipment_id: id, body: null, data: null, sml: null, raw: '010241' })
    expect(kept.decode_error).toMatch(/./)
  })
})

describe('a message is refused, naming what does not fit,', () => {
  const refusals: { why: string; message: NewMessage; code: string; pointers: string[] }[] = [
    {
      why: 'with an unknown item',
      message: { ...S2F41, data: { RCMD: 'GO', FOO: '1' } },
      code: 'invalid_message',
      pointers: ['/data/FOO'],
    },
    {
      why: 'with an item missing',
      message: { ...S2F41, data: { CPNAME: 'A', CPVAL: 'B' } },
      code: 'invalid_message',
      pointers: ['/data/RCMD'],
    },
    {
      why: 'with a value that does not fit',
      message: { stream: 1, function: 3, data: { SVID: ['1', 'x'] } },
      code: 'invalid_message',
      pointers: ['/data/SVID/1'],
    },
    {
      why: 'with several faults, all at once',
      message: { stream: 10, function: 3, data: { TID: '300', BAR: '1' } },
      code: 'invalid_message',
      pointers: ['/data/BAR', '/data/TID', '/data/TEXT'],
    },
    {
      why: 'with named data the catalogue cannot know',
      message: { stream: 99, function: 1, data: { 'A:U4': 'x' } },
      code: 'invalid_message',
      pointers: ['/data/A:U4'],
    },
    {
      why: 'with a body that no message has room for',
      message: { stream: 2, function: 25, data: { ABS: `0x${'00'.repeat(16 * 1024 * 1024 - 10 - 3)}` } },
      code: 'invalid_message',
      pointers: ['/data'],
    },
    {
      why: 'with a typed item that is none',
      message: { stream: 2, function: 25, body: { L: [{ U1: [256] }] } },
      code: 'invalid_message',
      pointers: ['/body/L/0/U1/0'],
    },
    {
      why: 'with SML that is none',
      message: { sml: 'S1F1 W <L' },
      code: 'invalid_message',
      pointers: ['/sml'],
    },
    {
      why: 'with SML of another function',
      message: { stream: 1, function: 3, sml: 'S1F1 W.' },
      code: 'invalid_message',
      pointers: ['/function'],
    },
    {
      why: 'with two messages in one SML',
      message: { sml: 'S1F1 W. S1F1 W.' },
      code: 'invalid_message',
      pointers: ['/sml'],
    },
    {
      why: 'that is a reply',
      message: { stream: 1, function: 2 },
      code: 'invalid_message',
      pointers: ['/function'],
    },
    {
      why: 'with two forms of a body',
      message: { ...S2F41, body: { L: [] }, sml: 'S2F41.' },
      code: 'invalid_request',
      pointers: ['/body', '/sml'],
    },
    {
      why: 'without stream and function',
      message: { data: {} },
      code: 'invalid_request',
      pointers: ['/stream', '/function'],
    },
  ]

  test.each(refusals)('$why', async ({ message, code, pointers }) => {
    const live = await LiveGateway.open()
    const { id } = await live.add({ port: 1 })
    const refused = live.gateway.messages.send(id, message)
    await expect(refused).rejects.toMatchObject({
      code,
      extra: { errors: pointers.map((pointer) => expect.objectContaining({ pointer })) },
    })
    expect((await live.gateway.messages.list({})).items).toEqual([])
  })

  test('with text that the encoding of the equipment cannot write', async () => {
    const live = await LiveGateway.open()
    const { id } = await live.add({ port: 1 })
    const refused = live.gateway.messages.send(id, {
      stream: 10,
      function: 3,
      data: { TID: '0', TEXT: '開始' },
    })
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_message',
      extra: { errors: [{ pointer: '/data/TEXT', detail: expect.stringContaining('U+958B') }] },
    })
  })
})

describe('the W-bit', () => {
  const cases = [
    { rule: 'is set where a reply is required', message: { stream: 1, function: 1 }, w: true, waited: true },
    {
      rule: 'is set also for one who does not wait',
      message: { stream: 1, function: 1, wait_for_reply: false },
      w: true,
      waited: false,
    },
    {
      rule: 'is set by who waits where the reply is optional',
      message: { stream: 2, function: 21, data: { RCMD: 'X' } },
      w: true,
      waited: true,
    },
    {
      rule: 'is left out by who does not wait where the reply is optional',
      message: { stream: 2, function: 21, data: { RCMD: 'X' }, wait_for_reply: false },
      w: false,
      waited: false,
    },
    {
      rule: 'is what the caller says of an unknown message',
      message: { stream: 99, function: 1 },
      w: true,
      waited: true,
    },
    {
      rule: 'is left out of an unknown message nobody waits for',
      message: { stream: 99, function: 1, wait_for_reply: false },
      w: false,
      waited: false,
    },
    {
      rule: 'is never set where none is allowed',
      message: { sml: 'S9F5 W <B 0x00>.' },
      w: false,
      waited: false,
    },
    { rule: 'follows the SML of an unknown message', message: { sml: 'S99F1.' }, w: false, waited: false },
    {
      rule: 'follows the catalogue where the SML leaves it out',
      message: { sml: 'S1F1.' },
      w: true,
      waited: true,
    },
  ]

  test.each(cases)('$rule', async ({ message, w, waited }) => {
    const { live, equipment, id } = await bench()
    const exchange = await live.gateway.messages.send(id, message)
    expect(exchange.waited).toBe(waited)
    expect(exchange.result.message.w_bit).toBe(w)
    expect((await equipment.next()).wait).toBe(w)
    if (!w) expect(exchange.result).toMatchObject({ message: { outcome: 'not_expected' }, reply: null })
  })
})

test('no caller waits for a reply that is recorded when it comes', async () => {
  const { live, equipment, id } = await bench()
  equipment.reply = () => undefined
  const sent = await live.gateway.messages.send(id, { stream: 1, function: 1, wait_for_reply: false })
  expect(sent).toMatchObject({ waited: false, result: { message: { outcome: 'pending' }, reply: null } })
  equipment.answer(await equipment.next(), { function: 2, item: L() })
  const ended = await live.event(
    ({ name, data }) => name === 'message_ended' && data['message_id'] === sent.result.message.id,
  )
  const { outcome, reply_id } = await live.gateway.messages.get(sent.result.message.id)
  expect({ outcome, reply_id }).toEqual({ outcome: 'replied', reply_id: ended.data['reply_id'] })
})

test('messages are found by direction, stream, function and equipment, page by page', async () => {
  const { live, id, send } = await bench()
  for (let at = 0; at < 3; at++) await send({ stream: 1, function: 1 })
  await send({ stream: 2, function: 17 })
  const { messages } = live.gateway
  const found = await messages.list({ equipment_id: id, direction: 'sent', stream: 1, function: 1, limit: 2 })
  expect(found.items).toHaveLength(2)
  const rest = await messages.list({
    equipment_id: id,
    direction: 'sent',
    stream: 1,
    function: 1,
    limit: 2,
    cursor: found.next_cursor ?? '',
  })
  expect(rest.items).toHaveLength(1)
  expect(rest.next_cursor).toBeNull()
  expect(
    (await messages.list({ direction: 'received', stream: 2 })).items.map(({ function: fn }) => fn),
  ).toEqual([18])
  expect((await messages.list({ equipment_id: 'eq_other' })).items).toEqual([])
  await expect(messages.get('999')).rejects.toMatchObject({ code: 'message_not_found' })
})

describe('the header in a message of stream 9', () => {
  test.each([
    { fn: 7, sent: { stream: 2, function: 25 } },
    { fn: 9, sent: undefined },
  ])('is read, and leads to the message that S9F$fn is about', async ({ fn, sent }) => {
    const { live, equipment, id } = await bench()
    const { messages } = live.gateway
    const list = async (query: object) => (await messages.list({ equipment_id: id, ...query })).items
    const primary = sent
      ? (await messages.send(id, { ...sent, data: { ABS: '7' }, wait_for_reply: false })).result.message
      : undefined
    if (!primary) equipment.send(6, 11, L(U4(1), U4(2), L()), { wait: false })
    await until(async () => (await list({ stream: sent?.stream ?? 6 })).length > 0)
    const about = primary ?? (await list({ stream: 6, function: 11 }))[0]
    if (!about) throw new Error('nothing to report')
    const { session_id: sessionId, w_bit: wait, system_bytes: systemBytes, stream, function: f } = about
    for (const system of [systemBytes, 999]) {
      const header = { sessionId, stream, function: f, wait, systemBytes: system }
      equipment.send(9, fn, B(...mheadOf(header)), { wait: false })
    }
    await until(async () => (await list({ stream: 9 })).length === 2)
    const reports = await Promise.all(
      (await list({ stream: 9, order: 'asc' })).map((one) => messages.get(one.id)),
    )
    const known = { device_id: 0, session_id: 0, stream, function: f, w_bit: wait }
    expect(reports.map((report) => report.about)).toEqual([
      { ...known, system_bytes: systemBytes, message_id: about.id },
      { ...known, system_bytes: 999, message_id: null },
    ])
    expect((await messages.get(about.id)).about).toBeUndefined()
  })

  test('about a primary without W-bit is shown with that primary', async () => {
    const { live, equipment, id } = await bench()
    const { messages } = live.gateway
    const sent = async () =>
      (
        await messages.send(id, {
          stream: 10,
          function: 3,
          data: { TID: '0', TEXT: 'Hi' },
          wait_for_reply: false,
        })
      ).result.message
    const [other, refused] = [await sent(), await sent()]
    const { session_id: sessionId, w_bit: wait, system_bytes: systemBytes, stream, function: f } = refused
    equipment.send(9, 7, B(...mheadOf({ sessionId, stream, function: f, wait, systemBytes })), {
      wait: false,
    })
    const list = async () => (await messages.list({ equipment_id: id, stream: 9 })).items
    await until(async () => (await list()).length === 1)
    const [report] = await list()
    expect(wait).toBe(false)
    expect(await messages.get(refused.id)).toMatchObject({
      ...{ outcome: 'not_expected', s9: 'S9F7', reply_id: report?.id },
    })
    expect((await messages.get(other.id)).s9).toBeUndefined()
  })
})
