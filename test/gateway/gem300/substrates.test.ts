import { expect, test } from 'vitest'
import { objectHistory } from '../../../src/gateway/gem300/view/object-history.js'
import { A, L, U1 } from '../../../src/secs2/item.js'
import type { Journal, JournalQuery } from '../../../src/store/journal.js'
import { answering } from '../services/answering.js'
import { object, objects, row } from './object-items.js'

const WAFER = objects(
  object(
    'W1',
    row('LotID', A('L1')),
    row('SubstLocID', A('PM1')),
    row('SubstState', U1(1)),
    row('SubstProcState', U1(9)),
    row('SubstSource', A('FOUP7.01')),
    row(
      'SubstHistory',
      L(L(A('FOUP7.01'), A('2026013108000000'), A('2026013108000200')), L(A('PM1'), A('2026013108000200'))),
    ),
  ),
)

test('Substrates are listed and shown with the places at which the equipment says they were', async () => {
  const { call, id } = await answering({ S14F1: WAFER })
  const shown = await call.getSubstrate({ id, substrate: 'W1' })
  expect(shown).toMatchObject({
    substrate_id: 'W1',
    lot_id: 'L1',
    location: 'PM1',
    state: 'AT_WORK',
    processing: 'unknown (9)',
    id_status: null,
    source: 'FOUP7.01',
    destination: null,
    visits: [
      { location: 'FOUP7.01', since: '2026013108000000', until: '2026013108000200' },
      { location: 'PM1', since: '2026013108000200', until: '' },
    ],
  })
  expect((await call.listSubstrates({ id })).items).toEqual([shown])
})

test('The history of a substrate has its changes alone, in pages, also when it is gone', async () => {
  const { live, call, id } = await answering({})
  const { objects } = live.gateway
  const tell = (wafer: string, second: number, state: string, location: string) =>
    objects.tell(id, [{ kind: 'substrate', id: wafer, states: { state }, details: { location } }], {
      messageId: '1',
      at: `2026-01-31T08:00:0${second}.000Z`,
    })
  for (const wafer of ['W1', 'W2']) await tell(wafer, 0, 'AT_SOURCE', `${wafer}.source`)
  await tell('W1', 1, 'AT_WORK', 'Aligner')
  await tell('W2', 1, 'AT_WORK', 'Chamber2')
  await tell('W1', 2, 'AT_WORK', 'Chamber1')
  await objects.tell(id, [{ kind: 'substrate', id: 'W1', states: {}, isGone: true }], {
    messageId: '2',
    at: '2026-01-31T08:00:03.000Z',
  })
  const list = (query: object) => call.listSubstrateHistory({ id, substrate: 'W1' }, { query })
  const { items } = await list({ order: 'asc' })
  expect(
    items.map(({ at, from, to, details }) => [at.slice(17, 19), from, to, details?.['location']]),
  ).toEqual([
    ['00', null, 'AT_SOURCE', 'W1.source'],
    ['01', 'AT_SOURCE', 'AT_WORK', 'Aligner'],
    ['02', 'AT_WORK', 'AT_WORK', 'Chamber1'],
    ['03', 'AT_WORK', 'NO_STATE', undefined],
  ])
  const first = await list({ limit: 3 })
  expect(first.items.map(({ to }) => to)).toEqual(['NO_STATE', 'AT_WORK', 'AT_WORK'])
  const rest = await list({ limit: 3, cursor: first.next_cursor })
  expect(rest).toEqual({ items: [items[0]], next_cursor: null })
  const between = await list({ from: '2026-01-31T08:00:01Z', to: '2026-01-31T08:00:02Z' })
  expect(between.items).toEqual([items[1]])
  await expect(
    call.listSubstrateHistory(
      { id, substrate: 'W2' },
      { query: { limit: 3, cursor: first.next_cursor ?? '' } },
    ),
  ).rejects.toMatchObject({ code: 'invalid_cursor' })
})

test('A way is found without reading those of all other substrates, also what an earlier version has recorded', async () => {
  const { live, id } = await answering({})
  const { objects } = live.gateway
  const at = '2026-01-31T08:00:00.000Z'
  const wafers = Array.from({ length: 500 }, (_, n) => `W${n}`)
  const states = { state: 'AT_WORK' }
  await objects.tell(
    id,
    wafers.map((wafer) => ({ kind: 'substrate' as const, id: wafer, states })),
    { messageId: '1', at },
  )
  const old = {
    object_id: 'W7',
    state: 'state',
    from: null,
    to: 'AT_SOURCE',
    source: 'event',
    message_id: '1',
  }
  await live.journal.append({ type: 'state', name: 'substrate_state', key: id, at, data: old })
  let read = 0
  const counted = {
    first: live.journal.first,
    last: live.journal.last,
    get: (seq: number) => live.journal.get(seq),
    query: (query: JournalQuery) => live.journal.query(query),
    read: async (query: JournalQuery) => {
      const found = await live.journal.read(query)
      read += found.entries.length
      return found
    },
  } as unknown as Journal
  const subject = { equipmentId: id, kind: 'substrate', objectId: 'W7' } as const
  const { items } = await objectHistory(counted, subject, { order: 'asc' })
  expect(items.map(({ object_id, to }) => `${object_id} ${to}`)).toEqual(['W7 AT_WORK', 'W7 AT_SOURCE'])
  expect(read).toBeLessThan(wafers.length / 5)
  const all = await objectHistory(
    counted,
    { equipmentId: id, kind: 'substrate' },
    { order: 'asc', limit: 1000 },
  )
  expect(all.items).toHaveLength(wafers.length + 1)
})
