import { expect, test } from 'vitest'
import { ownRecord, type Passed, WireReader } from '../../../src/gateway/wire/wire-reader.js'
import type { WireRecord } from '../../../src/hsms/capture/wire.js'
import { dataPassing } from './wire-records.js'

const ENDS = { local: '10.0.0.1:40000', remote: '10.0.0.5:5000' }
const reader = (): WireReader => new WireReader(() => ({ at: 7, kind: 'state', lost: 0, endpoints: ENDS }))

/** What a reader gives until nothing is left. */
async function taken(from: WireReader): Promise<Passed[]> {
  const all: Passed[] = []
  from.end()
  for await (const passed of from.read(new AbortController().signal)) all.push(passed)
  return all
}

test('everything comes in order, after the state of the connection', async () => {
  const wire = reader()
  wire.put({ kind: 'opened', ...ENDS }, 1)
  wire.put(dataPassing('in'), 2)
  wire.put({ kind: 'closed', detail: 'separated' }, 3)
  expect((await taken(wire)).map(({ kind, at }) => [kind, at])).toEqual([
    ['state', 7],
    ['opened', 1],
    ['frame', 2],
    ['closed', 3],
  ])
})

test.each([
  ['many records', 0, 10_000],
  ['many bytes', 100_000, 200],
])('of %s that nobody takes some are kept, and the rest is counted', async (_, size, count) => {
  const wire = reader()
  const body = new Uint8Array(size)
  for (let at = 0; at < count; at++) wire.put(dataPassing('in', { body, systemBytes: at }), at)
  const all = await taken(wire)
  const kept = all.filter(({ kind }) => kind === 'frame')
  expect(kept.length).toBeLessThan(count)
  expect(kept.length * Math.max(1, size)).toBeLessThan(5 * 1024 * 1024)
  expect(kept.map(({ at }) => at)).toEqual(kept.map((_, at) => at))
  expect(all.at(-1)).toEqual({ at: 7, kind: 'state', lost: count - kept.length, endpoints: ENDS })
})

test.each([
  ['records', 0, 4095],
  ['bytes', 1024 * 1024 + 1, 4],
])('the limit of %s is that of what is kept', async (_, size, kept) => {
  const wire = reader()
  const body = new Uint8Array(size)
  for (let at = 0; at <= kept; at++) wire.put(dataPassing('in', { body }), at)
  const all = await taken(wire)
  expect(all.map(({ kind }) => kind).filter((kind) => kind === 'frame')).toHaveLength(kept)
  expect(all.at(-1)).toMatchObject({ kind: 'state', lost: 1 })
})

test.each([
  ['unreadable', { kind: 'unreadable', detail: '' }],
  ['of a line', { kind: 'line', direction: 'in' }],
])('bytes that are %s count as well', async (_, record) => {
  const wire = reader()
  const bytes = new Uint8Array(3 * 1024 * 1024)
  for (const at of [1, 2, 3]) wire.put({ ...record, bytes } as WireRecord, at)
  expect((await taken(wire)).map(({ at }) => at)).toEqual([7, 1, 2, 7])
})

test('a reader that has lost some goes on where it has taken what waited', async () => {
  const wire = reader()
  const body = new Uint8Array(5 * 1024 * 1024)
  const read = wire.read(new AbortController().signal)
  const next = async () => {
    const { value } = await read.next()
    return value?.kind === 'state' ? `lost ${value.lost}` : value?.at
  }
  for (const at of [1, 2, 3]) wire.put(dataPassing('in', { body }), at)
  expect([await next(), await next()]).toEqual(['lost 0', 1])
  wire.put(dataPassing('in'), 4)
  expect(await next()).toBe('lost 3')
  wire.put(dataPassing('in', { body }), 5)
  expect(await next()).toBe(5)
  wire.put(dataPassing('in'), 6)
  expect(await next()).toBe(6)
})

test('one message is kept however long it is', async () => {
  const wire = reader()
  wire.put(dataPassing('in', { body: new Uint8Array(16 * 1024 * 1024) }), 1)
  wire.put(dataPassing('in'), 2)
  expect((await taken(wire)).map((passed) => passed.kind === 'state' && passed.lost)).toEqual([0, false, 1])
})

test('a small message does not keep what came with it', async () => {
  const wire = reader()
  const chunk = new Uint8Array(64 * 1024).fill(5)
  wire.put(ownRecord(dataPassing('in', { body: chunk.subarray(100, 110) })), 1)
  wire.put(ownRecord({ kind: 'unreadable', bytes: chunk.subarray(0, 4), detail: 'no frame' }), 2)
  const [, frame, unreadable] = await taken(wire)
  if (frame?.kind !== 'frame' || unreadable?.kind !== 'unreadable') throw new Error('not what was put')
  expect(frame.frame.body).toEqual(new Uint8Array(10).fill(5))
  expect(frame.frame.body.buffer.byteLength).toBeLessThan(1024)
  expect(unreadable.bytes.buffer.byteLength).toBeLessThan(1024)
})

test.each([
  [256, true],
  [257, false],
])('with %i bytes more in its buffer a body stays there: %s', (spare, stays) => {
  const body = new Uint8Array(10 + spare).subarray(0, 10)
  const own = [
    ownRecord(dataPassing('in', { body })),
    ownRecord({ kind: 'line', direction: 'in', bytes: body }),
    ownRecord({ kind: 'unreadable', bytes: body, detail: '' }),
  ].map((record) => (record.kind === 'frame' ? record.frame.body : 'bytes' in record && record.bytes))
  expect(own.map((bytes) => bytes === body)).toEqual([stays, stays, stays])
  const closed = { kind: 'closed', detail: '' } as const
  expect(ownRecord(closed)).toBe(closed)
})

test('a reader that has ended waits for nothing, and one that is aborted gets nothing more', async () => {
  const wire = reader()
  const over = new AbortController()
  const read = wire.read(over.signal)
  await read.next()
  const last = read.next()
  wire.end()
  expect((await last).done).toBe(true)
  const other = reader()
  over.abort()
  expect(await other.read(over.signal).next()).toMatchObject({ done: true })
})

test('a reader that waits is woken by what comes, and by its end', async () => {
  const wire = reader()
  const over = new AbortController()
  const read = wire.read(over.signal)
  await read.next()
  const next = read.next()
  wire.put({ kind: 'opened', ...ENDS }, 1)
  expect((await next).value).toMatchObject({ kind: 'opened' })
  const last = read.next()
  over.abort()
  expect((await last).done).toBe(true)
})
