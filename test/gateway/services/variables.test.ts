import { expect, test } from 'vitest'
import { mheadOf } from '../../../src/gem/message-header.js'
import { A, B, F4, type Item, itemsIn, L, U1, U4 } from '../../../src/secs2/item.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'
import { type Answers, answering } from './answering.js'

const STATUS = L(
  L(U4(1001), A('ChamberPressure'), A('mtorr')),
  L(U4(1002), A('ControlState'), A('')),
  L(U4(1004), A('AlarmsSet'), A('')),
)
const DATA = L(L(U4(1101), A('LotID'), A('')))
const VALUES: Readonly<Record<number, Item>> = { 1001: F4(12.5), 1002: U1(5), 1004: L() }

const ANSWERS: Answers = {
  S1F11: STATUS,
  S1F21: DATA,
  S1F3: (asked) => L(...itemsIn(asked).map((id) => VALUES[Number((id as { value: number }).value)] ?? L())),
}

test('status variables are listed by S1F11, data variables by S1F21', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  expect(await call.listVariables({ id })).toEqual({
    items: [
      { id: '1001', name: 'ChamberPressure', unit: 'mtorr', kind: 'status' },
      { id: '1002', name: 'ControlState', unit: '', kind: 'status' },
      { id: '1004', name: 'AlarmsSet', unit: '', kind: 'status' },
    ],
    next_cursor: null,
  })
  expect((await call.listVariables({ id }, { query: { kind: 'data' } })).items).toEqual([
    { id: '1101', name: 'LotID', unit: '', kind: 'data' },
  ])
  expect(asked()).toEqual(['S1F11 W <L [0]>.', 'S1F21 W <L [0]>.'])
  const known = async (kind?: 'data') => {
    const { items } = await call.listVariables({ id }, { query: { known: true, ...(kind && { kind }) } })
    return items.map((variable) => [variable.id, variable.name, variable.kind])
  }
  expect(await known()).toEqual([
    ['1001', 'ChamberPressure', 'status'],
    ['1002', 'ControlState', 'status'],
    ['1004', 'AlarmsSet', 'status'],
  ])
  expect(await known('data')).toEqual([['1101', 'LotID', 'data']])
  expect(asked()).toHaveLength(2)
})

test('a value has its format, its name, its unit, and words for people', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  await call.listVariables({ id })
  expect((await call.readVariables({ id }, { query: { id: ['1001', '1004'] } })).items).toEqual([
    { id: '1001', name: 'ChamberPressure', unit: 'mtorr', value: { F4: [12.5] }, text: '12.5' },
    { id: '1004', name: 'AlarmsSet', unit: '', value: { L: [] }, text: '[]' },
  ])
  expect(asked().at(-1)).toBe('S1F3 W <L [2] <U4 1001> <U4 1004> >.')
})

test('a name that is not known is asked for once, and need not be spelled as the equipment does', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  const read = (name: string) => call.readVariables({ id }, { query: { id: [name] } })
  expect((await read('CONTROL_STATE')).items).toMatchObject([{ id: '1002', text: '5' }])
  expect((await read('Chamber Pressure')).items).toMatchObject([{ id: '1001', text: '12.5' }])
  expect(asked()).toEqual(['S1F11 W <L [0]>.', 'S1F3 W <L [1] <U4 1002> >.', 'S1F3 W <L [1] <U4 1001> >.'])
})

test('equipment without status variables is not asked for values: an empty list would mean all', async () => {
  const { call, id, asked } = await answering({ ...ANSWERS, S1F11: L() })
  expect((await call.readVariables({ id })).items).toEqual([])
  expect(asked()).toEqual(['S1F11 W <L [0]>.'])
})

test('without ids all status variables are read', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  const { items } = await call.readVariables({ id })
  expect(items.map(({ name, text }) => [name, text])).toEqual([
    ['ChamberPressure', '12.5'],
    ['ControlState', '5'],
    ['AlarmsSet', '[]'],
  ])
  expect(asked()).toEqual(['S1F11 W <L [0]>.', 'S1F3 W <L [3] <U4 1001> <U4 1002> <U4 1004> >.'])
})

test('an id that the equipment does not have has no value', async () => {
  const { call, id } = await answering(ANSWERS)
  expect((await call.readVariables({ id }, { query: { id: ['9999'] } })).items).toEqual([
    { id: '9999', name: null, unit: null, value: null, text: '' },
  ])
})

test('a name that the equipment does not have is refused, and says where names are listed', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  await expect(call.readVariables({ id }, { query: { id: ['1001', 'Colour'] } })).rejects.toMatchObject({
    code: 'name_not_found',
    status: 404,
    message: 'etcher has no variable named Colour.',
    extra: {
      errors: [{ pointer: 'id/1' }],
      next: [{ operation: 'listVariables', parameters: { id } }],
    },
  })
  expect(asked()).toEqual(['S1F11 W <L [0]>.', 'S1F21 W <L [0]>.'])
})

test('a name that several have is refused with all that it may mean', async () => {
  const twins = L(...[1001, 1002].map((svid) => L(U4(svid), A('Pressure'), A(''))))
  const { call, id } = await answering({ ...ANSWERS, S1F11: twins })
  await expect(call.readVariables({ id }, { query: { id: ['Pressure'] } })).rejects.toMatchObject({
    code: 'invalid_message',
    message: expect.stringMatching(/^etcher has several of the name Pressure: 1001, 1002\./),
  })
})

test('a data variable is refused: it has a value within reports alone', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  await expect(call.readVariables({ id }, { query: { id: ['LotID'] } })).rejects.toMatchObject({
    code: 'invalid_message',
    message: expect.stringContaining('LotID (VID 1101) is a data variable'),
    extra: { next: [{ operation: 'requestEventReport', parameters: { id } }] },
  })
  expect(asked().some((message) => message.startsWith('S1F3'))).toBe(false)
})

test('values that are not as many as were asked for are not told for one another', async () => {
  const { call, id } = await answering({ ...ANSWERS, S1F3: L(F4(1), F4(2)) })
  await expect(call.readVariables({ id }, { query: { id: ['1001'] } })).rejects.toMatchObject({
    code: 'equipment_error',
    message: expect.stringContaining('for 1 ids with 2 values'),
    extra: { message_id: expect.any(String), reply_id: expect.any(String) },
  })
})

test('a reply without its structure is an error of the equipment, which names the recorded messages', async () => {
  const { live, call, id } = await answering({ S1F11: A('no list') })
  const failure = await call.listVariables({ id }).catch((error) => error)
  expect(failure).toMatchObject({ code: 'equipment_error', message: expect.stringContaining('S1F12') })
  expect((await live.gateway.messages.get(failure.extra.reply_id)).sml).toContain('no list')
})

test('equipment that aborts is reported as for any message', async () => {
  const { call, id } = await answering({})
  await expect(call.listVariables({ id })).rejects.toMatchObject({
    code: 'transaction_aborted',
    extra: { message_id: expect.any(String) },
  })
})

const OLD = /S1F5.*manual.*secsctl send etcher S1F5 SFCD=1/

test('equipment that does not know S1F3 or S1F11 is not guessed at: the problem has the command that asks in the old form', async () => {
  const { live, call, id } = await answering({ S1F1: L() })
  await live.gateway.messages.send(id, { stream: 1, function: 1 }) // it is online
  const one = call.readVariables({ id }, { query: { id: ['1001'] } })
  await expect(one).rejects.toMatchObject({
    code: 'transaction_aborted',
    message: expect.stringMatching(OLD),
  })
  await expect(call.readVariables({ id })).rejects.toThrow(OLD)
})

test.each([
  [5, true],
  [7, false],
])('an S9F%i about S1F3 has that command: %s', async (fn, hasCommand) => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted({ name: 'etcher', gem_startup: false })
  equipment.reply = ({ stream, function: f, wait, systemBytes }) => {
    const header = { sessionId: 0, stream, function: f, wait, systemBytes }
    equipment.send(9, fn, B(...mheadOf(header)), { wait: false })
    return undefined
  }
  const read = callsOf(live.gateway).readVariables({ id }, { query: { id: ['1001'] } })
  const error = await read.catch((problem: Error) => problem.message)
  expect([error, OLD.test(String(error))]).toEqual([expect.stringContaining(`S9F${fn}`), hasCommand])
})

test('equipment that may be offline is asked to go online first', async () => {
  const { call, id } = await answering({})
  const read = call.readVariables({ id }, { query: { id: ['1001'] } })
  await expect(read).rejects.toThrow(/go online/)
  await expect(read).rejects.not.toThrow(OLD)
})

test('a name is not said to be missing where the equipment refuses the list of names', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted({ name: 'etcher', gem_startup: false })
  equipment.reply = ({ stream, function: f, wait, systemBytes }) => {
    const header = { sessionId: 0, stream, function: f, wait, systemBytes }
    equipment.send(9, 5, B(...mheadOf(header)), { wait: false })
    return undefined
  }
  const call = callsOf(live.gateway)
  await expect(call.readVariables({ id }, { query: { id: ['Foo'] } })).rejects.toMatchObject({
    code: 'equipment_error',
    message: expect.stringMatching(OLD),
  })
  await expect(call.readConstants({ id }, { query: { id: ['Foo'] } })).rejects.toMatchObject({
    code: 'equipment_error',
    message: expect.stringContaining('S2F29'),
  })
})

test('a name is missing where the equipment has no list of data variables, and another list does not have it', async () => {
  const { S1F21: _, ...answers } = ANSWERS
  const { call, id } = await answering(answers)
  await expect(call.readVariables({ id }, { query: { id: ['Colour'] } })).rejects.toMatchObject({
    code: 'name_not_found',
  })
})
