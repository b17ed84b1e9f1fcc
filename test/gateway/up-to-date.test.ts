import { expect, test } from 'vitest'
import { Problem } from '../../src/contract/errors.js'
import { foundUpToDate } from '../../src/gateway/up-to-date.js'
import { deferred } from '../../src/kit/deferred.js'
import { settle } from '../support/gem-pair.js'
import { ManualClock } from '../support/manual-clock.js'

const MISSING = new Problem('user_not_found', 'There is no such user.')

function elsewhere(error: Problem) {
  let isKnown = false
  let readings = 0
  const catchUp = async (): Promise<void> => {
    readings += 1
    isKnown = true
  }
  const work = async (): Promise<string> => {
    if (!isKnown) throw error
    return 'found'
  }
  return { gateway: { catchUp, clock: new ManualClock() }, work, readings: () => readings }
}

test.each([MISSING, new Problem('token_revoked', 'The token has been revoked.')])(
  'what another daemon has added a moment ago is found: %s',
  async (error) => {
    const { gateway, work, readings } = elsewhere(error)
    expect(await foundUpToDate(gateway, work)).toBe('found')
    expect(readings()).toBe(1)
  },
)

test('what is nowhere is looked for once more; another error is none', async () => {
  const { gateway, readings } = elsewhere(MISSING)
  await expect(foundUpToDate(gateway, () => Promise.reject(MISSING))).rejects.toBe(MISSING)
  expect(readings()).toBe(1)
  const forbidden = new Problem('forbidden', 'Not for you.')
  await expect(foundUpToDate(gateway, () => Promise.reject(forbidden))).rejects.toBe(forbidden)
  expect(readings()).toBe(1)
})

test('a time in which this process stood still is not that of the store', async () => {
  const { gateway, work } = elsewhere(MISSING)
  const read = deferred<void>()
  const found = foundUpToDate({ ...gateway, catchUp: () => read.promise.then(() => gateway.catchUp()) }, work)
  await settle()
  gateway.clock.standStill(60_000)
  gateway.clock.advance(0)
  read.resolve()
  expect(await found).toBe('found')
  const never = foundUpToDate({ ...gateway, catchUp: () => new Promise(() => {}) }, () =>
    Promise.reject(MISSING),
  )
  const refused = expect(never).rejects.toMatchObject({ code: 'store_unavailable' })
  await settle()
  gateway.clock.advance(3000)
  await refused
})
