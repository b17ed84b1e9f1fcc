import { expect, test } from 'vitest'
import { CallerBudget } from '../../src/api/caller-budget.js'
import { ManualClock } from '../support/manual-clock.js'

/** A budget of ten bytes, and who has got a place, in order. */
function scene() {
  const clock = new ManualClock()
  const budget = new CallerBudget(clock, 10)
  const given: string[] = []
  const take = async (caller: string, bytes: number): Promise<void> => {
    const isGiven = await budget.take(caller, bytes)
    given.push(isGiven ? caller : `not ${caller}`)
  }
  const give = async (bytes: number): Promise<string[]> => {
    budget.give(bytes)
    await Promise.resolve()
    await Promise.resolve()
    return given.splice(0)
  }
  return { clock, budget, given, take, give }
}

test('what is free is given at once, and the rest in the order in which it was asked for', async () => {
  const { budget, take, give } = scene()
  void take('ann', 6)
  void take('ann', 4)
  void take('ann', 1)
  void take('ann', 9)
  expect(await give(0)).toEqual(['ann', 'ann'])
  expect([budget.used, budget.isAwaited]).toEqual([10, true])
  expect(await give(4)).toEqual(['ann'])
  expect(await give(6)).toEqual(['ann'])
  expect([budget.used, budget.isAwaited]).toEqual([10, false])
})

test('callers take turns, however much one of them asks for', async () => {
  const { take, give } = scene()
  for (let n = 0; n < 4; n++) void take('ann', 10)
  void take('bob', 10)
  void take('eve', 10)
  void take('bob', 10)
  const order = []
  for (let n = 0; n < 7; n++) order.push(...(await give(n === 0 ? 0 : 10)))
  expect(order).toEqual(['ann', 'ann', 'bob', 'eve', 'ann', 'bob', 'ann'])
})

test('a large one is not passed by small ones that came later', async () => {
  const { take, give } = scene()
  void take('ann', 8)
  void take('bob', 10)
  void take('eve', 1)
  expect(await give(0)).toEqual(['ann'])
  expect(await give(8)).toEqual(['bob'])
})

test('who has waited for a minute gets no place, and those behind may have room then', async () => {
  const { clock, budget, take, give } = scene()
  void take('ann', 8)
  void take('bob', 10)
  clock.advance(59_000)
  void take('eve', 2)
  expect(await give(0)).toEqual(['ann'])
  clock.advance(1000)
  expect(await give(0)).toEqual(['not bob', 'eve'])
  expect([budget.used, clock.scheduled]).toEqual([10, 0])
})

test('of one caller 64 wait at most, and others wait all the same', async () => {
  const { take, give } = scene()
  for (let n = 0; n < 66; n++) void take('ann', 10)
  void take('bob', 10)
  expect(await give(0)).toEqual(['ann', 'not ann'])
  expect([...(await give(10)), ...(await give(10))]).toEqual(['ann', 'bob'])
})

test('when it is closed, those who wait are refused at once, and who comes later, too', async () => {
  const budget = new CallerBudget(new ManualClock(), 1)
  expect(await budget.take('a', 1)).toBe(true)
  const waiting = [budget.take('a', 1), budget.take('b', 1)]
  expect(budget.refusal().code).toBe('gateway_busy')
  budget.close()
  expect(budget.refusal().code).toBe('shutting_down')
  expect(await Promise.all(waiting)).toEqual([false, false])
  expect([await budget.take('c', 1), budget.used]).toEqual([false, 1])
})
