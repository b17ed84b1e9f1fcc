import { expect, test } from 'vitest'
import { TapStorm } from '../../stress/tap-storm.js'

test('5,000 random frames from each side reach the other one, however they are cut, while the gateway asks', () => {
  const storm = new TapStorm(20_260_101)
  storm.run(5_000)
  const { frames, connections, unreadable, sent, replied, mapped } = storm.tally
  expect(frames).toBe(10_000)
  // It was a storm: garbage came, and the host took system bytes that were in use.
  expect(connections).toBeGreaterThan(50)
  expect(unreadable).toBeGreaterThan(20)
  expect(sent).toBeGreaterThan(100)
  expect(replied).toBeGreaterThan(50)
  expect(mapped).toBeGreaterThan(20)
})
