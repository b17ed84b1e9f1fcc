import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STYPE } from '../../src/hsms/frame/header.js'
import type { Observation } from '../../src/tap/observation.js'
import { ToldQueue } from '../../src/tap/process/told-queue.js'

const frame = (at: number, bytes = 0, sType = 0): Observation => ({
  ...{ kind: 'frame', from: 'host', at },
  frame: {
    header: { sessionId: 1, byte2: 1, byte3: 0, pType: 0, sType, systemBytes: at },
    body: new Uint8Array(bytes),
  },
})
const endpoints = { host: { local: 'a', remote: 'b' }, equipment: { local: 'c', remote: 'd' } }
const paired = (at: number): Observation => ({ kind: 'paired', endpoints, at })

function all(queue: ToldQueue): Observation[] {
  const found: Observation[] = []
  for (let told = queue.next(); told; told = queue.next()) found.push(told.observation)
  return found
}

test('what has no room is dropped and counted, and the gap stands where it was', () => {
  const queue = new ToldQueue(3000)
  for (const at of [1, 2, 3, 4, 5]) queue.push({ id: 'a', observation: frame(at, 500) })
  expect(all(queue)).toMatchObject([{ at: 1 }, { at: 2 }, { kind: 'gap', messages: 3, since: 3, at: 5 }])
  // Room is made by what is recorded, not by what is told.
  queue.push({ id: 'a', observation: frame(6, 500) })
  queue.recorded('a', 3)
  queue.push({ id: 'a', observation: frame(7, 500) })
  expect(all(queue)).toMatchObject([{ kind: 'gap', messages: 1, since: 6 }, { at: 7 }])
})

test('a new reader is told how it stood, what the last one may not have recorded as a gap, and what came since', () => {
  const queue = new ToldQueue(1_000_000)
  for (const one of [{ kind: 'listening', port: 5, at: 1 } as const, paired(2), frame(3, 0, STYPE.selectRsp)])
    queue.push({ id: 'a', observation: one })
  all(queue)
  queue.recorded('a', 2)
  queue.push({ id: 'a', observation: frame(4) })
  queue.readerEnded()
  queue.push({ id: 'a', observation: frame(5) })
  queue.readerBegan()
  expect(all(queue)).toMatchObject([
    { kind: 'listening', port: 5 },
    { kind: 'paired', isSelected: true, at: 2 },
    { kind: 'gap', messages: 1, since: 3 },
    { at: 4 },
    { at: 5 },
  ])
  queue.push({ id: 'a', observation: { kind: 'over', first: 'host', how: 'closed', at: 6 } })
  all(queue)
  queue.recorded('a', 100)
  queue.readerEnded()
  queue.readerBegan()
  expect(all(queue)).toMatchObject([{ kind: 'listening' }])
  queue.forget('a')
  expect(queue.bytes).toBe(0)
})

test('no frame is lost without being counted, none is told twice, and the bytes stay within the limit', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push'), id: fc.constantFrom('a', 'b'), bytes: fc.nat(900) }),
    fc.record({ kind: fc.constant('next') }),
    fc.record({ kind: fc.constant('recorded'), id: fc.constantFrom('a', 'b'), count: fc.nat(4) }),
    fc.record({ kind: fc.constant('reader') }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new ToldQueue(4000)
      const sent = { a: 0, b: 0 }
      const told = { a: [] as Observation[], b: [] as Observation[] }
      const open = { a: 0, b: 0 }
      const next = (): boolean => {
        const one = queue.next() as { id: 'a' | 'b'; observation: Observation } | undefined
        if (!one) return false
        told[one.id].push(one.observation)
        open[one.id]++
        return true
      }
      let at = 0
      for (const { kind, ...one } of steps as {
        kind: string
        id: 'a' | 'b'
        bytes: number
        count: number
      }[]) {
        if (kind === 'push') {
          sent[one.id]++
          queue.push({ id: one.id, observation: frame(++at, one.bytes) })
        } else if (kind === 'next') next()
        else if (kind === 'recorded') {
          const count = Math.min(one.count, open[one.id])
          open[one.id] -= count
          queue.recorded(one.id, count)
        } else {
          // The reader has recorded nothing of what is open: it is lost with it, and counted.
          for (const id of ['a', 'b'] as const) told[id].splice(told[id].length - open[id])
          open.a = 0
          open.b = 0
          queue.readerEnded()
          queue.readerBegan()
        }
        expect(queue.bytes).toBeLessThanOrEqual(4000 + 2 * 512)
      }
      while (next());
      for (const id of ['a', 'b'] as const) {
        const frames = told[id].filter(({ kind }) => kind === 'frame').map((one) => one.at)
        const lost = told[id].reduce((sum, one) => sum + (one.kind === 'gap' ? one.messages : 0), 0)
        expect(frames.length + lost).toBe(sent[id])
        expect(new Set(frames).size).toBe(frames.length)
        expect([...frames].sort((x, y) => x - y)).toEqual(frames)
      }
    }),
  )
})
