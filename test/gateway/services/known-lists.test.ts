import { expect, test } from 'vitest'
import { collectionEventHandlers } from '../../../src/gateway/services/collection-events.js'
import { constantHandlers } from '../../../src/gateway/services/constants.js'
import { A, B, BOOLEAN, F4, type Item, L, U1, U4 } from '../../../src/secs2/item.js'
import { fakeServices, type Replies, SEND } from './fake-services.js'

const REPLIES: Replies = {
  S1F21: L(L(U4(10), A('Lot'), A('')), L(U4(11), A(''), A(''))),
  S1F23: L(L(U4(31), A('Started '), L(U4(10), U4(11), U4(12))), L(U4(32), A(''), L())),
  S2F29: L(L(U4(5), A('Limit'), U4(0), U4(9), U4(1), A('Pa')), L(U4(6), A('Mode'), A(''), L(), A(''), A(''))),
  S2F13: L(U4(7), BOOLEAN(true)),
  S2F33: B(0),
  S2F35: B(0),
  S2F37: B(0),
  S6F15: L(U4(1), U4(31), L(L(U4(1), L(A('L1'), F4(2.5))))),
  S6F19: L(U1(1)),
}

/** Calls of the services of equipment that replies so. */
function calls(replies: Replies = REPLIES) {
  const { gateway, asked, naming } = fakeServices(replies)
  type Handlers = typeof collectionEventHandlers & typeof constantHandlers
  const handlers: Handlers = { ...collectionEventHandlers, ...constantHandlers }
  const call = (name: keyof Handlers, query: object = {}, more: object = {}) =>
    handlers[name](
      { params: { id: 'eq' }, query, send: SEND, body: {}, ...more } as never,
      gateway,
    ) as Promise<never>
  const listed = async (name: keyof Handlers, query: object = {}) =>
    ((await call(name, query)) as { items: object[] }).items
  const { asking } = gateway as {
    asking: { ask: (id: string, message: string, data: object) => Promise<object> }
  }
  const tell = (message: string, data: object = {}) => asking.ask('eq', message, data)
  return { call, listed, asked, naming, tell, gateway }
}

const UNKNOWN = { enabled: null, reports: null }

test('events are listed from memory without a question', async () => {
  const { listed, asked, tell } = calls()
  expect(await listed('listCollectionEvents', { known: true })).toEqual([])
  await tell('S1F23')
  await tell('S1F21')
  const known = [
    {
      id: '31',
      name: 'Started',
      variables: ['10', '11', '12'],
      variable_names: ['Lot', null, null],
      ...UNKNOWN,
    },
    { id: '32', name: '', variables: [], variable_names: [], ...UNKNOWN },
  ]
  expect(await listed('listCollectionEvents', { known: true })).toEqual(known)
  expect(asked).toHaveLength(2)
  expect(await listed('listCollectionEvents', { timeout: 3 })).toEqual(known)
  expect(asked).toHaveLength(3)
})

test('constants are listed from memory as the equipment told them', async () => {
  const { listed, asked } = calls()
  expect(await listed('listConstants', { known: true })).toEqual([])
  const told = await listed('listConstants')
  expect(told).toEqual([
    { id: '5', name: 'Limit', unit: 'Pa', minimum: '0', maximum: '9', default: '1' },
    { id: '6', name: 'Mode', unit: '', minimum: null, maximum: null, default: null },
  ])
  expect(await listed('listConstants', { known: true })).toEqual(told)
  expect(asked).toHaveLength(1)
})

test('without ids all constants are read, and of none nothing is asked', async () => {
  const { listed } = calls()
  expect(await listed('readConstants')).toMatchObject([
    { id: '5', name: 'Limit', unit: 'Pa', text: '7' },
    { id: '6', name: 'Mode', text: 'true' },
  ])
  const none = calls({ ...REPLIES, S2F29: L() })
  expect(await none.listed('readConstants')).toEqual([])
  expect(none.asked).toHaveLength(1)
})

const report = (ceid: string) => ({ params: { id: 'eq', ceid } })

test('a report has no names where its event is not known, and its values no owners', async () => {
  const { call, asked } = calls({ S6F15: REPLIES['S6F15'] as Item })
  expect(await call('requestEventReport', {}, report('31'))).toMatchObject({
    ...{ ceid: '31', name: null, message_id: '1', reply_id: '2' },
    reports: [
      {
        rptid: '1',
        values: [
          { id: null, text: 'L1' },
          { id: null, text: '2.5' },
        ],
      },
    ],
  })
  expect(asked).toEqual(['S6F15 W <U4 31>.'])
})

test.each<[defined: readonly number[], owners: (string | null)[]]>([
  [
    [10, 11],
    ['10', '11'],
  ],
  [[10], [null, null]],
  [
    [10, 11, 12],
    [null, null],
  ],
])(
  'values belong to the variables %j of their report where there are as many: %j',
  async (defined, owners) => {
    const { call, tell, gateway } = calls()
    await tell('S1F21')
    await tell('S1F23')
    const { asking } = gateway as { asking: { acknowledge: (...given: unknown[]) => Promise<unknown> } }
    await asking.acknowledge(
      'eq',
      'S2F33',
      { DATAID: '1', REPORTS: [{ RPTID: '1', VID: defined.map(String) }] },
      SEND,
    )
    const told = (await call('requestEventReport', {}, report('started'))) as unknown as {
      name: string
      reports: { values: { id: string | null; name: string | null; unit: string | null }[] }[]
    }
    expect(told.name).toBe('Started')
    expect(told.reports[0]?.values.map(({ id }) => id)).toEqual(owners)
    expect(told.reports[0]?.values[0]).toMatchObject(
      owners[0] === '10' ? { name: 'Lot', unit: '' } : { name: null, unit: null },
    )
  },
)

test('a report by its id has one value', async () => {
  const { call } = calls()
  expect(await call('requestReport', {}, { params: { id: 'eq', rptid: 'R' } })).toEqual({
    ...{ rptid: 'R', message_id: '1', reply_id: '2' },
    values: [{ id: null, name: null, unit: null, value: { U1: [1] }, text: '1' }],
  })
})

test('a wrong event has its place in the body', async () => {
  const { call } = calls()
  const body = { events: ['31', 'None'] }
  await expect(call('enableCollectionEvents', {}, { body })).rejects.toMatchObject({
    code: 'name_not_found',
    extra: { errors: [{ pointer: '/events/1' }] },
  })
  await expect(call('requestEventReport', {}, report('None'))).rejects.toMatchObject({
    extra: { errors: [{ pointer: 'ceid' }] },
  })
})
