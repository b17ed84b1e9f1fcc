import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { FailStop } from '../../../../src/store/failure.js'
import type { Lock } from '../../../../src/store/files/disk/lock.js'
import { privacyFaults, watchLock } from '../../../../src/store/files/disk/own-folder.js'
import { settle } from '../../../support/gem-pair.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()

test('the lock is looked at each second; a lock that is gone ends the store, but not once it is closed', async () => {
  const clock = new ManualClock()
  let looks = 0
  let fault: Error | undefined
  const lock = {
    check: async () => {
      looks++
      if (fault) throw fault
    },
  } as Lock
  const watching = () => {
    const failStop = new FailStop()
    return { failStop, cancel: watchLock(lock, failStop, clock) }
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  const { failStop } = watching()
  await pass(999)
  expect(looks).toBe(0)
  await pass(1)
  await pass(1000)
  expect([looks, failStop.failure]).toEqual([2, undefined])
  const closed = watching()
  closed.cancel()
  fault = new Error('it is gone')
  await pass(1000)
  expect(looks).toBe(3)
  expect([failStop.failure?.message, closed.failStop.failure]).toEqual([
    expect.stringContaining('it is gone'),
    undefined,
  ])
})

/** In a folder that is private: what is made, with its mode, and whether a start would refuse it. */
const FILES: readonly (readonly [name: string, mode: number, isRefused: boolean])[] = [
  ['users.json', 0o660, false],
  ['users.json', 0o604, true],
  ['users.json.bak', 0o601, true],
  ['users.json.txt', 0o666, false],
  ['signing-key', 0o602, true],
  ['signing-key.bak', 0o604, true],
  ['a-signing-key', 0o604, false],
  ['lock', 0o664, false],
  ['lock', 0o662, true],
  ['journal/1.ndjson', 0o666, false],
  ['journals', 0o666, false],
  ['more.json/', 0o777, false],
  ['users.json@', 0, true],
  ['journal/1.ndjson@', 0, true],
  ['other@', 0, false],
]

test.skipIf(process.platform === 'win32').each(FILES)(
  '%s with mode %o is refused: %o',
  async (name, mode, isRefused) => {
    const folder = folderOf()
    mkdirSync(join(folder, name.startsWith('journal/') ? 'journal' : ''), { recursive: true })
    chmodSync(folder, 0o700)
    const path = join(folder, name.replace(/[@/]$/, ''))
    if (name.endsWith('@')) symlinkSync(folder, path)
    else if (name.endsWith('/')) mkdirSync(path)
    else writeFileSync(path, '')
    if (!name.endsWith('@')) chmodSync(path, mode)
    expect((await privacyFaults(folder)).map(({ file }) => basename(file))).toEqual(
      isRefused ? [basename(path)] : [],
    )
    chmodSync(folder, 0o701)
    expect((await privacyFaults(folder))[0]?.file).toBe(join(folder, ''))
  },
)
