import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Dated, DeadlineOrder } from '../../../src/hsms/timers/deadline-order.js'

interface Entry extends Dated<Entry> {
  readonly id: number
}

test('the first is always one with the least deadline, whatever came and went', () => {
  const step = fc.oneof(fc.record({ add: fc.nat(20) }), fc.record({ remove: fc.nat(30) }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const order = new DeadlineOrder<Entry>()
      let there: Entry[] = []
      for (const [id, one] of steps.entries()) {
        if ('add' in one) {
          const entry: Entry = { id, at: one.add }
          order.add(entry)
          there.push(entry)
        } else {
          const entry = there[one.remove]
          if (!entry) continue
          order.remove(entry)
          there = there.filter((other) => other !== entry)
        }
        const least = Math.min(...there.map(({ at }) => at))
        expect(order.first).toBe(there.find(({ at }) => at === least))
      }
      const left: Entry[] = []
      for (let first = order.first; first; first = order.first) {
        left.push(first)
        order.remove(first)
      }
      expect(left).toEqual(there.toSorted((a, b) => a.at - b.at))
    }),
  )
})
