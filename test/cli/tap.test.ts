import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { L, U4 } from 'secs4js'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { RunningDaemon } from '../../src/daemon/daemon.js'
import { systemClock } from '../../src/kit/clock.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { startForeignHost } from '../foreign/foreign-host.js'
import { runCommand } from '../support/command.js'
import { DAEMON_ADMIN, startDaemonHere } from '../support/daemon-here.js'
import { freePort } from '../support/free-port.js'
import { LOOPBACK } from '../support/tcp.js'
import { until } from '../support/until.js'

const folder = mkdtempSync(join(tmpdir(), 'secsctl-tap-'))
let daemon: RunningDaemon
let token: string

beforeAll(async () => {
  daemon = await startDaemonHere(folder)
  ;({ token } = await new GatewayClient({ url: daemon.url }).call(endpoints.login, { body: DAEMON_ADMIN }))
})
afterAll(async () => {
  await daemon.stop()
  rmSync(folder, { recursive: true })
})

const secsctl = async (...args: string[]) => {
  const variables = { SECSCTL_URL: daemon.url, SECSCTL_TOKEN: token }
  const { exitCode, stdout, stderr } = await runCommand(args, { variables })
  return { exitCode, stdout, stderr }
}

async function etcher(): Promise<Simulator> {
  const model = shippedModel('etcher')
  if (!model) throw new Error('the etcher is missing')
  const place = { role: 'passive', host: LOOPBACK, port: 0, establishDelay: 100 } as const
  const simulator = new Simulator(model, place, { clock: systemClock })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  return simulator
}

/** What a third-party host sees of a lot on the equipment that it dials at this port. `between`: while it is connected. */
async function lotSeenBy(
  port: number,
  simulator: Simulator,
  between: () => Promise<unknown> = async () => {},
) {
  const host = await startForeignHost({ port, deviceId: 0 })
  onTestFinished(() => host.stop())
  const log: string[] = []
  const has = (stream: number) => until(() => host.received.some((message) => message.stream === stream))
  await has(1)
  log.push((await host.establish()).sml)
  log.push((await host.peer.request(1, 11, L())).sml)
  log.push((await host.peer.request(1, 3, L(U4(1002)))).sml)
  await between()
  log.push((await host.command('START', 'LOT-5')).sml)
  await has(6)
  await simulator.equipment.changeAlarm('4002', true)
  await has(5)
  log.push(...host.received.map(({ stream, function: fn, sml }) => `S${stream}F${fn} ${sml}`))
  expect(host.peer.errors).toEqual([])
  return log
}

test('a host runs its lot as before, while clients watch and read', async () => {
  const alone = await etcher()
  const direct = await lotSeenBy(alone.port, alone)
  const simulator = await etcher()
  const port = await freePort()
  const added = await secsctl(
    ...['equipment', 'add', 'etcher', '--address', `${LOOPBACK}:${simulator.port}`],
    ...['--tap-listen', String(port), '--tap-host', LOOPBACK],
  )
  expect(added).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`port ${port}`) })
  expect(added.stderr).toContain('address of its host')
  expect((await secsctl('equipment', 'show', 'etcher')).stdout).toContain(`host ${LOOPBACK} not connected`)
  expect((await secsctl('equipment', 'connect', 'etcher')).exitCode).toBe(0)

  let following: ReturnType<typeof secsctl> | undefined
  const tapped = await lotSeenBy(port, simulator, async () => {
    // From before the lot, however late it begins.
    const since = ['--since', '10m', '--idle-timeout', '50s']
    following = secsctl('events', 'tail', '--message', 'S6F11', '--count', '1', ...since)
    // Its name is known once the S1F12 of the host is recorded.
    const read = () => secsctl('variables', 'read', 'etcher', 'ControlState')
    expect((await until(async () => ((await read()).exitCode === 0 ? read() : undefined))).stdout).toContain(
      '1002',
    )
    expect(await secsctl('command', 'etcher', 'STOP')).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('--tap-writes'),
    })
  })
  expect(tapped).toEqual(direct)
  expect(await following).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/host <- S6F11.*LOT-5/),
  })
  const check = await secsctl('equipment', 'tap-check', 'etcher', '--json')
  expect(check.exitCode).toBe(0)
  const { ok, tap, checks } = JSON.parse(check.stdout)
  expect(ok).toBe(true)
  expect(tap.line.pair.host.primaries).toBe(4)
  expect(tap.line.pair.equipment.replies).toBe(4)
  expect(tap.gateway.host).toMatchObject({ replied: 4, open: 0 })
  expect(checks.filter((one: { ok: boolean | null }) => one.ok === false)).toEqual([])
  expect((await secsctl('equipment', 'tap-check', 'etcher')).stderr).toContain('what they saw without it')

  expect((await secsctl('equipment', 'show', 'etcher')).stdout).toContain(`host ${LOOPBACK} connected`)
  const tail = await secsctl('events', 'tail', '--since', '10m', '--idle-timeout', '5s')
  expect(tail.stdout).toMatch(/host -> S2F41/)
  expect(tail.stdout).toMatch(/host <- S6F11/)
  expect(tail.stdout).toMatch(/LOT-5.*\(report 1 is not known until the host defines it again\)/)
  const file = join(folder, 'host.reports.yaml')
  writeFileSync(
    file,
    'reports: [{ id: 1, variables: [9001, 9002, 9003] }]\nevents: [{ event: 3010, reports: [1] }]\n',
  )
  const observed = await secsctl('reports', 'observe', 'etcher', file, '--reason', 'tap of last night')
  expect(observed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('by hand') })
  expect((await secsctl('reports', 'show', 'etcher')).stdout).toMatch(/report\s+1\s+9001 9002 9003.*by hand/)
  const named = await secsctl('events', 'list', '--message', 'S6F11', '--limit', '100')
  expect(named.stdout).toContain('9001=LOT-5')
  expect((await secsctl('alarms', 'list')).stdout).toContain('4002')
  const byHost = await secsctl(
    'messages',
    'list',
    '--equipment',
    'etcher',
    '--from-side',
    'host',
    '-o',
    'sml',
  )
  expect(byHost.stdout).toContain('LOT-5')
  expect(byHost.stdout).not.toContain('S6F11')
})

test('tap-check names the address that was refused, and equipment without a tap has none', async () => {
  const simulator = await etcher()
  const port = await freePort()
  const place = `${LOOPBACK}:${simulator.port}`
  await secsctl(
    'equipment',
    'add',
    'wrong',
    '--address',
    place,
    '--tap-listen',
    String(port),
    '--tap-host',
    '127.0.0.3',
  )
  await secsctl('equipment', 'connect', 'wrong')
  const nobody = await secsctl('equipment', 'tap-check', 'wrong')
  expect(nobody).toMatchObject({
    exitCode: 5,
    stdout: expect.stringContaining(`nobody has dialled port ${port}`),
  })
  const stranger = connect({ port, host: LOOPBACK, localAddress: '127.0.0.2' }).on('error', () => {})
  await new Promise((resolve) => stranger.once('close', resolve))
  // The process of the taps tells the daemon a moment later.
  const refused = await until(async () => {
    const checked = await secsctl('equipment', 'tap-check', 'wrong')
    return checked.stdout.includes(`nobody has dialled port ${port}`) ? undefined : checked
  })
  expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('--tap-host 127.0.0.2') })
  await secsctl('equipment', 'disconnect', 'wrong')
  await secsctl('equipment', 'update', 'wrong', '--no-tap')
  expect(await secsctl('equipment', 'tap-check', 'wrong')).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining('has no tap'),
  })
})

test('equipment whose host works with it is removed only with --force', async () => {
  const simulator = await etcher()
  const port = await freePort()
  await secsctl(
    ...['equipment', 'add', 'shared', '--address', `${LOOPBACK}:${simulator.port}`],
    ...['--tap-listen', String(port), '--tap-host', LOOPBACK],
  )
  await secsctl('equipment', 'connect', 'shared')
  const host = await startForeignHost({ port, deviceId: 0 })
  onTestFinished(() => host.stop())
  await until(() => host.received.some(({ stream }) => stream === 1))
  await host.establish()
  const client = new GatewayClient({ url: daemon.url, token })
  const { items } = await client.call(endpoints.listEquipment, { query: {} })
  const id = items.find(({ name }) => name === 'shared')?.id ?? ''

  const file = join(folder, 'none.yaml')
  writeFileSync(file, 'equipment: [{ name: other, ip_address: 192.0.2.9, port: 5000 }]\n')
  for (const refused of [
    ['equipment', 'remove', 'shared', '--yes'],
    ['equipment', 'remove', 'sha*', '--yes'],
    ['equipment', 'apply', '-f', file, '--prune', '--yes'],
  ])
    expect(await secsctl(...refused), refused.join(' ')).toMatchObject({
      exitCode: 5,
      stderr: expect.stringMatching(/shared is SELECTED: its host .* would be cut off/),
    })
  await expect(client.call(endpoints.deleteEquipment, { params: { id } })).rejects.toMatchObject({
    code: 'equipment_connected',
  })
  const left = await client.call(endpoints.listEquipment, { query: {} })
  expect(left.items.map(({ name }) => name)).toEqual(items.map(({ name }) => name))
  await host.areYouThere()

  expect(await secsctl('equipment', 'remove', 'shared', '--yes', '--force')).toMatchObject({ exitCode: 0 })
  await expect(client.call(endpoints.getEquipment, { params: { id } })).rejects.toMatchObject({
    code: 'equipment_not_found',
  })

  for (const given of ['shared', id]) {
    const audit = await secsctl('audit', 'list', '--equipment', given, '--action', 'deleteEquipment')
    expect(audit.exitCode).toBe(0)
    const rows = audit.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(rows.map(([, , , , action, name]) => `${action} ${name}`)).toEqual([
      'deleteEquipment shared',
      'deleteEquipment shared',
    ])
    const events = await secsctl('events', 'list', '--equipment', given, '--json')
    const names = JSON.parse(events.stdout).map((one: { equipment_name: string }) => one.equipment_name)
    expect(new Set(names)).toEqual(new Set(['shared']))
  }
  for (const topic of ['audit', 'events'])
    expect(await secsctl(topic, 'list', '--equipment', 'sharde')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('There is no equipment "sharde"'),
    })
})
