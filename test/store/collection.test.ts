import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Collection } from '../../src/store/collection.js'
import { FailStop, StoreDamaged, StoreUnavailable } from '../../src/store/failure.js'
import { disk } from '../../src/store/files/disk/file-system.js'
import { type CollectionOptions, openCollection } from '../../src/store/files/documents/json-collection.js'
import type { RecordCheck } from '../../src/store/record-check.js'
import { failingDisk } from './failing-disk.js'
import { scratchFolders } from './scratch-folder.js'

interface Tool {
  readonly id: string
  readonly n: number
}
const folders = scratchFolders()
const folderOf = (): string => {
  const folder = folders()
  mkdirSync(folder)
  return folder
}
const open = (folder: string, given: Partial<CollectionOptions> = {}) =>
  openCollection<Tool>(folder, 'tools', { fs: disk, failStop: new FailStop(), ...given })

describe('A collection', () => {
  it('has after a restart what was put and not what was deleted', async () => {
    const folder = folderOf()
    const tools = await open(folder)
    await Promise.all([1, 2, 3].map((n) => tools.put({ id: `t${n}`, n })))
    await tools.put({ id: 't2', n: 20 })
    expect([await tools.delete('t1'), await tools.delete('t1')]).toEqual([true, false])
    const again = await open(folder)
    expect(await again.all()).toEqual([
      { id: 't2', n: 20 },
      { id: 't3', n: 3 },
    ])
    expect(await again.get('t1')).toBeUndefined()
    expect([await again.delete('t1', 't2', 't3'), await again.delete()]).toEqual([true, false])
    expect(await (await open(folder)).all()).toEqual([])
  })

  it('writes nothing that the next start would refuse', async () => {
    const folder = folderOf()
    const check: RecordCheck<Tool> = (records) =>
      records.flatMap(({ n }, at) => (n > 9 ? [{ pointer: `/${at}/n`, detail: 'must be <= 9' }] : []))
    const tools = await open(folder, { check: check as RecordCheck })
    await tools.put({ id: 't1', n: 1 })
    await expect(
      tools.putAll([
        { id: 't2', n: 2 },
        { id: 't1', n: 10 },
      ]),
    ).rejects.toThrow('/1/n must be <= 9')
    expect(await tools.all()).toEqual([{ id: 't1', n: 1 }])
    expect(await (await open(folder, { check: check as RecordCheck })).all()).toEqual([{ id: 't1', n: 1 }])
  })

  it('has several records together, or none of them after a failure', async () => {
    for (let nth = 1; ; nth++) {
      const folder = folderOf()
      const fs = failingDisk(nth, { syncs: false })
      const tools = await open(folder, { fs }).catch(() => undefined)
      const both = [
        { id: 't1', n: 1 },
        { id: 't2', n: 2 },
      ]
      const isWritten = await tools?.putAll(both).then(
        () => true,
        () => false,
      )
      const found = await (await open(folder)).all()
      expect([0, 2], `call ${nth}`).toContain(found.length)
      if (isWritten) expect(found).toEqual(both)
      if (isWritten) return
    }
  })

  it('after a failure at any call claims only what it acknowledged, and a restart finds that or one change more', async () => {
    for (let nth = 1; ; nth++) {
      const folder = folderOf()
      const fs = failingDisk(nth, { syncs: false })
      let acknowledged: readonly Tool[] = []
      let asked: readonly Tool[] = []
      const tools = await open(folder, { fs }).catch(() => undefined)
      for (let n = 1; tools && n <= 3; n++) {
        asked = [...acknowledged, { id: `t${n}`, n }]
        try {
          await tools.put({ id: `t${n}`, n })
          acknowledged = asked
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailable)
          expect(await tools.all()).toEqual(acknowledged)
          await expect(tools.put({ id: 'x', n: 0 })).rejects.toBeInstanceOf(StoreUnavailable)
          break
        }
      }
      expect(fs.openFiles(), `call ${nth}`).toBe(0)
      expect([acknowledged, asked], `call ${nth}`).toContainEqual(await (await open(folder)).all())
      expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
      if (fs.calls() < nth) break
    }
  })

  it('puts what is changed while a write is under way on disk with one write', async () => {
    const fs = failingDisk(Number.POSITIVE_INFINITY)
    const tools = await open(folderOf(), { fs })
    await tools.put({ id: 'a', n: 0 })
    const before = fs.calls()
    await Promise.all([tools.putAll([]), tools.delete('none')])
    expect(fs.calls()).toBe(before)
    await tools.put({ id: 'b', n: 0 })
    const one = fs.calls() - before
    const ends: string[] = []
    const changes = Array.from({ length: 100 }, (_, n) =>
      tools.put({ id: `t${n % 50}`, n }).then(() => ends.push(`t${n}`)),
    )
    const gone = [tools.delete('t7'), tools.delete('t7')]
    await Promise.all(changes)
    expect([await Promise.all(gone), fs.calls() - before]).toEqual([[true, false], 2 * one])
    expect(ends).toEqual(Array.from({ length: 100 }, (_, n) => `t${n}`))
    expect([await tools.get('t8'), await tools.get('t7')]).toEqual([{ id: 't8', n: 58 }, undefined])
  })

  it('fails what is in the write that fails and what waits after it, and keeps what was acknowledged', async () => {
    for (let nth = 1; ; nth++) {
      const folder = folderOf()
      const fs = failingDisk(nth, { syncs: false })
      const acknowledged = new Set<string>()
      const put = (tools: Collection<Tool>, id: string): Promise<unknown> =>
        tools.put({ id, n: 1 }).then(
          () => acknowledged.add(id),
          (error: unknown) => expect(error).toBeInstanceOf(StoreUnavailable),
        )
      const tools = await open(folder, { fs }).catch(() => undefined)
      const rounds = ['a', 'b', 'c'].map((round) => [1, 2, 3].map((n) => `${round}${n}`))
      const work: Promise<unknown>[] = []
      for (const round of rounds) {
        if (tools) work.push(...round.map((id) => put(tools, id)))
        await Promise.resolve()
        await Promise.resolve()
      }
      await Promise.all(work)
      const shown = ((await tools?.all()) ?? []).map(({ id }) => id)
      expect(shown, `call ${nth}`).toEqual([...acknowledged])
      const kept = (await (await open(folder)).all()).map(({ id }) => id)
      // What a write that failed had in it is there together, or not at all.
      expect(kept.slice(0, acknowledged.size), `call ${nth}`).toEqual(shown)
      expect([0, 3, 6, 9], `call ${nth}: ${kept}`).toContain(kept.length)
      if (fs.calls() < nth) break
    }
  })

  it('keeps the generation before', async () => {
    const folder = folderOf()
    const tools = await open(folder)
    await tools.put({ id: 'a', n: 1 })
    const before = readFileSync(join(folder, 'tools.json'), 'utf8')
    await tools.put({ id: 'b', n: 2 })
    expect(readFileSync(join(folder, 'tools.json.bak'), 'utf8')).toBe(before)
  })

  for (const text of [
    '',
    '{',
    'null',
    '{"version":1}',
    '{"version":1,"records":[{}]}',
    '{"version":9,"records":[]}',
  ]) {
    it(`is refused and left alone when its file is ${text || 'empty'}`, async () => {
      const folder = folderOf()
      const path = join(folder, 'tools.json')
      writeFileSync(path, text)
      await expect(open(folder)).rejects.toMatchObject({ name: 'StoreDamaged', file: path })
      expect(readFileSync(path, 'utf8')).toBe(text)
    })
  }

  it('is refused when its file is gone and the generation before it is not', async () => {
    const folder = folderOf()
    const tools = await open(folder)
    await tools.put({ id: 'a', n: 1 })
    await tools.put({ id: 'b', n: 2 })
    rmSync(join(folder, 'tools.json'))
    await expect(open(folder)).rejects.toBeInstanceOf(StoreDamaged)
  })

  it('brings records of an older version up to date', async () => {
    const folder = folderOf()
    writeFileSync(join(folder, 'tools.json'), '{"version":1,"records":[{"id":"a"}]}')
    const number = (records: readonly unknown[]) => records.map((record) => ({ ...(record as Tool), n: 7 }))
    expect(await (await open(folder, { migrations: [number] })).all()).toEqual([{ id: 'a', n: 7 }])
  })
})
