import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Entry, EntryNumber, type NewEntry } from '../../../src/store/entry.js'
import type { JournalQuery } from '../../../src/store/journal.js'
import { type LeaseHolder, SITE_KEY } from '../../../src/store/ownership.js'
import type { Store } from '../../../src/store/store.js'
import { alarm, OpenAlarms } from '../open-alarms.js'
import { madeOf, plainly, someEntries, someQueries } from './queries.js'

interface Tool {
  readonly id: string
  readonly n: number
}

/** Opens a store that is empty, and then again what is in it, once it was closed. */
export type OpenStore = () => Promise<{ readonly store: Store; again(): Promise<Store> }>

const entry = (n: number): NewEntry => ({
  key: 'EQ',
  type: 'state',
  name: 'a',
  at: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
  data: { n, text: 'Gr\u00fc\u00dfe \u{1f600} \u0000 \ud800' },
})

/** What every store does. */
export function describeStore(title: string, open: OpenStore, numRuns: number): void {
  describe(`The journal of a store ${title}`, () => {
    it('gives back what was appended, in the order of the calls, also when it is opened again', async () => {
      const { store, again } = await open()
      await store.journal.attach([])
      const heard: Entry[] = []
      store.journal.appended.on((one) => heard.push(one))
      const appended = await Promise.all(Array.from({ length: 50 }, (_, n) => store.journal.append(entry(n))))
      expect(appended.map(({ seq, data }) => [seq, data['n']])).toEqual(
        Array.from({ length: 50 }, (_, n) => [n + 1, n]),
      )
      expect(heard).toEqual(appended)
      expect(await store.journal.query({ order: 'asc', limit: 100 })).toEqual(appended)
      expect(await store.journal.get(7)).toEqual(appended[6])
      expect([await store.journal.get(0), await store.journal.get(51)]).toEqual([undefined, undefined])
      await store.close()
      const opened = await again()
      await opened.journal.attach([])
      expect(opened.journal).toMatchObject({ first: 1, last: 50 })
      expect(await opened.journal.query({ order: 'asc', limit: 100 })).toEqual(appended)
      await opened.close()
    })

    it('writes the numbers of entries into those that refer to them', async () => {
      const { store } = await open()
      const { journal } = store
      await journal.attach([])
      const [sent, own] = [new EntryNumber(), new EntryNumber()]
      const calls = [
        journal.append({ ...entry(1), number: sent }),
        journal.appendAll([
          { ...entry(2), data: { first: null, x: 1 }, numbers: { first: sent } },
          { ...entry(3), data: {}, number: own, numbers: { own, first: sent } },
        ]),
        journal.append({ ...entry(4), data: { x: 1 }, numbers: { third: own } }),
      ]
      await Promise.all(calls)
      expect(String(own)).toBe('3')
      const found = await journal.query({ order: 'asc', limit: 10, after: 1 })
      expect(found.map(({ data }) => data)).toEqual([
        { first: '1', x: 1 },
        { own: '3', first: '1' },
        { third: '3', x: 1 },
      ])
      await journal.append({ ...entry(5), data: {}, numbers: { first: sent } })
      expect((await journal.get(5))?.data).toEqual({ first: '1' })
      await store.close()
    })

    it('refuses an entry that could not be read back, and uses no sequence number for it', async () => {
      const { store } = await open()
      const { journal } = store
      await journal.attach([])
      await expect(journal.append({ ...entry(1), at: '2026-01-01' })).rejects.toBeInstanceOf(TypeError)
      await expect(journal.appendAll([entry(1), { ...entry(2), at: '' }])).rejects.toBeInstanceOf(TypeError)
      await expect(journal.append({ ...entry(1), data: [] as never })).rejects.toBeInstanceOf(TypeError)
      for (const word of ['key', 'type', 'name', 'topic'])
        await expect(journal.append({ ...entry(1), [word]: 'a\u0000' })).rejects.toBeInstanceOf(TypeError)
      expect(await journal.get(1.5)).toBeUndefined()
      expect(await journal.appendAll([])).toEqual([])
      expect(await journal.append(entry(3))).toMatchObject({ seq: 1 })
      await store.close()
    })

    it('finds what looking at every entry finds', async () => {
      await fc.assert(
        fc.asyncProperty(
          someEntries,
          fc.array(someQueries, { minLength: 4, maxLength: 12 }),
          async (given, asked) => {
            const { store } = await open()
            await store.journal.attach([])
            const all: Entry[] = []
            for (let from = 0; from < given.length; from += 10) {
              all.push(...(await store.journal.appendAll(given.slice(from, from + 10).map(madeOf))))
            }
            for (const [must, may] of asked) {
              const query = { ...must, ...may } as JournalQuery
              expect(await store.journal.query(query)).toEqual(plainly([...all], query))
              expect(await store.journal.numberOf(query)).toBe(
                plainly([...all], { ...query, where: () => true })[0]?.seq,
              )
            }
            await store.close()
          },
        ),
        { numRuns },
      )
    })

    it('reads no more than about so many bytes, and one entry at least', async () => {
      const { store } = await open()
      const { journal } = store
      await journal.attach([])
      const long = { ...entry(1), data: { text: 'x'.repeat(10_000) } }
      await journal.appendAll(Array.from({ length: 20 }, () => long))
      const read = async (bytes: number) => (await journal.query({ order: 'asc', limit: 20, bytes })).length
      expect([await read(1), await read(25_000), await read(10_000_000)]).toEqual([1, 3, 20])
      await store.close()
    })

    it('keeps views up to date, also over an opening', async () => {
      const { store, again } = await open()
      const view = new OpenAlarms()
      await store.journal.attach([view])
      const at = new Date(0).toISOString()
      for (let n = 0; n < 30; n++)
        await store.journal.append(alarm(`e${n % 7}`, n % 3 ? 'set' : 'cleared', at))
      await store.journal.append({ ...entry(1), type: 'other' })
      expect(view.shown).toBe(30)
      await store.close()
      const opened = await again()
      const same = new OpenAlarms()
      await opened.journal.attach([same])
      expect(same.open).toEqual(view.open)
      await opened.journal.append(alarm('e1', 'cleared', at))
      expect(same.open.has('e1')).toBe(false)
      await opened.close()
    })

    it('has further journals with numbers of their own', async () => {
      const { store, again } = await open()
      const audit = await store.furtherJournal('audit', {
        maxAge: 366 * 24 * 60 * 60_000,
        maxBytes: 1024 ** 3,
      })
      await Promise.all([store.journal.attach([]), audit.attach([])])
      await store.journal.append(entry(1))
      await audit.appendAll([entry(2), entry(3)])
      expect([store.journal.last, audit.last]).toEqual([1, 2])
      expect((await audit.query({ order: 'desc', limit: 1 })).map(({ data }) => data['n'])).toEqual([3])
      await store.close()
      const opened = await again()
      expect(opened.journal.last).toBe(1)
      await opened.close()
    })
  })

  describe(`A collection of a store ${title}`, () => {
    it('has what was put and not what was deleted, in the order in which it was added', async () => {
      const { store, again } = await open()
      const tools = await store.collection<Tool>('tools')
      for (const n of [3, 1, 2]) await tools.put({ id: `t${n}`, n })
      await tools.put({ id: 't3', n: 30 })
      expect([await tools.delete('t1'), await tools.delete('t1')]).toEqual([true, false])
      await tools.put({ id: 't1', n: 10 })
      await store.close()
      const opened = await again()
      const found = await opened.collection<Tool>('tools')
      expect((await found.all()).map(({ n }) => n)).toEqual([30, 2, 10])
      expect([await found.get('t3'), await found.get('t9')]).toEqual([{ id: 't3', n: 30 }, undefined])
      expect(await found.delete('t3', 't2', 'none')).toBe(true)
      expect(await found.all()).toEqual([{ id: 't1', n: 10 }])
      await opened.close()
    })

    it('runs checked changes one after the other', async () => {
      const { store } = await open()
      const tools = await store.collection<Tool>('tools')
      const count = (): Promise<void> =>
        tools.exclusively(async () => {
          const before = (await tools.get('one'))?.n ?? 0
          await new Promise(setImmediate)
          await tools.put({ id: 'one', n: before + 1 })
        })
      await Promise.all(Array.from({ length: 10 }, count))
      await expect(tools.exclusively(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
      expect(await tools.get('one')).toEqual({ id: 'one', n: 10 })
      await store.close()
    })
  })

  describe(`A store ${title}`, () => {
    it('gives its holder every key, and takes it back', async () => {
      const { store, again } = await open()
      await (await store.collection<Tool>('tools', { owned: true })).put({ id: 't1', n: 1 })
      await store.close()
      const opened = await again()
      await opened.journal.attach([])
      await opened.collection<Tool>('tools', { owned: true })
      const held = new Set<string>()
      const holder: LeaseHolder = {
        take: async (keys) => keys.forEach((key) => void held.add(key)),
        give: async (keys) => keys.forEach((key) => void held.delete(key)),
      }
      await opened.ownership.start(holder)
      await expect.poll(() => held).toEqual(new Set([SITE_KEY, 't1']))
      expect(opened.ownership.owns('t1')).toBe(true)
      await opened.ownership.stop()
      expect(held.size).toBe(0)
      await opened.close()
    })

    it('has the same secret at every call', async () => {
      const { store, again } = await open()
      const secret = await store.secret('key', 32)
      expect(secret).toHaveLength(32)
      await store.close()
      const opened = await again()
      expect(Buffer.from(await opened.secret('key', 32))).toEqual(Buffer.from(secret))
      await opened.close()
    })
  })
}
