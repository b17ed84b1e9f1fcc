import { expect, test } from 'vitest'
import { A, B, F4, L, U1, U4 } from '../../../src/secs2/item.js'
import { type Answers, answering } from './answering.js'

const ANSWERS: Answers = {
  S1F11: L(L(U4(1003), A('ProcessState'), A(''))),
  S1F21: L(L(U4(1101), A('LotID'), A(''))),
  S1F23: L(
    L(U4(3010), A('ProcessingStarted'), L(U4(1101))),
    L(U4(3011), A('ProcessingCompleted'), L(U4(1101))),
  ),
  S2F33: B(0),
  S2F35: B(0),
  S2F37: B(0),
  S6F15: L(U4(7), U4(3010), L(L(U4(1), L(A('L1'), U1(1))), L(U4(2), L(F4(2.5))))),
  S6F19: L(A('L1'), U1(1)),
}

const REPORT_1 = {
  stream: 2,
  function: 33,
  data: { DATAID: 1, REPORTS: [{ RPTID: 1, VID: ['1101', '1003'] }] },
}

test('which events are enabled, and what they report, is shown where it passed here', async () => {
  const { live, call, id } = await answering(ANSWERS)
  const list = async () => (await call.listCollectionEvents({ id })).items
  const nameless = { variables: ['1101'], variable_names: [null], enabled: null, reports: null }
  expect(await list()).toEqual([
    { id: '3010', name: 'ProcessingStarted', ...nameless },
    { id: '3011', name: 'ProcessingCompleted', ...nameless },
  ])
  await live.gateway.messages.send(id, { stream: 1, function: 21, data: {} })
  expect((await list())[0]).toMatchObject({ variables: ['1101'], variable_names: ['LotID'] })
  const data = { DATAID: 1, EVENTS: [{ CEID: 3010, RPTID: ['1'] }] }
  await live.gateway.messages.send(id, { stream: 2, function: 35, data })
  await call.enableCollectionEvents({ id }, { body: { events: ['ProcessingStarted'] } })
  expect((await list())[0]).toMatchObject({ enabled: true, reports: ['1'] })
})

test('events are turned on and off by S2F37, by id, by name, or all', async () => {
  const { call, id, asked } = await answering(ANSWERS)
  expect(
    await call.enableCollectionEvents({ id }, { body: { events: ['ProcessingStarted', '3011'] } }),
  ).toEqual({
    accepted: true,
    erack: 0,
    erack_text: 'accepted',
    message_id: expect.any(String),
    reply_id: expect.any(String),
  })
  await call.disableCollectionEvents({ id }, { body: { all: true } })
  expect(asked().slice(1)).toEqual([
    'S2F37 W <L [2] <BOOLEAN T> <L [2] <U4 3010> <U4 3011> > >.',
    'S2F37 W <L [2] <BOOLEAN F> <L [0]> >.',
  ])
})

test('a refusal to turn one on is an answer', async () => {
  const { call, id } = await answering({ ...ANSWERS, S2F37: B(1) })
  expect(await call.enableCollectionEvents({ id }, { body: { events: ['9'] } })).toMatchObject({
    accepted: false,
    erack: 1,
    erack_text: 'no such event',
  })
})

test.each([[{}], [{ events: ['1'], all: true }], [{ all: false }]])(
  '%j does not say which events are meant',
  async (choice) => {
    const { call, id, asked } = await answering(ANSWERS)
    await expect(call.enableCollectionEvents({ id }, { body: choice })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect(asked()).toEqual([])
  },
)

test('the reports of an event have their values, named where their definition is known', async () => {
  const { live, call, id } = await answering(ANSWERS)
  await call.listVariables({ id })
  await call.listVariables({ id }, { query: { kind: 'data' } })
  await live.gateway.messages.send(id, REPORT_1)
  expect(await call.requestEventReport({ id, ceid: 'processing started' })).toEqual({
    ceid: '3010',
    name: 'ProcessingStarted',
    reports: [
      {
        rptid: '1',
        values: [
          { id: '1101', name: 'LotID', unit: '', value: { A: 'L1' }, text: 'L1' },
          { id: '1003', name: 'ProcessState', unit: '', value: { U1: [1] }, text: '1' },
        ],
      },
      { rptid: '2', values: [{ id: null, name: null, unit: null, value: { F4: [2.5] }, text: '2.5' }] },
    ],
    message_id: expect.any(String),
    reply_id: expect.any(String),
  })
})

test('one report is asked for by its id', async () => {
  const { live, call, id, asked } = await answering(ANSWERS)
  const ask = () => call.requestReport({ id, rptid: '1' })
  expect(await ask()).toMatchObject({
    rptid: '1',
    values: [
      { id: null, text: 'L1' },
      { id: null, text: '1' },
    ],
  })
  await live.gateway.messages.send(id, REPORT_1)
  expect(await ask()).toMatchObject({ values: [{ id: '1101' }, { id: '1003' }] })
  expect(asked()[0]).toBe('S6F19 W <U4 1>.')
})
