import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disk, type OpenMode } from '../../../../src/store/files/disk/file-system.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const modeOf = (path: string): number => statSync(path).mode & 0o777

test('a file is read and written at any position, and a read behind its end gives no bytes', async () => {
  const path = join(folderOf(), 'a', 'b', 'file')
  await disk.makeFolder(join(path, '..'))
  await expect(disk.open(path, 'read')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(disk.open(path, 'update')).rejects.toMatchObject({ code: 'ENOENT' })
  for (const mode of ['create', 'update'] as const) {
    const file = await disk.open(path, mode)
    await file.write(Buffer.from(`${mode} it`), 3)
    await file.write(Buffer.from('abc'), 0)
    expect([await file.size(), String(await file.read(1, 5)), String(await file.read(10, 9))]).toEqual([
      ...[12, `bc${mode.slice(0, 3)}`, 'it'],
    ])
    expect(await file.read(12, 9)).toHaveLength(0)
    await file.truncate(4)
    await file.sync()
    expect(await file.size()).toBe(4)
    await file.close()
  }
  expect(String(await disk.read(path))).toBe('abcu')
  await expect(disk.open(path, 'create')).rejects.toMatchObject({ code: 'EEXIST' })
  const reading = await disk.open(path, 'read')
  await expect(reading.write(Buffer.from('x'), 0)).rejects.toMatchObject({ code: 'EBADF' })
  await reading.close()
})

test('a file that is not there is none, and another problem is one', async () => {
  const folder = folderOf()
  await disk.makeFolder(folder)
  expect(await disk.read(join(folder, 'none'))).toBeUndefined()
  await expect(disk.read(folder)).rejects.toMatchObject({ code: 'EISDIR' })
  for (const name of ['b', 'c', 'a']) writeFileSync(join(folder, name), name)
  await disk.rename(join(folder, 'a'), join(folder, 'd'))
  await disk.remove(join(folder, 'b'))
  await expect(disk.remove(join(folder, 'b'))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await disk.list(folder)).toEqual(['c', 'd'])
  await disk.syncFolder(folder)
  await expect(disk.syncFolder(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test.each<OpenMode>(['read', 'update'])(
  'what is opened to %s gets its owner alone, and is no link',
  async (mode) => {
    const above = folderOf()
    const folder = join(above, 'in', 'it')
    mkdirSync(folder, { recursive: true })
    for (const path of [above, folder]) chmodSync(path, 0o750)
    const path = join(folder, 'file')
    writeFileSync(path, 'x')
    chmodSync(path, 0o644)
    await disk.makeFolder(folder)
    await (await disk.open(path, mode)).close()
    expect([modeOf(above), modeOf(folder), modeOf(path)]).toEqual([0o750, 0o700, 0o600])
    symlinkSync(path, join(folder, 'link'))
    await expect(disk.open(join(folder, 'link'), mode)).rejects.toMatchObject({ name: 'NotPrivate' })
    expect(readFileSync(path, 'utf8')).toBe('x')
  },
)
