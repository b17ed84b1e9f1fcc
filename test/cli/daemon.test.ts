import { once } from 'node:events'
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { killed } from '../support/daemon-process.js'
import { ended, lineOf, Secsctl } from '../support/secsctl.js'

let secsctl: Secsctl
beforeEach(() => {
  secsctl = new Secsctl()
})
afterEach(async () => {
  await secsctl.run(['daemon', 'stop'])
  secsctl.remove()
})

interface Status {
  readonly url: string
  readonly pid: number
  readonly started?: boolean
}

const start = async (...flags: string[]): Promise<Status> => {
  const { stdout, stderr, code } = await secsctl.run(['daemon', 'start', '--port', '0', '--json', ...flags])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Status
}

test('start returns when it answers, a second one finds it and says that other options have no effect, and stop waits until it is gone', async () => {
  const first = await start()
  expect(first).toMatchObject({ started: true, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
  expect(await start()).toMatchObject({ started: false, pid: first.pid, url: first.url })
  expect((await secsctl.run(['daemon', 'start'])).stderr).not.toContain('restart')
  expect(await secsctl.run(['daemon', 'start', '--port', '1'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('secsctl daemon restart --port 1'),
  })
  const { stdout } = await secsctl.run(['daemon', 'status', '-o', 'env'])
  expect(stdout).toBe(`export SECSCTL_URL='${first.url}'\n`)
  expect(await secsctl.run(['daemon', 'stop'])).toMatchObject({
    code: 0,
    stderr: 'The daemon has stopped.\n',
  })
  expect(await secsctl.run(['daemon', 'status'])).toMatchObject({ code: 6, stdout: '' })
})

test('the administrator that start makes is logged in, and never shown', async () => {
  await start()
  const who = await secsctl.run(['whoami', '--json'])
  expect(JSON.parse(who.stdout)).toMatchObject({ email: 'admin@localhost', role: 'admin', profile: 'local' })
  const tokens = join(secsctl.home, 'config', 'tokens.json')
  const kept = JSON.parse((JSON.parse(readFileSync(tokens, 'utf8')) as { local: string }).local) as {
    token: string
    secret: { password: string }
  }
  expect(statSync(tokens).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(secsctl.home, 'state', 'daemon.log'), 'utf8')).not.toContain(kept.secret.password)

  // A login that has ended is taken up again with the secret that was kept.
  const old = { ...kept, token: 'worn out', expires_at: '2001-01-01T00:00:00.000Z' }
  writeFileSync(tokens, JSON.stringify({ local: JSON.stringify(old) }))
  expect(await secsctl.run(['equipment', 'list'])).toMatchObject({ code: 0, stdout: '' })

  // After a logout it is not.
  expect(await secsctl.run(['logout'])).toMatchObject({ code: 0 })
  expect(await secsctl.run(['whoami'])).toMatchObject({ code: 4, stdout: '' })
  expect(await secsctl.run(['login'])).toMatchObject({ code: 0 })
  expect(await secsctl.run(['whoami'])).toMatchObject({ code: 0 })
})

test('a daemon that was killed leaves nothing in the way of the next', async () => {
  const { pid } = await start()
  await killed(pid)
  expect(await secsctl.run(['daemon', 'status'])).toMatchObject({ code: 6 })
  expect(await start()).toMatchObject({ started: true })
})

test('start names the flags of a daemon that was killed, and only where they are others', async () => {
  const flags = ['--keep', '40d']
  const first = await start(...flags)
  await killed(first.pid)
  const { code, stderr } = await secsctl.run(['daemon', 'start', '--port', '0'])
  expect(code).toBe(0)
  const again = `secsctl daemon restart --port ${new URL(first.url).port} --keep 40d`
  expect(stderr).toContain(again)
  const restarted = await secsctl.run([...again.split(' ').slice(1), '--json'])
  const { url, pid } = JSON.parse(restarted.stdout) as Status
  expect(url).toBe(first.url)
  await killed(pid)
  const same = await secsctl.run(again.replace('restart', 'start').split(' ').slice(1))
  expect(same).toMatchObject({ code: 0, stderr: expect.not.stringContaining('killed') })
  expect(await secsctl.run(['daemon', 'stop'])).toMatchObject({ code: 0 })
  const ended = await secsctl.run(['daemon', 'start', '--port', '0'])
  expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('killed') })
})

test('a daemon that hangs is distinguished from one that is not there', async () => {
  const { pid } = await start()
  process.kill(pid, 'SIGSTOP')
  const { code, stderr } = await secsctl.run(['equipment', 'list'])
  process.kill(pid, 'SIGCONT')
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: expect.stringMatching(
      new RegExp(`process ${pid}\\) runs and does not .*\nTry: secsctl daemon logs`),
    ),
  })
})

test('of two that start at once, one runs and both succeed', async () => {
  const [one, other] = await Promise.all([start(), start()])
  expect(one.pid).toBe(other.pid)
  expect([one.started, other.started].sort()).toEqual([false, true])
  expect(await secsctl.run(['whoami'])).toMatchObject({ code: 0 })
})

test('restart keeps the port', async () => {
  const before = await start()
  const free = JSON.parse((await secsctl.run(['daemon', 'restart', '--json'])).stdout) as Status
  expect(free.url).toBe(before.url)
  expect(free.pid).not.toBe(before.pid)
  const { port } = new URL(before.url)
  const { stdout } = await secsctl.run(['daemon', 'restart', '--port', port, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ url: before.url })
  const again = JSON.parse((await secsctl.run(['daemon', 'restart', '--json'])).stdout) as Status
  expect(again.url).toBe(before.url)
})

test('restart with a flag keeps the other options', async () => {
  const before = await start('--keep', '40d', '--hsms-host', '127.0.0.1', '--allow-local-sinks')
  const restarted = async (...flags: string[]) =>
    JSON.parse((await secsctl.run(['daemon', 'restart', ...flags, '--json'])).stdout) as Status
  const { url } = await restarted('--keep', '50d')
  expect(url).toBe(before.url)
  const settingsOf = async () => {
    const { stdout } = await secsctl.run(['daemon', 'status', '--json'])
    const { settings } = JSON.parse(stdout) as { settings: { name: string; value: unknown }[] }
    return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
  }
  const others = { hsms_host: '127.0.0.1', allow_local_sinks: true }
  expect(await settingsOf()).toMatchObject({ ...others, keep: '50d' })
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const taken = String((squatter.address() as AddressInfo).port)
  const failed = await secsctl.run(['daemon', 'restart', '--port', taken, '--keep', '20d'])
  squatter.close()
  expect(failed.code).not.toBe(0)
  expect(failed.stderr).toContain('runs again with the options that it had')
  expect(await settingsOf()).toMatchObject({ ...others, keep: '50d' })
  await restarted('--no-allow-local-sinks')
  expect(await settingsOf()).toMatchObject({ ...others, allow_local_sinks: false, keep: '50d' })
})

test('a start that fails ends as the daemon that it started, and says why', async () => {
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const { port } = squatter.address() as { port: number }
  try {
    const { code, stdout, stderr } = await secsctl.run(['daemon', 'start', '--port', String(port)])
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    // A start that takes longer says first what it waits for.
    expect(stderr.replace(/^(starting the daemon: .*\n)+/, '')).toBe(
      `Error: the daemon did not start: port ${port} of 127.0.0.1 is taken by another program\nTry: secsctl daemon start --port 0\n`,
    )
    const run = await secsctl.run(['daemon', 'run', '--port', String(port)])
    expect(run).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Try: secsctl daemon run --port 0'),
    })
  } finally {
    squatter.close()
  }
  const open = await secsctl.run(['daemon', 'start', '--host', '0.0.0.0', '--port', '0', '--json'])
  expect({ code: open.code, stdout: open.stdout }).toEqual({ code: 2, stdout: '' })
  expect(JSON.parse(open.stderr)).toMatchObject({
    code: 'usage',
    detail: expect.stringContaining('--insecure-http'),
  })
})

test('run names the flags when a certificate is none', async () => {
  const file = join(secsctl.home, 'cert.pem')
  writeFileSync(file, 'no certificate', { mode: 0o600 })
  const { code, stderr } = await secsctl.run(['daemon', 'run', '--tls-cert', file, '--tls-key', file])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--tls-cert and --tls-key') })
})

test('run refuses clear text beyond this machine', async () => {
  const { code, stdout, stderr } = await secsctl.run(['daemon', 'run', '--host', '0.0.0.0', '--port', '0'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('--insecure-http')
})

test('run says where it listens, logs JSON to standard error, and ends with 0 when it is stopped', async () => {
  const env = { SECSCTL_ADMIN_EMAIL: 'boss@fab.example', SECSCTL_ADMIN_PASSWORD: 'a long enough one' }
  const daemon = secsctl.start(['daemon', 'run', '--port', '0'], env)
  const over = ended(daemon)
  const url = (await lineOf(daemon, /^listening on /)).replace('listening on ', '')
  const login = await secsctl.run(['login', '--email', 'boss@fab.example', '--json'], {
    env: { SECSCTL_PASSWORD: env.SECSCTL_ADMIN_PASSWORD },
  })
  expect(JSON.parse(login.stdout)).toMatchObject({ url, user: { role: 'admin' } })
  const second = await secsctl.run(['daemon', 'run', '--port', '0'], { env })
  expect(second).toMatchObject({ code: 5, stdout: '' })
  daemon.kill('SIGTERM')
  const { code, stdout, stderr } = await over
  expect({ code, stdout }).toEqual({ code: 0, stdout: `listening on ${url}\n` })
  for (const line of stderr.trim().split('\n').filter(Boolean))
    expect(JSON.parse(line)).toHaveProperty('level')
  expect(stderr).not.toContain(env.SECSCTL_ADMIN_PASSWORD)
})

test('the first run in a new home ends with 0 on Ctrl-C, as later ones do', async () => {
  const daemon = secsctl.start(['daemon', 'run', '--port', '0', '--hsms-host', '127.0.0.1'])
  const over = ended(daemon)
  await lineOf(daemon, /^listening on /)
  daemon.kill('SIGINT')
  expect((await over).code).toBe(0)
})

test('the log is JSON lines in a pipe, as many as are asked for, and nothing else', async () => {
  await start()
  const path = join(secsctl.home, 'state', 'daemon.log')
  const lines = Array.from({ length: 3000 }, (_, at) => JSON.stringify({ level: 30, msg: `line ${at}` }))
  appendFileSync(path, `a word of a process\n${lines.join('\n')}\n`)
  for (const flags of [[], ['--json']]) {
    const { stdout } = await secsctl.run(['daemon', 'logs', '-n', '100000', ...flags])
    const read = stdout.split('\n').slice(0, -1)
    // A request of the start may be logged later.
    expect(read.filter((line) => /"line \d+"/.test(line))).toEqual(lines)
    const messages = read.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(messages).toContain('a word of a process')
    expect(messages.filter((text) => /listening/i.test(text))).toHaveLength(1)
  }
  const { stdout } = await secsctl.run(['daemon', 'logs', '-n', '3', '-o', 'table'])
  expect(stdout).toMatch(/info {3}line 2998\n.*info {3}line 2999\n/)
})
