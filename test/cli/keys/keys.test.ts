import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningDaemon } from '../../../src/daemon/daemon.js'
import { DAEMON_ADMIN, startDaemonHere } from '../../support/daemon-here.js'
import { type RunOptions, Secsctl } from '../../support/secsctl.js'
import { until } from '../../support/until.js'

const data = mkdtempSync(join(tmpdir(), 'secsctl-keys-'))
const secsctl = new Secsctl()
/** A machine on which nobody has logged in. */
const job = new Secsctl()
let daemon: RunningDaemon

beforeAll(async () => {
  daemon = await startDaemonHere(data)
  await logIn()
})
afterAll(async () => {
  await daemon.stop()
  for (const one of [secsctl, job]) one.remove()
  rmSync(data, { recursive: true, force: true })
})

const logIn = async (): Promise<void> => {
  const flags = ['--url', daemon.url, '--email', DAEMON_ADMIN.email, '--password-stdin']
  expect(await secsctl.run(['login', ...flags], { input: DAEMON_ADMIN.password })).toMatchObject({ code: 0 })
}
const run = (args: string, options?: RunOptions) =>
  secsctl.run([...args.split(' '), '--url', daemon.url], options)
const created = async (args: string): Promise<string> => {
  const { code, stdout } = await run(`keys add ${args}`)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^secsctl_[0-9a-z]{10}_[0-9a-f]{64}\n$/)
  return stdout.trim()
}
/** Runs a command as a job that has nothing but a key. */
const withKey = (key: string, args: string) =>
  job.run(args.split(' '), { env: { SECSCTL_URL: daemon.url, SECSCTL_TOKEN: key } })

/** The files below a folder that contain `text`. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text))

test('the key alone is on standard output, and what it may do is on standard error', async () => {
  const { code, stdout, stderr } = await run('keys add mes --role operator --expires 90d')
  expect([code, stdout.trim().split('_').length]).toEqual([0, 3])
  expect(stderr).toMatch(/^The API key mes is operator; expires: 20\S+Z\.\nIt is not shown again\.\n$/)
  expect(filesWith(data, stdout.trim().split('_')[2] ?? '')).toEqual([])
  const json = await run('keys add other --role viewer --expires never -l area=etch --json')
  expect(JSON.parse(json.stdout)).toMatchObject({
    name: 'other',
    expires_at: null,
    label_selector: 'area=etch',
    key: expect.stringMatching(/^secsctl_/),
  })
})

test('a key that exists, an expiry in the past and a selector that cannot be read are refused', async () => {
  expect(await run('keys add mes --role viewer --expires 1d')).toMatchObject({ code: 5, stdout: '' })
  for (const wrong of ['2020-01-01', '0s', 'soon', '90', '9999999d'])
    expect((await run(`keys add x --role viewer --expires ${wrong}`)).stderr).toContain('--expires takes')
  expect(await run('keys add x --role viewer --expires 1d -l a=(')).toMatchObject({ code: 2 })
  expect(await run('keys add x --role viewer')).toMatchObject({ code: 2 })
})

test('a job needs nothing but a key', async () => {
  const key = await created('ci --role operator --expires 2999-01-01T00:00:00Z')
  expect(await withKey(key, 'equipment list --json')).toMatchObject({ code: 0, stdout: '[]\n' })
  const { stdout } = await withKey(key, 'whoami')
  expect(stdout).toBe(
    `api key\tci\nrole\toperator\nselector\t\nexpires\t2999-01-01T00:00:00.000Z\nserver\t${daemon.url}\nprofile\t\ntoken from\tSECSCTL_TOKEN\n`,
  )
  expect(JSON.parse((await withKey(key, 'whoami --json')).stdout)).toMatchObject({
    name: 'ci',
    role: 'operator',
  })
  expect(await withKey(key, 'users list')).toMatchObject({ code: 4, stdout: '' })
  expect(await withKey(key, 'users passwd')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has no password'),
  })
  expect(filesWith(job.home, key)).toEqual([])
})

test('logout leaves a key of the environment, and the login that is kept, as they are', async () => {
  const key = await created('env --role viewer --expires 1d')
  const logout = await run('logout', { env: { SECSCTL_TOKEN: key } })
  expect(logout).toMatchObject({ code: 0, stderr: expect.stringContaining('in SECSCTL_TOKEN stays') })
  expect(await withKey(key, 'whoami')).toMatchObject({ code: 0 })
  expect(await run('whoami')).toMatchObject({ code: 0 })
})

test('a key is kept by login, used after that, and forgotten by logout', async () => {
  const key = await created('kept --role viewer --expires 30m')
  const flags = ['--url', daemon.url]
  const login = await job.run(['login', '--key-stdin', ...flags], { input: `${key}\n` })
  expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('kept (viewer)') })
  // It ends within the hour in which a login is refreshed.
  expect(await job.run(['whoami', '--json'])).toMatchObject({ stdout: expect.stringContaining('"kept"') })
  expect(await job.run(['doctor'])).toMatchObject({ stdout: expect.stringContaining('API key kept, viewer') })
  const logout = await job.run(['logout'])
  expect(logout).toMatchObject({ code: 0, stderr: expect.stringContaining('stays valid') })
  expect(filesWith(job.home, key)).toEqual([])
  expect(await withKey(key, 'whoami')).toMatchObject({ code: 0 })
  const wrong = await job.run(['login', '--key-stdin', ...flags], { input: 'a password\n' })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.not.stringContaining('a password') })
})

test('an open stream ends when the key is revoked', async () => {
  const key = await created('tail --role viewer --expires never')
  const tail = withKey(key, 'events tail')
  const metrics = async () =>
    (await fetch(`${daemon.url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).text()
  await until(async () => (await metrics()).includes('secsctl_http_streams 1'))
  const revoked = await run('keys remove tail --yes --reason leaked')
  expect(revoked).toMatchObject({ code: 0, stderr: 'revoked tail\n' })
  expect(await tail).toMatchObject({ code: 4, stderr: expect.stringContaining('revoked') })
  expect(await run('keys show tail')).toMatchObject({ code: 3, stdout: '' })
})

describe('what is recorded', () => {
  test('names the key', async () => {
    const key = await created('auditor --role admin --expires 1d')
    const input = 'a stapled password\n'
    const env = { SECSCTL_URL: daemon.url, SECSCTL_TOKEN: key }
    for (const args of ['add bob@fab.example --role viewer', 'passwd bob@fab.example'])
      expect(await job.run(['users', ...args.split(' '), '--password-stdin'], { env, input })).toMatchObject({
        code: 0,
      })
    await withKey(key, 'keys add made --role viewer --expires 1d')
    const { stdout } = await run('audit list --key auditor --json')
    expect(JSON.parse(stdout)).toMatchObject([
      {
        action: 'createKey',
        user: null,
        api_key: { name: 'auditor' },
        details: { name: 'made', role: 'viewer' },
      },
      { action: 'updateUser' },
      { action: 'createUser' },
    ])
    expect((await run('audit list --key auditor')).stdout).toContain('key:auditor')
    expect(JSON.parse((await run('keys show made --json')).stdout).created_by).toBe('key:auditor')
  })

  test('survives a restart: keys, and when they were used', async () => {
    const key = await created('restart --role viewer --expires 1d')
    expect(JSON.parse((await run('keys show restart --json')).stdout).last_used_at).toBeNull()
    await withKey(key, 'equipment list')
    const before = JSON.parse((await run('keys list --json')).stdout)
    expect(before.at(-1)).toMatchObject({ name: 'restart', last_used_at: expect.any(String) })
    await daemon.stop()
    daemon = await startDaemonHere(data)
    await logIn()
    expect(JSON.parse((await run('keys list --json')).stdout)).toEqual(before)
    expect(await withKey(key, 'equipment list')).toMatchObject({ code: 0 })
    const [record] = JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8')).records
    expect(record.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(filesWith(data, key.split('_')[2] ?? '')).toEqual([])
  })
})

test('a file with the key does as well', async () => {
  const file = join(job.home, 'mes.key')
  writeFileSync(file, `${await created('file --role viewer --expires 1d')}\n`, { mode: 0o600 })
  const env = { SECSCTL_URL: daemon.url, SECSCTL_TOKEN_FILE: file }
  expect(await job.run(['equipment', 'list'], { env })).toMatchObject({ code: 0 })
})
