import { describe, expect, test } from 'vitest'
import { extendCatalogue } from '../../src/catalogue/site/site-catalogue.js'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { A, B, L, U1, U2, U4 } from '../../src/secs2/item.js'
import { LiveGateway } from '../support/live-gateway.js'
import { hexOf } from '../support/vectors.js'

const SITE = JSON.stringify({
  messages: [
    {
      stream: 64,
      function: 1,
      name: 'Chamber Request',
      direction: 'host',
      w_bit: 'required',
      structure: '<L <CHAMBER>...>',
    },
    {
      stream: 64,
      function: 2,
      name: 'Chamber Data',
      direction: 'equipment',
      structure: '<L <ACKC64> <TEXT>>',
    },
    {
      stream: 64,
      function: 3,
      name: 'Chamber Opened',
      direction: 'equipment',
      w_bit: 'optional',
      structure: '<CHAMBER>',
    },
    { stream: 64, function: 4, name: 'Chamber Acknowledge', direction: 'host', structure: '<ACKC64>' },
    {
      stream: 64,
      function: 5,
      name: 'Chamber Closed',
      direction: 'equipment',
      w_bit: 'optional',
      structure: '<CHAMBER>',
      answer: { ACKC64: '0', TEXT: 'noted' },
    },
    {
      stream: 64,
      function: 6,
      name: 'Chamber Closed Acknowledge',
      direction: 'host',
      structure: '<L <ACKC64> <TEXT>>',
    },
    {
      stream: 5,
      function: 1,
      name: 'Alarm with its time',
      direction: 'equipment',
      w_bit: 'optional',
      structure: '<L <ALCD> <ALID> <ALTX> <TIMESTAMP>>',
    },
  ],
  items: [
    { name: 'CHAMBER', formats: ['U4', 'U2'], meaning: 'which chamber' },
    { name: 'ACKC64', formats: ['B'], meaning: 'answer', values: { 0: 'done', 1: 'busy' }, accepts: [0] },
  ],
})

async function bench() {
  const catalogue = extendCatalogue(STANDARD_CATALOGUE, SITE, 'site.json')
  const live = await LiveGateway.open({ catalogue })
  return { live, ...(await live.connectScripted()) }
}

test('a site’s message is sent from named data, and its reply is read', async () => {
  const { live, equipment, id } = await bench()
  equipment.reply = () => ({ function: 2, item: L(B(1), A('not now')) })
  const { result } = await live.gateway.messages.send(id, {
    stream: 64,
    function: 1,
    data: { CHAMBER: ['1', '2'] },
  })
  expect(hexOf(equipment.received.at(-1)?.body ?? new Uint8Array())).toBe(hexOf(encodeBody(L(U4(1), U4(2)))))
  expect(result.message).toMatchObject({
    name: 'S64F1 Chamber Request',
    w_bit: true,
    data: { CHAMBER: ['1', '2'] },
  })
  expect(result.reply).toMatchObject({ name: 'S64F2 Chamber Data', data: { ACKC64: '1', TEXT: 'not now' } })
  expect(result.acknowledgement).toEqual({ item: 'ACKC64', code: 1, accepted: false, text: 'busy' })
})

test('a reply without a code has no acknowledgement', async () => {
  const { live, equipment, id } = await bench()
  equipment.reply = () => ({ function: 4, item: L(A('IDLE')) })
  const { result } = await live.gateway.messages.send(id, { stream: 1, function: 3, data: {} })
  expect(result).not.toHaveProperty('acknowledgement')
})

test('what does not fit a site’s message names its item', async () => {
  const { live, id } = await bench()
  await expect(
    live.gateway.messages.send(id, { stream: 64, function: 1, data: { CHAMBERS: '1' } }),
  ).rejects.toMatchObject({ code: 'invalid_message', extra: { errors: [{ pointer: '/data/CHAMBERS' }] } })
})

test('an equipment may have its own format of a site’s item', async () => {
  const { live, equipment, id } = await bench()
  await live.gateway.equipment.update(id, { item_formats: { CHAMBER: 'U2' } })
  equipment.reply = () => ({ function: 2, item: L(B(0), A('')) })
  await live.gateway.messages.send(id, { stream: 64, function: 1, data: { CHAMBER: '3' } })
  expect(hexOf(equipment.received.at(-1)?.body ?? new Uint8Array())).toBe(hexOf(encodeBody(L(U2(3)))))
  await expect(live.gateway.equipment.update(id, { item_formats: { CHAMBERS: 'U2' } })).rejects.toMatchObject(
    {
      code: 'invalid_request',
    },
  )
})

test('an equipment’s own primary is read and recorded, and aborted where it wants an answer', async () => {
  const { live, equipment } = await bench()
  equipment.send(64, 3, U4(7))
  expect(await equipment.next()).toMatchObject({ stream: 64, function: 0 })
  const { items } = await live.gateway.messages.list({ direction: 'received', stream: 64 })
  expect(items).toMatchObject([{ name: 'S64F3 Chamber Opened', data: { CHAMBER: '7' } }])
})

describe('an equipment’s own primary for which the site says the answer', () => {
  const answer = hexOf(encodeBody(L(B(0), A('noted'))))

  test('is answered so, once it is recorded', async () => {
    const { live, equipment } = await bench()
    equipment.send(64, 5, U4(7))
    const secondary = await equipment.next()
    expect(secondary).toMatchObject({ stream: 64, function: 6 })
    expect(hexOf(secondary.body)).toBe(answer)
    const listed = async () => (await live.gateway.messages.list({ stream: 64 })).items
    await expect.poll(listed).toHaveLength(2)
    const [sent, received] = await listed()
    expect(sent).toMatchObject({
      direction: 'sent',
      reply_to: received?.id,
      data: { ACKC64: '0', TEXT: 'noted' },
    })
    expect(received).toMatchObject({ name: 'S64F5 Chamber Closed', data: { CHAMBER: '7' } })
  })

  test('is aborted where its body does not fit', async () => {
    const { equipment } = await bench()
    equipment.send(64, 5, A('seven'))
    expect(await equipment.next()).toMatchObject({ stream: 64, function: 0 })
  })

  test('is answered in the equipment’s own formats, or in the usual ones where those cannot hold it', async () => {
    const { live, equipment, id } = await bench()
    await live.gateway.equipment.update(id, { item_formats: { ACKC64: 'U1' } })
    equipment.send(64, 5, U4(7))
    expect(hexOf((await equipment.next()).body)).toBe(hexOf(encodeBody(L(U1(0), A('noted')))))
    await live.gateway.equipment.update(id, { item_formats: { TEXT: 'U4' } })
    equipment.send(64, 5, U4(7))
    expect(hexOf((await equipment.next()).body)).toBe(answer)
  })
})

test('an alarm of a site’s own structure comes to the alarm board', async () => {
  const { live, equipment } = await bench()
  equipment.send(5, 1, L(B(0x81), U4(9), A('hot'), A('260101000000')))
  expect(await equipment.next()).toMatchObject({ stream: 5, function: 2 })
  expect((await live.gateway.alarms.list({})).items).toMatchObject([{ alid: '9', text: 'hot', active: true }])
})
