import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Alarm } from '../../src/contract/topics/alarms.js'
import { runCommand } from '../support/command.js'
import { REPLIES } from '../support/example-gateway.js'
import { FakeGateway, problem } from '../support/fake-gateway.js'
import { sampleEquipment } from '../support/sample-equipment.js'

const FLEET = ['etch-1', 'etch-2', 'litho-1'].map((name, at) => sampleEquipment({ id: `eq_${at}`, name }))
const [example] = (REPLIES.listAlarms as { readonly items: readonly Alarm[] }).items
const OPEN = { ...example, acknowledged: false, acknowledged_by: null, active: true } as Alarm

/** Three alarms, of two equipments; the gateway answers one a page. */
const alarms: readonly Alarm[] = ['10', '11', '12'].map((id, at) => ({
  ...OPEN,
  id,
  equipment_id: `eq_${at % 2}`,
  equipment_name: `etch-${(at % 2) + 1}`,
}))
let results: Readonly<Record<string, object>> = {}
let refused = false

const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: FLEET, next_cursor: null } }),
  'GET /alarms': ({ query }) => {
    const at = Number(query.get('cursor') ?? 0)
    if (query.get('text') === 'old' && at < 2) return { body: { items: [], next_cursor: String(at + 1) } }
    if (query.get('text') === 'none') return { body: { items: [], next_cursor: null } }
    return { body: { items: alarms.slice(at, at + 1), next_cursor: at < 2 ? String(at + 1) : null } }
  },
  'POST /alarms/10/acknowledge': () => ({ body: { ...alarms[0], acknowledged: true } }),
  'POST /alarms/acknowledge': ({ body }) => {
    const { ids } = body as { readonly ids: readonly string[] }
    if (refused && ids.includes('11')) return { status: 403, body: problem(403, 'forbidden', 'Not for you.') }
    const items = ids.map((id) => {
      const alarm = { ...alarms.find((one) => one.id === id), acknowledged: true, acknowledged_by: 'ada' }
      return { id, result: 'acknowledged', alarm, ...results[id] }
    })
    return { body: { items } }
  },
})
beforeAll(() => gateway.listen())
afterEach(() => {
  gateway.calls.splice(0)
  results = {}
  refused = false
})
afterAll(() => gateway.close())

const run = (...args: string[]) => runCommand(['alarms', ...args], { gateway })
const changes = () => gateway.calls.filter(({ method }) => method !== 'GET')

test('alarms that flags select are acknowledged, by one call for each equipment, with a summary', async () => {
  const { stdout, stderr, exitCode } = await run('ack', '-l', 'area=etch', '--yes', '-m', 'storm')
  expect({ stderr, exitCode }).toEqual({ stderr: '3 acknowledged\n', exitCode: 0 })
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(['10', '12', '11', ''])
  expect(changes().map(({ path, body }) => [path, body])).toEqual([
    ['/alarms/acknowledge', { ids: ['10', '12'], comment: 'storm' }],
    ['/alarms/acknowledge', { ids: ['11'], comment: 'storm' }],
  ])
  const { query } = gateway.calls.find(({ path }) => path === '/alarms') ?? {}
  expect(Object.fromEntries(query ?? [])).toMatchObject({
    acknowledged: 'false',
    label_selector: 'area=etch',
  })
})

test('the question says how many of which equipment, and nothing happens unasked', async () => {
  const { stderr, exitCode } = await run('ack', '--all')
  expect(stderr).toContain('Acknowledge 3 alarms of 2 equipment (etch-1, etch-2): nobody can be asked here')
  expect({ exitCode, changes: changes() }).toEqual({ exitCode: 2, changes: [] })
  const listed = await run('ack', '--active', '--dry-run')
  expect(listed.stdout.split('\n')).toHaveLength(4)
  expect(listed).toMatchObject({
    stderr: '3 alarms of 2 equipment (etch-1, etch-2); nothing was done.\n',
    exitCode: 0,
  })
  expect(await run('ack', '--text', 'none')).toMatchObject({ stderr: 'No alarms.\n', exitCode: 0 })
  expect(changes()).toEqual([])
})

test('what was cleared or acknowledged meanwhile is told and is no failure; what is gone is', async () => {
  results = {
    10: { alarm: { ...alarms[0], active: false } },
    11: { result: 'already_acknowledged' },
  }
  const told = await run('ack', '--all', '--yes')
  expect(told).toMatchObject({
    stderr: '2 acknowledged, 1 of them cleared meanwhile, 1 already acknowledged meanwhile\n',
    exitCode: 0,
  })
  results = { 12: { result: 'not_found', alarm: null } }
  const json = await run('ack', '--all', '--yes', '--json')
  expect(json).toMatchObject({ stderr: '', exitCode: 3 })
  expect(JSON.parse(json.stdout)).toMatchObject([
    { id: '10', result: 'acknowledged' },
    { id: '11', result: 'acknowledged' },
  ])
})

test('a refused call does not stop the others, and decides the exit code', async () => {
  refused = true
  const { stdout, stderr, exitCode } = await run('ack', '--all', '--yes')
  expect(stdout.split('\n')).toHaveLength(3)
  expect(stderr).toContain('2 acknowledged, 1 not acknowledged\n')
  expect(stderr).toContain('Not for you.')
  expect(exitCode).toBe(4)
})

test('filters become the query, also of the list', async () => {
  await run('list', '--alid', '7,4000-4010', '--category', 'personal-safety', '--category', '70')
  await run('list', '--severity', 'personal-safety,Equipment_Safety', '--sort', 'severity')
  await run('ack', '--text', 'pump*', '--older-than', '10m', '--equipment', 'etch-*', '--dry-run')
  const queries = gateway.calls.filter(({ path }) => path === '/alarms').map(({ query }) => query)
  const listed = queries.find((query) => query.has('alid'))
  const chosen = queries.find((query) => query.has('text'))
  expect(listed?.getAll('alid')).toEqual(['7', '4000-4010'])
  expect(listed?.getAll('category')).toEqual(['1', '70'])
  const urgent = queries.find((query) => query.has('severity'))
  expect(urgent?.getAll('severity')).toEqual(['personal_safety', 'equipment_safety'])
  expect([urgent?.get('sort'), listed?.get('sort')]).toEqual(['severity', null])
  expect(chosen?.get('text')).toBe('pump*')
  expect(chosen?.getAll('equipment_id')).toEqual(['eq_0', 'eq_1'])
  const age = Date.now() - Date.parse(chosen?.get('to') ?? '')
  expect(age).toBeGreaterThanOrEqual(600_000)
  expect(age).toBeLessThan(660_000)
})

test('a search goes on after pages on which nothing matched', async () => {
  for (const format of ['tsv', 'csv', 'json', 'yaml']) {
    const { stdout, stderr, exitCode } = await run('list', '--text', 'old', '-o', format)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    if (format === 'json') expect(JSON.parse(stdout)).toMatchObject([{ id: '12' }])
    else expect(stdout).toMatch(/(^|\s|")12\b/)
  }
  expect((await run('ack', '--text', 'old', '--yes')).stderr).toBe('1 acknowledged\n')
})

test.each([
  [['ack'], 'name alarms by id'],
  [['ack', '10', '--all'], 'do not go together'],
  [['ack', '10', '--text', 'pump'], 'do not go together'],
  [['ack', '10', '--dry-run'], '--dry-run takes no ids'],
  [['ack', '--category', 'hot'], '--category takes 0 to 127'],
  [['ack', '--alid', '', '--yes'], '--alid is empty'],
  [['ack', '--category', ',', '--yes'], '--category is empty'],
  [['list', '--category', '128'], '--category takes 0 to 127'],
  [['list', '--older-than', 'soon'], '--older-than takes a duration'],
  [['list', '--newer-than', '5m', '--older-than', '10m'], 'newer than 5m'],
  [['list', '--older-than', '10m', '--until', '08:00'], '--until'],
])('%j is a wrong usage', async (args, text) => {
  const { stderr, exitCode } = await run(...args)
  expect({ exitCode, changes: changes() }).toEqual({ exitCode: 2, changes: [] })
  expect(stderr).toContain(text)
})

test('ids are acknowledged without a question', async () => {
  expect(await run('ack', '10')).toMatchObject({ exitCode: 0, stderr: '' })
  expect(changes().map(({ path }) => path)).toEqual(['/alarms/10/acknowledge'])
})
