import { expect, test } from 'vitest'
import { refusalLog } from '../../src/daemon/refusal-log.js'
import { ManualClock } from '../support/manual-clock.js'

test('a balancer with the wrong setting is logged at once, and does not fill the log', () => {
  const clock = new ManualClock()
  const lines: unknown[][] = []
  const refused = refusalLog(clock, { warn: (...line: unknown[]) => void lines.push(line) })
  refused('10.0.0.5', 'no header')
  for (let at = 0; at < 99; at += 1) refused('10.0.0.5', 'no header')
  clock.advance(9_999)
  refused('10.0.0.5', 'no header')
  expect(lines).toEqual([[{ remote: '10.0.0.5' }, expect.stringContaining('no header')]])
  clock.advance(1)
  refused('10.0.0.5', 'no header')
  expect(lines[1]).toEqual([{ remote: '10.0.0.5', omitted: 100 }, expect.stringContaining('no header')])
})
