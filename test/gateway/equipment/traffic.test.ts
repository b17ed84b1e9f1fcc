import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { EquipmentTraffic } from '../../../src/gateway/equipment/traffic.js'
import { Counters } from '../../../src/hsms/counters/counters.js'
import { controlPassing, dataPassing } from '../wire/wire-records.js'

const frame = ({ frame: { header, body }, direction }: ReturnType<typeof dataPassing>, counters: Counters) =>
  counters.frame(direction, header, body.length)

test('what was counted is shown by message, timer and fault', async () => {
  const counters = new Counters()
  const passed = [
    dataPassing('in', { stream: 6, function: 11 }),
    dataPassing('in', { stream: 1, function: 13 }),
    dataPassing('in', { stream: 1, function: 3 }),
    dataPassing('in', { stream: 6, function: 11 }),
    controlPassing('in', 'linktestReq'),
    controlPassing('in', 'rejectReq', 4),
    dataPassing('out'),
  ]
  for (const one of passed) frame(one, counters)
  counters.timeout('t3')
  counters.line('naksOut')
  counters.connected()
  counters.lost('t6')
  counters.attemptFailed()
  counters.unrecorded(3)
  counters.roundTrip(7)
  const session = { wire: { counts: counters.counts(2) }, reading: () => ({ catalogue: STANDARD_CATALOGUE }) }
  const observed = { session, since: 'then', record: { name: 'etcher' } }
  const equipment = { observed: () => observed, allObserved: () => [observed] }
  const traffic = new EquipmentTraffic(equipment as never, {} as never)
  const shown = await traffic.of('eq')
  expect(shown.in.messages.map(({ name, frames }) => [name.split(' ')[0], frames])).toEqual([
    ['S1F3', 1],
    ['S1F13', 1],
    ['S6F11', 2],
  ])
  expect(shown.in).toMatchObject({
    ...{ frames: 6, bytes: 92, other_messages: { frames: 0, bytes: 0 } },
    control: [
      { name: 'Linktest.req', count: 1 },
      { name: 'Reject.req', count: 1 },
    ],
    rejects: [{ reason: 4, text: 'not selected', count: 1 }],
  })
  expect(shown.out).toMatchObject({ frames: 1, bytes: 16, control: [], rejects: [] })
  expect(shown.timeouts.filter(({ count }) => count > 0)).toEqual([{ timer: 't3', count: 1 }])
  expect(shown.line).toEqual({
    ...{
      blocks_in: 0,
      blocks_out: 0,
      naks_in: 0,
      naks_out: 1,
      retries: 0,
      duplicates: 0,
      unexpected: 0,
      strays: 0,
    },
  })
  expect(shown).toMatchObject({
    ...{
      since: 'then',
      connects: 1,
      losses: [{ code: 't6', count: 1 }],
      attempts_failed: 1,
      unrecorded: 3,
      open: 2,
    },
    round_trip: { count: 1, sum: 0.007 },
  })
  expect(shown.round_trip.buckets.find(({ count }) => count === 1)).toEqual({ le: 0.01, count: 1 })
  expect(shown.round_trip.buckets.at(-1)).toEqual({ le: null, count: 1 })
  expect(await traffic.all()).toEqual([{ name: 'etcher', traffic: shown }])
})
