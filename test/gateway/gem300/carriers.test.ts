import { expect, test } from 'vitest'
import { A, type Item, L, U1, U2, U4 } from '../../../src/secs2/item.js'
import { answering } from '../services/answering.js'
import { NO_SUCH_TYPE, object, objects, row } from './object-items.js'

const RECORDED = { message_id: expect.any(String), reply_id: expect.any(String) }
/** S14F2 with one object. */
const oneObject = (id: string, ...rows: Item[]): Item => objects(object(id, ...rows))

const FOUP = oneObject(
  'FOUP7',
  row('LocationID', A('LP1')),
  row('CarrierIDStatus', U1(2)),
  row('SlotMapStatus', U1(1)),
  row('CarrierAccessingStatus', U1(9)),
  row('Slot map', L(U1(3), U1(1), U1(8))),
  row('ContentMap', L(L(A('L1'), A('W1'), A('more')), L())),
)

test('Carriers are listed and shown with their slots', async () => {
  const { call, id } = await answering({ S14F1: FOUP })
  const shown = await call.getCarrier({ id, carrier: 'FOUP7' })
  expect(shown).toMatchObject({
    carrier_id: 'FOUP7',
    location: 'LP1',
    id_status: 'ID_VERIFICATION_OK',
    slot_map_status: 'WAITING_FOR_HOST',
    accessing_status: 'unknown (9)',
    slots: [
      { slot: 1, state: 'CORRECTLY_OCCUPIED', lot_id: 'L1', substrate_id: 'W1' },
      { slot: 2, state: 'EMPTY', lot_id: '', substrate_id: '' },
      { slot: 3, state: 'unknown (8)', lot_id: '', substrate_id: '' },
    ],
  })
  expect((await call.listCarriers({ id })).items).toEqual([shown])
})

test('What cannot be understood of an object is among its attributes', async () => {
  const { call, id } = await answering({
    S14F1: oneObject('F', row('SlotMap', L(L(U1(1)))), row('LocationID', L(A('x')))),
  })
  expect(await call.getCarrier({ id, carrier: 'F' })).toMatchObject({
    slots: [],
    location: null,
    id_status: null,
    attributes: [{ name: 'SlotMap' }, { name: 'LocationID' }],
  })
})

test.each([
  ['proceed', 'ProceedWithCarrier'],
  ['cancel', 'CancelCarrier'],
  ['release', 'CarrierRelease'],
  ['bind', 'Bind'],
  ['cancel_bind', 'CancelBind'],
  ['notify', 'CarrierNotification'],
  ['cancel_notification', 'CancelCarrierNotification'],
] as const)('%s is the action %s', async (command, action) => {
  const { call, id, asked } = await answering({ S3F17: L(U1(4), L()) })
  expect(await call.commandCarrier({ id }, { body: { command, carrier_id: 'FOUP7', port: 2 } })).toEqual({
    carrier_id: 'FOUP7',
    caack: 'WILL_BE_PERFORMED',
    accepted: true,
    errors: [],
    ...RECORDED,
  })
  expect(asked()).toEqual([expect.stringContaining(`<U4 0> <A "${action}"> <A "FOUP7"> <U1 2> <L [0]>`)])
})

test('Attributes are sent as they are given, and a carrier is cancelled at its port without an ID', async () => {
  const { call, id, asked } = await answering({ S3F17: L(U1(0), L()) })
  const contents = [
    { lot_id: 'L1', substrate_id: 'W1' },
    { lot_id: '', substrate_id: '' },
  ]
  const body = { command: 'proceed', carrier_id: 'FOUP7', capacity: 25, slot_map: 'o.', contents } as const
  await call.commandCarrier({ id }, { body: { ...body, contents: [...contents] } })
  expect(await call.commandCarrier({ id }, { body: { command: 'cancel', port: 1 } })).toMatchObject({
    carrier_id: null,
    accepted: true,
  })
  const [proceed, cancel] = asked()
  expect(proceed).toContain(
    '<A "FOUP7"> <U1> <L [3] <L [2] <A "Capacity"> <U1 25> > <L [2] <A "SlotMap"> <L [2] <U1 3> <U1 1> > > <L [2] <A "ContentMap"> <L [2] <L [2] <A "L1"> <A "W1"> > <L [2] <A ""> <A ""> >',
  )
  expect(cancel).toContain('<A "CancelCarrierAtPort"> <A ""> <U1 1>')
})

test.each([
  [{ command: 'proceed' }, '/carrier_id'],
  [{ command: 'cancel' }, '/port'],
  [{ command: 'bind', carrier_id: 'F*' }, '/carrier_id'],
  [
    { command: 'bind', carrier_id: 'F', slot_map: 'oo', contents: [{ lot_id: '', substrate_id: '' }] },
    '/contents',
  ],
] as const)('%j is refused before it is sent', async (body, pointer) => {
  const { call, id, asked } = await answering({ S3F17: L(U1(0), L()) })
  await expect(call.commandCarrier({ id }, { body: body as never })).rejects.toMatchObject({
    extra: { errors: [{ pointer }] },
  })
  expect(asked()).toEqual([])
})

test('A refusal has the word of CAACK and every error', async () => {
  const { call, id } = await answering({
    S3F17: L(U1(5), L(L(U2(17), A('not waiting')), L(U2(15), A('busy')))),
  })
  expect(await call.commandCarrier({ id }, { body: { command: 'proceed', carrier_id: 'F' } })).toMatchObject({
    caack: 'INVALID_STATE',
    accepted: false,
    errors: [{ code: 17 }, { code: 15, text: 'busy' }],
  })
})

const PORT = oneObject(
  '1',
  row('PortTransferState', U1(2)),
  row('AccessMode', U1(1)),
  row('LoadPortReservationState', U1(0)),
  row('PortAssociationState', U1(1)),
)
const SHOWN = {
  port: '1',
  transfer: 'READY_TO_LOAD',
  access_mode: 'AUTO',
  reservation: 'NOT_RESERVED',
  association: 'ASSOCIATED',
}

test('Load ports are listed, whichever of its two types the equipment has', async () => {
  for (const type of ['LoadPort', 'Port']) {
    const { call, id } = await answering({
      S14F1: (question) => (JSON.stringify(question).includes(`"${type}"`) ? PORT : NO_SUCH_TYPE),
    })
    expect((await call.listPorts({ id })).items).toMatchObject([SHOWN])
  }
  const { call, id } = await answering({ S14F1: NO_SUCH_TYPE })
  await expect(call.listPorts({ id })).rejects.toMatchObject({
    code: 'equipment_error',
    message: expect.stringContaining('no such type'),
  })
})

test('A load port is told in the way that the equipment wants', async () => {
  const { call, id, asked } = await answering({ S3F25: L(U1(0), L()) })
  const to = { id, port: '2' }
  await call.commandPort(to, { body: { command: 'in_service' } })
  await call.commandPort(to, { body: { command: 'out_of_service', style: 'words' } })
  await call.commandPort(to, { body: { command: 'reserve', style: 'upper_case' } })
  expect(await call.commandPort(to, { body: { command: 'cancel_reservation' } })).toMatchObject({
    accepted: true,
  })
  const said = asked()
  expect(said[0]).toContain('<A "ChangeServiceStatus"> <U1 2> <L [1] <L [2] <A "ServiceStatus"> <U1 1> >')
  expect(said[1]).toContain('<A "OutOfService"> <U1 2> <L [0]>')
  expect(said[2]).toContain('<A "RESERVATIONATPORT"> <U1 2> <L [0]>')
  expect(said[3]).toContain('<A "CancelReservationAtPort"> <U1 2> <L [0]>')
})

test('The access mode is changed, and a refusal names the ports', async () => {
  const { call, id, asked } = await answering({ S3F27: L(U1(3), L(L(U1(7), U4(48), A('PTN 7 invalid')))) })
  expect(await call.changeAccessMode({ id }, { body: { mode: 'auto', ports: [1, 7] } })).toMatchObject({
    accepted: false,
    errors: [{ port: 7, code: 48, text: 'PTN 7 invalid' }],
  })
  expect(asked()).toEqual([expect.stringContaining('<U1 1> <L [2] <U1 1> <U1 7>')])
})
