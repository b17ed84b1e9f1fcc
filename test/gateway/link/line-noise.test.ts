import { expect, test } from 'vitest'
import { LineNoise } from '../../../src/gateway/link/line-noise.js'
import type { HsmsCounts } from '../../../src/hsms/counters/counters.js'

/** What the counters of the line show; those of an earlier connection go on. */
function scene() {
  let line = { blocksIn: 5, blocksOut: 5, naksIn: 3, naksOut: 3, retries: 0 } as HsmsCounts['line']
  const add = (more: Partial<HsmsCounts['line']>) => {
    line = { ...line }
    for (const name of Object.keys(more) as (keyof HsmsCounts['line'])[])
      line = { ...line, [name]: line[name] + (more[name] ?? 0) }
  }
  return { add, noise: new LineNoise(() => ({ line })) }
}

test.each([
  ['no block', {}, true, null],
  ['one that was refused', { blocksIn: 4, naksOut: 1 }, false, null],
  ['two that we refused', { blocksIn: 4, naksOut: 2 }, false, '2 of 4'],
  ['two that it refused', { blocksOut: 3, naksIn: 2 }, false, '2 of 3'],
  ['one refused by each', { blocksIn: 4, blocksOut: 3, naksIn: 1, naksOut: 1 }, false, '2 of 7'],
  ['only blocks of ours', { blocksOut: 3 }, true, null],
] as const)('a line with %s', (_, counts, isSilent, share) => {
  const { add, noise } = scene()
  add(counts)
  expect(noise.isSilent).toBe(isSilent)
  if (share === null) expect([noise.seen, noise.error]).toEqual([null, null])
  else expect(noise.seen).toContain(share)
  if (share !== null)
    expect(noise.error).toEqual({ code: 'line_noise', detail: expect.stringContaining(share) })
  noise.begin()
  expect([noise.isSilent, noise.seen, noise.error]).toEqual([true, null, null])
})
