import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OccurrencesByEquipment } from '../../../src/gateway/alarms/occurrences-by-equipment.js'

test('occurrences are found by equipment, as in a list of all of them', () => {
  const call = fc.record({
    equipmentId: fc.constantFrom('a', 'b', 'c'),
    id: fc.integer({ min: 1, max: 5 }),
    isAdded: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 40 }), (calls) => {
      const found = new OccurrencesByEquipment<{ equipmentId: string; id: number; n: number }>()
      let model: { equipmentId: string; id: number; n: number }[] = []
      for (const [n, { isAdded, ...one }] of calls.entries()) {
        const at = model.findIndex(({ equipmentId, id }) => equipmentId === one.equipmentId && id === one.id)
        expect(found.has(one)).toBe(at >= 0)
        if (!isAdded) expect(found.delete(one)).toBe(at >= 0)
        else found.add({ ...one, n })
        if (!isAdded) model = model.filter((_, place) => place !== at)
        // One that is there keeps its place.
        else model = at < 0 ? [...model, { ...one, n }] : model.with(at, { ...one, n })
        expect(found.size).toBe(model.length)
        const of = (equipment: string) => model.filter(({ equipmentId }) => equipmentId === equipment)
        const most = Math.max(0, ...['a', 'b', 'c'].map((name) => of(name).length))
        for (const name of ['a', 'b', 'c']) {
          expect(found.countOf(name)).toBe(of(name).length)
          expect(found.firstOf(name)).toEqual(of(name)[0])
          expect([...found.values()].filter(({ equipmentId }) => equipmentId === name)).toEqual(of(name))
        }
        const first = found.firstOfMost()
        expect(first && of(first.equipmentId).length).toBe(most === 0 ? undefined : most)
        if (first) expect(first).toEqual(of(first.equipmentId)[0])
      }
    }),
  )
})
