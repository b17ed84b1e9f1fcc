import type { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { diskSpaceOf } from '../../src/daemon/disk-space.js'
import { systemClock } from '../../src/kit/clock.js'
import { ManualClock } from '../support/manual-clock.js'

test('the space of a disk is its free and its whole size in bytes; of a folder that is gone there is none', async () => {
  const space = await diskSpaceOf(tmpdir(), systemClock)()
  expect(space?.size).toBeGreaterThan(1024 ** 2)
  expect(space?.free).toBeLessThanOrEqual(space?.size ?? 0)
  expect(await diskSpaceOf('/nowhere/at/all', systemClock)()).toBeUndefined()
})

test('a disk that hangs is given up after two seconds, and asked once until it answers', async () => {
  const clock = new ManualClock()
  const answers: ((space: object) => void)[] = []
  const hangs = (() => new Promise((resolve) => answers.push(resolve))) as unknown as typeof statfs
  const space = diskSpaceOf('/data', clock, hangs)
  for (let scrape = 0; scrape < 3; scrape++) {
    const asked = space()
    clock.advance(2000)
    expect(await asked).toBeUndefined()
  }
  expect(answers).toHaveLength(1)
  const late = space()
  answers[0]?.({ bavail: 3, blocks: 5, bsize: 4096 })
  expect(await late).toEqual({ free: 12_288, size: 20_480 })
  const next = space()
  expect(answers).toHaveLength(2)
  answers[1]?.({ bavail: 1, blocks: 5, bsize: 4096 })
  expect(await next).toEqual({ free: 4096, size: 20_480 })
})
