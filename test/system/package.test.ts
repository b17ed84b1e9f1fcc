import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'secsctl-package-'))
const prefix = join(folder, 'prefix')
const installed = join(prefix, 'lib', 'node_modules', 'secsctl')
const secsctl = join(prefix, 'bin', 'secsctl')
const env = { PATH: process.env['PATH'] ?? '', HOME: folder, SECSCTL_HOME: join(folder, 'home') }
const run = promisify(execFile)
let tarball = ''

/** Packed as it is published, and installed as a user does; from npm's cache where that has what is needed. */
beforeAll(async () => {
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
  tarball = join(folder, filename)
  const install = ['install', '--global', '--prefix', prefix, '--ignore-scripts', '--prefer-offline']
  await run('npm', [...install, '--no-audit', '--no-fund', tarball])
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package has what is needed, and no more', () => {
  expect(readdirSync(installed).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'node_modules',
    'oclif.manifest.json',
    'package.json',
  ])
  expect(readdirSync(join(installed, 'dist'))).toContain('THIRD-PARTY-LICENSES.txt')
  expect(readdirSync(join(installed, 'node_modules'))).toContain('fs-native-extensions')
  expect(readdirSync(join(installed, 'node_modules'))).not.toContain('fastify')
  expect(statSync(tarball).size).toBeLessThan(2_000_000)
})

test('what is installed says its version', async () => {
  expect((await run(secsctl, ['--version'], { env })).stdout).toMatch(/^secsctl \d+\.\d+\.\d+\n$/)
})

test('what is installed does the whole main job', async () => {
  const { stdout } = await run(secsctl, ['demo'], { env })
  expect(stdout).toMatch(/All \d+ checks held/)
})

test('what is installed finds its own commands and their help', async () => {
  expect((await run(secsctl, ['equipment', 'test', '--help'], { env })).stdout).toContain('--listen')
  await expect(run(secsctl, ['equipmnt', 'list'], { env })).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Try: secsctl equipment list'),
  })
})
