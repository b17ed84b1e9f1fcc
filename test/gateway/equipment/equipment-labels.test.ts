import { expect, test } from 'vitest'
import { A, B, L, U4 } from '../../../src/secs2/item.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'
import { until } from '../../support/until.js'

const LABELS = { a: { area: 'etch', bay: '3' }, b: { area: 'etch', bay: '4' }, c: { area: 'litho' }, d: {} }

/** A gateway with four equipments, each with an alarm that is set. */
async function fab() {
  const live = await LiveGateway.open({ hasMadeUpEvents: true })
  const call = callsOf(live.gateway)
  const ids: Record<string, string> = {}
  for (const [name, labels] of Object.entries(LABELS)) {
    const { equipment, id } = await live.connectScripted({ name, labels })
    equipment.send(5, 1, L(B(0x84), U4(7), A('Hot')))
    ids[name] = id
    const recorded = Object.keys(ids).length // one after the other: lists are in this order
    await until(async () => (await call.listAlarms({})).items.length === recorded)
  }
  return { live, call, id: (name: string): string => ids[name] as string }
}

/** The names of the equipment of records, each once. */
const namesOf = (records: readonly { readonly equipment_name: string | null }[]): string =>
  [...new Set(records.map(({ equipment_name }) => equipment_name))].sort().join('')

test('every list follows a selector, together with its other filters', async () => {
  const { call, id } = await fab()
  const lists = {
    equipment: async (query: object) =>
      (await call.listEquipment({}, { query })).items
        .map(({ name }) => name)
        .sort()
        .join(''),
    messages: async (query: object) => namesOf((await call.listMessages({}, { query })).items),
    events: async (query: object) => namesOf((await call.listEvents({}, { query })).items),
    alarms: async (query: object) => namesOf((await call.listAlarms({}, { query })).items),
  }
  for (const [list, narrowed] of Object.entries(lists)) {
    expect(await narrowed({ label_selector: 'area=etch' }), list).toBe('ab')
    expect(await narrowed({ label_selector: 'area!=etch' }), list).toBe('cd')
    expect(await narrowed({ label_selector: 'area,bay notin (4)' }), list).toBe('ac')
    expect(await narrowed({ label_selector: 'area=none' }), list).toBe('')
    await expect(narrowed({ label_selector: 'area etch' }), list).rejects.toMatchObject({
      code: 'invalid_request',
      extra: {
        errors: [
          {
            pointer: 'label_selector',
            detail: expect.stringMatching(/^cannot be read: position 6: expected/),
          },
        ],
      },
    })
    if (list === 'equipment') continue
    expect(await narrowed({ label_selector: 'area', equipment_id: [id('b'), id('d')] }), list).toBe('b')
    expect(await narrowed({ label_selector: 'bay=3', equipment_id: id('b') }), list).toBe('')
  }
})

test('the labels that the equipment has now decide, also for the next page', async () => {
  const { live, call, id } = await fab()
  const query = { label_selector: 'area=etch', limit: 1 } as const
  const first = await call.listAlarms({}, { query })
  expect(namesOf(first.items)).toBe('b')
  await live.gateway.equipment.update(id('a'), { labels: { area: null } })
  const cursor = first.next_cursor as string
  expect((await call.listAlarms({}, { query: { ...query, cursor } })).items).toEqual([])
  await expect(
    call.listAlarms({}, { query: { ...query, label_selector: 'area', cursor } }),
  ).rejects.toMatchObject({ code: 'invalid_cursor' })
})

test('deleted equipment is selected by its id alone', async () => {
  const { live, call, id } = await fab()
  await live.gateway.equipment.delete(id('d'))
  expect(namesOf((await call.listEvents({}, { query: { label_selector: '!area' } })).items)).toBe('')
  expect(namesOf((await call.listEvents({}, { query: { equipment_id: id('d') } })).items)).toBe('d')
})

test('a stream follows labels that change, and equipment that is added, from the next event on', async () => {
  const { live, id } = await fab()
  const { equipment, journal, events } = { ...live.gateway, journal: live.journal }
  const query = { label_selector: 'area=etch', type: ['state' as const] }
  const over = new AbortController()
  const seen: string[] = []
  const reading = (async () => {
    for await (const group of events.follow(query, over.signal, equipment.labels.selection(query)))
      seen.push(...group.map(({ data }) => String(data['text'])))
  })()
  const say = async (key: string, text: string): Promise<void> => {
    await journal.append({
      type: 'state',
      name: 'control_state',
      key,
      at: '2026-01-01T00:00:00.000Z',
      data: { text },
    })
  }
  await say(id('a'), 'a')
  await say(id('c'), 'c, which is in litho')
  await until(() => seen.length === 1)
  await equipment.update(id('c'), { labels: { area: 'etch' } })
  await equipment.update(id('a'), { labels: { area: 'litho' } })
  await say(id('a'), 'a, which is in litho now')
  await say(id('c'), 'c, which is in etch now')
  await until(() => seen.length === 2)
  const added = await live.add({ port: 5999, labels: { area: 'etch' } })
  await say(added.id, 'added')
  await until(() => seen.length === 3)
  expect(seen).toEqual(['a', 'c, which is in etch now', 'added'])
  over.abort()
  await reading
})
