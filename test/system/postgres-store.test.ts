import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock as clock, delay } from '../../src/kit/clock.js'
import { deferred } from '../../src/kit/deferred.js'
import { type LeaseHolder, SITE_KEY } from '../../src/store/ownership.js'
import { openPostgresStore, type PostgresOptions } from '../../src/store/postgres/open-postgres.js'
import type { Store } from '../../src/store/store.js'
import { DatabaseProxy } from '../../stress/cluster/cluster-proxy.js'
import { describeStore } from '../store/behaviour/store-behaviour.js'
import { PostgresServer } from './postgres-server.js'

interface Tool {
  readonly id: string
  readonly n: number
}

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

/** A lease that ends in a test. */
const LEASE_MS = 2000
/** One that does not, and after which a new process gets its share. */
const SHARED_LEASE_MS = 6000
/** One that does not, however busy the machine is. */
const LONG_LEASE_MS = 120_000

async function open(url: string, nodeName: string, more: Partial<PostgresOptions> = {}): Promise<Store> {
  const options = { url, nodeName, version: '1', leaseMs: LONG_LEASE_MS, checks: {}, clock, ...more }
  const store = await openPostgresStore(options)
  store.failed.then((error) => expect.unreachable(error.message))
  await store.journal.attach([])
  onTestFinished(() => store.close())
  return store
}

/** Notes what it owns. */
class Keys implements LeaseHolder {
  readonly held = new Set<string>()

  async take(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.held.add(key)
  }

  async give(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.held.delete(key)
  }
}

async function started(url: string, name: string, more: Partial<PostgresOptions> = {}) {
  const store = await open(url, name, more)
  const tools = await store.collection<Tool>('tools', { owned: true })
  const keys = new Keys()
  await store.ownership.start(keys)
  await store.ownership.announce(`http://${name}`)
  onTestFinished(() => store.ownership.stop())
  return { store, tools, keys }
}

describeStore(
  'in PostgreSQL',
  async () => {
    const url = await server.database()
    const again = () =>
      openPostgresStore({ url, nodeName: 'a', version: '1', leaseMs: LONG_LEASE_MS, checks: {}, clock })
    return { store: await again(), again }
  },
  5,
)

describe('collections in PostgreSQL', () => {
  it('show the records of all processes in the order in which they were added', async () => {
    const url = await server.database()
    const [one, other] = [await open(url, 'a'), await open(url, 'b')]
    const here = await one.collection<Tool>('tools')
    const there = await other.collection<Tool>('tools')
    const changed: string[] = []
    there.changed.on((id) => changed.push(id))
    await here.put({ id: 'z', n: 1 })
    await here.put({ id: 'a', n: 2 })
    await expect.poll(() => there.all()).toEqual(await here.all())
    expect(await there.all()).toEqual([
      { id: 'z', n: 1 },
      { id: 'a', n: 2 },
    ])
    await there.put({ id: 'z', n: 3 })
    expect(await there.delete('a', 'none')).toBe(true)
    expect(await there.delete('a')).toBe(false)
    await expect.poll(() => here.all()).toEqual([{ id: 'z', n: 3 }])
    expect(new Set(changed)).toEqual(new Set(['z', 'a']))
    const third = await (await open(url, 'c')).collection<Tool>('tools')
    expect(await third.all()).toEqual([{ id: 'z', n: 3 }])
  })

  it('are written several at once together or not at all, also those that another process owns', async () => {
    const url = await server.database()
    const [one, other] = [await started(url, 'a'), await started(url, 'b')]
    await one.tools.put({ id: 'a', n: 1 })
    await other.tools.put({ id: 'b', n: 1 })
    await expect.poll(() => one.tools.all()).toHaveLength(2)
    const both = [
      { id: 'a', n: 2 },
      { id: 'b', n: 2 },
    ]
    await expect(one.tools.putAll(both)).rejects.toThrow()
    expect(await one.tools.get('a')).toEqual({ id: 'a', n: 1 })
    await one.tools.putAll([...both, { id: 'c', n: 3 }], new Set(['b']))
    await expect.poll(() => other.tools.all()).toEqual([...both, { id: 'c', n: 3 }])
  })

  it('write nothing that the next start would refuse', async () => {
    const url = await server.database()
    const tools = (records: readonly unknown[]) =>
      (records as readonly Tool[]).flatMap(({ n }, at) =>
        n > 9 ? [{ pointer: `/${at}/n`, detail: 'is wrong' }] : [],
      )
    const store = await open(url, 'a', { checks: { tools } })
    const written = await store.collection<Tool>('tools')
    await written.put({ id: 'a', n: 1 })
    await expect(written.put({ id: 'a', n: 10 })).rejects.toThrow('/0/n is wrong')
    await expect(written.putAll([{ id: 'b', n: 10 }])).rejects.toThrow('/0/n is wrong')
    expect(await written.all()).toEqual([{ id: 'a', n: 1 }])
  })

  it('run checked changes one after the other, with what others changed', async () => {
    const warnings: Error[] = []
    const warned = (warning: Error): number => warnings.push(warning)
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const url = await server.database()
    const stores = await Promise.all(['a', 'b', 'c'].map((name) => open(url, name)))
    const counters = await Promise.all(stores.map((store) => store.collection<Tool>('counters')))
    const count = async (at: number): Promise<void> => {
      const counter = counters[at % 3]
      await counter?.exclusively(async () => {
        await counter.put({ id: 'one', n: ((await counter.get('one'))?.n ?? 0) + 1 })
      })
    }
    await Promise.all(Array.from({ length: 30 }, (_, at) => count(at)))
    await expect(counters[0]?.exclusively(() => Promise.reject(new Error('refused')))).rejects.toThrow(
      'refused',
    )
    await expect
      .poll(() => Promise.all(counters.map((counter) => counter.get('one'))))
      .toEqual(Array.from({ length: 3 }, () => ({ id: 'one', n: 30 })))
    // Listeners on a connection of the pool would be left there by each change.
    expect(warnings).toEqual([])
  })

  it('tell the process of a change that failed when it was made after all', async () => {
    const url = await server.database()
    const proxy = await DatabaseProxy.start(server.port)
    onTestFinished(() => proxy.close())
    const tools = await (
      await open(url.replace(String(server.port), String(proxy.port)), 'a')
    ).collection<Tool>('tools')
    await tools.put({ id: 'z', n: 1 })
    const changed: string[] = []
    tools.changed.on((id) => changed.push(id))
    const answerLost = proxy.cut('after', 100).then(() => proxy.away(4000))
    await expect(tools.put({ id: 'z', n: 2 })).rejects.toThrow()
    await answerLost
    await expect.poll(() => changed).toEqual(['z'])
    expect(await tools.get('z')).toEqual({ id: 'z', n: 2 })
    await tools.put({ id: 'z', n: 3 })
    expect(changed).toEqual(['z'])
  })

  /** Of version 2: what the first one does not know. */
  const marked = (records: readonly unknown[]) =>
    (records as Tool[]).map((tool) => ({ label: 'none', ...tool }))

  it('of an earlier version are read in the form of now, and those of a newer one are refused', async () => {
    const url = await server.database()
    const before = await open(url, 'a')
    await (await before.collection<Tool>('tools')).put({ id: 'one', n: 1 })
    for (const name of ['b', 'c']) {
      const tools = await (await open(url, name)).collection<Tool>('tools', { migrations: [marked] })
      expect(await tools.all()).toEqual([{ id: 'one', n: 1, label: 'none' }])
    }
    await expect((await open(url, 'd')).collection('tools')).rejects.toThrow('newer secsctl')
  })

  it('that a running process of an earlier version still writes are read in the form of now', async () => {
    const url = await server.database()
    const earlier = await (await open(url, 'a')).collection<Tool>('tools')
    await earlier.put({ id: 'one', n: 1 })
    const now = await (await open(url, 'b')).collection<Tool>('tools', { migrations: [marked] })
    await earlier.put({ id: 'one', n: 2 })
    await earlier.put({ id: 'two', n: 1 })
    await expect
      .poll(() => now.all())
      .toEqual([
        { id: 'one', n: 2, label: 'none' },
        { id: 'two', n: 1, label: 'none' },
      ])
    await now.put({ id: 'two', n: 3 })
    await expect.poll(() => earlier.get('two')).toMatchObject({ id: 'two', n: 3 })
  })
})

describe('secrets in PostgreSQL', () => {
  it('are the same for all, and open with the key alone that sealed them', async () => {
    const url = await server.database()
    const sealKey = randomBytes(32)
    const [one, other] = [await open(url, 'a', { sealKey }), await open(url, 'b', { sealKey })]
    const secrets = await Promise.all([one.secret('key', 32), other.secret('key', 32)])
    expect(secrets[0]).toHaveLength(32)
    expect(secrets[0]).toEqual(secrets[1])
    await expect((await open(url, 'c')).secret('key', 32)).rejects.toThrow('it is sealed')
    await expect((await open(url, 'd', { sealKey: randomBytes(32) })).secret('key', 32)).rejects.toThrow(
      'does not open it',
    )
  })
})

describe('leases', () => {
  it('go to one process at a time: to another one after the lease when it is cut off, at once when it stops', async () => {
    const url = await server.database()
    const proxy = await DatabaseProxy.start(server.port)
    onTestFinished(() => proxy.close())
    const a = await started(url.replace(String(server.port), String(proxy.port)), 'a', { leaseMs: LEASE_MS })
    for (let n = 0; n < 5; n++) await a.tools.put({ id: `t${n}`, n })
    const b = await started(url, 'b')
    const all = ['site', 't0', 't1', 't2', 't3', 't4']
    await expect.poll(() => b.store.ownership.ownerOf('t0')?.name).toBe('a')
    expect(b.store.ownership.owns('t0')).toBe(false)
    await expect(b.tools.put({ id: 't0', n: 7 })).rejects.toThrow('Another process owns t0 now.')
    await expect(b.store.journal.append(entry('t0'))).rejects.toThrow('Another process owns t0 now.')
    const back = deferred<void>()
    const away = proxy.away(back.promise)
    await expect.poll(() => [...b.keys.held].sort(), { interval: 10 }).toEqual(all)
    expect(a.keys.held.size).toBe(0)
    await expect(a.store.journal.append(entry('t1'))).rejects.toThrow()
    await b.tools.put({ id: 't0', n: 7 })
    await b.store.journal.append(entry('t0'))
    back.resolve()
    await away
    await expect.poll(() => a.store.ownership.ownerOf('t0')?.name).toBe('b')
    await expect.poll(() => a.tools.get('t0')).toEqual({ id: 't0', n: 7 })
    // Its lease would last for twice as long as this looks.
    await b.store.ownership.stop()
    await expect.poll(() => [...a.keys.held].sort(), { interval: 10 }).toEqual(all)
  })

  it('are taken by their owner, also when the answer to a claim is lost', async () => {
    const url = await server.database()
    const before = await started(url, 'before')
    for (let n = 0; n < 20; n++) await before.tools.put({ id: `t${n}`, n })
    await before.store.ownership.stop()
    const all = ['site', ...Array.from({ length: 20 }, (_, n) => `t${n}`)].sort()
    const [a, b] = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const proxy = await DatabaseProxy.start(server.port)
        onTestFinished(() => proxy.close())
        const through = url.replace(String(server.port), String(proxy.port))
        return { proxy, ...(await started(through, name, { leaseMs: LEASE_MS })) }
      }),
    )
    if (!a || !b) throw new Error('there are two')
    for (let n = 0; n < 12; n++) {
      const { proxy } = n % 2 ? a : b
      if (n % 3 === 2) await proxy.away(LEASE_MS + 100 * n)
      else await proxy.cut(n % 3 ? 'before' : 'after', 40 * n)
      const held = () => [a, b].flatMap(({ keys }) => [...keys.held])
      const owned = () =>
        [a, b].flatMap(({ keys, store }) => [...keys.held].filter((key) => store.ownership.owns(key)))
      const sorted = () => [held(), owned()].map((keys) => keys.sort())
      await expect.poll(sorted, { interval: 20, message: `round ${n}` }).toEqual([all, all])
    }
  })

  it('are shared evenly as processes come and go', async () => {
    const url = await server.database()
    const a = await started(url, 'a', { leaseMs: SHARED_LEASE_MS })
    await Promise.all(Array.from({ length: 60 }, (_, n) => a.tools.put({ id: `t${n}`, n })))
    const b = await started(url, 'b', { leaseMs: SHARED_LEASE_MS })
    const c = await started(url, 'c', { leaseMs: SHARED_LEASE_MS })
    const all = ['site', ...Array.from({ length: 60 }, (_, n) => `t${n}`)]
    const owned = ({ store }: typeof a): string[] => all.filter((key) => store.ownership.owns(key))
    const sizes = (): number[] => [a, b, c].map((one) => owned(one).length)
    await expect.poll(() => Math.max(...sizes())).toBe(21)
    await expect.poll(() => sizes().reduce((sum, size) => sum + size)).toBe(61)
    expect(new Set([a, b, c].flatMap(owned)).size).toBe(61)
    const before = owned(b)
    await delay(clock, SHARED_LEASE_MS)
    expect(owned(b)).toEqual(before)
    await c.store.ownership.stop()
    await expect.poll(() => owned(b).length).toBeGreaterThanOrEqual(30)
  })

  it('carry what the owner shows, and who there is', async () => {
    const url = await server.database()
    const a = await started(url, 'a')
    await a.tools.put({ id: 't', n: 1 })
    const b = { store: await open(url, 'b') }
    await b.store.collection<Tool>('tools', { owned: true })
    const changed: string[] = []
    b.store.ownership.changed.on((key) => changed.push(key))
    a.store.ownership.publish('t', { state: 'SELECTED' })
    await expect.poll(() => b.store.ownership.published('t')).toEqual({ state: 'SELECTED' })
    expect(changed).toContain('t')
    b.store.ownership.publish('t', { state: 'not its owner' })
    await delay(clock, 800)
    expect(a.store.ownership.published('t')).toEqual({ state: 'SELECTED' })
    const nodes = b.store.ownership.nodes()
    expect(nodes.map(({ name, url: at, keys }) => [name, at, keys])).toEqual([
      ['a', 'http://a', 2],
      ['b', null, 0],
    ])
    expect(a.store.ownership.owns(SITE_KEY)).toBe(true)
  })
})

const entry = (key: string) => ({
  key,
  type: 'state',
  name: 'changed',
  at: new Date().toISOString(),
  data: {},
})
