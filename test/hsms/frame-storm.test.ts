import { expect, test } from 'vitest'
import { FrameStorm } from '../../stress/frame-storm.js'

test.each(['active', 'passive'] as const)(
  '50,000 random and mutated frames do not break the %s side',
  (role) => {
    const storm = new FrameStorm(20_260_101, role)
    storm.run(50_000)
    storm.finish()
    const { connections, delivered, written, requests, ended } = storm.tally
    expect(Object.values(ended).reduce((sum, count) => sum + count)).toBe(requests)
    // It was a storm: every kind of end came, and much was taken and refused.
    expect(Math.min(...Object.values(ended))).toBeGreaterThan(10)
    expect(connections).toBeGreaterThan(100)
    expect(delivered).toBeGreaterThan(5_000)
    expect(written).toBeGreaterThan(5_000)
  },
)

test('the same seed makes the same storm', () => {
  const tally = (seed: number) => {
    const storm = new FrameStorm(seed, 'active')
    storm.run(2_000)
    return storm.tally
  }
  expect(tally(7)).toEqual(tally(7))
  expect(tally(8)).not.toEqual(tally(7))
})
