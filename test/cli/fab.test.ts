import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { RunningDaemon } from '../../src/daemon/daemon.js'
import { runCommand } from '../support/command.js'
import { DAEMON_ADMIN, startDaemonHere } from '../support/daemon-here.js'

const folder = mkdtempSync(join(tmpdir(), 'secsctl-fab-'))
const file = join(folder, 'fab.yaml')
let daemon: RunningDaemon
let client: GatewayClient
let token: string

beforeAll(async () => {
  daemon = await startDaemonHere(join(folder, 'data'))
  ;({ token } = await new GatewayClient({ url: daemon.url }).call(endpoints.login, { body: DAEMON_ADMIN }))
  client = new GatewayClient({ url: daemon.url, token })
})
afterAll(async () => {
  await daemon.stop()
  rmSync(folder, { recursive: true })
})
const registered = async () => (await client.call(endpoints.listEquipment, { query: {} })).items
const standing = async () => (await registered()).map(({ name, port }) => `${name}:${port}`).sort()

beforeEach(async () => {
  for (const { id } of await registered()) await client.call(endpoints.deleteEquipment, { params: { id } })
  for (const [name, port, area] of [
    ['etcher', 5000, 'etch'],
    ['coater', 5001, 'litho'],
  ] as const) {
    const body = { name, port, ip_address: '192.0.2.5', labels: { area } }
    await client.call(endpoints.createEquipment, { body })
  }
})

const run = (...args: string[]) =>
  runCommand(['equipment', ...args], { variables: { SECSCTL_URL: daemon.url, SECSCTL_TOKEN: token } })
const apply = (text: string, ...args: string[]) => {
  writeFileSync(file, `equipment:\n${text}`)
  return run('apply', '-f', file, ...args)
}

const NEW = '  - {name: new, ip_address: 10.0.0.9, port: 5009}\n'
const MOVED = '  - {name: etcher, labels: {area: litho}}\n'

test('equipment export prints what equipment apply reads', async () => {
  const { exitCode, stdout } = await run('export')
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^equipment:\n {2}- name: coater\n/)
  expect(stdout).not.toContain('eq_')
  writeFileSync(file, stdout)
  expect(await run('apply', '-f', file, '--prune')).toEqual({
    ...{ exitCode: 0, stdout: '', stderr: 'Nothing to change.\n' },
  })
  const tapped = '  - {name: etcher, tap: {listen_port: 6000, host_address: 192.0.2.9}}\n'
  expect((await apply(tapped)).exitCode).toBe(0)
  expect((await run('export', 'etcher')).stdout).toContain('listen_port: 6000')
  expect((await apply('  - {name: etcher, tap: {reads: all}}\n')).exitCode).toBe(0)
  expect((await apply(tapped)).stderr).toBe('Nothing to change.\n')
  expect((await apply('  - {name: etcher, tap: null}\n')).exitCode).toBe(0)
  expect((await run('export', 'etcher')).stdout).not.toContain('tap')
  const one = await run('export', 'etcher', '--json')
  expect(JSON.parse(one.stdout)).toMatchObject({ equipment: [{ name: 'etcher', labels: { area: 'etch' } }] })
  expect((await run('export', '-l', 'area=etch')).stdout).not.toContain('coater')
})

test('what equipment export prints makes another gateway the same, mappings too', async () => {
  const mapping = `{
    settings: {job: {1: QUEUED_POOLED, '3': PROCESSING}, port_actions: words, create_specifier: ''},
    variables: {job: {id: PRJobID, state: 22}},
    events: [{event: 7, state: job.state}, {event: 'LP1: READY', state: port.transfer, to: READY_TO_LOAD, port: 1}],
    status: [{state: port, port: 1, variables: {transfer: LP1/PortTransferState}}]}`
  expect(
    await apply(`  - {name: etcher, gem300: ${mapping}}\n  - {name: coater, gem300: {}}\n`),
  ).toMatchObject({
    exitCode: 0,
  })
  const mappings = async () =>
    Object.fromEntries(
      await Promise.all(
        (await registered()).map(async ({ id, name }) => [
          name,
          (await client.call(endpoints.getGem300, { params: { id } })).mapping,
        ]),
      ),
    )
  const before = await mappings()
  expect(before['etcher']).toMatchObject({ variables: { job: { state: 22 } } })
  const [yaml, json] = [await run('export'), await run('export', '--json')]
  for (const { stdout } of [yaml, json]) {
    for (const { id } of await registered()) await client.call(endpoints.deleteEquipment, { params: { id } })
    writeFileSync(file, stdout)
    expect(await run('apply', '-f', file)).toMatchObject({ exitCode: 0 })
    expect(await mappings()).toEqual(before)
    expect(await run('apply', '-f', file)).toMatchObject({ stderr: 'Nothing to change.\n' })
  }
})

describe('equipment apply', () => {
  test('prints the difference, and makes it', async () => {
    const { exitCode, stdout, stderr } = await apply(NEW + MOVED)
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'add\tnew\t\t\t10.0.0.9:5009\nchange\tetcher\tlabels.area\tetch\tlitho\n',
    })
    expect(stderr).toContain('2 of 2 done: 1 added, 1 changed, 0 removed.')
    expect(stderr).toContain('Next: secsctl equipment connect new\n')
    expect(await standing()).toEqual(['coater:5001', 'etcher:5000', 'new:5009'])
  })

  test('takes only the entries that are selected', async () => {
    const { stdout } = await apply(`${NEW}  - {name: etcher, port: 5007}\n`, '-l', 'area=etch')
    expect(stdout).toBe('change\tetcher\tport\t5000\t5007\n')
    expect(await standing()).toEqual(['coater:5001', 'etcher:5007'])
    const bad = `${NEW}  - {name: etcher, port: 70000}\n`
    expect((await apply(bad, '-l', 'area=etch')).stderr).toContain('fab.yaml:3:26: equipment.1.port')
  })

  test('gives the mapping of 300 mm equipment, also of new equipment, and tells what is wrong with its line', async () => {
    const mapping = '{events: [{event: 7, state: job.state, to: PAUSED, object: J}]}'
    const text = `  - {name: etcher, gem300: ${mapping}}\n${NEW.replace('}', `, gem300: ${mapping}}`)}`
    expect((await apply(text, '--dry-run')).stdout).toContain('change\tetcher\tgem300\t\t1 event\n')
    expect(await apply(text)).toMatchObject({ exitCode: 0 })
    for (const { id, name } of await registered()) {
      const shown = await client.call(endpoints.getGem300, { params: { id } })
      if (name === 'coater') expect(shown.mapping).toBeNull()
      else expect(shown.mapping).toMatchObject({ events: [{ event: 7 }] })
    }
    expect((await apply(text)).stderr).toBe('Nothing to change.\n')
    const bad = `${MOVED}    gem300:\n      events:\n        - {event: 7, state: job.door}\n`
    // The fault of the mapping, and that of the address.
    const both = await apply(
      bad.replace('{name: etcher, labels: {area: litho}}', 'name: etcher\n    port: 70000'),
    )
    expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/fab.yaml:3:\d+: .*port/) })
    expect(both.stderr).toMatch(/fab.yaml:6:\d+: .*job.door is no state/)
    const wrong = await apply(
      bad.replace('{name: etcher, labels: {area: litho}}', 'name: etcher\n    port: 5007'),
    )
    expect(wrong.exitCode).toBe(2)
    expect(wrong.stderr).toMatch(/fab.yaml:6:\d+: .*job.door is no state/)
    expect(await standing()).toContain('etcher:5000')
  })

  test('with --dry-run changes nothing', async () => {
    expect(await apply(NEW + MOVED, '--dry-run', '--prune')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('remove\tcoater'),
      stderr: 'Dry run: 1 added, 1 changed, 1 removed. Nothing was changed.\n',
    })
    const json = await apply(NEW, '--dry-run', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject([{ change: 'add', equipment: 'new', applied: false }])
    expect(await standing()).toEqual(['coater:5001', 'etcher:5000'])
  })

  test.each([
    [
      'a name of 200 characters',
      `  - {name: ${'n'.repeat(200)}, ip_address: 10.0.0.9, port: 5009}\n`,
      'name',
    ],
    ['a name with U+202E', '  - {name: "a\\u202Eb", ip_address: 10.0.0.9, port: 5009}\n', 'name'],
    ['port 70000', '  - {name: new, ip_address: 10.0.0.9, port: 70000}\n', 'port'],
    ['an address that no equipment has', '  - {name: new, ip_address: 0.0.0.0, port: 5009}\n', 'ip_address'],
    ['new equipment without an address', '  - {name: new}\n', 'ip_address'],
  ])('refuses %s before anything is changed, and --dry-run says the same', async (_, entry, member) => {
    const text = `${MOVED}${entry}${NEW.replace('new', 'last')}`
    const dry = await apply(text, '--dry-run')
    const done = await apply(text, '--prune', '--yes')
    for (const { exitCode, stderr } of [dry, done]) {
      expect(exitCode).toBe(2)
      expect(stderr).toContain(`fab.yaml:3:`)
      expect(stderr).toContain(`equipment.1.${member} `)
    }
    expect(await standing()).toEqual(['coater:5001', 'etcher:5000'])
    expect((await registered()).find(({ name }) => name === 'etcher')?.labels).toEqual({ area: 'etch' })
  })

  test('names every fault, with the exit code of a state where one is about it', async () => {
    const text = `  - {name: a, ip_address: 10.0.0.9, port: 5009, mode: active}
  - {name: b, ip_address: 10.0.0.9, port: 5009, mode: active}
  - {name: c, ip_address: 0.0.0.0, port: 5009}\n`
    const { exitCode, stderr } = await apply(text, '--json')
    expect(exitCode).toBe(5)
    const { code, errors } = JSON.parse(stderr) as { code: string; errors: { pointer: string }[] }
    expect(code).toBe('equipment_address_taken')
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/equipment/1/port',
      '/equipment/2/ip_address',
    ])
  })

  test.each([[['--dry-run']], [['--yes']]])(
    '--prune with %j changes nothing where a lock keeps equipment',
    async (words) => {
      const coater = (await registered()).find(({ name }) => name === 'coater')
      await client.call(endpoints.lockEquipment, {
        params: { id: coater?.id ?? '' },
        body: { for_seconds: 60, reason: 'pump exchange' },
      })
      expect(await apply(NEW + MOVED, '--prune', ...words)).toMatchObject({
        exitCode: 5,
        stderr: expect.stringContaining('coater is locked by'),
      })
      expect(await standing()).toEqual(['coater:5001', 'etcher:5000'])
    },
  )

  test('names the faults of the file, of members and of the state of the gateway together, by their lines', async () => {
    const text = `  - {name: twin, ip_address: 10.0.0.9, port: 5009, mode: active}
  - {name: twin2, ip_address: 10.0.0.9, port: 5009, mode: active}
  - {name: slow, ip_address: 10.0.0.8, port: 70000}
  - {name: far, ip_address: 0.0.0.0, port: 1}
  - {name: etcher, port: 5000, text_encoding: klingon}
  - {name: apply, ip_address: 10.0.0.7, port: 1}\n`
    const linesOf = ({ stderr }: { stderr: string }) =>
      [...stderr.matchAll(/fab.yaml:(\d+):/g)].map(([, line]) => Number(line))
    const byGateway = await apply(text)
    expect([byGateway.exitCode, linesOf(byGateway)]).toEqual([2, [3, 4, 5, 6, 7]])
    const ofFile = `  - {name: 5}\n${text}  - {name: slow, labels: {"bad key!": x}}\n`
    const all = await apply(ofFile)
    expect([all.exitCode, linesOf(all)]).toEqual([2, [2, 4, 5, 6, 7, 8, 9, 9, 9, 9]])
    expect(await standing()).toEqual(['coater:5001', 'etcher:5000'])
  })

  test('names every fault of an entry that has one by the file alone, such as a name that is there twice', async () => {
    const { exitCode, stderr } = await apply(
      `  - {name: twice, ip_address: 10.0.0.8, port: 5009}
  - {name: twice, ip_address: 10.0.0.8, port: 70000, text_encoding: klingon}
  - {name: wild, port: 70000, labels: {bay: 03}, prot: 1}\n`,
      ...['-l', 'bay!=4'],
    )
    const places = [...stderr.matchAll(/fab.yaml:\d+:\d+: (\S+):/g)].map(([, place]) => place)
    expect([exitCode, places]).toEqual([
      2,
      [
        ...['equipment.1.name', 'equipment.1.port', 'equipment.1.text_encoding'],
        ...['equipment.2.ip_address', 'equipment.2.port', 'equipment.2.labels.bay', 'equipment.2.prot'],
      ],
    ])
  })

  test('names what the gateway knows of an entry without a name, and a lock of one that has other faults', async () => {
    const etcher = (await registered()).find(({ name }) => name === 'etcher')
    const { key } = await client.call(endpoints.createKey, {
      body: { name: 'pump-crew', role: 'operator', expires_at: null },
    })
    const crew = new GatewayClient({ url: daemon.url, token: key })
    const params = { id: etcher?.id ?? '' }
    await crew.call(endpoints.lockEquipment, { params, body: { for_seconds: 60, reason: 'pump exchange' } })
    const { exitCode, stderr } = await apply(
      `  - {ip_address: 10.0.0.8, port: 70000, text_encoding: klingon, labels: {area: etch}}
  - {name: 7, port: 70000}
  - {name: etcher, port: 5007, prot: 1}\n`,
      ...['-l', 'area=etch'],
    )
    await crew.call(endpoints.unlockEquipment, { params, query: {} })
    const places = [...stderr.matchAll(/fab.yaml:\d+:\d+: (\S+?):? /g)].map(([, place]) => place)
    expect([exitCode, places]).toEqual([
      2,
      [
        ...['equipment.0.name', 'equipment.0.port', 'equipment.0.text_encoding'],
        ...['equipment.1.name', 'equipment.2', 'equipment.2.prot'],
      ],
    ])
  })

  test('says that there are more faults than the gateway names at once, beside those of the file', async () => {
    const text = Array.from(
      { length: 60 },
      (_, at) => `  - {name: n${at}, ip_address: 10.0.0.9, port: 70000}\n`,
    )
    const { stderr } = await apply(`${text.join('')}  - {name: n1, ip_address: 10.0.0.9, port: 1}\n`)
    expect(stderr.match(/fab.yaml:\d+/g)).toHaveLength(51)
    expect(stderr).toContain('further faults, which the gateway names once these are mended')
  })

  test('counts the faults beyond those that one response names', async () => {
    const text = Array.from(
      { length: 60 },
      (_, at) => `  - {name: n${at}, ip_address: 10.0.0.9, port: 70000}\n`,
    )
    const { stderr } = await apply(text.join(''))
    expect(stderr.match(/fab.yaml:\d+/g)).toHaveLength(50)
    expect(stderr).toMatch(/\b10 further faults/)
  })

  test('--prune removes only when it may', async () => {
    expect(await apply(MOVED, '--prune')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Remove 1 equipment not in'),
    })
    writeFileSync(file, 'equipment: []')
    expect(await run('apply', '-f', file, '--prune', '--yes')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('would remove everything'),
    })
    expect(await standing()).toEqual(['coater:5001', 'etcher:5000'])
    expect(await apply(MOVED, '--prune', '--yes')).toMatchObject({ exitCode: 0 })
    expect(await standing()).toEqual(['etcher:5000'])
  })
})

describe('several equipments', () => {
  const bays = async () => (await registered()).map(({ name, labels }) => `${name} ${labels['bay']}`).sort()

  test('are updated alike by names, patterns and labels, after a question', async () => {
    const { exitCode, stderr } = await run('update', '*e*', '--label', 'bay=4')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('equipment update --label bay=4 for 2 equipment (coater, etcher)')
    expect(await run('update', '*e*', '--label', 'bay=4', '--yes')).toMatchObject({ exitCode: 0 })
    expect(await bays()).toEqual(['coater 4', 'etcher 4'])
    expect(await run('update', '-l', 'area=etch', '--label', 'bay=5', '--yes')).toMatchObject({ exitCode: 0 })
    expect(await bays()).toEqual(['coater 4', 'etcher 5'])
    expect((await run('update', '--all', '--label', 'bay=6', '--dry-run')).stdout).toMatch(/^coater\t/)
    const one = await run('update', '--all', '--name', 'x', '--yes')
    expect(one).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--name is for one equipment') })
    expect(await bays()).toEqual(['coater 4', 'etcher 5'])
  })

  test('are removed by names, patterns and labels, after a question', async () => {
    expect(await run('remove', 'etcher', 'coater')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Remove 2 equipment (etcher, coater)'),
    })
    expect(await run('remove', 'etch', '--yes')).toMatchObject({ exitCode: 2 })
    expect((await run('remove', '*', '--dry-run')).stdout).toContain('coater')
    expect(await standing()).toEqual(['coater:5001', 'etcher:5000'])
    expect(await run('remove', '-l', 'area=litho', '--yes')).toMatchObject({ exitCode: 0 })
    expect(await standing()).toEqual(['etcher:5000'])
    expect(await run('remove', 'e*', '--yes')).toMatchObject({ exitCode: 0 })
    expect(await standing()).toEqual([])
  })

  test('are shown as YAML', async () => {
    const { stdout } = await run('show', 'etcher', '-o', 'yaml')
    expect(stdout).toMatch(/^id: "eq_/)
    expect(stdout).toContain('name: "etcher"')
  })

  test('at one address are named when one is added, applied or not reached', async () => {
    const notes = 'have the same address, 192.0.2.5:5000'
    expect((await run('add', 'twin', '--address', '192.0.2.5:5000')).stderr).toContain(notes)
    expect((await apply('  - {name: coater, port: 5000}\n', '--dry-run')).stderr).toContain(notes)
    expect((await run('add', 'other', '--address', '192.0.2.5:5009')).stderr).not.toContain(
      'have the same address',
    )
    expect((await run('connect', 'twin', '--wait', '50ms')).stderr).toContain(notes)
    await run('disconnect', 'twin')
  })
})
