import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileFindings } from '../../../src/cli/doctor/files.js'
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

test('on Windows modes say nothing', async () => {
  chmodSync(home, 0o755)
  const found = await fileFindings(foldersOf(testEnvironment({ variables: { SECSCTL_HOME: home } })), 'win32')
  expect(found.map(({ mark }) => mark)).toEqual(['ok', 'ok', 'ok'])
})
