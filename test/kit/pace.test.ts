import { expect, test } from 'vitest'
import { Pace } from '../../src/kit/pace.js'
import { ManualClock } from '../support/manual-clock.js'

/** Ten milliseconds between two callers, three at once; `let through` has those that had their turn. */
function paced() {
  const clock = new ManualClock()
  const pace = new Pace(clock, 10, 3)
  const through: string[] = []
  const come = (...names: string[]): void => {
    for (const name of names) void pace.turn().then(() => through.push(name))
  }
  const after = async (ms: number): Promise<string> => {
    clock.advance(ms)
    for (let n = 0; n < 10; n++) await Promise.resolve()
    return through.join('')
  }
  return { clock, pace, come, after }
}

test('some are let through at once, and the others at a steady rate in the order in which they came', async () => {
  const { come, after } = paced()
  come(...'abcdefg')
  expect(await after(0)).toBe('abc')
  expect(await after(9)).toBe('abc')
  expect(await after(1)).toBe('abcd')
  expect(await after(20)).toBe('abcdef')
  come('h')
  expect(await after(10)).toBe('abcdefg')
  expect(await after(10)).toBe('abcdefgh')
})

test('a time without callers is not saved up beyond what is let through at once', async () => {
  const { come, after } = paced()
  come(...'abc')
  await after(10)
  come(...'de')
  expect(await after(0)).toBe('abcd')
  await after(60_000)
  come(...'fghij')
  expect(await after(0)).toBe('abcdefgh')
})

test('who waits when it is closed waits no longer, and leaves no timer', async () => {
  const { clock, pace, come, after } = paced()
  come(...'abcdef')
  pace.close()
  expect(await after(0)).toBe('abcdef')
  expect(clock.scheduled).toBe(0)
})
