import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { FakeGateway, problem, served } from '../support/fake-gateway.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { Secsctl } from '../support/secsctl.js'

const TOTAL = 307
const secsctl = new Secsctl()
const etcher = sampleEquipment()
const coater = sampleEquipment({ id: 'eq_coater0000', name: 'coater' })
const events = Array.from({ length: TOTAL }, (_, at) => ({
  ...{ id: String(TOTAL - at), type: 'state', name: 'control_state', equipment_id: etcher.id },
  ...{ at: '2026-03-01T08:00:00.000Z', data: { from: 'UNKNOWN', to: 'ONLINE_REMOTE', cause: 'answered' } },
}))
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher, coater], next_cursor: null } }),
  [`POST /equipment/${etcher.id}/connect`]: () => ({ body: etcher }),
  [`POST /equipment/${coater.id}/connect`]: () => ({
    status: 409,
    body: problem(409, 'equipment_connected', 'No.'),
  }),
  [`POST /equipment/${etcher.id}/disconnect`]: () => ({ body: etcher }),
  [`POST /equipment/${coater.id}/disconnect`]: () => ({
    status: 409,
    body: problem(409, 'equipment_connected', 'No.'),
  }),
  'POST /alarms/7/acknowledge': () => ({ body: { id: '7', equipment_id: etcher.id } }),
  'GET /events': ({ query }) => {
    const unknown = query.getAll('equipment_id').some((one) => !one.startsWith('eq_'))
    if (unknown) return { status: 400, body: problem(400, 'invalid_request', 'It is no equipment.') }
    const from = Number(query.get('cursor') ?? 0)
    const end = from + Math.min(Number(query.get('limit') ?? 100), 100)
    return { body: { items: events.slice(from, end), next_cursor: end < TOTAL ? String(end) : null } }
  },
})
const env = served(gateway, secsctl)

const list = (...args: string[]) => secsctl.run(['events', 'list', ...args], { env })
const linesIn = (text: string): number => text.split('\n').length - 1

describe('a list of which there is more', () => {
  test('says so on standard error, to programs as well', async () => {
    const plain = await list()
    expect({ code: plain.code, lines: linesIn(plain.stdout), stderr: plain.stderr }).toEqual({
      ...{ code: 0, lines: 50 },
      stderr: 'The newest 50 are shown; there are more: --all prints all of them.\n',
    })
    const json = await list('--json', '--limit', '120')
    expect(JSON.parse(json.stdout)).toHaveLength(120)
    expect(json.stderr).toBe('The newest 120 are shown; there are more: --all prints all of them.\n')
  })

  test('says how many there are', async () => {
    const { stdout, stderr } = await list('-o', 'table', '--limit', '250')
    expect(linesIn(stdout)).toBe(251)
    expect(stderr).toBe('250 of 307. --all prints all of them.\n')
    expect((await list('-o', 'table')).stderr).toBe(
      '50 shown; there are more than 150. --all prints all of them.\n',
    )
  })

  test('is printed to its end with --all, and says nothing', async () => {
    const all = await list('--all')
    expect({ lines: linesIn(all.stdout), stderr: all.stderr }).toEqual({ lines: TOTAL, stderr: '' })
    const json = await list('--all', '--json')
    expect(JSON.parse(json.stdout)).toEqual(events)
    expect(linesIn((await list('--all', '-o', 'table')).stdout)).toBe(TOTAL + 1)
    expect(await list('--all', '--limit', '3')).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('of several, those that succeeded are printed, also as JSON', () => {
  test.each([
    [['equipment', 'connect', 'etcher', 'coater', '--wait', '0s'], etcher.id],
    [['equipment', 'connect', 'etcher', 'coater', '--wait', '5s'], etcher.id],
    [['equipment', 'disconnect', 'etcher', 'coater', '--yes'], etcher.id],
    [['alarms', 'ack', '7', '8'], '7'],
  ])('%j', async (args, id) => {
    const { code, stdout, stderr } = await secsctl.run([...args, '--json'], { env })
    expect(code).toBe(args[0] === 'alarms' ? 3 : 5)
    expect(JSON.parse(stdout)).toMatchObject([{ id }])
    expect(JSON.parse(stderr)).toMatchObject({ detail: expect.any(String) })
  })
})

test('--equipment may be repeated, and an equipment that there is not is exit 3', async () => {
  await list('--equipment', 'etcher', '--equipment', 'coater', '--json')
  const asked = gateway.calls.find(({ path }) => path === '/events')
  expect(asked?.query.getAll('equipment_id')).toEqual([etcher.id, coater.id])
  expect(await list('--equipment', 'etcher', '--equipment', 'stepper')).toMatchObject({ code: 3 })
})

test.each([
  ['/equipment', ['equipment', 'list']],
  ['/events', ['events', 'list']],
  ['/messages', ['messages', 'list']],
  ['/alarms', ['alarms', 'list']],
])('%s is asked with the selector', async (path, args) => {
  await secsctl.run([...args, '-l', 'area=etch,bay!=3', '--json'], { env })
  const asked = gateway.calls.filter((call) => call.path === path)
  expect(asked.some(({ query }) => query.get('label_selector') === 'area=etch,bay!=3')).toBe(true)
})

test.each([
  ['equipment', 'list'],
  ['events', 'list'],
  ['events', 'tail'],
  ['events', 'wait'],
])('%s %s refuses a selector that cannot be read, and says where', async (...args) => {
  const { code, stdout, stderr } = await secsctl.run([...args, '--selector', 'area etch'], { env })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(
    '--selector "area etch": position 6: expected "=", "!=", "in", "notin" or ",", found "etch"',
  )
  expect(gateway.calls).toEqual([])
})

test.each(['tail', 'wait'])('events %s refuses a name that no event has', async (verb) => {
  const { code, stdout, stderr } = await secsctl.run(['events', verb, '--name', 'alarm_sett'], { env })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('alarm_set')
})

test.each(
  ['tail', 'wait'].flatMap((command) => [
    [command, '--collection-event', '3010'],
    [command, '--message', 's6f11'],
  ]),
)('events %s refuses %s beside types that have none', async (command, flag, value) => {
  const typed = ['events', command, flag, value, '--type', 'alarm', '--type', 'state']
  expect(await secsctl.run(typed, { env })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `Error: ${flag} selects events of the type message: with --type alarm and --type state none can match\n`,
  })
})

test.each([
  [['--name', 'alarm_set', '--type', 'state'], 'alarm_set is of the type alarm'],
  [['--name', 'alarm_set', '--message', 'S5F1'], '--message selects events of the type message'],
  [['--name', 'selected', '--collection-event', 'Started'], '--collection-event selects events of the type'],
])('events wait %j would wait for nothing, and is refused', async (flags, text) => {
  const { code, stderr } = await secsctl.run(['events', 'wait', ...flags], { env })
  expect(code).toBe(2)
  expect(stderr).toContain(text)
})

describe('what a user chooses of a list', () => {
  const two = (...args: string[]) => secsctl.run(['equipment', 'list', ...args], { env })

  test('is columns by their titles, in the order given, and rows in the order of a column', async () => {
    expect(await two('-o', 'tsv', '--columns', 'name,id', '--sort', 'name:desc')).toMatchObject({
      stdout: `etcher\t${etcher.id}\ncoater\teq_coater0000\n`,
      stderr: '',
    })
    const sorted = await two('--json', '--sort', 'NAME')
    expect(JSON.parse(sorted.stdout)).toMatchObject([{ name: 'coater' }, { name: 'etcher' }])
  })

  test('is CSV with titles, which are printed once for all pages', async () => {
    expect(await two('-o', 'csv', '--columns', 'NAME')).toMatchObject({
      stdout: 'NAME\r\ncoater\r\netcher\r\n',
    })
    const { stdout } = await list('-o', 'csv', '--columns', 'id', '--all')
    expect(stdout.split('\r\n')).toEqual(['ID', ...events.map(({ id }) => id), ''])
  })

  test('is one YAML sequence, also of several pages, and sorted over all of them', async () => {
    const { stdout, stderr } = await list('-o', 'yaml', '--all', '--sort', 'id')
    expect(stderr).toBe('')
    expect((parse(stdout) as { id: string }[]).map(({ id }) => id)).toEqual(
      events.map(({ id }) => id).reverse(),
    )
  })

  test('is a table in which nothing is cut', async () => {
    expect((await two('-o', 'wide')).stdout).toMatch(/^ID +NAME +ADDRESS +MODE .*HEALTH\n/)
  })

  test('may be the variable for all commands, which one that cannot print so ignores', async () => {
    const csv = { ...env, SECSCTL_OUTPUT: 'csv' }
    expect((await secsctl.run(['equipment', 'list'], { env: csv })).stdout).toMatch(/^ID,NAME,.*\r\n/)
    const other = await secsctl.run(['equipment', 'disconnect', 'etcher'], { env: csv })
    expect(other.stdout).toMatch(/^\S+\tetcher\t/)
  })

  test.each([
    [['--columns', 'name,speed'], '--columns: there is no column "speed" here; there is ID, NAME, ADDRESS'],
    [['--sort', 'speed:desc'], '--sort: there is no column "speed" here; there is ID, NAME, ADDRESS'],
    [['-o', 'yaml', '--columns', 'name'], '--columns has no effect on yaml, which has no columns'],
  ])('is refused with a sentence where it cannot be: %j', async (args, message) => {
    expect(await two(...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`Error: ${message}`),
    })
  })
})
