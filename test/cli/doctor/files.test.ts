import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileFindings } from '../../../src/cli/doctor/files.js'
import { inArea } from '../../../src/cli/doctor/finding.js'
import { foldersOf } from '../../../src/cli/profile/folders.js'
import { testEnvironment } from '../../support/command.js'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('folders that are not there yet are nothing wrong', async () => {
  const found = await fileFindings(foldersOf(testEnvironment({ variables: { SECSCTL_HOME: home } })))
  expect(found.map(({ mark }) => mark)).toEqual(['ok', 'ok', 'ok'])
})

test('a file that others may read is wrong until its command has been run', async () => {
  const folders = foldersOf(testEnvironment({ variables: { SECSCTL_HOME: join(home, "it's here") } }))
  mkdirSync(folders.config, { recursive: true, mode: 0o700 })
  const file = join(folders.config, 'tokens.json')
  writeFileSync(file, '{}', { mode: 0o600 })
  expect(await fileFindings(folders)).toMatchObject([{ mark: 'ok' }, { mark: 'ok' }, { mark: 'ok' }])

  chmodSync(file, 0o644)
  const [wrong] = await fileFindings(folders)
  expect(wrong).toMatchObject({ mark: 'wrong', detail: expect.stringContaining('mode 0644') })
  execFileSync('sh', ['-c', wrong?.mend ?? 'false'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await fileFindings(folders)).toMatchObject([{ mark: 'ok' }, { mark: 'ok' }, { mark: 'ok' }])
})

test('a folder of another user is said in words', () => {
  const path = '/home/other/state/daemon.json'
  const error = Object.assign(new Error('EACCES: denied'), { code: 'EACCES', syscall: 'stat', path })
  const { detail } = inArea('daemon').failed('process', error)
  expect(detail).toContain(`${path} cannot be read: this user may not.`)
})

test('on Windows modes say nothing', async () => {
  chmodSync(home, 0o755)
  const found = await fileFindings(foldersOf(testEnvironment({ variables: { SECSCTL_HOME: home } })), 'win32')
  expect(found.map(({ mark }) => mark)).toEqual(['ok', 'ok', 'ok'])
})

test('folders that cannot be made are a note, since every start would fail', async () => {
  const folders = foldersOf(testEnvironment({ variables: { SECSCTL_HOME: join(home, 'a', 'b') } }))
  const asked: string[] = []
  const found = await fileFindings(folders, 'linux', async (folder) => {
    asked.push(folder)
    const code = folder === home ? 'EROFS' : 'ENOENT'
    return Object.assign(new Error(code), { code })
  })
  expect(found.map(({ mark }) => mark)).toEqual(['note', 'note', 'note'])
  expect(found[0]?.detail).toContain(`cannot be made in ${home}: its file system is read-only`)
  // Nothing above the first folder that is there is of interest.
  expect(asked.every((folder) => folder.startsWith(home))).toBe(true)
})

test.skipIf(process.getuid?.() === 0)('a home that this user may not write is found as it is', async () => {
  chmodSync(home, 0o500)
  const found = await fileFindings(foldersOf(testEnvironment({ variables: { SECSCTL_HOME: home } })), 'linux')
  chmodSync(home, 0o700)
  expect(found.map(({ mark }) => mark)).toEqual(['note', 'note', 'note'])
})
