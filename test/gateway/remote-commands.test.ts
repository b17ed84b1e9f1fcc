import { expect, test } from 'vitest'
import { encodeBody } from '../../src/secs2/encode.js'
import { A, B, I1, type Item, L, U1, U2, U8 } from '../../src/secs2/item.js'
import { LiveGateway } from '../support/live-gateway.js'

/** An equipment that answers S2F41 with `answer`: an item, the bytes of a body, or no body at all. */
async function bench(answer: Item | Uint8Array | null = L(B(0), L())) {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  const body = answer instanceof Uint8Array ? { body: answer } : answer && { item: answer }
  equipment.reply = () => ({ function: 42, ...body })
  return { live, equipment, id, commands: live.gateway.commands }
}

test('a command is S2F41, and its answer is told in words', async () => {
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
    parameters: [],
    message_id: expect.any(String),
    reply_id: expect.any(String),
  })
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
