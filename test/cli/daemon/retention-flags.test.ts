import { expect, test } from 'vitest'
import { RETENTION_FLAGS, retentionOf } from '../../../src/cli/daemon/retention-flags.js'
import { DEFAULT_RETENTION } from '../../../src/store/retention-policy.js'

test('how much is kept is printed as a time and a size', () => {
  expect(retentionOf({ keep: '30d', 'keep-size': '2GiB' })).toEqual({
    maxAge: 30 * 24 * 60 * 60 * 1000,
    maxBytes: 2 * 1024 ** 3,
  })
  expect(retentionOf({ keep: '36h', 'keep-size': '500MB' })).toEqual({
    maxAge: 36 * 60 * 60 * 1000,
    maxBytes: 500e6,
  })
  expect(retentionOf({ keep: '1.5d', 'keep-size': '0.5TiB' }).maxBytes).toBe(0.5 * 1024 ** 4)
})

test('without flags a daemon keeps what the store keeps by itself: 30 days or 2 GiB', async () => {
  const {
    keep: { default: keep },
    'keep-size': { default: size },
  } = RETENTION_FLAGS
  expect(retentionOf({ keep: String(keep), 'keep-size': String(size) })).toEqual(DEFAULT_RETENTION)
  expect(DEFAULT_RETENTION).toEqual({ maxAge: 30 * 24 * 60 * 60 * 1000, maxBytes: 2 * 1024 ** 3 })
})

test.each(['23h', '30', 'a month', '0d', '-1d'])('to keep %s is refused', (keep) => {
  expect(() => retentionOf({ keep, 'keep-size': '2GiB' })).toThrow('--keep takes a')
})

test.each(['63MiB', '2', '2G', '2KiB', '-2GiB', 'much', '1e3GiB'])('a size of %s is refused', (size) => {
  expect(() => retentionOf({ keep: '30d', 'keep-size': size })).toThrow('--keep-size takes a size')
})
