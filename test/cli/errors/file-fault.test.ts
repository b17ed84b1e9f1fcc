import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
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

test('what is to be written into a folder that is not there says which is missing', () => {
  const file = new CaptureFile(join(missing, 'wire.pcapng'))
  expect(() => file.write(new Uint8Array(1))).toThrow(/wire\.pcapng: there is no such folder$/)
})
