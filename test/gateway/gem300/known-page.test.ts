import { expect, test } from 'vitest'
import { type KnownObject, ObjectsOfEquipment } from '../../../src/gateway/gem300/view/known-objects.js'
import { knownPage } from '../../../src/gateway/gem300/view/known-page.js'
import { callsOf } from '../../support/live-gateway.js'
import { SEED, seededRandom } from '../../support/random.js'
import { answering } from '../services/answering.js'

const random = seededRandom(SEED)
/** IDs as equipment may have them, of which some make a long or unusual cursor. */
const ODD = ['a/b', 'a.b', '"', 'line\nend', '\ud800', '晶圓'.repeat(100), 'W1', 'w1'] as const

const carrier = (id: string, second: number, state: string): KnownObject => ({
  kind: 'carrier',
  id,
  states: { id_status: { state, source: 'event', since: '', message_id: '1' } },
  details: { location: 'LP1' },
  since: `2026-01-31T08:00:${String(second).padStart(2, '0')}.000Z`,
})

/** Many of the same time, at several equipment. */
function madeUp() {
  const known = new Map<string, ObjectsOfEquipment>()
  for (let at = 0; at < 4; at++) {
    const objects = new ObjectsOfEquipment()
    for (const id of [...ODD, ...Array.from({ length: 30 }, (_, nth) => `F${nth}`)])
      if (random(3) > 0)
        objects.set(carrier(id, random(3), random(2) === 0 ? 'WAITING_FOR_HOST' : 'unknown (9)'))
    known.set(`eq_${at}`, objects)
  }
  return {
    all: [...known].flatMap(([id, objects]) => objects.list('carrier').map((one) => ({ id, one }))),
    site: {
      ids: [...known.keys()],
      objectsOf: (id: string) => known.get(id) ?? new ObjectsOfEquipment(),
      nameOf: (id: string) => `name of ${id}`,
    },
  }
}

test.each(['asc', 'desc'] as const)(
  'Pages have each object once, in the order of time (%s)',
  async (order) => {
    const { all, site } = madeUp()
    const seen: { readonly equipment_id: string; readonly object_id: string; readonly since: string }[] = []
    let cursor: string | null = null
    do {
      const page = await knownPage('carrier', { order, limit: 7, ...(cursor !== null && { cursor }) }, site)
      expect(page.items.length).toBe(Math.min(7, all.length - seen.length))
      seen.push(...page.items)
      cursor = page.next_cursor
    } while (cursor !== null)
    const key = (equipment: string, object: string): string => `${equipment} ${object}`
    expect(seen.map((one) => key(one.equipment_id, one.object_id)).sort()).toEqual(
      all.map(({ id, one }) => key(id, one.id)).sort(),
    )
    const times = seen.map(({ since }) => since)
    expect(times).toEqual(order === 'asc' ? times.toSorted() : times.toSorted().reverse())
  },
)

test('Objects are chosen by ID and by any of their states, and a cursor is of one list', async () => {
  const { all, site } = madeUp()
  const waiting = await knownPage('carrier', { state: ['WAITING_FOR_HOST'], limit: 1000 }, site)
  expect(waiting.items).toHaveLength(
    all.filter(({ one }) => one.states['id_status']?.state === 'WAITING_FOR_HOST').length,
  )
  const named = await knownPage('carrier', { object_id: ['W1', 'F1'] }, site)
  expect(new Set(named.items.map(({ object_id }) => object_id))).toEqual(new Set(['W1', 'F1']))
  const [first] = named.items
  expect(first).toMatchObject({
    equipment_name: `name of ${first?.equipment_id}`,
    details: { location: 'LP1' },
  })
  const { next_cursor } = await knownPage('carrier', { limit: 1 }, site)
  const other = knownPage('carrier', { limit: 1, state: ['unknown (9)'], cursor: next_cursor ?? '' }, site)
  await expect(other).rejects.toMatchObject({ code: 'invalid_cursor' })
  expect(await knownPage('job', {}, site)).toEqual({ items: [], next_cursor: null })
})

test('What is known of all equipment is narrowed to equipment and labels, and asks nothing', async () => {
  const { live, id, asked } = await answering({})
  const { gateway } = live
  const call = callsOf(gateway)
  await gateway.equipment.update(id, { labels: { area: 'etch' } })
  const other = await live.connectScripted({ name: 'coater', gem_startup: false })
  const telling = { messageId: '1', at: '2026-01-31T08:00:00.000Z' }
  for (const equipment of [id, other.id]) {
    const jobs = [{ kind: 'job', id: 'PJ-1', states: { state: 'PROCESSING' } }] as const
    await gateway.objects.tell(equipment, jobs, telling)
  }
  const before = asked().length
  const names = async (query: object) =>
    (await call.listKnownJobs({}, { query })).items.map(({ equipment_name }) => equipment_name).sort()
  expect(await names({})).toEqual(['coater', 'etcher'])
  expect(await names({ label_selector: 'area=etch' })).toEqual(['etcher'])
  expect(await names({ equipment_id: [other.id] })).toEqual(['coater'])
  expect((await call.listKnownCarriers({})).items).toEqual([])
  await gateway.equipment.delete(other.id)
  expect(await names({})).toEqual(['etcher'])
  expect(asked()).toHaveLength(before)
})
