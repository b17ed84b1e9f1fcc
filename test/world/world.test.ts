import { expect, test } from 'vitest'
import { Disk, filesOf } from './disk.js'
import { breakThings, FAULTS } from './faults.js'
import { Network } from './network.js'
import { Observer, Violation } from './observer.js'
import { PropertyHistory } from './property-history.js'
import { RecordedUntil } from './retention.js'
import type { Site } from './site.js'
import { WebhookTarget } from './webhook-target.js'
import { Host, World } from './world.js'

const MINUTE = 60_000

/** What callbacks that are due together wrote, in a world of this seed. */
async function orderOf(seed: number): Promise<string> {
  const world = new World(seed)
  let order = ''
  for (const letter of 'abcdefgh') world.at(world.current, 5, () => (order += letter))
  await world.run(10)
  return order
}

test('a process that is stopped goes on afterwards, and how long it was stopped is known', async () => {
  const world = new World(1)
  const host = new Host('frozen', '10.0.0.1', world)
  const times: number[] = []
  world.at(host, 15, () => times.push(world.now))
  world.at(world.current, 10, () => world.freeze(host, 20))
  world.at(world.current, 20, () => world.freeze(host, 5))
  await world.run(100)
  expect(times).toEqual([30])
  expect(host.frozenFor).toBe(20)
})

test('no fault is waited for once it is calm', async () => {
  const world = new World(1)
  const host = world.current
  const site = { calm: false } as Site
  const around = { world, host, site, network: new Network(world), mayRefuse: () => false }
  const log = (text: string) => world.fail(text)
  let ended: number | undefined
  void breakThings(around, { name: 'one', interval: 1e12, without: new Set(), log, faults: FAULTS }).then(
    () => {
      ended = world.now
    },
  )
  world.at(host, 5 * MINUTE, () => {
    site.calm = true
  })
  await world.run(10 * MINUTE)
  expect(ended).toBeLessThanOrEqual(6 * MINUTE)
})

test('callbacks that are due together run in an order that the seed decides', async () => {
  const [one, again, other] = [await orderOf(1), await orderOf(1), await orderOf(2)]
  expect(again).toBe(one)
  expect(other).not.toBe(one)
  expect([...one].sort().join('')).toBe('abcdefgh')
})

test('time goes on to what is due next, and a process that is dead does nothing more', async () => {
  const world = new World(1)
  const host = new Host('mortal', '10.0.0.1', world)
  const times: number[] = []
  world.at(host, 30, () => times.push(world.now))
  world.at(host, 10, () => times.push(world.now))
  world.at(host, 50, () => times.push(world.now))
  world.at(world.current, 40, () => {
    host.alive = false
  })
  const cancel = world.at(host, 20, () => times.push(world.now))
  cancel()
  await world.run(100)
  expect(times).toEqual([10, 30])
  expect(world.now).toBe(100)
})

test('what was thrown in a step ends the run', async () => {
  const world = new World(1)
  world.at(world.current, 5, () => {
    throw new Error('a step failed')
  })
  await expect(world.run(10)).rejects.toThrow('a step failed')
})

test('a process is interrupted between two of its steps, and those of others do not count', async () => {
  const world = new World(1)
  const host = new Host('mortal', '10.0.0.1', world)
  const times: number[] = []
  for (const at of [10, 20, 30]) world.at(host, at, () => times.push(at))
  for (const at of [5, 15, 25]) world.at(world.current, at, () => times.push(at))
  world.interrupt(host, 2, () => {
    host.alive = false
  })
  await world.run(100)
  expect(times).toEqual([5, 10, 15, 20, 25])
})

test('a bit that flipped flips back, unless something else was written there', async () => {
  const world = new World(1)
  const disk = new Disk(world, 'test')
  const content = (): string => disk.inode('/data/log')?.read(0, 100).toString() ?? ''
  disk.replace('/data', new Map([['/log', Buffer.from('abc')]]))
  const inode = disk.inode('/data/log')
  expect(inode?.flipBit(world.chance)).toBe(true)
  expect(content()).not.toBe('abc')
  inode?.flipBack()
  expect(content()).toBe('abc')
  inode?.flipBit(world.chance)
  inode?.write(0, Buffer.from('def'))
  inode?.flipBack()
  expect(content()).toBe('def')
  expect(disk.copyOf('/data')).toEqual(new Map([['/log', Buffer.from('def')]]))
})

test('a power cut leaves what was synced, and any part of what was not', async () => {
  const kept: number[] = []
  for (let seed = 0; seed < 20; seed++) {
    const world = new World(seed)
    const disk = new Disk(world, 'test')
    const files = filesOf(disk, world.current)
    const write = async (): Promise<void> => {
      await files.makeFolder('/data')
      const file = await files.open('/data/log', 'create')
      await file.write(Buffer.alloc(1000, 1), 0)
      await file.sync()
      await files.syncFolder('/data')
      await file.write(Buffer.alloc(2000, 2), 500)
    }
    void write()
    await world.run(1000)
    disk.losePower()
    const inode = disk.inode('/data/log')
    const bytes = inode?.read(0, inode.length) ?? Buffer.alloc(0)
    expect(bytes.subarray(0, 500)).toEqual(Buffer.alloc(500, 1))
    kept.push(bytes.filter((byte) => byte === 2).length)
  }
  expect(new Set(kept).size).toBeGreaterThan(3)
})

test('a full disk takes no more, and a name that was not synced may be gone after a power cut', async () => {
  const found = new Set<boolean>()
  for (let seed = 0; seed < 20; seed++) {
    const world = new World(seed)
    const disk = new Disk(world, 'test')
    const files = filesOf(disk, world.current)
    let refused: unknown
    const write = async (): Promise<void> => {
      await files.makeFolder('/data')
      const file = await files.open('/data/log', 'create')
      disk.isFull = true
      await file.write(Buffer.alloc(1), 0).catch((error: unknown) => {
        refused = error
      })
    }
    void write()
    await world.run(1000)
    expect(refused).toMatchObject({ code: 'ENOSPC' })
    disk.losePower()
    found.add(disk.inode('/data/log') !== undefined)
  }
  expect(found).toEqual(new Set([true, false]))
})

test('an observer throws the sentence that does not hold', () => {
  const observer = new Observer(new World(1))
  observer.show({ id: 1, digest: 'one' })
  observer.show({ id: 1, digest: 'one' })
  expect(() => observer.show({ id: 1, digest: 'other' })).toThrow(Violation)
  observer.acknowledged('7', 'mine')
  expect(() => observer.acknowledged('7', 'yours')).toThrow('An alarm is acknowledged once.')
})

test('whether a property held at an event is not known for events during the call that changed it', () => {
  const history = new PropertyHistory(true)
  history.add('eq_1', { after: 10, until: 12, holds: false })
  history.add('eq_1', { after: 20, until: 20, holds: true })
  expect([5, 10, 11, 12, 13, 20, 21].map((event) => history.heldAt('eq_1', event))).toEqual([
    true,
    true,
    undefined,
    undefined,
    false,
    false,
    true,
  ])
  expect(history.heldAt('eq_2', 11)).toBe(true)
})

test('what a target got before readers began anew does not have to come again', async () => {
  const world = new World(1)
  const network = new Network(world)
  const target = new WebhookTarget(world, network, new Observer(world), 'target', 1, {}, () => true)
  const body = JSON.stringify({ type: 'secsctl.alarm_set', data: { id: '7', equipment_id: 'eq_1' } })
  world.after(world.current, 1, () =>
    network
      .connect({ host: target.host.ip, port: 80 })
      .write(`POST / HTTP/1.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
  )
  target.expect(7, 'eq_1')
  await world.run(100)
  expect(target.expected).toEqual([])
  target.restored(5)
  target.expect(7, 'eq_1')
  expect(target.expected).toEqual([])
  target.expect(8, 'eq_1')
  expect(target.expected).toEqual([8])
})

test('which entries were made after and before a moment is known from looks around it', () => {
  const recorded = new RecordedUntil()
  for (const at of [10, 20, 30]) recorded.note(at, 10 * at)
  expect([5, 10, 11, 30, 31].map((at) => recorded.lastAfter(at))).toEqual([100, 100, 200, 300, undefined])
  expect([5, 10, 29, 31].map((at) => recorded.lastBefore(at))).toEqual([undefined, 100, 200, 300])
  recorded.restored(250)
  expect(recorded.lastBefore(31)).toBe(250)
  recorded.forgetBefore(30)
  expect([recorded.lastBefore(29), recorded.lastBefore(19), recorded.lastAfter(25)]).toEqual([
    200,
    undefined,
    250,
  ])
})

test('what retention is about to remove is read while it goes, and what stays without waiting', async () => {
  const world = new World(1)
  const host = new Host('gateway', '10.0.0.1', world)
  const disk = new Disk(world, 'gateway')
  const fs = filesOf(disk, host)
  const [oldest, kept] = ['0000000000000001.ndjson', '0000000000000011.ndjson'].map(
    (name) => `/data/journal/${name}`,
  ) as [string, string]
  const read: string[] = []
  const readAll = async (path: string, name: string): Promise<void> => {
    const bytes = await fs.read(path)
    read.push(`${name} ${bytes === undefined ? 'gone' : bytes.toString()}`)
  }
  disk.beforeRemoval.add((floor) => {
    read.push(`until ${floor}`)
    void readAll(oldest, 'oldest').then(() => readAll(kept, 'kept'))
    return 1
  })
  world.after(host, 0, async () => {
    await fs.makeFolder('/data/journal')
    for (const [path, text] of [
      [oldest, 'old'],
      [kept, 'new'],
      ['/data/journal/draft', '{"carried":1,"version":1,"floor":11}'],
    ] as const)
      await (await fs.open(path, 'create')).write(Buffer.from(text), 0)
    await fs.rename('/data/journal/draft', '/data/journal/carried.ndjson')
    await fs.remove(oldest)
    read.push('removed')
  })
  await world.run(1000)
  expect(read).toEqual(['until 11', 'removed', 'oldest gone', 'kept new'])
})
