import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { FailStop } from '../../../src/store/failure.js'
import { openStore } from '../../../src/store/files/data-folder.js'
import { disk } from '../../../src/store/files/disk/file-system.js'
import { FolderLocked, lockFolder } from '../../../src/store/files/disk/lock.js'
import { openJournal } from '../../../src/store/files/open-journal.js'
import { ManualClock } from '../../support/manual-clock.js'
import { scratchFolders } from '../scratch-folder.js'

const folderOf = scratchFolders()
const entry = { key: 'EQ', type: 'state', name: 'a', at: '2026-01-01T00:00:00.000Z', data: {} }

describe('The lock', () => {
  it('lets one of two in, also when they come at once and by another name, and names the process', async () => {
    const folder = folderOf()
    mkdirSync(folder)
    symlinkSync(folder, `${folder}-link`)
    const both = await Promise.allSettled([lockFolder(folder), lockFolder(`${folder}-link`)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const taken = await lockFolder(folder).catch((error: unknown) => error)
    expect(taken).toBeInstanceOf(FolderLocked)
    expect(taken).toMatchObject({ pid: process.pid })
    for (const one of both) if (one.status === 'fulfilled') await one.value.release()
    await (await lockFolder(folder)).release()
  })

  it('is freed with a process that is killed', async () => {
    const folder = folderOf()
    mkdirSync(folder)
    const native = createRequire(import.meta.url).resolve('fs-native-extensions')
    const program = `const fd = require('fs').openSync(process.argv[1], 'a+')
      console.log(require(${JSON.stringify(native)}).tryLock(fd)); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['-e', program, join(folder, 'lock')])
    expect(String((await once(child.stdout, 'data'))[0])).toBe('true\n')
    const locked = await lockFolder(folder).catch((error: unknown) => error)
    // It has not said who it is.
    expect(locked).toMatchObject({
      name: 'FolderLocked',
      pid: undefined,
      message: expect.not.stringMatching(/NaN/),
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    await (await lockFolder(folder)).release()
  })
})

describe('The data folder', () => {
  it('may be a symbolic link, which is followed once', async () => {
    const folder = folderOf()
    const [link, other] = [`${folder}-data`, `${folder}-other`]
    mkdirSync(folder, { mode: 0o700 })
    mkdirSync(other, { mode: 0o700 })
    symlinkSync(folder, link)
    const store = await openStore(link, { clock: new ManualClock() })
    rmSync(link)
    symlinkSync(other, link)
    await (await store.collection('tools')).put({ id: 'a' })
    await store.journal.append(entry)
    await store.close()
    expect([readdirSync(other), readdirSync(folder)]).toEqual([[], expect.arrayContaining(['tools.json'])])
  })

  const modes = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).map((found) => {
      const mode = statSync(join(found.parentPath, found.name)).mode & 0o777
      return `${found.isDirectory() ? 'folder' : 'file'} ${mode.toString(8)}`
    })

  it('is for its owner alone, whatever the umask and whatever it was', async () => {
    for (const umask of [0, 0o277]) {
      const folder = folderOf()
      mkdirSync(folder)
      chmodSync(folder, 0o755)
      // A child, since a worker thread cannot change the umask.
      const script = `process.umask(${umask}); const { openStore, systemClock } = await import(${JSON.stringify(await bundle('files/data-folder', '../kit/clock'))})
        const store = await openStore(${JSON.stringify(folder)}, { clock: systemClock })
        const tools = await store.collection('tools')
        await tools.put({ id: 'a' }); await tools.put({ id: 'b' }); await store.secret('key', 32)
        await store.journal.append(${JSON.stringify(entry)}); await store.close()`
      await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      expect([...new Set(modes(folder))].sort()).toEqual(['file 600', 'folder 700'])
    }
  })

  it('keeps a secret over restarts, and refuses one that was cut short', async () => {
    const folder = folderOf()
    const store = await openStore(folder, { clock: new ManualClock() })
    const secret = await store.secret('key', 32)
    await store.close()
    const again = await openStore(folder, { clock: new ManualClock() })
    expect(Buffer.compare(await again.secret('key', 32), secret)).toBe(0)
    writeFileSync(join(folder, 'key'), secret.subarray(1))
    await expect(again.secret('key', 32)).rejects.toMatchObject({ name: 'StoreDamaged' })
    await again.close()
    const warnings: string[] = []
    const warn = (text: string): void => void warnings.push(text)
    const accepting = await openStore(folder, { clock: new ManualClock(), acceptLoss: true, warn })
    const other = await accepting.secret('key', 32)
    expect([other.length, Buffer.compare(other, secret) === 0]).toEqual([32, false])
    expect(warnings).toEqual([expect.stringContaining(join(folder, 'key.lost'))])
    expect(readFileSync(join(folder, 'key.lost')).equals(secret.subarray(1))).toBe(true)
    await accepting.close()
  })

  it('brings a collection of an older version up to date, and it stays so', async () => {
    const folder = folderOf()
    const store = await openStore(folder, { clock: new ManualClock() })
    await (await store.collection('tools')).put({ id: 'a' })
    const numbered = (records: readonly unknown[]) =>
      records.map((record) => ({ ...(record as object), n: 7 }))
    const tools = await store.collection<{ id: string; n: number }>('tools', { migrations: [numbered] })
    expect(await tools.all()).toEqual([{ id: 'a', n: 7 }])
    await tools.put({ id: 'b', n: 8 })
    const again = await store.collection('tools', { migrations: [numbered] })
    expect(await again.all()).toEqual([
      { id: 'a', n: 7 },
      { id: 'b', n: 8 },
    ])
    await expect(store.collection('tools')).rejects.toThrow('of a newer secsctl')
    await store.close()
  })

  it('is free again after it could not be opened', async () => {
    const folder = folderOf()
    await (await openStore(folder, { clock: new ManualClock() })).close()
    const fs = { ...disk, list: () => Promise.reject(new Error('made up')) }
    await expect(openStore(folder, { fs, clock: new ManualClock() })).rejects.toThrow('made up')
    await (await openStore(folder, { clock: new ManualClock() })).close()
  })
})

describe('A process that is killed under load', () => {
  it('leaves everything it acknowledged, without a gap', async () => {
    const bundled = await bundle('files/open-journal', 'failure', 'files/disk/file-system', '../kit/clock')
    const folder = folderOf()
    let acknowledged = 0
    for (const kill of [1, 40, 200, 700]) {
      const script = `const { openJournal, FailStop, disk, systemClock } = await import(${JSON.stringify(bundled)})
        const journal = await openJournal(${JSON.stringify(folder)}, { fs: disk, failStop: new FailStop(), clock: systemClock, segmentBytes: 20000 })
        const { writeSync } = await import('node:fs')
        const writer = async () => { for (;;) { const { seq } = await journal.append(${JSON.stringify(entry)}); writeSync(1, seq + '\\n') } }
        for (let n = 0; n < 16; n++) writer()`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script])
      let output = ''
      child.stdout.on('data', (bytes) => {
        output += bytes
        if (output.split('\n').length > kill) child.kill('SIGKILL')
      })
      await once(child, 'close')
      const whole = output.slice(0, output.lastIndexOf('\n')).split('\n').map(Number)
      acknowledged = Math.max(acknowledged, ...whole)
      const journal = await openJournal(folder, {
        fs: disk,
        failStop: new FailStop(),
        clock: new ManualClock(),
      })
      const kept = await journal.query({ order: 'asc', limit: 100_000 })
      expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, at) => at + 1))
      expect(kept.length).toBeGreaterThanOrEqual(acknowledged)
      await journal.close()
    }
  })
})

/** Files of the store as one module that Node can load; its path. */
async function bundle(...names: readonly string[]): Promise<string> {
  const folder = join(import.meta.dirname, '../../../src/store')
  const outfile = `${folderOf()}.mjs`
  const native = createRequire(import.meta.url).resolve('fs-native-extensions')
  await build({
    stdin: {
      contents: names.map((name) => `export * from './${name}.js'`).join('\n'),
      resolveDir: folder,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    external: ['fs-native-extensions'],
  })
  writeFileSync(
    outfile,
    readFileSync(outfile, 'utf8').replace('"fs-native-extensions"', JSON.stringify(native)),
  )
  return outfile
}
