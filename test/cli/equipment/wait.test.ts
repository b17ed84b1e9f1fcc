import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Equipment } from '../../../src/contract/equipment.js'
import type { Clock } from '../../../src/kit/clock.js'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { type FakeAnswer, FakeGateway, problem } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const DOWN = { connection_state: 'CONNECTING', communication_state: 'NOT_COMMUNICATING' } as const
const LOCK = {
  by: 'bob@fab.example',
  reason: 'x',
  since: '2026-01-01T00:00:00Z',
  expires_at: '2099-01-01T00:00:00Z',
}

let fleet: Equipment[] = []
let looks = 0
/** What becomes of the fleet at a look, counted from one. */
let atLook: (look: number) => FakeAnswer | undefined = () => undefined
let stream: () => FakeAnswer
const [alarm] = (REPLIES.listAlarms as { readonly items: readonly object[] }).items

const one = (at: number) => {
  const answered = atLook(++looks)
  return answered ?? { body: fleet[at] }
}
const gateway = new FakeGateway({
  'GET /equipment': () => atLook(++looks) ?? { body: { items: fleet, next_cursor: null } },
  'GET /equipment/eq_0': () => one(0),
  'GET /alarms': ({ query }) => ({
    body: {
      items: query.getAll('alid').includes('4001') ? [{ ...alarm, equipment_id: 'eq_1' }] : [],
      next_cursor: null,
    },
  }),
  'GET /events/stream': () => stream(),
})
beforeAll(() => gateway.listen())
const start = (...changes: Partial<Equipment>[]): void => {
  fleet = changes.map((change, at) => sampleEquipment({ id: `eq_${at}`, name: `etch-${at + 1}`, ...change }))
  gateway.calls.splice(0)
  looks = 0
  atLook = () => undefined
  stream = () => ({ text: ': open\n\n', isOpen: true })
}
afterEach(() => start())
afterAll(() => gateway.close())

const wait = (...args: string[]) => runCommand(['equipment', 'wait', ...args], { gateway })
const names = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[1])

describe('equipment wait', () => {
  test('of several ends when all are in the state, with one stream and one call for each look', async () => {
    start({}, DOWN, {})
    atLook = (look) => {
      if (look === 3) fleet[1] = sampleEquipment({ id: 'eq_1', name: 'etch-2' })
      return undefined
    }
    const { stdout, exitCode } = await wait('etch-*', '--for', 'communicating', '--timeout', '120s')
    expect({ names: names(stdout), exitCode }).toEqual({ names: ['etch-1', 'etch-2', 'etch-3'], exitCode: 0 })
    const paths = gateway.calls.map(({ path }) => path)
    expect(paths.filter((path) => path === '/events/stream')).toHaveLength(1)
    expect(paths.every((path) => ['/equipment', '/events/stream'].includes(path))).toBe(true)
  })

  test('an event is a reason to look at once', async () => {
    start({}, DOWN)
    const event = { type: 'state', name: 'communication_state', equipment_id: 'eq_1', at: '', data: {} }
    stream = () => ({
      text: `id: 5\nevent: state\ndata: ${JSON.stringify({ id: '5', ...event })}\n\n`,
      isOpen: true,
    })
    atLook = (look) => {
      if (look === 3) fleet[1] = sampleEquipment({ id: 'eq_1', name: 'etch-2' })
      return undefined
    }
    // Only the shortest time between two looks comes to its end: without the event there is no further look.
    const clock: Clock = {
      now: () => 0,
      date: () => new Date(0),
      at: (at, run) => {
        const due = at <= 200 ? setImmediate(run) : undefined
        return () => clearImmediate(due)
      },
    }
    const words = ['equipment', 'wait', '--all', '--for', 'communicating']
    expect(await runCommand(words, { gateway, clock })).toMatchObject({ exitCode: 0 })
  })

  test('after the timeout, says which are not in it and why, and prints those that are', async () => {
    start({}, DOWN, { ...DOWN, enabled: false, connection_state: 'NOT_CONNECTED' })
    const { stdout, stderr, exitCode } = await wait('--all', '--for', 'communicating', '--timeout', '300ms')
    expect({ names: names(stdout), exitCode }).toEqual({ names: ['etch-1'], exitCode: 7 })
    expect(stderr).toContain(
      '2 of 3 equipment are not communicating after 300ms: etch-2 (CONNECTING), etch-3 (not connected, and not meant to be)',
    )
  })

  test('--any ends with the first one', async () => {
    start({}, DOWN)
    const { stdout, exitCode } = await wait('--all', '--any', '--for', 'selected')
    expect({ names: names(stdout), exitCode }).toEqual({ names: ['etch-1'], exitCode: 0 })
    start(DOWN, DOWN)
    const none = await wait('--all', '--any', '--for', 'selected', '--timeout', '0s')
    expect(none).toMatchObject({ exitCode: 7 })
    expect(none.stderr).toContain('none of 2 equipment is selected after 0s')
  })

  test('one equipment is asked for alone, and printed as one object', async () => {
    start({}, {})
    const { stdout, exitCode } = await wait('etch-1', '--for', 'online-remote', '--json')
    expect({ id: JSON.parse(stdout).id, exitCode }).toEqual({ id: 'eq_0', exitCode: 0 })
  })

  test.each([
    ['not-selected', DOWN, {}, 'communicating, ONLINE_REMOTE'],
    ['online-local', { control_state: 'ONLINE_LOCAL' }, {}, 'communicating, ONLINE_REMOTE'],
    ['online', {}, { control_state: 'HOST_OFFLINE' }, 'HOST_OFFLINE'],
    ['offline', { control_state: 'EQUIPMENT_OFFLINE' }, {}, 'ONLINE_REMOTE'],
    ['health-ok', {}, { health: 'failing', health_reason: 'no reply' }, 'health failing: no reply'],
    ['health-failing', { health: 'failing' }, {}, 'health ok'],
    ['locked', { lock: LOCK }, {}, 'not locked'],
    ['not-locked', {}, { lock: LOCK }, 'locked by bob@fab.example'],
  ] as const)('--for %s', async (state, good, bad, why) => {
    start(good)
    expect(await wait('etch-1', '--for', state, '--timeout', '0s')).toMatchObject({ exitCode: 0 })
    start(bad)
    const { stderr, exitCode } = await wait('etch-1', '--for', state, '--timeout', '0s')
    expect(exitCode).toBe(7)
    expect(stderr).toContain(why)
  })

  test('for an alarm, or none, also of one ALID; several states have to hold together', async () => {
    start({}, {})
    const alarmed = await wait('--all', '--for', 'no-alarm', '--alid', '4001', '--timeout', '0s')
    expect(alarmed.stderr).toContain(
      '1 of 2 equipment are not without an active alarm after 0s: etch-2 (an alarm is active)',
    )
    expect(await wait('--all', '--for', 'no-alarm', '--timeout', '0s')).toMatchObject({ exitCode: 0 })
    expect(await wait('--all', '--any', '--for', 'alarm', '--alid', '4001')).toMatchObject({ exitCode: 0 })
    const both = await wait('--all', '--for', 'selected', '--for', 'locked', '--timeout', '0s')
    expect(both.stderr).toContain(
      '2 of 2 equipment are not selected and locked after 0s: etch-1 (not locked)',
    )
  })

  test('a gateway that is away for a moment is waited for, and equipment that is removed is not', async () => {
    start({}, DOWN)
    atLook = (look) => {
      if (look === 3) return { status: 503, body: problem(503, 'shutting_down', 'Away.') }
      if (look === 4) fleet[1] = sampleEquipment({ id: 'eq_1', name: 'etch-2' })
      return undefined
    }
    expect(await wait('--all', '--for', 'selected')).toMatchObject({ exitCode: 0 })
    start({}, DOWN)
    atLook = (look) => {
      if (look === 3) fleet.pop()
      return undefined
    }
    const { stderr, exitCode } = await wait('--all', '--for', 'selected')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining('etch-2 was removed'),
    })
  })

  test('a stream that is refused costs nothing but time', async () => {
    start(DOWN, {})
    stream = () => ({ status: 429, body: problem(429, 'quota_exceeded', 'Too many streams.') })
    atLook = (look) => {
      if (look === 3) fleet[0] = sampleEquipment({ id: 'eq_0', name: 'etch-1' })
      return undefined
    }
    expect(await wait('--all', '--for', 'selected')).toMatchObject({ exitCode: 0 })
  })

  test.each([
    [['--for', 'selected'], 'name equipment'],
    [['--all', '--for', 'selected', '--alid', '7'], '--alid needs'],
    [['--all', '--for', 'no-alarm', '--alid', 'abc'], 'not "abc": no alarm has it'],
    [['--all', '--for', 'no-alarm', '--alid', '4000,x'], 'not "x"'],
    [['--all', '--for', 'no-alarm', '--alid=-1'], 'not "-1"'],
    [['--all', '--for', 'no-alarm', '--alid', '04001'], 'not "04001"'],
    [['--all', '--for', 'alarm', '--alid', '9-5'], 'begins after its end'],
    [['--all', '--for', 'happy'], '--for'],
  ])('%j is a wrong usage', async (args, text) => {
    start({})
    const { stderr, exitCode } = await wait(...args)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(text)
  })
})

test('equipment show of several prints each under its name, and JSON of each on a line', async () => {
  start({}, DOWN)
  const { stdout, exitCode } = await runCommand(['equipment', 'show', 'etch-*'], { gateway })
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^etch-1:\nid\teq_0\n[\s\S]*\netch-2:\nid\teq_1\n/)
  const json = await runCommand(['equipment', 'show', '--all', '--json'], { gateway })
  expect(
    json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).result.id)
      .sort(),
  ).toEqual(['eq_0', 'eq_1'])
})

test.each([
  'labels',
  'lock',
  'health',
  'health_reason',
  'responsiveness',
  'communication',
  'item_formats',
  'text_encoding',
  'retry_at',
])('equipment of an older gateway, without %s, is listed and shown', async (member) => {
  start({})
  delete (fleet[0] as unknown as Record<string, unknown>)[member]
  for (const args of [['list'], ['list', '-o', 'csv'], ['list', '--json'], ['show', 'etch-1']]) {
    const { stdout, stderr, exitCode } = await runCommand(['equipment', ...args], { gateway })
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toContain('etch-1')
    expect(stdout).not.toContain('undefined')
  }
})
