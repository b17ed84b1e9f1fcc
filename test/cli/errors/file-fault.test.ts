import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readingFault } from '../../../src/cli/errors/report.js'
import { readText } from '../../../src/cli/input/standard-input.js'
import { CaptureFile } from '../../../src/cli/wire/capture-file.js'
import { testEnvironment } from '../../support/command.js'

const folder = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { stdin } = testEnvironment()
const missing = join(folder, 'missing')

test('a file that is not there is said to be so in words', async () => {
  await expect(readText(stdin, missing, '--file')).rejects.toThrow(
    `--file cannot be read: there is no file ${missing}`,
  )
  await expect(readText(stdin, missing, missing)).rejects.toThrow(
    `${missing} cannot be read: there is no such file`,
  )
})

test('a folder is no file', async () => {
  await expect(readText(stdin, folder, 'the recipe')).rejects.toThrow(
    'the recipe cannot be read: it is a folder',
  )
})

test.each(['open', 'stat'])('a file of this user that he may not %s is named with what to do', (syscall) => {
  const fault = { code: 'EACCES', syscall, path: '/state/daemon.json' }
  const error = Object.assign(new Error(`EACCES: permission denied, ${syscall} '/state/daemon.json'`), fault)
  expect(readingFault(error)).toBe(
    '/state/daemon.json cannot be read: this user may not. SECSCTL_HOME names another folder for profiles, tokens and data.',
  )
})

test('what is to be written into a folder that is not there says which is missing', () => {
  const file = new CaptureFile(join(missing, 'wire.pcapng'))
  expect(() => file.write(new Uint8Array(1))).toThrow(/wire\.pcapng: there is no such folder$/)
})
