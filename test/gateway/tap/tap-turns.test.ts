import { expect, test } from 'vitest'
import { TapTurns } from '../../../src/gateway/tap/tap-turns.js'
import { deferred } from '../../../src/kit/deferred.js'
import { ManualClock } from '../../support/manual-clock.js'

const SLOW_MS = 2000

function scene() {
  const clock = new ManualClock()
  const host = { open: 0 }
  const turns = new TapTurns(
    clock,
    () => 'etcher',
    () => host.open,
    () => SLOW_MS,
  )
  const begun: string[] = []
  const take = (name: string) => {
    const ended = deferred<unknown>()
    const taken = turns.take(async () => {
      begun.push(name)
      return { ended: ended.promise } as never
    })
    taken.catch(() => {})
    return { taken, end: () => ended.resolve({}) }
  }
  return { clock, host, turns, begun, take }
}
const settled = async () => {
  for (let round = 0; round < 20; round += 1) await Promise.resolve()
}

test('one primary of the gateway is open at a time', async () => {
  const { take, begun } = scene()
  const first = take('first')
  const second = take('second')
  await settled()
  expect(begun).toEqual(['first'])
  first.end()
  await second.taken
  expect(begun).toEqual(['first', 'second'])
})

test('the host comes first: its transactions are waited for, and not forever', async () => {
  const { take, begun, host, turns, clock } = scene()
  host.open = 1
  const first = take('first')
  await settled()
  expect(begun).toEqual([])
  host.open = 0
  turns.hostEnded(1)
  await first.taken
  first.end()
  host.open = 1
  const second = take('second')
  await settled()
  clock.advance(10_000)
  await expect(second.taken).rejects.toMatchObject({ code: 'equipment_busy' })
})

test('a slow reply to the host gives the equipment a rest of a minute', async () => {
  const { take, turns, clock } = scene()
  turns.hostEnded(SLOW_MS)
  const quick = take('quick')
  await quick.taken
  quick.end()
  turns.hostEnded(SLOW_MS + 1)
  await expect(take('refused').taken).rejects.toMatchObject({ code: 'equipment_busy' })
  clock.advance(60_000)
  await expect(take('later').taken).resolves.toBeDefined()
})

test('a primary that cannot be sent does not keep the others', async () => {
  const { turns, take, begun } = scene()
  const refused = turns.take(() => Promise.reject(new Error('no')))
  await expect(refused).rejects.toThrow('no')
  await take('next').taken
  expect(begun).toEqual(['next'])
})
