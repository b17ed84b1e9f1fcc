import { expect, test } from 'vitest'
import { readingProgress } from '../../src/store/reading-progress.js'
import { ManualClock } from '../support/manual-clock.js'

test('a reading that takes long says after a second, and then every five, how far it is', () => {
  const clock = new ManualClock()
  const said: string[] = []
  const progress = readingProgress(clock, (text) => said.push(text))
  for (let second = 1; second <= 11; second++) {
    clock.advance(1000)
    progress('reading the history', second * 10, 200)
  }
  expect(said).toEqual([5, 30, 55].map((part) => `reading the history: ${part} %`))
})
