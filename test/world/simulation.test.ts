import { test } from 'vitest'
import { expectAllHeld, simulated } from './simulated.js'

/** One seed, which is ten seconds of a processor; `test/system/simulation.test.ts` has others, `npm run simulate` all. */
test('what the documentation promises holds in a simulated hour', async () => {
  expectAllHeld(await simulated(1), 50)
}, 600_000)
