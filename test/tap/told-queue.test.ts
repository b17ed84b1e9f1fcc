import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeFrame } from '../../src/hsms/frame/frame.js'
import { observationsOf, type PassedFrames, type TapEvent } from '../../src/tap/observation.js'
import { ToldQueue } from '../../src/tap/process/told-queue.js'

/** Frames whose system bytes are `at` and those after it. */
const frames = (at: number, bytes = 0, messages = 1): PassedFrames => ({
  ...{ kind: 'frames', from: 'host', at, messages, count: messages },
  bytes: Buffer.concat(
    Array.from({ length: messages }, (_, one) =>
      encodeFrame({
        header: { sessionId: 1, byte2: 1, byte3: 0, pType: 0, sType: 0, systemBytes: at + one },
        body: new Uint8Array(bytes),
      }),
    ),
  ),
})
const endpoints = { host: { local: 'a', remote: 'b' }, equipment: { local: 'c', remote: 'd' } }
const paired = (at: number): TapEvent => ({ kind: 'paired', endpoints, at })
const over = (at: number): TapEvent => ({ kind: 'over', first: 'host', how: 'closed', at })

/** A queue of which a daemon runs the tap `a`. */
function begun(limit: number): ToldQueue {
  const queue = new ToldQueue(limit)
  queue.begin('a')
  return queue
}
function all(queue: ToldQueue): TapEvent[] {
  const found: TapEvent[] = []
  for (let told = queue.next(); told; told = queue.next()) found.push(told.event)
  return found
}

test('what has no room is dropped and counted, and the gap stands where it was', () => {
  const queue = begun(5000)
  for (const at of [1, 2, 3, 4, 5]) queue.push({ id: 'a', event: frames(at, 500) })
  expect(all(queue)).toMatchObject([{ at: 1 }, { at: 2 }, { kind: 'gap', messages: 3, since: 3, at: 5 }])
  // Room is made by what is recorded, not by what is told.
  queue.push({ id: 'a', event: frames(6, 500) })
  queue.recorded('a', 3)
  queue.push({ id: 'a', event: frames(7, 500) })
  expect(all(queue)).toMatchObject([{ kind: 'gap', messages: 1, since: 6 }, { at: 7 }])
})

test('a new daemon is told how it stood, what the last one may not have recorded as a gap, and what came since', () => {
  const queue = begun(1_000_000)
  for (const event of [
    { kind: 'listening', port: 5, at: 1 } as const,
    paired(2),
    { ...frames(3, 0, 3), isSelected: true },
    { kind: 'gap', messages: 7, since: 4, at: 5 } as const,
  ])
    queue.push({ id: 'a', event })
  all(queue)
  queue.recorded('a', 3) // one of the three frames among them
  queue.push({ id: 'a', event: frames(6) })
  queue.end()
  queue.push({ id: 'a', event: frames(7) })
  expect(queue.next()).toBeUndefined()
  queue.begin('a')
  expect(all(queue)).toMatchObject([
    { kind: 'listening', port: 5 },
    { kind: 'paired', isSelected: true, at: 2 },
    { kind: 'gap', messages: 2 + 7, since: 3, at: 5 },
    { at: 6 },
    { at: 7 },
  ])
  queue.push({ id: 'a', event: over(8) })
  all(queue)
  queue.recorded('a', 100)
  queue.end()
  queue.begin('a')
  expect(all(queue)).toMatchObject([{ kind: 'listening' }])
  queue.forget('a')
  expect(queue.bytes).toBe(0)
})

test('each daemon is told which side cannot be read, also where that had no room, until the connection ends', () => {
  const unreadable = (at: number): TapEvent => ({ kind: 'unreadable', from: 'equipment', at })
  const queue = begun(1_000_000)
  for (const event of [paired(1), unreadable(2)]) queue.push({ id: 'a', event })
  all(queue)
  queue.end()
  queue.begin('a')
  expect(all(queue)).toEqual([paired(1), unreadable(2)])
  queue.push({ id: 'a', event: over(3) })
  queue.push({ id: 'a', event: paired(4) })
  all(queue)
  queue.end()
  queue.begin('a')
  expect(all(queue)).toEqual([paired(4)])

  const full = begun(0)
  for (const event of [paired(1), unreadable(2)]) full.push({ id: 'a', event })
  expect(all(full)).toEqual([paired(1), unreadable(2)])
  for (const event of [paired(1), unreadable(2), over(3)]) full.push({ id: 'a', event })
  expect(all(full)).toEqual([over(3)])
})

test('a tap is told about when a daemon runs it, and not before', () => {
  const queue = begun(1_000_000)
  for (const id of ['a', 'b']) queue.push({ id, event: { kind: 'listening', port: 5, at: 1 } })
  expect(queue.next()).toMatchObject({ id: 'a' })
  expect(queue.next()).toBeUndefined()
  queue.begin('b')
  expect(queue.next()).toMatchObject({ id: 'b' })
})

test('of what is not recorded only data messages are counted', () => {
  const queue = begun(1_000_000)
  const header = { sessionId: 0xffff, byte2: 0, byte3: 0, pType: 0, sType: 5, systemBytes: 9 }
  const linktest = encodeFrame({ header, body: new Uint8Array() })
  const [first, second] = [frames(1), frames(2)]
  const bytes = Buffer.concat([first.bytes, linktest, second.bytes])
  queue.push({ id: 'a', event: { ...first, bytes, count: 3, messages: 2 } })
  queue.push({ id: 'a', event: { ...first, bytes: linktest, count: 1, messages: 0 } })
  all(queue)
  queue.recorded('a', 1)
  queue.end()
  queue.begin('a')
  expect(all(queue)).toMatchObject([{ kind: 'gap', messages: 1 }])
})

test('a daemon that has left acknowledges what it was told; what came since waits for the next one', () => {
  const queue = begun(1_000_000)
  queue.push({ id: 'a', event: paired(1) })
  queue.push({ id: 'a', event: frames(2, 0, 3) })
  all(queue)
  queue.leave('a')
  queue.push({ id: 'a', event: frames(5) })
  expect(queue.next()).toBeUndefined()
  queue.recorded('a', 3) // of four: one frame is not recorded
  queue.end()
  queue.begin('a')
  expect(all(queue)).toMatchObject([{ kind: 'paired' }, { kind: 'gap', messages: 1 }, { at: 5 }])
})

test('the last of a tap is told as far as the daemon takes it, and what is left is a gap', () => {
  const queue = begun(1_000_000_000)
  for (let at = 0; at < 6000; at++) queue.push({ id: 'a', event: frames(at) })
  const last = queue.finish('a')
  expect(last).toHaveLength(5001)
  expect(last.at(-1)).toMatchObject({ kind: 'gap', messages: 1000, since: 5000, at: 5999 })
  queue.forget('a')
  expect(queue.bytes).toBe(0)
  queue.push({ id: 'b', event: frames(1) })
  expect(queue.finish('b')).toEqual([]) // nobody looks at it
})

test('what a daemon asked itself is nobody’s once it has ended', () => {
  const queue = begun(1_000_000)
  queue.push({ id: 'a', event: { kind: 'not_sent', request: 1, at: 1 } })
  const frame = {
    header: { sessionId: 1, byte2: 1, byte3: 2, pType: 0, sType: 0, systemBytes: 4 },
    body: new Uint8Array(),
  }
  queue.push({ id: 'a', event: { kind: 'replied', request: 1, frame, at: 2 } })
  queue.end()
  queue.begin('a')
  expect(all(queue)).toMatchObject([{ kind: 'replied', request: null }])
})

describe('where there is no room', () => {
  test('the link’s changes are told after the gap, as it stands then', () => {
    const queue = begun(4000)
    queue.push({ id: 'a', event: { kind: 'listening', port: 5, at: 1 } })
    queue.push({ id: 'a', event: paired(2) })
    while (queue.bytes < 1800) queue.push({ id: 'a', event: frames(3) })
    for (let at = 4; at < 40; at += 2) {
      queue.push({ id: 'a', event: over(at) })
      queue.push({ id: 'a', event: paired(at + 1) })
    }
    queue.push({ id: 'a', event: { ...frames(50, 0, 2), isSelected: true } })
    const told = all(queue)
    expect(told.slice(-3)).toMatchObject([
      { kind: 'gap', messages: 2 },
      { kind: 'over', at: 38 },
      { kind: 'paired', at: 39, isSelected: true },
    ])
    expect(told.length).toBeLessThan(9)
  })

  test('one that floods leaves room for all others, and each has its turn', () => {
    const queue = new ToldQueue(1_000_000)
    for (let at = 0; at < 5000; at++) queue.push({ id: 'flood', event: frames(at, 1000) })
    const quiet = Array.from({ length: 50 }, (_, tap) => `quiet ${tap}`)
    for (let at = 0; at < 10; at++) for (const id of quiet) queue.push({ id, event: frames(at, 100) })
    queue.push({ id: 'flood', event: frames(5001, 1000) })
    for (const id of ['flood', ...quiet]) queue.begin(id)
    // The first turns are one for each.
    const turns = Array.from({ length: 51 }, () => queue.next()?.id)
    expect(new Set(turns).size).toBe(51)
    const told = new Map<string, TapEvent[]>()
    for (let one = queue.next(); one; one = queue.next())
      told.set(one.id, [...(told.get(one.id) ?? []), one.event])
    for (const id of quiet) expect(told.get(id)?.map(({ kind }) => kind)).toEqual(Array(9).fill('frames'))
    const gap = told.get('flood')?.at(-1)
    const recorded = (told.get('flood')?.length ?? 0) - 1 + 1
    expect(gap).toMatchObject({ kind: 'gap', messages: 5001 - recorded })
    expect(queue.bytes).toBeLessThanOrEqual(1_000_000)
  })

  test('who does not record is told no more than so much, and the rest waits', () => {
    const queue = begun(1_000_000_000)
    for (let at = 0; at < 20_000; at++) queue.push({ id: 'a', event: frames(at) })
    expect(all(queue).length).toBe(5000)
    queue.recorded('a', 100)
    expect(all(queue).length).toBe(100)
    queue.push({ id: 'b', event: frames(1) })
    queue.begin('b')
    expect(all(queue).length).toBe(1)
  })
})

test('no frame is lost without being counted, none is told twice, and the bytes stay within the limit', () => {
  const id = fc.constantFrom('a' as const, 'b' as const)
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('push' as const),
      id,
      bytes: fc.nat(900),
      messages: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ kind: fc.constant('next' as const) }),
    fc.record({ kind: fc.constant('recorded' as const), id, count: fc.nat(4) }),
    fc.record({ kind: fc.constant('daemon' as const) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new ToldQueue(8000)
      const sent = { a: 0, b: 0 }
      /** By tap: what was told, and how many of the last ones are not recorded. */
      const told = { a: [] as (number | { gap: number })[], b: [] as (number | { gap: number })[] }
      const open = { a: 0, b: 0 }
      for (const id of ['a', 'b']) queue.begin(id)
      const next = (): boolean => {
        const one = queue.next() as { id: 'a' | 'b'; event: TapEvent } | undefined
        if (!one) return false
        for (const observation of observationsOf(one.event)) {
          if (observation.kind === 'frame') told[one.id].push(observation.frame.header.systemBytes)
          else if (observation.kind === 'gap') told[one.id].push({ gap: observation.messages })
          open[one.id]++
        }
        return true
      }
      let at = 0
      for (const one of steps) {
        if (one.kind === 'push') {
          sent[one.id] += one.messages
          queue.push({ id: one.id, event: frames(at, one.bytes, one.messages) })
          at += one.messages
        } else if (one.kind === 'next') next()
        else if (one.kind === 'recorded') {
          const count = Math.min(one.count, open[one.id])
          open[one.id] -= count
          queue.recorded(one.id, count)
        } else {
          // The daemon has recorded nothing of what is open: it is lost with it, and counted.
          for (const id of ['a', 'b'] as const) told[id].splice(told[id].length - open[id])
          open.a = 0
          open.b = 0
          queue.end()
          for (const id of ['a', 'b']) queue.begin(id)
        }
        expect(queue.bytes).toBeLessThanOrEqual(8000 + 4 * 512)
      }
      while (next());
      for (const id of ['a', 'b'] as const) {
        const seen = told[id].filter((one) => typeof one === 'number')
        const lost = told[id].reduce<number>((sum, one) => sum + (typeof one === 'number' ? 0 : one.gap), 0)
        expect(seen.length + lost).toBe(sent[id])
        expect(new Set(seen).size).toBe(seen.length)
        expect([...seen].sort((x, y) => x - y)).toEqual(seen)
      }
    }),
  )
})
