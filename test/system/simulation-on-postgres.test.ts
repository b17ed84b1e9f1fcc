import { expect, test } from 'vitest'
import { expectAllHeld, simulated, timesOf } from '../world/simulated.js'

/** The world of `simulation.test.ts` over a real PostgreSQL, whose time is the world's. */

const SITE = ['--days', '0.002', '--tools', '3', '--interval', '20', '--faults', '0.4', '--gateways', '2']

/** About a minute of the processor. */
test('what the documentation promises holds with gateways on PostgreSQL', async () => {
  const report = await simulated(2, ...SITE, '--postgres')
  expectAllHeld(report, 20)
  for (const what of [
    'equipment driven by another gateway than before',
    'connections to the database that were cut',
    'statements that waited for a lock in PostgreSQL',
  ])
    expect(timesOf(report, what), what).toBeGreaterThan(2)
}, 1_500_000)
