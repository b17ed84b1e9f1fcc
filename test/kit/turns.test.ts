import { expect, test } from 'vitest'
import { Semaphore } from '../../src/kit/semaphore.js'
import { atOnce, chunksOf, inTurns, nextTurn } from '../../src/kit/turns.js'
import { ManualClock } from '../support/manual-clock.js'

test('of many that wait for a turn one continues in each', async () => {
  let turns = 0
  let counting = true
  const count = (): void => {
    turns++
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  const seen: number[] = []
  await Promise.all(Array.from({ length: 5 }, () => nextTurn().then(() => seen.push(turns))))
  counting = false
  expect(new Set(seen).size).toBe(5)
})

test('equipment and the journal do not wait for the many of the others that wait for a turn', async () => {
  const order: string[] = []
  const wait = (name: string, ...lane: Parameters<typeof nextTurn>) =>
    nextTurn(...lane).then(() => void order.push(name))
  const others = Array.from({ length: 50 }, () => wait('other'))
  const served = async (lane: 'equipment' | 'journal') => {
    for (let n = 0; n < 5; n++) await wait(lane, lane)
  }
  await Promise.all([served('equipment'), served('journal')])
  // One of the others had its turn in each of the five, and perhaps one more.
  expect(order.filter((name) => name === 'other').length).toBeLessThanOrEqual(6)
  await Promise.all(others)
  expect(order).toHaveLength(60)
})

test('work that continues for long gives the event loop back, and loses nothing by it', async () => {
  const clock = new ManualClock()
  let others = 0
  let working = true
  const other = (): void => {
    others++
    if (working) setImmediate(other)
  }
  setImmediate(other)
  function* parts(): Generator<string> {
    for (let at = 0; at < 100; at++) {
      clock.advance(1)
      yield at % 2 === 0 ? String(at).padEnd(2000) : ''
    }
  }
  let text = ''
  for await (const chunk of chunksOf(parts(), clock)) text += chunk
  working = false
  expect(others).toBeGreaterThanOrEqual(10)
  expect(text.split(/ +/).slice(0, -1)).toEqual(Array.from({ length: 50 }, (_, at) => String(2 * at)))
})

test('places let so many in, and the others in their order', async () => {
  const places = new Semaphore(2)
  const order: string[] = []
  const enter = async (name: string) => {
    const leave = await places.take()
    order.push(name)
    return leave
  }
  const [leaveA] = await Promise.all([enter('a'), enter('b')])
  const c = enter('c')
  const d = enter('d')
  await Promise.resolve()
  expect([order, places.taken]).toEqual([['a', 'b'], 2])
  leaveA()
  leaveA()
  const leaveC = await c
  expect(order).toEqual(['a', 'b', 'c'])
  leaveC()
  await d
  expect([order, places.taken]).toEqual([['a', 'b', 'c', 'd'], 2])
})

test('steps come to the same at once and in turns, in which others continue in between', async () => {
  const done: string[] = []
  function* steps(): Generator<void, string> {
    done.push('one')
    yield
    done.push('two')
    return 'result'
  }
  expect(atOnce(steps())).toBe('result')
  setImmediate(() => done.push('other'))
  expect(await inTurns(steps())).toBe('result')
  expect(done).toEqual(['one', 'two', 'one', 'other', 'two'])
})

test('a step that fails is what the steps come to', async () => {
  function* steps(): Generator<void, string> {
    yield
    throw new Error('the second')
  }
  expect(() => atOnce(steps())).toThrow('the second')
  await expect(inTurns(steps())).rejects.toThrow('the second')
})
