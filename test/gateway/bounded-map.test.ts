import { expect, test } from 'vitest'
import { BoundedMap, bytesOf, MemoryBudget } from '../../src/gateway/bounded-map.js'

test('maps that share an allowance hold no more than it together, and give back what they let go', () => {
  const allowance = new MemoryBudget(1000)
  const one = new BoundedMap<string>(10, allowance)
  const other = new BoundedMap<readonly string[]>(10, allowance)
  expect([one.set('a', 'x'.repeat(500)), other.set('b', ['y'.repeat(500)])]).toEqual([true, false])
  one.clear()
  expect([other.set('b', ['y'.repeat(500)]), [...other], allowance.left]).toEqual([
    true,
    [['b', ['y'.repeat(500)]]],
    1000 - bytesOf('b') - bytesOf(['y'.repeat(500)]),
  ])
})

test('what has no room takes its old value along: none is better than one that is out of date', () => {
  const map = new BoundedMap<string>(1, new MemoryBudget(200))
  map.set('a', 'old')
  expect([map.set('b', 'more'), map.set('a', 'x'.repeat(300)), [...map]]).toEqual([false, false, []])
})
