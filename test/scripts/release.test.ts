import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'

let folder: string
const folders: string[] = []
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
const identity = {
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
}
const release = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['scripts/release.mjs', ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...identity, RELEASE_ROOT: folder },
  })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secsctl-release-'))
  folders.push(folder)
  writeFileSync(join(folder, 'package.json'), '{ "name": "x", "version": "0.1.0" }')
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\n- First.\n',
  )
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'First')
})
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true })
})

test('what is unreleased gets the version and the day, and is committed and tagged', () => {
  expect(release('0.2.0').status).toBe(0)
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
    /^## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- New\./m,
  )
  expect(git('status', '--porcelain')).toBe('')
  expect(git('tag').trim()).toBe('v0.2.0')
  expect(release('--check', 'v0.2.0').status).toBe(0)
  expect(release('--notes').stdout.trim()).toBe('- New.')
})

test.each([
  ['a version that is there already', '0.1.0'],
  ['a word', 'next'],
  ['nothing', ''],
])('%s is refused, and nothing changes', (_, version) => {
  expect(release(version).status).toBe(2)
  expect(git('status', '--porcelain')).toBe('')
  expect(git('tag')).toBe('')
})

test('a tag of another version is refused', () => {
  expect(release('--check', 'v9.9.9').status).toBe(2)
})

test('a tree with changes is refused', () => {
  writeFileSync(join(folder, 'new'), '')
  expect(release('0.2.0').status).toBe(2)
})
