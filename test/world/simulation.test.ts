import { expect, test } from 'vitest'
import { expectAllHeld, simulated, timesOf } from './simulated.js'

/** One seed, which is ten seconds of a processor; `test/system/simulation.test.ts` has others, `npm run simulate` all. */
test('what the documentation promises holds in a simulated hour', async () => {
  const report = await simulated(1, '--days', '0.01')
  expectAllHeld(report, 50)
  for (const what of ['certificates renewed', 'commands repeated later 200'])
    expect(timesOf(report, what), what).toBeGreaterThan(2)
  expect(timesOf(report, 'events of pages that were compared')).toBeGreaterThan(500)
}, 600_000)
