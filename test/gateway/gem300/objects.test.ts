import { expect, test } from 'vitest'
import { A, L, U1, U4 } from '../../../src/secs2/item.js'
import { answering } from '../services/answering.js'

const RECORDED = { message_id: expect.any(String), reply_id: expect.any(String) }
const DONE = L(U1(0), L())
const REFUSED = L(U1(1), L(L(U4(5), A('read only'))))
const W1 = L(L(A('W1'), L(L(A('SubstState'), U1(1)))))
const TOLD = { object_id: 'W1', attributes: [{ name: 'SubstState', value: { U1: [1] }, text: '1' }] }

test('Types are listed with their attributes, and without where the equipment names none', async () => {
  const types = L(L(A('Carrier'), A('Substrate')), DONE)
  const named = await answering({
    S14F5: types,
    S14F7: L(L(L(A('Substrate'), L(A('ObjID'), A('LotID')))), DONE),
  })
  expect((await named.call.listObjectTypes({ id: named.id })).items).toEqual([
    { type: 'Carrier', attributes: [] },
    { type: 'Substrate', attributes: ['ObjID', 'LotID'] },
  ])
  const nameless = await answering({ S14F5: types })
  expect((await nameless.call.listObjectTypes({ id: nameless.id })).items).toMatchObject([
    { attributes: [] },
    { attributes: [] },
  ])
  const refusing = await answering({ S14F5: L(L(), REFUSED) })
  await expect(refusing.call.listObjectTypes({ id: refusing.id })).rejects.toMatchObject({
    code: 'equipment_error',
    message: expect.stringContaining('read only'),
  })
})

test('Attributes of objects are asked for by names, or all', async () => {
  const { call, id, asked } = await answering({ S14F1: L(W1, DONE) })
  const query = { type: 'Substrate', object: ['W1'], attribute: ['SubstState'], specifier: 'Equipment' }
  expect(await call.getObjects({ id }, { query })).toEqual({
    accepted: true,
    errors: [],
    objects: [TOLD],
    ...RECORDED,
  })
  await call.getObjects({ id }, { query: { type: 'Substrate' } })
  const [some, all] = asked()
  expect(some).toContain(
    '<A "Equipment"> <A "Substrate"> <L [1] <A "W1"> > <L [0]> <L [1] <A "SubstState"> >',
  )
  expect(all).toContain('<A ""> <A "Substrate"> <L [0]> <L [0]> <L [0]>')
})

test('Attributes are set, and a refusal has the objects that were not changed', async () => {
  const { call, id, asked } = await answering({ S14F3: L(W1, REFUSED) })
  const body = {
    type: 'Substrate',
    objects: ['W1'],
    attributes: { LotID: 'L1', Usage: { U1: [2] }, Count: 3, History: ['a', 'b'] },
  }
  expect(await call.setObjects({ id }, { body })).toEqual({
    accepted: false,
    errors: [{ port: null, code: 5, code_text: expect.any(String), text: 'read only' }],
    objects: [TOLD],
    ...RECORDED,
  })
  expect(asked()[0]).toContain(
    '<L [1] <A "W1"> > <L [4] <L [2] <A "LotID"> <A "L1"> > <L [2] <A "Usage"> <U1 2> > <L [2] <A "Count"> <U4 3> > <L [2] <A "History"> <L [2] <A "a"> <A "b"> >',
  )
})

test.each([
  [{}, '/attributes'],
  [{ Lot: { U1: ['x'] } }, '/attributes/Lot'],
])('The attributes %j are refused before they are sent', async (attributes, pointer) => {
  const { call, id, asked } = await answering({ S14F3: L(W1, DONE) })
  const body = { type: 'Substrate', objects: ['W1'], attributes }
  await expect(call.setObjects({ id }, { body })).rejects.toMatchObject({ extra: { errors: [{ pointer }] } })
  expect(asked()).toEqual([])
})

test('An object is created and deleted', async () => {
  const { call, id, asked } = await answering({
    S14F9: L(A('Substrate:W1'), L(), DONE),
    S14F11: L(L(), REFUSED),
  })
  const body = { type: 'Substrate', attributes: { ObjID: 'W1' }, specifier: 'Equipment' }
  expect(await call.createObject({ id }, { body })).toEqual({
    specifier: 'Substrate:W1',
    accepted: true,
    errors: [],
    ...RECORDED,
  })
  expect(await call.deleteObject({ id }, { query: { specifier: 'Substrate:W1' } })).toMatchObject({
    accepted: false,
    errors: [{ code: 5 }],
  })
  expect(asked()).toEqual([
    expect.stringContaining('<A "Equipment"> <A "Substrate"> <L [1] <L [2] <A "ObjID"> <A "W1"> >'),
    expect.stringContaining('<A "Substrate:W1"> <L [0]>'),
  ])
})

test('A filter is sent as the value compares with the attribute: more becomes less', async () => {
  const { call, id, asked } = await answering({ S14F1: L(W1, DONE) })
  const filter = [
    'SubstState>=1',
    'LotID != L 1',
    'SubstID="7"',
    'CarrierInputSpec~FOUP7',
    'Usage!~{"U1":[2]}',
  ]
  await call.getObjects({ id }, { query: { type: 'Substrate', filter } })
  expect(asked()[0]).toContain(
    [
      '<L [5] <L [3] <A "SubstState"> <U4 1> <U1 3> >',
      '<L [3] <A "LotID"> <A "L 1"> <U1 1> >',
      '<L [3] <A "SubstID"> <A "7"> <U1 0> >',
      '<L [3] <A "CarrierInputSpec"> <A "FOUP7"> <U1 6> >',
      '<L [3] <A "Usage"> <U1 2> <U1 7> > >',
    ].join(' '),
  )
})

test.each(['SubstState', '>=1', 'SubstState={"U1":', 'SubstState={"U1":[300]}'])(
  'The filter %s is refused before it is sent',
  async (wrong) => {
    const { call, id, asked } = await answering({ S14F1: L(W1, DONE) })
    const query = { type: 'Substrate', filter: ['LotID=L1', wrong] }
    await expect(call.getObjects({ id }, { query })).rejects.toMatchObject({
      extra: { errors: [{ pointer: '/filter/1' }] },
    })
    expect(asked()).toEqual([])
  },
)
