import { expect, test } from 'vitest'
import { Decisions } from '../../src/gateway/decisions.js'
import { deferred } from '../../src/kit/deferred.js'
import { Signal } from '../../src/kit/signal.js'
import type { Entry } from '../../src/store/entry.js'
import { Overtaken, StoreUnavailable } from '../../src/store/failure.js'
import { settle } from '../support/gem-pair.js'
import { ManualClock } from '../support/manual-clock.js'

function scene() {
  const clock = new ManualClock()
  const journal = { last: 0, appended: new Signal<Entry>() }
  /** Another process's entry is read here. */
  const read = (seq: number): void => {
    journal.last = seq
    journal.appended.emit({ seq } as Entry)
  }
  return { clock, journal, read, decisions: new Decisions(journal, clock) }
}

test('decisions about a key are made one after the other, and those about other keys meanwhile', async () => {
  const { decisions } = scene()
  const begun: string[] = []
  const ends = new Map(['a', 'ab', 'b', 'c'].map((name) => [name, deferred<void>()]))
  const decide = (name: string, keys: readonly string[]) =>
    decisions.decide(keys, async () => {
      begun.push(name)
      await ends.get(name)?.promise
      return name
    })
  const all = [decide('a', ['a']), decide('ab', ['a', 'b', 'a']), decide('b', ['b']), decide('c', ['c'])]
  await settle()
  expect(begun).toEqual(['a', 'c'])
  ends.get('a')?.reject(new Error('mine'))
  await expect(all[0]).rejects.toThrow('mine')
  await settle()
  expect(begun).toEqual(['a', 'c', 'ab'])
  ends.get('ab')?.resolve()
  await settle()
  expect(begun).toEqual(['a', 'c', 'ab', 'b'])
  for (const end of ends.values()) end.resolve()
  expect(await Promise.all(all.slice(1))).toEqual(['ab', 'b', 'c'])
})

test('a decision that another process overtook is made again once its entry is known, for 3 s at most', async () => {
  const { clock, journal, read, decisions } = scene()
  const known: number[] = []
  const decided = decisions.decide(['a'], async (last) => {
    known.push(last)
    if (last < 5) throw new Overtaken(last === 0 ? 3 : 5)
    return 'mine'
  })
  await settle()
  read(2)
  await settle()
  expect(known).toEqual([0])
  read(3)
  await settle()
  expect(known).toEqual([0, 3])
  // It may have been read before it is waited for.
  journal.last = 5
  clock.advance(2999)
  await settle()
  expect(known).toEqual([0, 3])
  read(5)
  expect(await decided).toBe('mine')

  const late = decisions.decide(['a'], async () => {
    throw new Overtaken(9)
  })
  let isOver = false
  const ended = expect(late.finally(() => (isOver = true))).rejects.toThrow(StoreUnavailable)
  await settle()
  // While this process stands still nothing is read.
  clock.standStill(60_000)
  clock.advance(0)
  await settle()
  expect(isOver).toBe(false)
  clock.advance(3000)
  await ended
  expect(clock.scheduled).toBe(0)
})

test('it is made 20 times at most, at once where the other entry is known, and other failures end it', async () => {
  const { journal, decisions } = scene()
  journal.last = 7
  let attempts = 0
  const overtaken = decisions.decide(['a'], async () => {
    attempts++
    throw new Overtaken(7)
  })
  await expect(overtaken).rejects.toThrow(Overtaken)
  expect(attempts).toBe(20)
  const failing = decisions.decide(['a'], async () => {
    attempts++
    throw new StoreUnavailable('away')
  })
  await expect(failing).rejects.toThrow('away')
  expect(attempts).toBe(21)
})

test('a gateway that closes waits for decisions that are under way, also for those that follow them, and not for ever', async () => {
  const { clock, decisions } = scene()
  const [first, second, hanging] = [deferred<void>(), deferred<void>(), deferred<void>()]
  let isIdle = false
  const idle = async () => {
    isIdle = false
    await decisions.idle()
    isIdle = true
  }
  await idle()
  void decisions.decide(['a'], () => first.promise).then(() => decisions.decide(['b'], () => second.promise))
  void idle()
  first.resolve()
  await settle()
  expect(isIdle).toBe(false)
  second.resolve()
  await settle()
  expect(isIdle).toBe(true)
  void decisions.decide(['c'], () => hanging.promise)
  void idle()
  await settle()
  expect(isIdle).toBe(false)
  clock.advance(3000)
  await settle()
  expect(isIdle).toBe(true)
})
