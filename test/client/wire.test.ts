import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { captureWire, followWire } from '../../src/client/wire.js'
import type { Problem } from '../../src/contract/errors.js'
import type { WireRecord } from '../../src/contract/topics/wire.js'
import { problem } from '../support/fake-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'

/** A gateway that answers with `chunks`, each in a piece of its own, or with a problem. */
async function gatewayWith(chunks: readonly Uint8Array[], status = 200): Promise<string> {
  const server = createServer(async (_, response) => {
    response.writeHead(status)
    for (const chunk of chunks) {
      response.write(chunk)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const { signal } = new AbortController()

async function all<T>(of: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of of) found.push(one)
  return found
}

/** Bytes cut at some places. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...places].map((place) => place % bytes.length).sort((a, b) => a - b)
  return [0, ...sorted].map((from, at) => bytes.subarray(from, sorted[at] ?? bytes.length))
}

const RECORDS: WireRecord[] = [
  { at: '2026-03-01T08:00:00.000Z', kind: 'watching', local: null, remote: null },
  { at: '2026-03-01T08:00:00.001Z', kind: 'closed', detail: 'Müller zog den Stecker' },
  { at: '2026-03-01T08:00:00.002Z', kind: 'gap', lost: 12 },
]

test('records are read however the network cuts them', async () => {
  const bytes = Buffer.from(RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 6 }), async (places) => {
      const url = await gatewayWith(cutAt(bytes, places))
      expect(await all(followWire({ url }, 'eq_1', {}, signal))).toEqual(RECORDS)
    }),
    { numRuns: 20 },
  )
})

/** A block of a capture, as far as its length goes. */
function blockOf(length: number, fill: number): Buffer {
  const block = Buffer.alloc(length, fill)
  block.writeUInt32LE(length, 4)
  return block
}

test('a capture is given in whole blocks, and what is no whole one is left out', async () => {
  const blocks = [blockOf(12, 1), blockOf(1500, 2), blockOf(40, 3)]
  const whole = Buffer.concat(blocks)
  const bytes = Buffer.concat([whole, blockOf(100, 4).subarray(0, 60)])
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 6 }), async (places) => {
      const url = await gatewayWith(cutAt(bytes, places))
      const given = await all(captureWire({ url }, 'eq_1', {}, signal))
      expect(Buffer.concat(given).equals(whole)).toBe(true)
      let at = 0
      for (const part of given) {
        at += part.length
        expect([12, 1512, 1552]).toContain(at)
      }
    }),
    { numRuns: 20 },
  )
})

test('a problem is the one that the gateway answered', async () => {
  const body = Buffer.from(JSON.stringify(problem(404, 'equipment_not_found', 'There is none.')))
  const url = await gatewayWith([body], 404)
  await expect(all(followWire({ url }, 'eq_9', {}, signal))).rejects.toMatchObject({
    code: 'equipment_not_found',
  })
})

test('where nothing answers it is said', async () => {
  await expect(all(followWire({ url: 'http://127.0.0.1:1' }, 'eq_1', {}, signal))).rejects.toMatchObject({
    kind: 'unreachable',
  })
})

test('a wire log that no daemon has at the moment is asked for again', async () => {
  const clock = new ManualClock()
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    if (asked > 1) return response.end(`${JSON.stringify(RECORDS[0])}\n`)
    response.writeHead(503, { 'retry-after': '2' })
    return response.end(JSON.stringify(problem(503, 'equipment_unowned', 'Nothing was done.')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const told: string[] = []
  const onRepeat = ({ code }: Problem): void => void told.push(code)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const records = all(followWire({ url, clock, onRepeat }, 'eq_1', {}, signal))
  await until(() => clock.next === clock.now() + 2000)
  expect([asked, told]).toEqual([1, ['equipment_unowned']])
  clock.advance(2000)
  expect(await records).toEqual([RECORDS[0]])
})
