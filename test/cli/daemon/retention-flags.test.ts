import { expect, test } from 'vitest'
import { RETENTION_FLAGS, retentionOf } from '../../../src/cli/daemon/retention-flags.js'
import { DEFAULT_RETENTION } from '../../../src/store/retention-policy.js'

const HELD = { 'sinks-keep': '7d', 'sinks-keep-size': '1GiB' }
const held = { maxAge: 7 * 24 * 60 * 60 * 1000, maxBytes: 1024 ** 3 }

test('how much is kept is printed as a time and a size', () => {
  expect(retentionOf({ keep: '30d', 'keep-size': '2GiB', ...HELD })).toEqual({
    maxAge: 30 * 24 * 60 * 60 * 1000,
    maxBytes: 2 * 1024 ** 3,
    held,
  })
  expect(
    retentionOf({ keep: '36h', 'keep-size': '500MB', 'sinks-keep': '0s', 'sinks-keep-size': '0MiB' }),
  ).toEqual({
    maxAge: 36 * 60 * 60 * 1000,
    maxBytes: 500e6,
    held: { maxAge: 0, maxBytes: 0 },
  })
  expect(retentionOf({ keep: '1.5d', 'keep-size': '0.5TiB', ...HELD }).maxBytes).toBe(0.5 * 1024 ** 4)
})

test('without flags a daemon keeps what the store keeps by itself: 30 days or 2 GiB, 7 days and 1 GiB more for sinks', () => {
  const { keep, 'keep-size': size, 'sinks-keep': sinks, 'sinks-keep-size': sinksSize } = RETENTION_FLAGS
  const defaults = { keep: String(keep.default), 'keep-size': String(size.default) }
  const forSinks = { 'sinks-keep': String(sinks.default), 'sinks-keep-size': String(sinksSize.default) }
  expect(retentionOf({ ...defaults, ...forSinks })).toEqual(DEFAULT_RETENTION)
  expect(DEFAULT_RETENTION).toEqual({ maxAge: 30 * 24 * 60 * 60 * 1000, maxBytes: 2 * 1024 ** 3, held })
})

test.each(['23h', '30', 'a month', '0d', '-1d'])('to keep %s is refused', (keep) => {
  expect(() => retentionOf({ keep, 'keep-size': '2GiB', ...HELD })).toThrow(
    '--keep takes a duration of a day or more',
  )
})

test.each(['63MiB', '2', '2G', '2KiB', '-2GiB', 'much', '1e3GiB'])('a size of %s is refused', (size) => {
  expect(() => retentionOf({ keep: '30d', 'keep-size': size, ...HELD })).toThrow('--keep-size takes a size')
})

test.each(['2', '1e3GiB', '-1GiB', 'none'])('%s more for sinks is refused', (size) => {
  const given = { keep: '30d', 'keep-size': '2GiB', ...HELD, 'sinks-keep-size': size }
  expect(() => retentionOf(given)).toThrow('--sinks-keep-size takes a size such as')
})
