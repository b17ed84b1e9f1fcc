import { expect, test } from 'vitest'
import type { Message } from '../../../src/contract/topics/messages.js'
import { KnownEquipment, NOTHING_KNOWN } from '../../../src/gateway/knowledge/known-equipment.js'
import { collectionEventOf } from '../../../src/gateway/messages/collection-event.js'
import { A, B, type Item, L, U4 } from '../../../src/secs2/item.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { until } from '../../support/until.js'

const STARTED = L(U4(0), U4(100), L(L(U4(1), L(A('L1'), U4(7)))))

test('a collection event is read with the names and the definitions that held when it came', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  const answers: Readonly<Record<string, Item>> = {
    S1F11: L(L(U4(10), A('LotID'), A('')), L(U4(11), A('Power'), A('W'))),
    S1F23: L(L(U4(100), A('ProcessingStarted'), L())),
    S2F33: B(0),
  }
  equipment.reply = ({ stream, function: fn }) => {
    const item = answers[`S${stream}F${fn}`]
    return item && { function: fn + 1, item }
  }
  const send = async (stream: number, fn: number, data: object): Promise<unknown> =>
    live.gateway.messages.send(id, { stream, function: fn, data: { ...data } })
  const define = (...VID: number[]): Promise<unknown> =>
    send(2, 33, { DATAID: 1, REPORTS: [{ RPTID: 1, VID }] })
  const events = async (): Promise<Message[]> =>
    (await live.gateway.messages.list({ equipment_id: id, stream: 6, function: 11, order: 'asc' })).items
  const report = async (item: Item): Promise<void> => {
    const before = (await events()).length
    equipment.send(6, 11, item)
    await until(async () => (await events()).length > before)
  }
  await report(STARTED)
  await send(1, 11, {})
  await send(1, 23, {})
  await define(10, 11)
  await report(STARTED)
  await define(11, 99)
  await report(STARTED)
  await define(11)
  await report(STARTED)
  const value = (vid: string | null, name: string | null, unit: string | null, text: string) => {
    return { vid, name, unit, value: text }
  }
  const nameless = [value(null, null, null, 'L1'), value(null, null, null, '7')]
  const seen = (await events()).map(({ collection_event }) => collection_event?.reports[0]?.values)
  expect(seen).toEqual([
    nameless,
    [value('10', 'LotID', null, 'L1'), value('11', 'Power', 'W', '7')],
    [value('11', 'Power', 'W', 'L1'), value('99', null, null, '7')],
    nameless,
  ])
  const [first] = await events()
  expect(first?.collection_event).toMatchObject({
    ceid: '100',
    name: 'ProcessingStarted',
    reports: [{ rptid: '1' }],
  })
  const { items } = await live.gateway.messages.list({ stream: 2, function: 33 })
  expect(items.map(({ collection_event }) => collection_event)).toEqual([null, null, null])
})

test('an annotated report has its VIDs with it', () => {
  const known = new KnownEquipment()
  known.learnVariables('data', [['10', { name: 'LotID', unit: '', kind: 'data' }]], false)
  const REPORTS = [{ RPTID: '1', VALUES: [{ VID: '10', V: ['a', 'b'] }] }]
  const event = collectionEventOf('S6F13', { CEID: '100', REPORTS }, 5, known)
  const values = [{ vid: '10', name: 'LotID', unit: null, value: ['a', 'b'] }]
  expect(event).toEqual({ ceid: '100', name: null, reports: [{ rptid: '1', values }] })
})

test.each<[string, string, Record<string, unknown> | null]>([
  ['another message', 'S1F2', { CEID: '1', REPORTS: [] }],
  ['a body that does not fit', 'S6F11', null],
  ['names of a site', 'S6F11', { EVENT: '1' }],
])('%s has none', (_, topic, data) => {
  expect(collectionEventOf(topic, data, 1, NOTHING_KNOWN)).toBeNull()
})
