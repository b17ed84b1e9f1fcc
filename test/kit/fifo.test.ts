import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fifo } from '../../src/kit/fifo.js'

test('gives what was added in its order, as a list does', () => {
  const step = fc.oneof(
    fc.constant({ kind: 'add' as const }),
    fc.constant({ kind: 'take' as const }),
    fc.constant({ kind: 'drain' as const }),
    fc.record({ kind: fc.constant('addFirst' as const), count: fc.nat(3) }),
  )
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const fifo = new Fifo<number>()
      const list: number[] = []
      let next = 0
      for (const one of steps) {
        if (one.kind === 'add') {
          fifo.add(next)
          list.push(next++)
        } else if (one.kind === 'take') expect(fifo.take()).toBe(list.shift())
        else if (one.kind === 'drain') expect(fifo.drain()).toEqual(list.splice(0))
        else {
          const items = Array.from({ length: one.count }, () => next++)
          fifo.addFirst(...items)
          list.unshift(...items)
        }
        expect([fifo.length, fifo.first]).toEqual([list.length, list[0]])
      }
    }),
  )
})
