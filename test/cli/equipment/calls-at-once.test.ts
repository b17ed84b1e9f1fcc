import { expect, test } from 'vitest'
import { callsAtOnce } from '../../../src/cli/equipment/calls-at-once.js'
import { Problem } from '../../../src/contract/errors.js'

const NUMBERS = Array.from({ length: 100 }, (_, n) => n)

test('many calls are made sixteen at once, and answered in their order', async () => {
  let underWay = 0
  let most = 0
  const found = await callsAtOnce(NUMBERS, async (n) => {
    most = Math.max(most, ++underWay)
    for (let turn = 0; turn <= n % 7; turn++) await Promise.resolve()
    underWay--
    return n * 2
  })
  expect([most, found]).toEqual([16, NUMBERS.map((n) => n * 2)])
  expect(await callsAtOnce([], async () => 1)).toEqual([])
})

test('one that is refused keeps no other from its call, and is reported at the end', async () => {
  const called: number[] = []
  const refused = callsAtOnce(NUMBERS, async (n) => {
    called.push(n)
    if (n === 3) throw new Problem('equipment_not_found', 'it is gone')
  })
  await expect(refused).rejects.toMatchObject({ code: 'equipment_not_found' })
  expect(called).toEqual(NUMBERS)
})

test('nothing more is begun once the gateway does not respond, or the person wants no more', async () => {
  for (const stop of ['failure', 'abort']) {
    const called: number[] = []
    const stopped = new AbortController()
    const calls = callsAtOnce(
      NUMBERS,
      async (n) => {
        called.push(n)
        await Promise.resolve()
        if (n === 20 && stop === 'failure') throw new Error('nobody answers')
        if (n === 20) stopped.abort()
      },
      stopped.signal,
    )
    if (stop === 'failure') await expect(calls).rejects.toThrow('nobody answers')
    else expect(await calls).toHaveLength(called.length)
    expect(called.length, stop).toBeLessThan(NUMBERS.length / 2)
  }
})
