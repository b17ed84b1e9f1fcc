import { describe, expect, test } from 'vitest'
import type { NewLimit } from '../../../src/contract/topics/limits.js'
import { A, B, F4, type Item, L, U4 } from '../../../src/secs2/item.js'
import { type Answers, answering } from './answering.js'

const ANSWERS: Answers = {
  S1F11: L(L(U4(20), A('CenterTemperature'), A('degC')), L(U4(21), A('BatchId'), A(''))),
  S2F47: (asked) => {
    const center = L(U4(20), L(A('degC'), F4(0), F4(1250), L(L(B(1), F4(900), F4(890)))))
    return asked?.format === 'L' && asked.items.length > 1 ? L(center, L(U4(21), L())) : L(center)
  },
  S2F45: L(B(0), L()),
}

const CENTER = { variable: 'CenterTemperature', limit_id: 1 }

test('limits are listed with the bounds of the equipment; a variable that cannot have any has null', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  const { items } = await call.listLimits({ id }, { query: { id: ['CenterTemperature', '21'] } })
  expect(items).toEqual([
    {
      ...{ id: '20', name: 'CenterTemperature', unit: 'degC', minimum: '0', maximum: '1250' },
      limits: [{ limit_id: 1, lower: '890', upper: '900' }],
    },
    { id: '21', name: 'BatchId', unit: null, minimum: null, maximum: null, limits: null },
  ])
  expect(asked()).toEqual(['S1F11 W <L [0]>.', 'S2F47 W <L [2] <U4 20> <U4 21> >.'])
})

test('without ids the equipment lists all that can have limits', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  expect((await call.listLimits({ id })).items).toMatchObject([{ id: '20', name: null }])
  expect(asked()).toEqual(['S2F47 W <L [0]>.'])
})

describe('defining', () => {
  test('sends the values in the format of LIMITMAX, all limits in one message', async () => {
    const { call, id, asked } = await answering(ANSWERS)
    const limits = [
      { ...CENTER, lower: '890.5', upper: 900 },
      { ...CENTER, variable: '20', limit_id: 2, lower: -20, upper: '-10' },
    ]
    expect(await call.setLimits({ id }, { body: { limits } })).toEqual({
      ...{ accepted: true, vlaack: 0, vlaack_text: 'accepted', faults: [] },
      ...{ message_id: expect.any(String), reply_id: expect.any(String) },
    })
    const two = '<L [2] <B 0x01> <L [2] <F4 900> <F4 890.5> > > <L [2] <B 0x02> <L [2] <F4 -10> <F4 -20> > >'
    expect(asked().slice(1)).toEqual([
      'S2F47 W <L [1] <U4 20> >.',
      `S2F45 W <L [2] <U4 0> <L [1] <L [2] <U4 20> <L [2] ${two} > > > >.`,
    ])
  })

  test('typed items are sent as they are, without a question', async () => {
    const { call, id, asked } = await answering(ANSWERS)
    const typed = { variable: '20', limit_id: 1, lower: { U2: [1] }, upper: { U2: [2] } }
    await call.setLimits({ id }, { body: { limits: [typed] } })
    expect(asked()).toEqual([
      'S2F45 W <L [2] <U4 0> <L [1] <L [2] <U4 20> <L [1] <L [2] <B 0x01> <L [2] <U2 2> <U2 1> > > > > > >.',
    ])
  })

  test('what no limit can be is refused at once, and nothing is sent', async () => {
    const { call, id, asked } = await answering(ANSWERS)
    const set = (...limits: NewLimit[]) => call.setLimits({ id }, { body: { limits } })
    await expect(set({ ...CENTER, lower: 'low', upper: '' })).rejects.toMatchObject({
      code: 'invalid_message',
      extra: { errors: [{ pointer: '/limits/0/lower' }, { pointer: '/limits/0/upper' }] },
    })
    await expect(set({ variable: '21', limit_id: 1, lower: 1, upper: 2 })).rejects.toMatchObject({
      code: 'name_not_found',
      message: expect.stringContaining('no limit attributes'),
      extra: { errors: [{ pointer: '/limits/0/variable' }], next: [{ operation: 'listLimits' }] },
    })
    await expect(set({ ...CENTER, variable: 'Nothing', lower: 1, upper: 2 })).rejects.toMatchObject({
      code: 'name_not_found',
      extra: { errors: [{ pointer: '/limits/0/variable' }] },
    })
    await expect(set()).rejects.toMatchObject({ code: 'invalid_message' })
    expect(asked().some((message) => message.startsWith('S2F45'))).toBe(false)
  })
})

describe('a refusal', () => {
  const refusing = (vlaack: number, ...rows: Item[]) =>
    answering({ ...ANSWERS, S2F45: L(B(vlaack), L(...rows)) })
  const body = { limits: [{ ...CENTER, lower: 1, upper: 2 }] }

  test.each([
    [1, 'no such limit'],
    [2, 'above the maximum'],
    [3, 'below the minimum'],
    [4, 'upper end below the lower'],
    [5, 'illegal format'],
    [6, 'no number'],
    [7, 'defined twice'],
  ])('names the limit: LIMITACK %i, %s', async (limitack, text) => {
    const { call, id } = await refusing(1, L(U4(20), B(4), L(B(1), B(limitack))))
    await call.listVariables({ id })
    expect(await call.setLimits({ id }, { body })).toMatchObject({
      accepted: false,
      vlaack: 1,
      faults: [
        {
          ...{ id: '20', name: 'CenterTemperature', lvack: 4, lvack_text: 'a limit is wrong' },
          ...{ limit_id: 1, limitack, limitack_text: expect.stringContaining(text) },
        },
      ],
    })
  })

  test.each([
    [1, 'no such variable'],
    [2, 'cannot have limits'],
    [3, 'named twice'],
  ])('names the variable: LVACK %i, %s', async (lvack, text) => {
    const { call, id } = await refusing(1, L(U4(99), B(lvack), L()))
    expect((await call.setLimits({ id }, { body })).faults).toEqual([
      {
        ...{ id: '99', name: null, lvack, lvack_text: expect.stringContaining(text) },
        ...{ limit_id: null, limitack: null, limitack_text: null },
      },
    ])
  })

  test('may have its code alone, and in another structure than the standard', async () => {
    const { call, id } = await refusing(2)
    expect(await call.setLimits({ id }, { body })).toMatchObject({
      ...{ accepted: false, vlaack: 2, vlaack_text: expect.stringContaining('cannot'), faults: [] },
    })
    const other = await answering({ ...ANSWERS, S2F45: L(B(1), A('?')) })
    expect(await other.call.setLimits({ id: other.id }, { body })).toMatchObject({ vlaack: 1, faults: [] })
  })

  test('of the message is a problem', async () => {
    const { call, id } = await answering({})
    await expect(call.listLimits({ id })).rejects.toMatchObject({ code: 'transaction_aborted' })
  })
})

test.each([
  [{}, '<L [0]>'],
  [{ id: ['CenterTemperature'] }, '<L [1] <L [2] <U4 20> <L [0]> > >'],
  [{ id: ['20'], limit_id: 2 }, '<L [1] <L [2] <U4 20> <L [1] <L [2] <B 0x02> <L [0]> > > > >'],
])('clearing %j', async (query, variables) => {
  const { call, id, asked } = await answering(ANSWERS)
  expect(await call.clearLimits({ id }, { query })).toMatchObject({ accepted: true, vlaack: 0 })
  expect(asked().at(-1)).toBe(`S2F45 W <L [2] <U4 0> ${variables} >.`)
})

test('one limit is of one variable', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  for (const query of [{ limit_id: 1 }, { limit_id: 1, id: ['20', '21'] }])
    await expect(call.clearLimits({ id }, { query })).rejects.toMatchObject({ code: 'invalid_request' })
  expect(asked()).toEqual([])
})
