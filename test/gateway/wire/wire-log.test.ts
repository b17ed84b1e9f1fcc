import { expect, test } from 'vitest'
import type { WireRecord } from '../../../src/contract/topics/wire.js'
import { LiveGateway, startSimulator } from '../../support/live-gateway.js'
import { until } from '../../support/until.js'

/** Keeps what passes on an equipment's wire from now on. */
function watch(live: LiveGateway, id: string, count = Number.POSITIVE_INFINITY) {
  const over = new AbortController()
  const records: WireRecord[] = []
  const following = live.gateway.wires.follow(id, count, over.signal)
  const ended = (async () => {
    for await (const record of following) records.push(record)
  })()
  return { records, ended, leave: () => over.abort() }
}

/** A record in a word or two. */
const shortly = (record: WireRecord): string =>
  record.kind === 'frame'
    ? `${record.direction === 'out' ? '->' : '<-'} ${record.name.split(' ')[0]}`
    : record.kind

test('what passes is seen from before the connection is there, over its end, and over the next one', async () => {
  const live = await LiveGateway.open()
  const simulator = await startSimulator()
  const { id } = await live.add({ port: simulator.port })
  const { records, leave } = watch(live, id)
  for (let connection = 0; connection < 2; connection++) {
    await live.gateway.equipment.connect(id, 30)
    await live.gateway.messages.send(id, { stream: 1, function: 1 })
    await live.gateway.equipment.disconnect(id)
  }
  await until(async () => records.filter(({ kind }) => kind === 'closed').length === 2)
  leave()
  const seen = records.map(shortly)
  expect(seen[0]).toBe('watching')
  const second = seen.indexOf('opened', 2)
  for (const connection of [seen.slice(1, second), seen.slice(second)]) {
    expect(connection.slice(0, 3)).toEqual(['opened', '-> Select.req', '<- Select.rsp'])
    expect(connection).toEqual(expect.arrayContaining(['-> S1F13', '<- S1F14', '-> S1F1', '<- S1F2']))
    expect(connection.slice(-2)).toEqual(['-> Separate.req', 'closed'])
  }
})

test('a wire log that begins in a connection says between whom it is', async () => {
  const live = await LiveGateway.open()
  const { simulator, id } = await live.connectSimulator()
  const { records, leave } = watch(live, id)
  await live.gateway.messages.send(id, { stream: 1, function: 1 })
  await until(async () => records.map(shortly).includes('<- S1F2'))
  leave()
  expect(records[0]).toMatchObject({ kind: 'watching', remote: `127.0.0.1:${simulator.port}` })
  expect(records.map(shortly)).toContain('-> S1F1')
})

test('a wire log ends with as many messages as were asked for', async () => {
  const live = await LiveGateway.open()
  const { id } = await live.connectSimulator()
  const { records, ended } = watch(live, id, 3)
  for (let at = 0; at < 3; at++) await live.gateway.messages.send(id, { stream: 1, function: 1 })
  await ended
  expect(records.filter(({ kind }) => kind === 'frame')).toHaveLength(3)
})

test('a wire log follows its equipment to another address, and so do its counts', async () => {
  const live = await LiveGateway.open()
  const [first, second] = [await startSimulator(), await startSimulator()]
  const { id } = await live.connect({ port: first.port })
  const { records, leave } = watch(live, id)
  await live.gateway.equipment.disconnect(id)
  const before = await live.gateway.traffic.of(id)
  await live.gateway.equipment.update(id, { port: second.port })
  await live.gateway.equipment.connect(id, 30)
  const opened = await until(async () => records.find(({ kind }) => kind === 'opened'))
  leave()
  expect(opened).toMatchObject({ remote: `127.0.0.1:${second.port}` })
  const after = await live.gateway.traffic.of(id)
  expect(after.since).toBe(before.since)
  expect(after.connects).toBe(2)
  expect(after.out.frames).toBeGreaterThan(before.out.frames)
})

test('a wire log ends with its equipment', async () => {
  const live = await LiveGateway.open()
  const { id } = await live.connectSimulator()
  const { records, ended } = watch(live, id)
  await live.gateway.equipment.delete(id)
  await ended
  expect(records.slice(-2).map(shortly)).toEqual(['-> Separate.req', 'closed'])
})

test('what is counted is what was seen, however many watch', async () => {
  const live = await LiveGateway.open()
  const simulator = await startSimulator()
  const { id } = await live.add({ port: simulator.port })
  const watchers = [watch(live, id), watch(live, id)]
  await live.gateway.equipment.connect(id, 30)
  for (let at = 0; at < 5; at++) await live.gateway.messages.send(id, { stream: 1, function: 1 })
  await live.gateway.equipment.disconnect(id)
  const counted = await live.gateway.traffic.of(id)
  for (const { records, leave } of watchers) {
    await until(async () => records.at(-1)?.kind === 'closed')
    leave()
    for (const direction of ['in', 'out'] as const) {
      const frames = records.flatMap((record) =>
        record.kind === 'frame' && record.direction === direction ? [record] : [],
      )
      expect(frames).toHaveLength(counted[direction].frames)
      const bytes = frames.reduce((sum, { length }) => sum + 4 + length, 0)
      expect(bytes).toBe(counted[direction].bytes)
    }
  }
  const sent = counted.out.messages.find(({ stream, function: fn }) => stream === 1 && fn === 1)
  expect(sent).toMatchObject({ name: expect.stringMatching(/^S1F1 /), frames: 5, bytes: 5 * 14 })
  expect(counted.out.control).toEqual([
    { name: 'Select.req', count: 1 },
    { name: 'Separate.req', count: 1 },
  ])
  expect(counted).toMatchObject({ connects: 1, losses: [], attempts_failed: 0, open: 0 })
  expect(counted.round_trip.count).toBeGreaterThanOrEqual(5)
  expect(counted.round_trip.buckets.at(-1)).toEqual({ le: null, count: counted.round_trip.count })
})

test('an equipment that is not there cannot be watched or counted', async () => {
  const { gateway } = await LiveGateway.open()
  const { signal } = new AbortController()
  expect(() => gateway.wires.follow('eq_none', 1, signal)).toThrow('There is no equipment')
  expect(() => gateway.wires.capture('eq_none', 'test', 1, signal)).toThrow('There is no equipment')
  await expect(gateway.traffic.of('eq_none')).rejects.toThrow('There is no equipment')
})
