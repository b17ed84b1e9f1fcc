import { expect, test } from 'vitest'
import { joinSteps } from '../../../src/kit/text/join-steps.js'

const PIECE = 64 * 1024

test.each([
  ['short', ['a', '', 'é\ud83d']],
  ['long, all in Latin-1', Array.from({ length: 40 }, (_, at) => 'é\0'.repeat(PIECE / 2) + at)],
  [
    'long, with a pair of surrogates that is torn',
    Array.from({ length: 40 }, (_, at) => `\ude00${'x'.repeat(PIECE)}${at}\ud83d`),
  ],
])('a text that is %s is the same as one that is joined at once', (_, pieces) => {
  const steps = joinSteps(pieces)
  let count = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) count++
  expect(step.value === pieces.join('')).toBe(true)
  // One for each MiB, and one on either side of the last.
  expect(count).toBe(pieces.length > 3 ? 4 : 0)
})
