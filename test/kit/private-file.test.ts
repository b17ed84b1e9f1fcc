import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolders } from '../../src/kit/private-file.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('missing folders are made for their owner alone, also by two callers at once', async () => {
  const path = join(folder, 'a', 'b', 'c')
  const made = await Promise.all([makeFolders(path), makeFolders(path)])
  expect(made).toContain(join(folder, 'a'))
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700)
  expect(await makeFolders(path)).toBeUndefined()
})

test('a link to a folder is one, and a file or a link to nothing is none', async () => {
  symlinkSync(folder, join(folder, 'link'))
  await makeFolders(join(folder, 'link', 'a'))
  expect(existsSync(join(folder, 'a'))).toBe(true)
  writeFileSync(join(folder, 'file'), '')
  symlinkSync(join(folder, 'gone'), join(folder, 'dangling'))
  await expect(makeFolders(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolders(join(folder, 'file', 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(makeFolders(join(folder, 'dangling'))).rejects.toMatchObject({ code: 'EEXIST' })
})

test.skipIf(process.platform !== 'linux')('where nobody can make a folder it fails at once', async () => {
  await expect(makeFolders('/proc/1/x')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(makeFolders('/proc/1/x/y/z')).rejects.toMatchObject({ code: 'ENOENT' })
})
