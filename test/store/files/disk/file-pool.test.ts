import { expect, test } from 'vitest'
import { deferred } from '../../../../src/kit/deferred.js'
import { FilePool } from '../../../../src/store/files/disk/file-pool.js'
import { disk, type FileSystem, type OpenFile } from '../../../../src/store/files/disk/file-system.js'

/** Files without content; `open` and `closed` are the paths in the order of what happened. */
function scene(kept: number, failing: readonly string[] = []) {
  const opened: string[] = []
  const closed: string[] = []
  const open = async (path: string): Promise<OpenFile> => {
    opened.push(path)
    if (failing.includes(path)) throw new Error('made up')
    return {
      close: async () => {
        closed.push(path)
      },
    } as OpenFile
  }
  const fs: FileSystem = { ...disk, open }
  const pool = new FilePool(fs, kept)
  const use = (path: string) => pool.use(path, async () => path)
  return { pool, opened, closed, use }
}

test('a file is opened once while it is kept; the one not used for longest is closed for another', async () => {
  const { opened, closed, use } = scene(2)
  for (const path of ['a', 'b', 'a', 'c', 'a']) expect(await use(path)).toBe(path)
  expect([opened, closed]).toEqual([['a', 'b', 'c'], ['b']])
  await use('b')
  expect([opened, closed]).toEqual([
    ['a', 'b', 'c', 'b'],
    ['b', 'c'],
  ])
})

test('a file is never closed while it is read, also where it is forgotten or all are closed', async () => {
  const { pool, opened, closed, use } = scene(1)
  const reads = [deferred<void>(), deferred<void>()] as const
  const readings = reads.map(({ promise }) => pool.use('a', () => promise))
  await use('b')
  expect([opened, closed]).toEqual([['a', 'b'], []])
  pool.forget('a')
  pool.forget('never seen')
  await use('a')
  expect(opened).toEqual(['a', 'b', 'a'])
  reads[0].resolve()
  await readings[0]
  expect(closed).not.toContain('a')
  reads[1].resolve()
  await readings[1]
  expect(closed.filter((path) => path === 'a')).toHaveLength(1)
  await pool.close()
  expect(closed.toSorted()).toEqual(opened.toSorted())
})

test('a file that could not be opened is tried again, and whoever fails with one leaves it usable', async () => {
  const failing = ['a']
  const { pool, opened, closed, use } = scene(2, failing)
  await expect(use('a')).rejects.toThrow('made up')
  failing.pop()
  expect(await use('a')).toBe('a')
  await expect(pool.use('a', () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
  expect(await use('a')).toBe('a')
  expect([opened, closed]).toEqual([['a', 'a'], []])
  await pool.close()
  expect(closed).toEqual(['a'])
})
