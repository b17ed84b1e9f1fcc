import { expect, test } from 'vitest'
import { SITE_KEY } from '../../src/store/ownership.js'
import { SoleOwnership } from '../../src/store/sole-ownership.js'

test('the one process of a store owns every key, unless it is in standby', async () => {
  const ownership = new SoleOwnership(async () => ['t1'])
  const calls: unknown[] = []
  const holder = {
    take: async (keys: readonly string[]) => void calls.push(['take', ...keys]),
    give: async (keys: readonly string[], isLost: boolean) => void calls.push(['give', ...keys, isLost]),
  }
  expect([ownership.owns(), ownership.isCurrent, ownership.nodes()]).toEqual([true, true, []])
  expect([ownership.ownerOf(), ownership.published(), await ownership.drain()]).toEqual([
    undefined,
    undefined,
    false,
  ])
  await ownership.stop()
  await ownership.start(undefined)
  expect([ownership.owns(), calls]).toEqual([false, []])
  await ownership.start(holder)
  expect(ownership.owns()).toBe(true)
  await ownership.stop()
  expect(calls).toEqual([
    ['take', SITE_KEY, 't1'],
    ['give', SITE_KEY, 't1', false],
  ])
})
