import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { privacyFault } from '../../src/kit/private-file.js'
import { openStore } from '../../src/store/files/data-folder.js'
import { disk, type FileSystem } from '../../src/store/files/disk/file-system.js'
import { guardedFiles } from '../../src/store/files/disk/guarded-files.js'
import { lockFolder } from '../../src/store/files/disk/lock.js'
import type { Store } from '../../src/store/store.js'
import { ManualClock } from '../support/manual-clock.js'
import { scratchFolders } from './scratch-folder.js'

const folderOf = scratchFolders()
const entry = { key: 'EQ', type: 'state', name: 'a', at: '2026-01-01T00:00:00.000Z', data: {} }

let folder: string
let clock: ManualClock
let store: Store
const opened = (): Promise<Store> => openStore(folder, { clock: new ManualClock() })

/** What happens to the folder of a daemon that runs. */
const ACCIDENTS: readonly (readonly [string, () => void])[] = [
  ['its lock file is removed', () => rmSync(join(folder, 'lock'))],
  [
    'its lock file is replaced',
    () => {
      rmSync(join(folder, 'lock'))
      writeFileSync(join(folder, 'lock'), '')
    },
  ],
  ['another process writes its lock file', () => writeFileSync(join(folder, 'lock'), '4711\n')],
  ['it is moved', () => renameSync(folder, `${folder}-moved`)],
  [
    'it is replaced by a copy',
    () => {
      renameSync(folder, `${folder}-moved`)
      cpSync(`${folder}-moved`, folder, { recursive: true })
    },
  ],
]

describe('A data folder whose daemon runs', () => {
  beforeEach(async () => {
    folder = folderOf()
    clock = new ManualClock()
    store = await openStore(folder, { clock })
    await store.journal.append(entry)
  })
  afterEach(async () => {
    await store.close().catch(() => undefined)
  })

  it.each(ACCIDENTS)('acknowledges nothing once %s', async (_, accident) => {
    const tools = await store.collection('tools')
    accident()
    clock.advance(5) // a check is valid for less time than another process needs to open the folder
    await expect(store.journal.append(entry)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    await expect(tools.put({ id: 'a' })).rejects.toMatchObject({ name: 'StoreUnavailable' })
    expect((await store.failed).cause).toMatchObject({ name: 'FolderLost' })
  })

  it.each(ACCIDENTS)('fails within a second, also where nothing is written, when %s', async (_, accident) => {
    accident()
    clock.advance(1000)
    expect((await store.failed).cause).toMatchObject({ name: 'FolderLost' })
  })

  it.each([
    ['segment', (): void => rmSync(join(folder, 'journal', '0000000000000001.ndjson'))],
    ['journal', (): void => renameSync(join(folder, 'journal'), join(folder, 'old'))],
  ])('acknowledges nothing once its %s is gone', async (_, accident) => {
    accident()
    await expect(store.journal.append(entry)).rejects.toThrow('was moved, replaced or removed')
  })

  it.each([
    ['creates a file', (fs: FileSystem) => fs.open(join(folder, 'a'), 'create')],
    ['renames a file', (fs: FileSystem) => fs.rename(join(folder, 'a'), join(folder, 'b'))],
    ['syncs the folder', (fs: FileSystem) => fs.syncFolder(folder)],
  ])('says that it was lost when it is moved before a step that %s', async (_, step) => {
    const lost = new Error('lost')
    let isLost = false
    const check = async (): Promise<void> => {
      if (isLost) throw lost
      isLost = true
      renameSync(folder, `${folder}-moved`)
    }
    const fs = guardedFiles(disk, check, clock)
    await check()
    await expect(step(fs)).rejects.toBe(lost)
  })

  it('loses nothing that it acknowledged when its lock file is removed and another daemon starts', async () => {
    rmSync(join(folder, 'lock'))
    const other = await opened()
    clock.advance(10) // it takes a process longer to start
    const both = await Promise.allSettled(
      [store, other, store, other].map(({ journal }) => journal.append({ ...entry, name: 'b' })),
    )
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    await store.close().catch(() => undefined)
    await other.close()
    const again = await opened()
    expect((await again.journal.query({ order: 'asc', limit: 10 })).map(({ seq }) => seq)).toEqual([1, 2, 3])
    await again.close()
  })

  it('continues while it is looked at for a day', async () => {
    for (let second = 0; second < 100; second++) {
      clock.advance(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await store.journal.append(entry)
    await store.close()
    // The room that was made ahead of entries is given back.
    const segment = readFileSync(join(folder, 'journal', '0000000000000001.ndjson'), 'latin1')
    expect(segment).not.toContain('\n\n')
  })
})

test('a file system that grants its lock to everybody is refused', async () => {
  const folder = folderOf()
  await expect(lockFolder(folder, { tryLock: () => true })).rejects.toMatchObject({
    name: 'LockNotEnforced',
    message: expect.stringContaining(folder),
  })
  await (await lockFolder(folder)).release()
})

describe('What could belong to another user', () => {
  const refusal = async (): Promise<{ name: string; message: string; hint: string }> =>
    opened().then(
      async (store) => {
        await store.close()
        throw new Error('it was opened')
      },
      (error) => error,
    )

  beforeEach(async () => {
    folder = folderOf()
    store = await opened()
    await store.secret('signing-key', 32)
    await (await store.collection('users')).put({ id: 'a' })
    await store.close()
  })

  it('is a lock file that is a link: what it leads to stays as it is', async () => {
    const victim = `${folder}-victim`
    writeFileSync(victim, 'keep me')
    rmSync(join(folder, 'lock'))
    symlinkSync(victim, join(folder, 'lock'))
    expect(await refusal()).toMatchObject({
      name: 'NotPrivate',
      message: expect.stringMatching(/lock is a symbolic link/),
    })
    expect(readFileSync(victim, 'utf8')).toBe('keep me')
  })

  it('is no lock file that cannot be opened for another reason', async () => {
    rmSync(join(folder, 'lock'))
    mkdirSync(join(folder, 'lock'))
    expect(await refusal()).toMatchObject({ code: 'EISDIR' })
  })

  it.each(['signing-key', 'users.json'])('is %s that is a link', async (name) => {
    renameSync(join(folder, name), `${folder}-${name}`)
    symlinkSync(`${folder}-${name}`, join(folder, name))
    expect(await refusal()).toMatchObject({ name: 'NotPrivate' })
  })

  it.each([
    ['signing-key', 0o644, 'chmod 600 '],
    ['users.json', 0o604, 'chmod 600 '],
    ['', 0o755, 'chmod -R go= '],
    ['', 0o701, 'chmod -R go= '],
  ])('is %j open to everybody (%o): the command to mend it is told', async (name, mode, command) => {
    const path = join(folder, name)
    chmodSync(path, mode)
    const { name: error, message, hint } = await refusal()
    expect({ error, hint: hint.startsWith(command) }).toEqual({ error: 'NotPrivate', hint: true })
    expect(message).toContain('is open to other users')
    expect(statSync(path).mode & 0o777).toBe(mode)
    chmodSync(path, name === '' ? 0o700 : 0o600)
    await (await opened()).close()
  })

  it('is of another user', () => {
    const stats = { mode: 0o100600, uid: 1000, isDirectory: () => false }
    expect(privacyFault('/data/key', stats, 0, 1000)).toBeUndefined()
    for (const user of [0, 1001]) {
      expect(privacyFault('/data/key', stats, 0, user)).toMatchObject({
        message: '/data/key belongs to another user (1000)',
        hint: `sudo chown ${user} /data/key`,
      })
    }
  })

  it('is not an empty folder, nor what only its group may read: they are closed', async () => {
    const empty = folderOf()
    mkdirSync(empty)
    chmodSync(empty, 0o755)
    await (await openStore(empty, { clock: new ManualClock() })).close()
    expect(statSync(empty).mode & 0o777).toBe(0o700)
    chmodSync(folder, 0o770)
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o770)
    await (await opened()).close()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
})
