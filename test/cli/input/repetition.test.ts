import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { repeatedly } from '../../../src/cli/input/repetition.js'
import { Unreachable } from '../../../src/client/failures.js'
import { Problem } from '../../../src/contract/errors.js'
import { ManualClock } from '../../support/manual-clock.js'

const away = new Unreachable('http://gateway', 'No gateway responds.')
const unlinked = new Problem('equipment_not_connected', 'The equipment is not connected')

/** What `repeatedly` does where the attempts come out so: `undefined` for one that succeeds. */
async function run(outcomes: readonly (Error | undefined)[], count: number) {
  const clock = new ManualClock()
  const lost: string[] = []
  const attempts: (readonly [at: number, done: number, isAgain: boolean])[] = []
  const begun = clock.now()
  const { signal } = new AbortController()
  const repeating = repeatedly(
    { clock, interval: 1000, count, signal, lost: (reason) => lost.push(reason) },
    async (done, isAgain) => {
      const outcome = outcomes[attempts.length]
      attempts.push([clock.now() - begun, done, isAgain])
      if (outcome) throw outcome
    },
  ).catch((error: Error) => error)
  for (const _ of outcomes) {
    await setImmediate()
    clock.advance(1000)
  }
  return { ended: await repeating, lost, attempts }
}

test('a gateway that is away, and equipment that is not connected again yet, are waited for; each reason is said once', async () => {
  const { ended, lost, attempts } = await run(
    [undefined, away, away, unlinked, undefined, away, undefined],
    3,
  )
  expect(ended).toBeUndefined()
  const LOST = 'No gateway responds. Trying again in 1 s.'
  expect(lost).toEqual([LOST, 'The equipment is not connected. Trying again in 1 s.', LOST])
  expect(attempts).toEqual([
    [0, 0, false],
    [1000, 1, false],
    [2000, 1, true],
    [3000, 1, true],
    [4000, 1, true],
    [5000, 2, false],
    [6000, 2, true],
  ])
})

test('any failure before the first success ends it, and so does a refusal later', async () => {
  expect(await run([away, undefined], 2)).toMatchObject({ ended: away, lost: [] })
  const refused = new Problem('forbidden', 'The role viewer is needed.')
  expect(await run([undefined, refused, undefined], 2)).toMatchObject({ ended: refused, lost: [] })
})
