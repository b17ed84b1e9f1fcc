import { expect, test } from 'vitest'
import { A, B, BOOLEAN, type Item, itemsIn, L, U1, U4 } from '../../../src/secs2/item.js'
import { type Answers, answering } from './answering.js'

const VALUES: Readonly<Record<number, Item>> = { 106: U4(12), 107: A('2026013108000000'), 303: U4(5) }
const values = (asked: Item | undefined): Item =>
  L(...itemsIn(asked).map((id) => VALUES[Number((id as { value: number }).value)] ?? L()))

const ANSWERS: Answers = {
  S1F11: L(
    L(U4(105), A('Clock'), A('')),
    L(U4(106), A('SpoolCountActual'), A('')),
    L(U4(107), A('SPOOL_START_TIME'), A('')),
  ),
  S2F29: L(L(U4(303), A('MaxSpoolTransmit'), U4(0), U4(100), U4(0), A(''))),
  S1F3: values,
  S2F13: values,
  S2F59: L(L(U1(5), L(U1(1))), L(U1(6), L())),
  S2F43: L(B(0), L()),
  S6F23: B(0),
}
const without = (...names: string[]): Answers =>
  Object.fromEntries(Object.entries(ANSWERS).filter(([name]) => !names.includes(name)))

const COUNT = { id: '106', name: 'SpoolCountActual', unit: '', value: { U4: [12] }, text: '12' }
const CHOICE = { streams: [{ stream: 5, functions: [1] }, { stream: 6 }] }
const CHOSEN = [
  { stream: 5, functions: [1] },
  { stream: 6, functions: [] },
]

test('the values about the spool are found by their names, and the equipment says what it spools', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  const spool = await call.getSpool({ id })
  expect(spool.values).toEqual([
    COUNT,
    expect.objectContaining({ id: '107', name: 'SPOOL_START_TIME', text: '2026013108000000' }),
    expect.objectContaining({ id: '303', text: '5' }),
  ])
  expect(spool.spooled).toMatchObject({ streams: CHOSEN, known_from: 'equipment' })
  const names = (): string[] => asked().map((message) => message.split(' ')[0] ?? '')
  expect(names()).toEqual(['S1F11', 'S2F29', 'S1F3', 'S2F13', 'S2F59'])
  await call.getSpool({ id })
  expect(names().slice(5)).toEqual(['S1F3', 'S2F13', 'S2F59'])
})

test('equipment without names and without S2F59 says nothing of its spool', async () => {
  const { call, id } = await answering({})
  expect(await call.getSpool({ id })).toEqual({ values: [], spooled: null })
})

test('without S2F59 the last S2F43 that it accepted is shown, and none that it refused', async () => {
  let rspack = 0
  const { call, id } = await answering({ ...without('S2F59'), S2F43: () => L(B(rspack), L()) })
  const { message_id } = await call.setSpool({ id }, { body: CHOICE })
  rspack = 1
  await call.setSpool({ id }, { body: { streams: [] } })
  expect((await call.getSpool({ id })).spooled).toEqual({
    ...{ streams: CHOSEN, known_from: 'journal', message_id, at: expect.stringMatching(/Z$/) },
  })
})

test('S2F59 is not sent again to equipment that is known not to answer it', async () => {
  const { call, id, asked } = await answering(without('S2F59'))
  await call.getSpool({ id })
  await call.getSpool({ id })
  expect(asked().filter((message) => message.startsWith('S2F59'))).toHaveLength(2) // an abort may be of this time
  const { live, ...known } = await answering({ ...without('S2F59'), S1F1: L() })
  await known.call.getSpool({ id: known.id })
  await live.gateway.messages.send(known.id, { stream: 1, function: 1 })
  await known.call.getSpool({ id: known.id })
  expect(known.asked().filter((message) => message.startsWith('S2F59'))).toHaveLength(1)
})

test('what is asked of equipment that refuses its values fails', async () => {
  const { call, id } = await answering(without('S1F3'))
  await expect(call.getSpool({ id })).rejects.toMatchObject({ code: 'transaction_aborted' })
})

test('messages and whole streams are chosen, or none', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  expect(await call.setSpool({ id }, { body: CHOICE })).toMatchObject({
    ...{ accepted: true, rspack: 0, rspack_text: 'accepted', faults: [] },
  })
  await call.setSpool({ id }, { body: { streams: [] } })
  expect(asked()).toEqual([
    'S2F43 W <L [2] <L [2] <U1 5> <L [1] <U1 1> > > <L [2] <U1 6> <L [0]> > >.',
    'S2F43 W <L [0]>.',
  ])
})

test.each([
  [1, 'not allowed'],
  [2, 'no such stream'],
  [3, 'no such function'],
  [4, 'secondary'],
])('a refused choice names its streams: STRACK %i, %s', async (strack, text) => {
  const { call, id } = await answering({ ...ANSWERS, S2F43: L(B(1), L(L(U1(6), B(strack), L(U1(13))))) })
  expect(await call.setSpool({ id }, { body: CHOICE })).toMatchObject({
    ...{ accepted: false, rspack: 1, rspack_text: 'rejected' },
    faults: [{ stream: 6, functions: [13], strack, strack_text: expect.stringContaining(text) }],
  })
})

test.each([
  [0, true, 'accepted'],
  [1, false, 'busy'],
  [2, true, 'nothing is spooled'],
])('RSDA %i: accepted is %s', async (rsda, accepted, text) => {
  const { call, id, asked } = await answering({ ...ANSWERS, S6F23: B(rsda) })
  const said = { accepted, rsda, rsda_text: expect.stringContaining(text) }
  expect(await call.transmitSpool({ id })).toMatchObject(said)
  expect(await call.purgeSpool({ id })).toMatchObject(said)
  expect(asked()).toEqual(['S6F23 W <U1 0>.', 'S6F23 W <U1 1>.'])
})

test('a constant about the spool that is a truth value is shown as one', async () => {
  const { call, id } = await answering({
    ...ANSWERS,
    S2F29: L(L(U4(304), A('ConfigSpool'), A(''), A(''), A(''), A(''))),
    S2F13: L(BOOLEAN(true)),
  })
  expect((await call.getSpool({ id })).values.at(-1)).toMatchObject({ name: 'ConfigSpool', text: 'true' })
})
