import { expect, test } from 'vitest'
import { runCommand } from '../support/command.js'
import { type FakeAnswer, type FakeCall, FakeGateway, problem, served } from '../support/fake-gateway.js'
import { sampleEquipment } from '../support/sample-equipment.js'

const LOCK = {
  by: 'ada@fab.example',
  reason: 'pump exchange',
  since: '2026-03-01T08:00:00.000Z',
  expires_at: '2026-03-01T08:10:00.000Z',
}
const FLEET = ['etch-1', 'etch-2', 'etch-3', 'litho-1'].map((name, at) =>
  sampleEquipment({ id: `eq_${at}`, name, lock: name === 'litho-1' ? null : LOCK }),
)
/** Locked by somebody else. */
const TAKEN = ['eq_1', 'eq_2']

const answered =
  (answer: FakeAnswer) =>
  ({ path }: FakeCall): FakeAnswer => {
    const equipment = FLEET.find(({ id }) => path.includes(id))
    const detail = `${equipment?.name} is locked by bob@fab.example until 2026-03-01T09:00:00Z (leak test).`
    const next = [{ operation: 'getEquipment', parameters: { id: equipment?.id } }]
    return TAKEN.includes(equipment?.id ?? '')
      ? { status: 409, body: problem(409, 'equipment_locked', detail, { next }) }
      : answer
  }
const locks = (method: string, answer: FakeAnswer) =>
  Object.fromEntries(FLEET.map(({ id }) => [`${method} /equipment/${id}/lock`, answered(answer)]))

const gateway = new FakeGateway({
  'GET /equipment': ({ query }) => ({
    body: { items: query.has('label_selector') ? FLEET.slice(0, 3) : FLEET, next_cursor: null },
  }),
  ...locks('PUT', { body: LOCK }),
  ...locks('DELETE', { status: 204 }),
})

served(gateway)

const run = (...args: string[]) => runCommand(['equipment', ...args], { gateway })
const changes = () => gateway.calls.filter(({ method }) => method !== 'GET')

const HELD = ['lock', 'etch-1', '--for', '10m', '--reason', 'pump exchange'] as const

test('equipment is locked for a time with a reason, which is sent once', async () => {
  const { stdout, exitCode } = await run(...HELD)
  expect({ stdout, exitCode }).toEqual({
    stdout: 'ada@fab.example\t2026-03-01T08:10:00.000Z\tpump exchange\n',
    exitCode: 0,
  })
  const [call] = changes()
  expect(call?.body).toEqual({ for_seconds: 600, reason: 'pump exchange' })
  expect(call?.query.get('reason')).toBeNull()
  expect(JSON.parse((await run(...HELD, '--json')).stdout)).toEqual(LOCK)
})

test('the lock of somebody else is exit code 5, and says who, until when, why and what to look at', async () => {
  const { stderr, exitCode } = await run('lock', 'etch-2', '--for', '10m', '--reason', 'x')
  expect(exitCode).toBe(5)
  expect(stderr).toContain('etch-2 is locked by bob@fab.example until 2026-03-01T09:00:00Z (leak test).')
  expect(stderr).toContain('secsctl equipment show etch-2')
})

test('of several, those that somebody else has locked fail together, and the others are locked', async () => {
  const { stdout, stderr, exitCode } = await run(
    ...['lock', '-l', 'area=etch', '--for', '10m', '--reason', 'gas off', '--yes'],
  )
  expect(stdout).toBe('etch-1\tada@fab.example\t2026-03-01T08:10:00.000Z\tpump exchange\n')
  expect(stderr).toBe(
    'etch-2, etch-3: is locked by bob@fab.example until 2026-03-01T09:00:00Z (leak test).\n1 done, 2 failed\n',
  )
  expect(exitCode).toBe(5)
  const unasked = await run('lock', 'etch-*', '--for', '10m', '--reason', 'gas off')
  expect(unasked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') })
})

test('a lock is released, and equipment without one is no error', async () => {
  const { stderr } = await run('unlock', 'etch-1', '--reason', 'done')
  expect(stderr).toBe('etch-1 is not locked any more\n')
  expect(changes().map(({ method, query }) => [method, query.toString()])).toEqual([
    ['DELETE', 'reason=done'],
  ])
  expect(await run('unlock', 'litho-1')).toMatchObject({ stderr: 'litho-1 was not locked\n', exitCode: 0 })
  expect((await run('unlock', 'litho-1', '--json')).stdout).toContain('{"unlocked":"eq_3"}')
})

test('--force breaks a lock and needs a reason', async () => {
  await run('unlock', 'etch-1', '--force', '--reason', 'gas alarm')
  expect(changes()[0]?.query.toString()).toBe('force=true&reason=gas+alarm')
  const { stderr, exitCode } = await run('unlock', 'etch-1', '--force')
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining('--force needs --reason'),
  })
})

test.each([
  [['lock', 'etch-1', '--reason', 'x'], '--for'],
  [['lock', 'etch-1', '--for', '10m'], '--reason'],
  [['lock', 'etch-1', '--for', '10', '--reason', 'x'], '--for takes a duration'],
  [['lock', 'etch-1', '--for', '25h', '--reason', 'x'], '--for takes 1s to 24h, not "25h"'],
  [['lock', 'etch-1', '--for', '0s', '--reason', 'x'], '--for takes 1s to 24h, not "0s"'],
])('%j is wrong usage', async (words, text) => {
  const { stderr, exitCode } = await run(...words)
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining(text), exitCode: 2 })
  expect(changes()).toEqual([])
})

test('the list and the record show who has locked equipment', async () => {
  const listed = await run('list', '-o', 'csv')
  expect(listed.stdout).toMatch(/,LOCK,.*\r\n.*,ada@fab\.example,/)
  const shown = await run('show', 'etch-1')
  expect(shown.stdout).toContain('locked\tby ada@fab.example until 2026-03-01T08:10:00.000Z: pump exchange\n')
  expect((await run('show', 'litho-1')).stdout).toContain('locked\tno\n')
})
