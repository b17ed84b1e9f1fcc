import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writePrivateFile } from '../../src/kit/private-file.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a private file that is a link stays one, and the file that it leads to is for its owner alone', async () => {
  const [file, link] = [join(folder, 'real.json'), join(folder, 'config.json')]
  writeFileSync(file, '{}', { mode: 0o644 })
  symlinkSync(file, link)
  await writePrivateFile(link, '{"current":"fab2"}\n')
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe('{"current":"fab2"}\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
