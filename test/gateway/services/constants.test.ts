import { expect, test } from 'vitest'
import { A, B, F4, type Item, itemsIn, L, U2, U4 } from '../../../src/secs2/item.js'
import { type Answers, answering } from './answering.js'

const NAMES = L(
  L(U4(2001), A('PumpDownPressure'), F4(1), F4(100), F4(5), A('mtorr')),
  L(U4(2002), A('RFPowerLimit'), U2(0), U2(2000), U2(1500), A('W')),
  L(U4(2003), A('OperatorMessage'), A(''), A(''), A('READY'), A('')),
)
const VALUES: Readonly<Record<number, Item>> = { 2001: F4(5), 2002: U2(1500), 2003: A('READY') }

const answers = (eac = 0): Answers => ({
  S2F29: NAMES,
  S2F13: (asked) => L(...itemsIn(asked).map((id) => VALUES[Number((id as { value: number }).value)] ?? L())),
  S2F15: B(eac),
})

test('constants are listed with their bounds, null where there are none', async () => {
  const { call, id } = await answering(answers())
  expect((await call.listConstants({ id })).items.slice(1)).toEqual([
    { id: '2002', name: 'RFPowerLimit', unit: 'W', minimum: '0', maximum: '2000', default: '1500' },
    { id: '2003', name: 'OperatorMessage', unit: '', minimum: null, maximum: null, default: 'READY' },
  ])
})

test('they are read by id, by name, or all', async () => {
  const { call, id } = await answering(answers())
  expect((await call.readConstants({ id }, { query: { id: ['RFPowerLimit', '2003', '9'] } })).items).toEqual([
    { id: '2002', name: 'RFPowerLimit', unit: 'W', value: { U2: [1500] }, text: '1500' },
    { id: '2003', name: 'OperatorMessage', unit: '', value: { A: 'READY' }, text: 'READY' },
    { id: '9', name: null, unit: null, value: null, text: '' },
  ])
  expect((await call.readConstants({ id })).items).toHaveLength(3)
})

test('a plain value is sent in the format that the constant has', async () => {
  const { call, id, asked } = await answering(answers())
  const values = { RFPowerLimit: '1200', 2001: 7.5, OperatorMessage: 5 }
  expect(await call.writeConstants({ id }, { body: { values } })).toEqual({
    accepted: true,
    eac: 0,
    eac_text: 'accepted',
    message_id: expect.any(String),
    reply_id: expect.any(String),
  })
  expect(asked().at(-1)).toBe(
    'S2F15 W <L [3] <L [2] <U4 2001> <F4 7.5> > <L [2] <U4 2002> <U2 1200> > <L [2] <U4 2003> <A "5"> > >.',
  )
})

test('a typed item is sent as it is, without a question', async () => {
  const { call, id, asked } = await answering(answers())
  await call.writeConstants({ id }, { body: { values: { 2002: { U4: [70000] } } } })
  expect(asked()).toEqual(['S2F15 W <L [1] <L [2] <U4 2002> <U4 70000> > >.'])
})

test('a refusal is an answer', async () => {
  const { call, id } = await answering(answers(3))
  expect(await call.writeConstants({ id }, { body: { values: { 2002: 1 } } })).toMatchObject({
    accepted: false,
    eac: 3,
    eac_text: expect.stringMatching(/./),
  })
})

test('what no constant can hold is refused at once, and nothing is sent', async () => {
  const { call, id, asked } = await answering(answers())
  const values = { 2002: 1.5, 2001: 'high', 2003: null, 9: 1, RFPowerLimit: { U2: 'x' } }
  await expect(call.writeConstants({ id }, { body: { values } })).rejects.toMatchObject({
    code: 'invalid_message',
    extra: {
      errors: [
        { pointer: '/values/9', detail: 'is no constant that etcher has' },
        { pointer: '/values/2001', detail: 'is "high", which no F4 can hold' },
        { pointer: '/values/2002', detail: 'is 1.5, which no U2 can hold' },
        { pointer: '/values/2003', detail: expect.stringContaining('takes a string') },
        { pointer: '/values/RFPowerLimit', detail: expect.stringContaining('is no typed item') },
      ],
    },
  })
  await expect(call.writeConstants({ id }, { body: { values: {} } })).rejects.toMatchObject({
    code: 'invalid_message',
  })
  expect(asked().some((message) => message.startsWith('S2F15'))).toBe(false)
})

test('a constant by a name that the equipment does not have is refused', async () => {
  const { call, id } = await answering(answers())
  await expect(call.writeConstants({ id }, { body: { values: { 'a/b': 1 } } })).rejects.toMatchObject({
    code: 'name_not_found',
    extra: { errors: [{ pointer: '/values/a~1b' }] },
  })
})

test('an answer without a code leaves open whether the equipment acted, and says so', async () => {
  const { call, id } = await answering({ ...answers(), S2F15: A('OK') })
  await expect(call.writeConstants({ id }, { body: { values: { 2002: 1 } } })).rejects.toMatchObject({
    code: 'equipment_error',
    message: expect.stringContaining('whether it acted is not known'),
  })
})
