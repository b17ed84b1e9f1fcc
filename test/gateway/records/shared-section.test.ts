import { expect, test } from 'vitest'
import { SharedSection } from '../../../src/gateway/records/shared-section.js'
import { type Deferred, deferred } from '../../../src/kit/deferred.js'
import { settle } from '../../support/gem-pair.js'

/** Sections that the test enters; `left` counts those that were left. */
function scene() {
  const asked: Deferred<void>[] = []
  let left = 0
  const section = new SharedSection(async (work) => {
    const turn = deferred<void>()
    asked.push(turn)
    await turn.promise
    const result = await work()
    left++
    return result
  })
  return { asked, section, left: () => left }
}

test('64 pieces of work share one section, which is left after the last of them; the 65th is in the next', async () => {
  const { asked, section, left } = scene()
  const started: number[] = []
  const ends = Array.from({ length: 65 }, () => deferred<number>())
  const running = ends.map(({ promise }, n) =>
    section.run(() => {
      started.push(n)
      return promise
    }),
  )
  await settle()
  expect([asked.length, started]).toEqual([2, []])
  asked[0]?.resolve()
  await settle()
  expect(started).toEqual(Array.from({ length: 64 }, (_, n) => n))
  for (const [n, end] of ends.slice(0, 63).entries()) end.resolve(n)
  await settle()
  expect(left()).toBe(0)
  ends[63]?.resolve(63)
  await settle()
  expect([left(), started.length]).toEqual([1, 64])
  asked[1]?.resolve()
  ends[64]?.resolve(64)
  expect(await Promise.all(running)).toEqual(ends.map((_, n) => n))
  await settle()
  expect(left()).toBe(2)
})

test('work that comes while the section is open joins it, and work that comes later enters anew', async () => {
  const { asked, section, left } = scene()
  const first = deferred<void>()
  const running = section.run(() => first.promise)
  asked[0]?.resolve()
  await settle()
  await section.run(async () => {})
  expect([asked.length, left()]).toEqual([1, 0])
  first.resolve()
  await running
  await settle()
  expect(left()).toBe(1)
  const later = section.run(async () => 'done')
  await settle()
  expect(asked).toHaveLength(2)
  asked[1]?.resolve()
  expect(await later).toBe('done')
})

test('work that fails fails alone; a section that cannot be entered fails all its work', async () => {
  const { asked, section, left } = scene()
  const failing = section.run(() => Promise.reject(new Error('mine')))
  const other = section.run(async () => 'other')
  asked[0]?.resolve()
  await expect(failing).rejects.toThrow('mine')
  expect(await other).toBe('other')
  await settle()
  expect(left()).toBe(1)
  const both = [section.run(async () => 1), section.run(async () => 2)]
  asked[1]?.reject(new Error('away'))
  for (const one of both) await expect(one).rejects.toThrow('away')
  const again = section.run(async () => 3)
  asked[2]?.resolve()
  expect(await again).toBe(3)
})
