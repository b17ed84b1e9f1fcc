import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../support/command.js'
import { REPLIES } from '../support/example-gateway.js'
import { FakeGateway, problem } from '../support/fake-gateway.js'
import { sampleEquipment } from '../support/sample-equipment.js'

const etcher = sampleEquipment({ id: 'eq_1', name: 'etch-1' })
const SHELVED = { ...REPLIES.shelveAlarm, equipment_id: etcher.id, reason: 'gas off' }
const safety = problem(409, 'personal_safety_alarm', 'Alarm 1 is one of personal safety.')

const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  'GET /equipment/eq_1': () => ({ body: etcher }),
  'PUT /equipment/eq_1/alarms/4003/shelf': () => ({ body: SHELVED }),
  'PUT /equipment/eq_1/alarms/1/shelf': ({ body }) =>
    (body as { readonly personal_safety?: boolean }).personal_safety
      ? { body: { ...SHELVED, alid: '1' } }
      : { status: 409, body: safety },
  'PUT /equipment/eq_1/alarms/4999/shelf': () => ({ body: { ...SHELVED, alid: '4999', known: false } }),
  'PUT /equipment/eq_1/alarms/04001/shelf': () => ({
    status: 400,
    body: problem(400, 'invalid_request', 'alid must be a number without leading zeros.'),
  }),
  'DELETE /equipment/eq_1/alarms/4999/shelf': () => ({ status: 204, body: undefined }),
  'DELETE /equipment/eq_1/alarms/4003/shelf': () => ({ status: 204, body: undefined }),
  'GET /alarms/shelved': () => ({ body: { items: [SHELVED], next_cursor: null } }),
  'GET /alarms': () => ({ body: { items: [], next_cursor: null, incomplete: [] } }),
})
beforeAll(() => gateway.listen())
afterEach(() => void gateway.calls.splice(0))
afterAll(() => gateway.close())

const run = (...args: string[]) => runCommand(['alarms', ...args], { gateway })
const changes = () =>
  gateway.calls.filter(({ method }) => method !== 'GET').map(({ path, body }) => [path, body])
const SHELF = ['--for', '2h', '--reason', 'gas off']

test('alarms are shelved for a time and with a reason, those of personal safety only where that is said', async () => {
  const { stdout, exitCode } = await run('shelve', 'etch-1', '4003', ...SHELF)
  expect({ exitCode, changes: changes() }).toEqual({
    exitCode: 0,
    changes: [['/equipment/eq_1/alarms/4003/shelf', { for_seconds: 7200, reason: 'gas off' }]],
  })
  for (const part of ['4003', 'gas off', 'ada@example.com']) expect(stdout).toContain(part)
  expect(await run('shelve', 'etch-1', '1', ...SHELF)).toMatchObject({ exitCode: 5, stdout: '' })
  expect(await run('shelve', 'etch-1', '1', ...SHELF, '--personal-safety')).toMatchObject({ exitCode: 0 })
  expect(changes().at(-1)?.[1]).toMatchObject({ personal_safety: true })
})

test.each([
  [['shelve', 'etch-1', ...SHELF], 'ALID'],
  [['shelve', 'etch-1', '4003', '--for', '8d', '--reason', 'x'], '--for'],
  [['shelve', 'etch-1', '4003', '--for', '1h'], 'reason'],
  [['unshelve', 'etch-1'], 'ALID'],
])('%o is wrong usage', async (args, word) => {
  const { stderr, exitCode } = await run(...args)
  expect(stderr).toContain(word)
  expect({ exitCode, changes: changes() }).toEqual({ exitCode: 2, changes: [] })
})

test('shelves are ended and listed, and the list of alarms is narrowed to them', async () => {
  expect(await run('unshelve', 'etch-1', '4003')).toMatchObject({ exitCode: 0 })
  expect(changes().map(([path]) => path)).toEqual(['/equipment/eq_1/alarms/4003/shelf'])
  const { stdout } = await run('shelved', '--json')
  expect(JSON.parse(stdout)).toEqual([SHELVED])
  await run('list', '--shelved')
  await run('list', '--no-shelved')
  const asked = gateway.calls
    .filter(({ path }) => path === '/alarms')
    .map(({ query }) => query.get('shelved'))
  expect(asked).toEqual(['true', 'false'])
})

test('an alarm that the equipment does not list is shelved with a note, also where another one is refused', async () => {
  const listed = await run('shelve', 'etch-1', '4003', ...SHELF)
  expect(listed.stderr).not.toContain('4003')
  const { stdout, stderr, exitCode } = await run('shelve', 'etch-1', '04001', '4999', ...SHELF)
  expect(exitCode).toBe(2)
  expect(stdout).toContain('4999')
  for (const part of ['4999', 'leading zeros']) expect(stderr).toContain(part)
})

test('unshelve says which alarms were not shelved', async () => {
  const { stdout, exitCode } = await run('unshelve', 'etch-1', '4999', '4003', '--json')
  expect({ exitCode, said: JSON.parse(stdout) }).toEqual({
    exitCode: 0,
    said: { unshelved: ['4003'], not_shelved: ['4999'] },
  })
  expect((await run('unshelve', 'etch-1', '4999', '--json')).stdout).toContain('"not_shelved":["4999"]')
})
