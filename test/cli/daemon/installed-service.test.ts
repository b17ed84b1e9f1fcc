import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DaemonAddress } from '../../../src/daemon/address-file.js'
import { runCommand } from '../../support/command.js'
import { ended, lineOf, Secsctl } from '../../support/secsctl.js'

const URL = 'http://127.0.0.1:7327'

let folder: string
let secsctl: Secsctl
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secsctl-machine-'))
  secsctl = new Secsctl()
  mkdirSync(join(folder, 'run/systemd/system'), { recursive: true })
})
afterEach(async () => {
  await secsctl.run(['daemon', 'stop'])
  secsctl.remove()
  rmSync(folder, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** The machine has the service, as the packages install it. */
function install(home = '/var/lib/secsctl', path = 'usr/lib/systemd/system/secsctl.service'): void {
  write(
    path,
    `[Service]\nExecStart=/usr/bin/secsctl daemon run\nEnvironment=SECSCTL_HOME=${home}\nUser=secsctl\n`,
  )
}

const runs = (): void => write('run/secsctl/url', `${URL}\n`)

const run = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  runCommand(args, { systemRoot: folder, variables: { ...secsctl.environment(), ...variables } })

describe('a user of a machine whose gateway is a service', () => {
  beforeEach(() => install())

  test('is told its address and how to log in', async () => {
    runs()
    for (const command of [
      ['equipment', 'list'],
      ['daemon', 'status'],
      ['daemon', 'start'],
    ]) {
      const { exitCode, stderr } = await run(command)
      expect({ command, exitCode: exitCode === 0 }).toEqual({ command, exitCode: false })
      expect(stderr).toContain(`secsctl login --url ${URL}`)
      expect(stderr).not.toContain('Try: secsctl daemon start')
    }
    const { stderr } = await run(['equipment', 'list'])
    expect(stderr).toContain('sudo -u secsctl env SECSCTL_HOME=/var/lib/secsctl secsctl users add EMAIL')
  })

  test('gets no second gateway by the variable that starts one unasked', async () => {
    runs()
    const { exitCode, stderr } = await run(['equipment', 'list'], { SECSCTL_AUTOSTART: '1' })
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('login --url'),
    })
  })

  test('is told to start the service where it does not run', async () => {
    for (const command of [
      ['equipment', 'list'],
      ['daemon', 'start'],
    ])
      expect((await run(command)).stderr).toContain('Try: sudo systemctl start secsctl')
    expect((await run(['daemon', 'restart'])).stderr).toContain('Try: sudo systemctl restart secsctl')
  })

  test('is told where the log is, and how the service is stopped', async () => {
    runs()
    expect((await run(['daemon', 'logs', '--follow', '-n', '20'])).stderr).toContain(
      'Try: journalctl --unit secsctl -n 20 -f',
    )
    expect((await run(['daemon', 'stop'])).stderr).toContain('sudo systemctl stop secsctl')
  })

  test('can start a gateway of his own with a port of its own', async () => {
    runs()
    expect(await run(['daemon', 'start', '--port', '0'])).toMatchObject({ exitCode: 0 })
    expect(await run(['equipment', 'list'])).toMatchObject({ exitCode: 0 })
    await run(['daemon', 'stop'])
    expect((await run(['equipment', 'list'])).stderr).toContain('Try: secsctl daemon start')
  })
})

test.each([
  ['is masked', () => write('etc/systemd/system/secsctl.service', '')],
  ['is for a systemd that does not run', () => rmSync(join(folder, 'run/systemd'), { recursive: true })],
])('a unit that %s is no service', async (_, change) => {
  install()
  change()
  expect((await run(['equipment', 'list'])).stderr).toContain('Try: secsctl daemon start')
})

test('in the folder of a service no daemon is started beside it', async () => {
  install(secsctl.home)
  for (const verb of ['start', 'restart']) {
    const { exitCode, stderr } = await run(['daemon', verb, '--port', '0'])
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining(`Try: sudo systemctl ${verb} secsctl`),
    })
  }
  expect((await run(['equipment', 'list'])).stderr).toContain('Try: sudo systemctl start secsctl')
})

test("a user's own unit is started by that user's manager", async () => {
  install(secsctl.home, 'config/systemd/user/secsctl.service')
  const variables = { XDG_CONFIG_HOME: join(folder, 'config') }
  expect((await run(['daemon', 'start', '--port', '0'], variables)).stderr).toContain(
    'Try: systemctl --user start secsctl',
  )
})

test('a daemon that is a unit is stopped and restarted by systemctl, and its log is in the journal', async () => {
  const child = secsctl.start(['daemon', 'run', '--port', '0'])
  const end = ended(child)
  await lineOf(child, /listening/)
  const file = join(secsctl.home, 'state', 'daemon.json')
  const address = JSON.parse(readFileSync(file, 'utf8')) as DaemonAddress
  const unit = { name: 'fab-2.service', scope: 'system' }
  writeFileSync(file, JSON.stringify({ ...address, unit }))
  for (const verb of ['stop', 'restart']) {
    const { exitCode, stderr } = await run(['daemon', verb])
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining(`Try: sudo systemctl ${verb} fab-2`),
    })
  }
  expect((await run(['daemon', 'logs'])).stderr).toContain('Try: journalctl --unit fab-2')
  expect(JSON.parse((await run(['daemon', 'status', '--json'])).stdout)).toMatchObject({
    running: true,
    unit,
  })
  child.kill('SIGTERM')
  expect(await end).toMatchObject({ code: 0 })
})

test('the daemon of a service writes its address where every user can read it', async () => {
  mkdirSync(join(folder, 'run/secsctl'))
  const child = secsctl.start(['daemon', 'run', '--port', '0'], {
    RUNTIME_DIRECTORY: join(folder, 'run/secsctl'),
  })
  const end = ended(child)
  const line = await lineOf(child, /listening/)
  const file = join(folder, 'run/secsctl/url')
  expect(line).toBe(`listening on ${readFileSync(file, 'utf8').trim()}`)
  expect(statSync(file).mode & 0o777).toBe(0o644)
  child.kill('SIGTERM')
  await end
})
