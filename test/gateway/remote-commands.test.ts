import { expect, test } from 'vitest'
import { encodeBody } from '../../src/secs2/encode.js'
import { A, B, type Item, L } from '../../src/secs2/item.js'
import { LiveGateway } from '../support/live-gateway.js'

/** An equipment that answers S2F41 with `answer`. */
async function bench(answer: Item = L(B(0), L())) {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  equipment.reply = () => ({ function: 42, item: answer })
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
  expect(equipment.received[0]?.body).toEqual(encodeBody(L(A('STOP'), L())))
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

test('an answer that does not fit S2F42 is neither accepted nor refused', async () => {
  const { id, commands } = await bench(A('OK'))
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
