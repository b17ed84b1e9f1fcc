import { expect, test } from 'vitest'
import { deferred } from '../../src/kit/deferred.js'
import { SharedRun } from '../../src/kit/shared-run.js'
import { turns } from '../support/until.js'

test('callers during a run share the next one, and each gets the result of a run that began after the call', async () => {
  const ends = [deferred<void>(), deferred<void>(), deferred<void>()]
  let begun = 0
  const shared = new SharedRun(async () => {
    const run = begun++
    await ends[run]?.promise
    return run
  })
  const first = shared.run()
  const during = [shared.run(), shared.run(), shared.run()]
  await turns()
  expect(begun).toBe(1)
  ends[0]?.resolve()
  expect(await first).toBe(0)
  await turns()
  const late = shared.run()
  ends[1]?.resolve()
  expect(await Promise.all(during)).toEqual([1, 1, 1])
  ends[2]?.resolve()
  expect([await late, begun]).toEqual([2, 3])
})

test('a run that fails does not fail those who share the next one', async () => {
  const end = deferred<void>()
  let begun = 0
  const shared = new SharedRun(async () => {
    begun++
    if (begun === 1) await end.promise
    return begun
  })
  const [first, next] = [shared.run(), shared.run()]
  end.reject(new Error('no'))
  await expect(first).rejects.toThrow('no')
  expect(await next).toBe(2)
})
