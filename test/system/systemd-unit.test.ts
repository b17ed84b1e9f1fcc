import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Secsctl } from '../support/secsctl.js'

/** What systemd complains of in a unit; nothing when it takes all of it. */
async function complaints(scope: '--user' | '--system', unit: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'secsctl.service')
  writeFileSync(file, unit)
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_RUNTIME_DIR: folder }
  const { stderr } = await promisify(execFile)('systemd-analyze', [scope, 'verify', file], { env })
  return stderr
}

test.each([
  ['--user', []],
  ['--system', ['--system', '--port', '443']],
] as const)('systemd takes every line of the unit for %s', async (scope, flags) => {
  const secsctl = new Secsctl()
  onTestFinished(() => secsctl.remove())
  const { stdout } = await secsctl.runProcess(['daemon', 'install', '--print', ...flags])
  expect(await complaints(scope, stdout)).toBe('')
  expect(await complaints(scope, stdout.replace('Restart=', 'Restarts='))).toContain('Restarts')
})
