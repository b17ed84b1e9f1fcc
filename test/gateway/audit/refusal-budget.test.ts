import { expect, test } from 'vitest'
import { RefusalBudget, type Summary } from '../../../src/gateway/audit/refusal-budget.js'
import { ManualClock } from '../../support/manual-clock.js'

const HOUR = 60 * 60_000

test('one source, and all together, are recorded so often an hour; the others are counted', () => {
  const clock = new ManualClock()
  const summaries: Summary<string>[] = []
  const budget = new RefusalBudget<string>(clock, { ofSource: 2, all: 3 }, (one) => summaries.push(one))
  const admitted = ['a', 'a', 'a', 'b', 'b', 'c'].map((source, at) => budget.admits(source, `${source}${at}`))
  expect(admitted).toEqual([true, true, false, true, false, false])
  clock.advance(HOUR - 1)
  expect(summaries).toEqual([])
  clock.advance(1)
  expect(summaries).toEqual([
    { first: 'a0', count: 1 },
    { first: 'b3', count: 1 },
    { first: undefined, count: 1 },
  ])
  expect(budget.admits('c', 'c6')).toBe(true)
  clock.advance(HOUR)
  expect(summaries).toHaveLength(3)
})
