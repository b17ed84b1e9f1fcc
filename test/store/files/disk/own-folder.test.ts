import { expect, test } from 'vitest'
import { FailStop } from '../../../../src/store/failure.js'
import type { Lock } from '../../../../src/store/files/disk/lock.js'
import { watchLock } from '../../../../src/store/files/disk/own-folder.js'
import { settle } from '../../../support/gem-pair.js'
import { ManualClock } from '../../../support/manual-clock.js'

test('the lock is looked at each second; a lock that is gone ends the store, but not once it is closed', async () => {
  const clock = new ManualClock()
  let looks = 0
  let fault: Error | undefined
  const lock = {
    check: async () => {
      looks++
      if (fault) throw fault
    },
  } as Lock
  const watching = () => {
    const failStop = new FailStop()
    return { failStop, cancel: watchLock(lock, failStop, clock) }
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  const { failStop } = watching()
  await pass(999)
  expect(looks).toBe(0)
  await pass(1)
  await pass(1000)
  expect([looks, failStop.failure]).toEqual([2, undefined])
  const closed = watching()
  closed.cancel()
  fault = new Error('it is gone')
  await pass(1000)
  expect(looks).toBe(3)
  expect([failStop.failure?.message, closed.failStop.failure]).toEqual([
    expect.stringContaining('it is gone'),
    undefined,
  ])
})
