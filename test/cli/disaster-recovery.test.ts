import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startForeignHost } from '../foreign/foreign-host.js'
import { freePort } from '../support/free-port.js'
import { startSimulator } from '../support/live-gateway.js'
import { type Ran, Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

// docs/disaster-recovery.md: from a backup to the first command on another machine.

const env = { SECSCTL_KEYCHAIN: 'file' }
let first: Secsctl
let second: Secsctl

async function run(on: Secsctl, command: string, input = ''): Promise<Ran> {
  const ran = await on.run(command.split(' '), { env, input })
  expect({ command, code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({
    command,
    code: 0,
    stderr: '',
  })
  return ran
}

const backups = (): string => join(first.home, 'backups')
/** As the page does: a copy that Node makes has other permissions for its folders since Node 24. */
const restore = (name: string, on = second): void => {
  execFileSync('cp', ['-a', join(backups(), name), join(on.home, 'data')])
}

beforeEach(async () => {
  first = new Secsctl()
  second = new Secsctl()
  await run(first, 'daemon start --port 0')
  await run(first, 'equipment add etcher --address 127.0.0.1:9')
})
afterEach(async () => {
  for (const one of [first, second]) {
    await one.run(['daemon', 'stop'], { env })
    one.remove()
  }
})

test('a backup on another machine serves the first command there after reset-admin, which the audit shows', async () => {
  const { folder } = JSON.parse((await run(first, `journal backup --to ${backups()} --json`)).stdout)
  await run(first, 'daemon stop')
  restore(folder.split('/').at(-1))
  await run(second, 'daemon reset-admin')
  expect(readdirSync(join(second.home, 'data'))).not.toContain('SHA256SUMS')
  await run(second, 'daemon start --port 0')
  expect((await run(second, 'equipment list -o tsv')).stdout).toContain('etcher')
  const audit = await run(second, 'audit list --action resetAdmin --json')
  expect(JSON.parse(audit.stdout)).toMatchObject([
    { action: 'resetAdmin', status: 200, details: { email: 'admin@localhost' } },
  ])
  expect(await second.run(['daemon', 'reset-admin'], { env })).toMatchObject({ code: 5 })

  await run(second, 'daemon stop')
  await run(
    second,
    'daemon reset-admin --email Ann@fab.example --password-stdin',
    'a long password of hers\n',
  )
  await run(second, 'daemon start --port 0')
  await run(second, 'login --email ann@fab.example --password-stdin', 'a long password of hers\n')
  expect(JSON.parse((await run(second, 'whoami --json')).stdout)).toMatchObject({ role: 'admin' })
})

test('a drill: the copy stands by beside its original, only reads, also after a restart, until it takes over', async () => {
  const tool = await startSimulator()
  await run(first, `equipment add coater --address 127.0.0.1:${tool.port}`)
  await run(first, 'equipment connect coater')
  const { folder } = JSON.parse((await run(first, `journal backup --to ${backups()} --json`)).stdout)
  restore(folder.split('/').at(-1))
  await run(second, 'daemon reset-admin')
  // Started again on the same port, which no outgoing connection takes meanwhile.
  await run(second, `daemon start --standby --port ${await freePort()}`)
  const ready = async (): Promise<unknown> => {
    const { url } = JSON.parse((await run(second, 'daemon status --json')).stdout)
    return (await fetch(`${url}/readyz`)).json()
  }
  const state = async (): Promise<string> =>
    JSON.parse((await run(second, 'equipment show coater --json')).stdout).connection_state
  const look = async (): Promise<void> => {
    expect(await ready()).toMatchObject({ status: 'ok', standby: true })
    expect(await state()).toBe('NOT_CONNECTED')
    expect((await run(second, 'messages list -o tsv')).stdout).toContain('S1F13')
    for (const refused of ['equipment connect coater', 'send coater S1F1', 'equipment remove coater --yes'])
      expect(await second.run(refused.split(' '), { env })).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('standby'),
      })
    expect((await run(second, 'daemon status')).stdout).toContain('standby')
    expect((await run(second, 'top --once --interval 200ms')).stdout).toContain('coater')
    // What it is not to connect to is not wrong.
    const doctor = await second.run(['doctor'], { env })
    expect(doctor.stdout).toMatch(/standby.*equipment, which this gateway does not connect to/)
    expect(doctor.stdout).not.toMatch(/wrong.*coater/)
  }
  await look()
  await run(second, 'daemon restart')
  await look()
  // The original is at work all the time, with the one connection that the tool takes.
  expect((await run(first, 'send coater S1F1')).stdout).toContain('<L')
  await run(first, 'daemon stop')
  await run(second, 'daemon restart --take-over')
  expect(await ready()).toMatchObject({ standby: false })
  await run(second, 'equipment connect coater --wait 60s')
  expect((await run(second, 'send coater S1F1')).stdout).toContain('<L')
  await run(second, 'daemon restart')
  expect(await ready()).toMatchObject({ standby: false })
})

test('a series of backups keeps the newest, and a copy that is not whole removes none of them', async () => {
  const made = ['secsctl-20200101T000000Z', 'secsctl-20200102T000000Z']
  for (const name of made) await run(first, `journal backup ${join(backups(), name)}`)
  const metric = async (): Promise<number> => {
    const { url } = JSON.parse((await run(first, 'daemon status --json')).stdout)
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(/^secsctl_last_backup_timestamp_seconds (\S+)$/m.exec(text)?.[1])
  }
  const { folder, removed } = JSON.parse(
    (await run(first, `journal backup --to ${backups()} --keep 2 --json`)).stdout,
  )
  expect(removed).toEqual([made[0]])
  const left = [made[1], folder.split('/').at(-1)]
  expect(readdirSync(backups()).sort()).toEqual(left)
  const at = await metric()
  expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(600)

  await run(first, 'daemon stop')
  const path = join(first.home, 'data', 'equipment.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('etcher', 'butcher'))
  expect(await first.run(['journal', 'backup', '--to', backups(), '--keep', '1'], { env })).toMatchObject({
    code: 9,
    stderr: expect.stringContaining('whole'),
  })
  expect(readdirSync(backups()).sort()).toEqual(left)
  writeFileSync(path, readFileSync(path, 'utf8').replace('butcher', 'etcher'))
})

test('a backup that has changed on the way is not started on', async () => {
  const { folder } = JSON.parse((await run(first, `journal backup --to ${backups()} --json`)).stdout)
  restore(folder.split('/').at(-1))
  const gone = join(second.home, 'data', 'users.json')
  const journal = join(second.home, 'data', 'journal')
  const [segment = ''] = readdirSync(journal).filter((name) => name.endsWith('.ndjson'))
  // The last entry: an end that a crash could have torn off as well.
  const text = readFileSync(join(journal, segment), 'utf8')
  writeFileSync(join(journal, segment), text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1))
  const refused = await second.run(['daemon', 'reset-admin'], { env })
  expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining('SHA256SUMS') })
  expect(readFileSync(gone, 'utf8')).not.toBe('')
  rmSync(join(second.home, 'data'), { recursive: true })
})

test('a backup that is restored while a tap is connected cuts no link, and what passes meanwhile is recorded', async () => {
  const tool = await startSimulator()
  const port = await freePort()
  await run(
    first,
    `equipment add coater --address 127.0.0.1:${tool.port} --tap-listen ${port} --tap-host 127.0.0.1`,
  )
  await run(first, 'equipment connect coater')
  // The process of the taps ends with its last link.
  onTestFinished(() => void first.run(['equipment', 'disconnect', 'coater'], { env }))
  const host = await startForeignHost({ port, deviceId: 0 })
  onTestFinished(() => host.stop())
  await until(() => host.received.length > 0)
  await host.establish()
  const asked = async (): Promise<number> => {
    const { stdout } = await run(
      first,
      'messages list --equipment coater --message S1F1 --from-side host --json',
    )
    return JSON.parse(stdout).length
  }
  await host.areYouThere()
  await until(async () => (await asked()) === 1)
  const { folder } = JSON.parse((await run(first, `journal backup --to ${backups()} --json`)).stdout)
  await host.areYouThere()
  await until(async () => (await asked()) === 2)

  await run(first, 'daemon stop')
  rmSync(join(first.home, 'data'), { recursive: true })
  restore(folder.split('/').at(-1), first)
  await host.areYouThere()
  await run(first, 'daemon start --port 0')
  await host.areYouThere()
  // The one of the backup, the one that waited for the daemon, and the last one.
  await until(async () => (await asked()) === 3)
  const shown = JSON.parse((await run(first, 'equipment show coater --json')).stdout)
  expect(shown).toMatchObject({
    connection_state: 'SELECTED',
    communication_state: 'COMMUNICATING',
    tap_link: { state: 'connected' },
  })
  expect(host.peer.errors).toEqual([])
  await run(first, 'equipment disconnect coater')
})
