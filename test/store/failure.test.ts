import { expect, test } from 'vitest'
import { FailStop, newerFault, StoreDamaged, StoreUnavailable } from '../../src/store/failure.js'

test('the first failure stands: it is what everybody is told from then on', async () => {
  const failStop = new FailStop()
  failStop.check()
  expect(failStop.failure).toBeUndefined()
  const first = new Error('EIO')
  const failure = failStop.stop(first)
  expect(failure).toBeInstanceOf(StoreUnavailable)
  expect([failure.message, failure.cause]).toEqual([expect.stringContaining('EIO'), first])
  expect(failStop.stop('ENOSPC')).toBe(failure)
  expect([await failStop.failed, failStop.failure]).toEqual([failure, failure])
  expect(() => failStop.check()).toThrow(failure)
  expect(new FailStop().stop('ENOSPC').message).toContain('ENOSPC')
})

test('damage is of a file, and of a byte where that is known', () => {
  expect(new StoreDamaged('tools.json', 0, 'it is cut off').message).toMatch(/^tools\.json .*byte 0.*cut off/)
  const damaged = new StoreDamaged('tools.json', undefined, 'it is gone')
  expect([damaged.message, damaged.kind]).toEqual(['tools.json: it is gone', 'lost'])
})

test('only a version above the newest is of a newer secsctl', () => {
  expect([1, 2, 3].map((version) => newerFault(version, 2) === undefined)).toEqual([true, true, false])
})
