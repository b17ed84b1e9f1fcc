import { expect, test } from 'vitest'
import { metric, prometheusParts, samplesOf } from '../../../src/api/metrics/prometheus-text.js'

test('samples are made one after the other, as their lines are written', () => {
  let made = 0
  const all = Array.from({ length: 1000 }, (_, at) => at)
  const samples = samplesOf(all, (at) => {
    made += 1
    return [[{ at }, at]]
  })
  const parts = prometheusParts([metric('gauge', 'one', 'One.', samples), metric('gauge', 'two', 'Two.', [])])
  expect([parts.next().value, made]).toEqual(['# HELP secsctl_one One.\n# TYPE secsctl_one gauge\n', 0])
  expect([parts.next().value, made]).toEqual(['secsctl_one{at="0"} 0\n', 1])
  const rest = [...parts]
  expect([rest.length, made]).toEqual([1000, 1000])
  expect(rest.at(-1)).toBe('\n# HELP secsctl_two Two.\n# TYPE secsctl_two gauge\n')
})
