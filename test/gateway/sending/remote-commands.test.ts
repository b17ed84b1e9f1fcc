import { expect, test } from 'vitest'
import { revived } from '../../../src/gateway/records/recorded-message.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, I1, type Item, L, U1, U2, U8 } from '../../../src/secs2/item.js'
import type { Entry } from '../../../src/store/entry.js'
import { ADA, callsOf, LiveGateway } from '../../support/live-gateway.js'

/** An equipment that answers S2F41 with `answer`: an item, the bytes of a body, or no body at all. */
async function bench(answer: Item | Uint8Array | null = L(B(0), L())) {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  const body = answer instanceof Uint8Array ? { body: answer } : answer && { item: answer }
  equipment.reply = () => ({ function: 42, ...body })
  return { live, equipment, id, commands: live.gateway.commands }
}

test('a command is S2F41, and its answer is reported in words', async () => {
  const { live, equipment, id, commands } = await bench()
  const { result } = await commands.send(id, { command: 'START', parameters: { LOTID: 'L1', SLOTS: 25 } })
  const [message] = equipment.received
  expect(message).toMatchObject({ stream: 2, function: 41, wait: true })
  expect((await live.gateway.messages.get(result.message_id)).body).toEqual({
    L: [{ A: 'START' }, { L: [{ L: [{ A: 'LOTID' }, { A: 'L1' }] }, { L: [{ A: 'SLOTS' }, { U4: [25] }] }] }],
  })
  expect(result).toEqual({
    command: 'START',
    accepted: true,
    hcack: 0,
    hcack_text: expect.stringMatching(/./),
    cmda: null,
    cmda_text: null,
    parameters: [],
    sent_by: null,
    message_id: expect.any(String),
    reply_id: expect.any(String),
    event: null,
  })
})

test('who sent a command is in its result and its message, also after a restart', async () => {
  const { live, id } = await bench()
  const sentBy = 'ada@fab.example'
  const { result } = await live.gateway.commands.send(id, { command: 'START' }, { sentBy })
  expect(result.sent_by).toBe(sentBy)
  const { message_id, reply_id } = result
  const stored = await live.journal.get(Number(message_id))
  expect(
    revived({ ...(stored as Entry), data: JSON.parse(JSON.stringify(stored?.data)) }).data,
  ).toMatchObject({ sentBy })
  expect((await live.gateway.messages.get(message_id)).sent_by).toBe(sentBy)
  expect((await live.gateway.messages.get(reply_id ?? '')).sent_by).toBeNull()
  // The answer is not that of S1F17: how the call ends does not matter here.
  await expect(callsOf(live.gateway).goOnline({ id })).rejects.toThrow()
  const [online] = (await live.gateway.messages.list({ stream: 1, function: 17 })).items
  expect(online?.sent_by).toBe(ADA.email)
})

test('without parameters its list is empty', async () => {
  const { equipment, id, commands } = await bench()
  await commands.send(id, { command: 'STOP' })
  expect(Buffer.from(equipment.received[0]?.body ?? [])).toEqual(encodeBody(L(A('STOP'), L())))
})

test.each([
  { hcack: 0, accepted: true },
  { hcack: 1, accepted: false },
  { hcack: 4, accepted: true },
  { hcack: 5, accepted: false },
])('HCACK $hcack is told, accepted: $accepted', async ({ hcack, accepted }) => {
  const { id, commands } = await bench(L(B(hcack), L()))
  expect((await commands.send(id, { command: 'START' })).result).toMatchObject({ accepted, hcack })
})

test('a refusal names the parameters that were at fault', async () => {
  const { id, commands } = await bench(L(B(3), L(L(A('LOTID'), B(1)), L(A('SLOTS'), B(2)))))
  expect((await commands.send(id, { command: 'START', parameters: { LOTID: '?' } })).result).toMatchObject({
    accepted: false,
    hcack: 3,
    parameters: [
      { name: 'LOTID', cpack: 1, cpack_text: expect.stringMatching(/./) },
      { name: 'SLOTS', cpack: 2, cpack_text: expect.stringMatching(/./) },
    ],
  })
})

test.each<[string, Item, object]>([
  ['of another integer format', L(U1(4), L()), { accepted: true, hcack: 4 }],
  ['of eight bytes', L(U8(2n), L()), { accepted: false, hcack: 2 }],
  ['alone in its list', L(B(0)), { accepted: true, hcack: 0 }],
  ['beside what does not fit', L(B(3), A('LOTID')), { accepted: false, hcack: 3, parameters: [] }],
])('an HCACK %s is read', async (_, answer, result) => {
  const { id, commands } = await bench(answer)
  expect((await commands.send(id, { command: 'START' })).result).toMatchObject(result)
})

test.each<[string, Item | Uint8Array | null]>([
  ['that is no SECS-II', Uint8Array.of(1, 2, 3)],
  ['without a body', null],
  ['that does not fit S2F42', A('OK')],
  ['whose HCACK has no value', L(B(), L())],
  ['whose HCACK is beyond a byte', L(U2(300), L())],
  ['whose HCACK is below zero', L(I1(-1), L())],
])('an answer %s is neither accepted nor refused', async (_, answer) => {
  const { id, commands } = await bench(answer)
  expect((await commands.send(id, { command: 'START' })).result).toMatchObject({
    accepted: false,
    hcack: null,
    hcack_text: null,
    parameters: [],
  })
})

test('a parameter that cannot be sent is named as the caller gave it', async () => {
  const { equipment, id, commands } = await bench()
  await expect(
    commands.send(id, { command: 'START', parameters: { LOTID: { U1: [300] } } }),
  ).rejects.toMatchObject({
    code: 'invalid_message',
    extra: { errors: [{ pointer: '/parameters/LOTID' }] },
  })
  await expect(commands.send(id, { command: '開始' })).rejects.toMatchObject({
    code: 'invalid_message',
    extra: { errors: [{ pointer: '/command' }] },
  })
  expect(equipment.received).toEqual([])
})

test('a command that no caller waits for is reported as sent, and its answer is recorded', async () => {
  const { live, equipment, id, commands } = await bench()
  equipment.reply = () => undefined
  const { result, waited } = await commands.send(id, { command: 'START', wait_for_reply: false })
  expect(waited).toBe(false)
  expect(result).toEqual({
    command: 'START',
    accepted: null,
    hcack: null,
    hcack_text: null,
    cmda: null,
    cmda_text: null,
    parameters: [],
    sent_by: null,
    message_id: expect.any(String),
    reply_id: null,
    event: null,
  })
  const sent = await equipment.next()
  expect(sent).toMatchObject({ stream: 2, function: 41, wait: true })
  expect((await live.gateway.messages.get(result.message_id)).outcome).toBe('pending')
  equipment.answer(sent, { function: 42, item: L(B(2), L()) })
  await live.event(({ data }) => data['message_id'] === result.message_id)
  const { reply_id, outcome } = await live.gateway.messages.get(result.message_id)
  expect(outcome).toBe('replied')
  expect((await live.gateway.messages.get(reply_id ?? '')).data).toMatchObject({ HCACK: '2' })
})

/** What was sent, as typed items. */
const bodyOf = async (live: LiveGateway, id: string) => (await live.gateway.messages.get(id)).body

test('a command about an object is S2F49, with values that may be lists of values', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  equipment.reply = () => ({ function: 50, item: L(B(3), L(L(A('SLOTS'), L(B(0), U1(2))))) })
  const parameters = { PORT: 1, SLOTS: { '1': 'W1', '2': { U2: [7] } }, ROWS: ['a', 2] }
  const { result } = await live.gateway.commands.send(id, { command: 'LOAD', object: 'LP1', parameters })
  expect(equipment.received.at(-1)).toMatchObject({ stream: 2, function: 49, wait: true })
  expect(await bodyOf(live, result.message_id)).toEqual({
    L: [
      { U4: [0] },
      { A: 'LP1' },
      { A: 'LOAD' },
      {
        L: [
          { L: [{ A: 'PORT' }, { U4: [1] }] },
          {
            L: [{ A: 'SLOTS' }, { L: [{ L: [{ A: '1' }, { A: 'W1' }] }, { L: [{ A: '2' }, { U2: [7] }] }] }],
          },
          { L: [{ A: 'ROWS' }, { L: [{ A: 'a' }, { U4: [2] }] }] },
        ],
      },
    ],
  })
  expect(result).toMatchObject({
    accepted: false,
    hcack: 3,
    parameters: [{ name: 'SLOTS', cpack: 2, cpack_text: 'illegal value' }],
  })
})

test('a remote command of the old style is S2F21, and CMDA its answer', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  equipment.reply = () => ({ function: 22, item: B(2) })
  const { result } = await live.gateway.commands.send(id, { command: 'STOP', style: 'remote' })
  expect(await bodyOf(live, result.message_id)).toEqual({ A: 'STOP' })
  expect(result).toMatchObject({
    accepted: false,
    hcack: null,
    hcack_text: null,
    cmda: 2,
    cmda_text: 'cannot perform now',
  })
})

test.each([
  [{ command: 'STOP', style: 'remote', parameters: { A: 1 } }, '/parameters'],
  [{ command: 'STOP', style: 'host', object: 'LP1' }, '/object'],
] as const)('%j has no place for %s', async (command, pointer) => {
  const { equipment, id, commands } = await bench()
  await expect(commands.send(id, command)).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer }] },
  })
  expect(equipment.received).toEqual([])
})

test('the parameters at fault are told also where HCACK is of another format', async () => {
  const { id, commands } = await bench(L(U1(3), L(L(A('LOTID'), U1(1)))))
  expect((await commands.send(id, { command: 'START' })).result).toMatchObject({
    hcack: 3,
    parameters: [{ name: 'LOTID', cpack: 1 }],
  })
})
