import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { FakeGateway, problem, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const etcher = sampleEquipment()
const folder = mkdtempSync(join(tmpdir(), 'secsctl-gem300-'))
const file = join(folder, 'etcher.yaml')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = `/equipment/${etcher.id}/gem300`
let shown: object = REPLIES.getGem300
let reports: object = REPLIES.gem300Reports
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  [`GET ${path}`]: () => ({ body: shown }),
  [`PUT ${path}`]: ({ body }) => {
    if (!('bad' in (body as object))) return { body: REPLIES.applyGem300 }
    const errors = [{ pointer: '/events/1/event', detail: 'etcher has no collection event 4711' }]
    return { status: 422, body: problem(422, 'invalid_message', 'It is wrong.', { errors }) }
  },
  [`DELETE ${path}`]: () => ({ body: REPLIES.removeGem300 }),
  [`POST ${path}/align`]: () => ({ body: REPLIES.alignGem300 }),
  [`GET ${path}/proposal`]: () => ({ body: REPLIES.proposeGem300 }),
  [`GET ${path}/objects`]: () => ({ body: REPLIES.listKnownObjects }),
  [`GET ${path}/reports`]: () => ({ body: reports }),
})
served(gateway)

const run = (...args: string[]) => runCommand(['gem300', ...args], { gateway })
const last = () => gateway.calls.at(-1)

test('A mapping is given by a file, and a fault is told with its line', async () => {
  writeFileSync(file, 'events:\n  - { event: A, state: job.state }\n')
  const given = await run('map', etcher.name, '-f', file)
  expect(given.exitCode).toBe(0)
  expect(given.stderr).toContain('gem300 map etcher --reports')
  expect(last()?.body).toEqual({ events: [{ event: 'A', state: 'job.state' }] })
  await run('map', etcher.name, '-f', file, '--dry-run')
  expect(last()?.query.get('dry_run')).toBe('true')
  writeFileSync(file, 'bad: true\nevents:\n  - { event: A }\n  - { event: 4711 }\n')
  const wrong = await run('map', etcher.name, '-f', file)
  expect(wrong.stderr).toContain(`${file}:4:`)
  expect(wrong.stderr).toContain('no collection event 4711')
  expect(wrong.exitCode).not.toBe(0)
})

test('An empty file is an empty mapping, and what is no mapping is refused before it is sent', async () => {
  writeFileSync(file, '# nothing differs\n')
  shown = { ...REPLIES.getGem300, mapping: {} }
  expect((await run('map', etcher.name, '-f', file)).exitCode).toBe(0)
  shown = REPLIES.getGem300
  expect(last()?.body).toEqual({})
  writeFileSync(file, '[1]\n')
  expect(await run('map', etcher.name, '-f', file)).toMatchObject({ exitCode: 2 })
})

test('A mapping without events in place of one with events is confirmed first, and says what was lost', async () => {
  writeFileSync(file, '')
  const refused = await run('map', etcher.name, '-f', file)
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('2 events')])
  expect(last()?.method).toBe('GET')
  const given = await run('map', etcher.name, '-f', file, '--yes')
  expect([given.exitCode, given.stderr]).toEqual([0, expect.stringContaining('no events now; it had 2')])
  expect(last()).toMatchObject({ method: 'PUT', body: {} })
})

test('A file that is not UTF-8 is refused with the line', async () => {
  writeFileSync(
    file,
    Buffer.from('settings: {}\nevents:\n  - { event: K\xe4se, state: job.state }\n', 'latin1'),
  )
  const { exitCode, stderr } = await run('map', etcher.name, '-f', file)
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('line 3')])
})

test('Without a mapping there are no reports that it needs, and the way to one is shown', async () => {
  const before = [shown, reports]
  shown = { ...REPLIES.getGem300, mapping: null }
  reports = { reports: [], events: [], others: 'keep' }
  const none = await run('map', etcher.name, '--reports')
  expect([none.exitCode, none.stderr]).toEqual([3, expect.stringContaining('map etcher --propose')])
  shown = { ...REPLIES.getGem300, mapping: {} }
  expect((await run('map', etcher.name, '--reports')).exitCode).toBe(0)
  ;[shown, reports] = before as [object, object]
})

test('One of -f, --propose and --reports is given', async () => {
  for (const flags of [[], ['--propose', '--reports'], ['--propose', '--dry-run']])
    expect(await run('map', etcher.name, ...flags)).toMatchObject({ exitCode: 2 })
  const proposed = await run('map', etcher.name, '--propose')
  expect(proposed.stdout).toContain('event: CarrierSMTrans14')
  expect(proposed.stderr).toContain('1 line from its names')
  expect((await run('map', etcher.name, '--reports')).stdout).toContain('variables: [CarrierID, SlotMap]')
})

test('A mapping is shown as the file that map takes, and removed once that is confirmed', async () => {
  const yaml = (await run('show', etcher.name, '-o', 'yaml')).stdout
  expect(yaml).toContain('- { event: PRJobStateChange, state: job.state }')
  expect((await run('show', etcher.name)).stdout).toContain('2 events')
  expect((await run('align', etcher.name)).exitCode).toBe(0)
  expect(await run('remove', etcher.name)).toMatchObject({ exitCode: 2 })
  expect(await run('remove', etcher.name, '--yes')).toMatchObject({ exitCode: 0 })
  expect(last()?.method).toBe('DELETE')
  shown = { ...REPLIES.getGem300, mapping: null, note: 'etcher has no mapping' }
  expect((await run('show', etcher.name)).stderr).toContain('etcher has no mapping')
  expect(await run('show', etcher.name, '-o', 'yaml')).toMatchObject({ exitCode: 3 })
})

test('What is known is a row for each state', async () => {
  const { stdout } = await run('list', etcher.name, '--kind', 'carrier', '--object', 'FOUP7')
  expect(stdout).toBe(
    'carrier\tFOUP7\tid_status\tID_VERIFICATION_OK\tevent\t2026-01-31T08:00:02.000Z\t\tlocation=LP1\n',
  )
  expect(last()?.query.getAll('kind')).toEqual(['carrier'])
  expect(last()?.query.get('object_id')).toBe('FOUP7')
})

test('What is shown of a mapping has its subject in each line', async () => {
  const lines = (await run('show', etcher.name)).stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  const by = Object.fromEntries(lines)
  expect(by['mapping given']).toMatch(/ by \S+/)
  expect(by['objects last asked for']).toBeTruthy()
  shown = { ...REPLIES.getGem300, mapping: null, applied_at: null, applied_by: null, aligned_at: null }
  const none = (await run('show', etcher.name)).stdout
  expect(none).toMatch(/^mapping\tnone$/m)
  expect(none).toContain('not since the gateway started')
  expect(none).not.toContain('mapping given')
  shown = REPLIES.getGem300
})
